#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The driver of docs/upstream counts what the tree's module counts. It is built for the kernel of TREE (see
# build-aux/guest-tree; default: that of the riscv64 guest) and takes the monitors there over from the module. The test
# has a guest of its own.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
# of a make -j that has no jobs for the one in here, which warns of it
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL
TREE=${TREE:-build/guest-riscv64}
dir=$PWD/build/riscv64/series
release=$(cat "$TREE/release")
kernel=$PWD/$TREE/root/lib/modules/$release
rm -rf "$dir"
mkdir -p "$dir"

for patch in "$srcdir"/docs/upstream/espmon/*-perf-Add-*.patch; do
	# the new files of this folder alone
	sed -n '/^diff --git a\/drivers\/perf\/espmon/,/^\(-- \)\?$/p' "$patch" | patch -s -p3 -d "$dir"
	is "${patch##*/} has the driver" $? 0
done
# older kernels lack attr.config4, which they refuse, and hrtimer_setup()
cat >"$dir/Makefile" <<'END'
obj-m := espmon.o
ccflags-y := $(if $(shell grep -w config4 $(srctree)/include/uapi/linux/perf_event.h),,-Dconfig4=config3)
ccflags-y += $(if $(shell grep -w hrtimer_setup $(srctree)/include/linux/hrtimer.h),,-include $(src)/older.h)
END
cat >"$dir/older.h" <<'END'
#include <linux/hrtimer.h>
#define hrtimer_setup(timer, handler, clock, mode) \
	(hrtimer_init(timer, clock, mode), (timer)->function = (handler))
END
# A kernel for other instructions than this machine's assembler knows has its own. Older compilers do not align the
# functions that such a kernel patches to trace them.
tools=$PWD/$TREE/host/tools
[ ! -e "$tools/ld" ] || export COMPILER_PATH="$tools"
# words are wanted
# shellcheck disable=SC2046
make -s -C "$kernel/build" M="$dir" CONFIG_DEBUG_INFO_BTF_MODULES= \
	$(sed -n 's/^KBUILD_ARCH = //p' build/riscv64/Makefile) ${COMPILER_PATH:+LD="$tools/ld" CC_FLAGS_FTRACE=} W=1 modules >"$dir/log" 2>&1
is "it builds" $? 0
is "without a warning" "$(grep -c 'espmon.*warning:' "$dir/log")" 0

cat >"$dir/guest" <<'END'
pmu=/sys/bus/event_source/devices/espmon
fft="./examples/esp/esp-fft --log-len 7 --coherence"

# count EVENTS COMMAND...
count()
{
	perf stat -a -x, -o /tmp/series.csv -e "$1" -- "${@:2}" >/dev/null
	awk -F, '/espmon/ { printf "%s%s", sep, $1; sep = " " }' /tmp/series.csv
	echo
}

# what does not depend on how long something takes
counts()
{
	local event flits words

	count '{espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/}' $fft none
	count '{espmon/coh_dma_reqs/,espmon/coh_dma_rsps/,espmon/llc_hits/}' $fft llc
	count espmon/acc_invocations/,espmon/ddr_accesses/,espmon/acc_mem_hi/ $fft none --repeat 3
	for event in noc_injects_p3 noc_injects_p5; do
		count "{espmon/$event,bytile,tile=0/,espmon/$event,bytile,tile=2/,espmon/$event/}" $fft none
	done
	for event in "$pmu"/events/*; do
		case $event in
		*.*) ;;
		*) echo "${event##*/} $(cat "$event")" ;;
		esac
	done
}

# open events follow their processor
moves()
{
	local cpu perf

	cpu=$(cat $pmu/cpumask)
	rm -f /tmp/begin /tmp/end
	perf stat -a -x, -o /tmp/held.csv -e espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/ \
		sh -c 'touch /tmp/begin; until [ -e /tmp/end ]; do sleep 0.1; done' &
	perf=$!
	until [ -e /tmp/begin ]; do sleep 0.1; done
	$fft none >/dev/null
	echo 0 >"/sys/devices/system/cpu/cpu$cpu/online"
	[ "$(cat $pmu/cpumask)" != "$cpu" ] || echo "events stay on a processor that has gone"
	$fft none >/dev/null
	echo 1 >"/sys/devices/system/cpu/cpu$cpu/online"
	touch /tmp/end
	wait $perf
	awk -F, '/espmon/ { printf "%s%s", sep, $1; sep = " " }' /tmp/held.csv
	echo
}

{ counts && moves; } >/tmp/tree
rmmod espmon || exit 1
insmod build/riscv64/series/espmon.ko || exit 1
basename "$(readlink /sys/bus/platform/devices/60090000.pmu/driver)" >/tmp/driver
{ counts && moves; } >/tmp/series
count espmon/dvfs_op3,bytile,tile=1/ sleep 1 >/tmp/cycles
rmmod espmon || exit 1
for name in tree driver series cycles; do
	sed "s/^/$name: /" /tmp/$name
done
END
./mon-vm --arch riscv64 --kernel "$TREE/root/boot/vmlinux-$release" --modules-dir "${kernel%/*}" --share "$srcdir" \
	--timeout 1500 --kernel-log "$dir/kernel" --esp -- bash build/riscv64/series/guest >"$dir/out" 2>&1
is "the guest of Linux $release" $? 0
for name in tree driver series cycles; do
	sed -n "s/^$name: //p" "$dir/out" >"$dir/$name"
done
is "who has the monitors" "$(cat "$dir/driver")" espmon
# 1 + 128 + 128 words; 3 + 3 + 131 and 2 + 129 flits (esp-soc.sh)
is "a transform" "$(sed -n 1p "$dir/series")" "257 137 131"
is "two of them on two processors" "$(tail -n 1 "$dir/series")" "514 274 262"
ok "events and counts are the tree's" diff "$dir/tree" "$dir/series"
# at 78.125 MHz, by a clock that is the machine's
like "cycles of a second" "$(cat "$dir/cycles")" '^[0-9]{8,9}$'
is "complaints of the kernel" "$(grep -E "$complaints" "$dir/kernel")" ""
[ "$failures" = 0 ] || cat "$dir/out"
summary
