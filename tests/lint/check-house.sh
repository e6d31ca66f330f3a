#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check-house: in a copy of the sources, six more ESP events, an accelerator and a fifth system are added, built,
# tested and counted in a guest. What had to be touched is the output; more than the project promises is an error:
#   an event: its line in the catalogue, and one line in one file of the model, also for those of the L2, the LLC,
#   the network and the DDR bus, which count accesses at once as well as packets
#   an accelerator: its row, one file of the model, and the header that programs include
#   a system: a line in events/systems.def, and a folder in each of events/, pmu/, models/ and qemu/
# words are wanted where variables are not quoted
# shellcheck disable=SC2046,SC2086
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
house=$srcdir/tests/lint/house
built=$(pwd)
copy=$built/build/house

die() {
	echo "check-house: $*" >&2
	exit 1
}

not_run() {
	echo "check-house: not run: $*"
	exit 0
}

[ "$srcdir" = "$built" ] || not_run "it copies a tree that was built where its sources are"
[ -e build/libpfm4/validate.log ] || not_run "it counts by libpfm4, whose source is not there"
command -v git >/dev/null || not_run "it compares with git, which is not installed"
rm -rf "$copy"
mkdir -p "$copy"
# with what is built, so that only what follows from the change is built again
tar -C "$built" --exclude=./build/house --exclude=./build/qemu --exclude=./build/perf --exclude=./build/fuzz \
	--exclude=./build/debug-kernel --exclude=./build/kernel-* --exclude=./build/guest-* --exclude=./build/lint \
	--exclude=./.git -cf - . | tar -C "$copy" -xf -
ln -s "$built/build/qemu" "$copy/build/qemu"
cd "$copy"
git init -q .
git config gc.auto 0
git add -A
git -c user.name=house -c user.email=house@localhost commit -qm "before" --no-verify

# event NAME CODE PLACES UNIT FILE LINE COUNT: one after the last monitor, and in FILE a line after LINE
last=noc_queue_full_p5_l
event() {
	sed -i "/^MON_EVENT($last, /,/)\$/{/)\$/a\\
MON_EVENT($1, $2, $3, ESPMON_2023, \"$4\", \"\",\\
	\"An event of check-house\")
}" events/esp/events.def
	awk -v line="$6" -v count="$7" '{ print } index($0, line) { print "\t" count }' "$5" >house.c
	mv house.c "$5"
	touched=$(git status --porcelain | awk '{ print $2 }' | sort | tr '\n' ' ')
	echo "check-house: the event $1 touches: $touched"
	[ "$touched" = "events/esp/events.def $5 " ] ||
		die "an event has to touch its catalogue and one file of the model, no less and no more"
	[ "$(git diff --numstat "$5" | cut -f1,2)" = "1	0" ] || die "$1: not one line more in $5"
	git -c user.name=house -c user.email=house@localhost commit -qam "the event $1"
	# the table of the tests, which is independent of the catalogue
	csv="$csv/^$last,/a $1,$(printf 0x%x "$2")
"
	last=$1
}
csv=
event acc_starts 59 ESP_ON_ACC starts models/esp/accelerator.c \
	"esp_count(soc, soc->acc_tile[acc], ESP_MON_ACC_INVOCATIONS, 1);" \
	"esp_count(soc, soc->acc_tile[acc], ESPMON_acc_starts, 1);"
event llc_evictions 60 ESP_ON_MEM lines models/esp/protocol.h "esp_dir_evicted(soc, set, way);" \
	"esp_count(soc, soc->mem_tile[mem], ESPMON_llc_evictions, 1);"
event l2_puts 61 "ESP_ON_CPU | ESP_ON_ACC_L2" lines models/esp/protocol.h \
	"esp_l2_set(soc, cache, l, ESP_L2_I);" \
	"esp_count(soc, soc->cache_tile[cache], ESPMON_l2_puts, 1);"
event noc_packets 62 ESP_ON_ANY packets models/esp/internal.h \
	"esp_count(soc, tile, ESP_MON_NOC_INJECT(plane), flits.n);" \
	"esp_count(soc, tile, ESPMON_noc_packets, plane == ESP_PL_REQ ? flits.heads : 0);"
event noc_packets_taken 63 ESP_ON_ANY packets models/esp/internal.h \
	"esp_count(soc, tile, ESP_MON_NOC_EJECT(plane), flits.n);" \
	"esp_count(soc, tile, ESPMON_noc_packets_taken, plane == ESP_PL_REQ ? flits.tails : 0);"
event ddr_fills 64 ESP_ON_MEM words models/esp/internal.h \
	"esp_count(soc, soc->mem_tile[mem], ESP_MON_DDR, words);" \
	"esp_count(soc, soc->mem_tile[mem], ESPMON_ddr_fills, why == ESP_BEAT_FILL ? words : 0);"

# a code after a gap, which the driver would not show
sed -i "s/^MON_EVENT($last, 64,/MON_EVENT($last, 66,/" events/esp/events.def
! make -s models/esp/monitor.mo >gap.log 2>&1 || die "a gap between the codes of events is not noticed"
grep -q "$last: lines stand in the order of their codes" gap.log || die "a gap between the codes of events gives another error"
git checkout -q events/esp/events.def
rm gap.log

# the accelerator
sed -i "/^#undef ESP_ACC\$/e cat $house/accelerator/row" events/esp/accelerators.def
cp -r "$house/accelerator/models" "$house/accelerator/libmon" .
touched=$(git status --porcelain -uall | awk '{ print $2 }' | sort | tr '\n' ' ')
echo "check-house: an accelerator touches: $touched"
[ "$touched" = "events/esp/accelerators.def libmon/esp/include/house_stratus.h models/esp/acc-house.c " ] ||
	die "an accelerator has to touch accelerators.def and to bring one file of the model and a header, no less and no more"
git add -A
git -c user.name=house -c user.email=house@localhost commit -qm "the accelerator"

# the system
cp -r "$house/events" "$house/pmu" "$house/models" "$house/qemu" .
cat "$house/row" >>events/systems.def
touched=$(git status --porcelain | awk '{ print $2 }' | sort | tr '\n' ' ')
echo "check-house: a system touches: $touched"
[ "$touched" = "events/scratch/ events/systems.def models/scratch/ pmu/scratch/ qemu/scratch/ " ] ||
	die "a system has to touch systems.def and to bring four folders, no less and no more"

sed -i "$csv" tests/libpfm4/espmon.csv
export CK_TIMEOUT_MULTIPLIER=10
make -s -j2 all >house.log 2>&1 || { tail -n 30 house.log; die "it does not build"; }
make -s libpfm4 >>house.log 2>&1 || { tail -n 30 house.log; die "libpfm4 does not build or its tests fail"; }
tests="tests/unit/esp/test-csr tests/unit/esp/test-soc tests/unit/esp/test-libmon-esp tests/unit/libmon/test-libmon"
tests="$tests tests/unit/pmu/test-counter tests/unit/esp/test-config"
# accesses at once and through the network count the same, also the new events
tests="$tests tests/unit/esp/test-fast"
make -s -j2 check-TESTS check_PROGRAMS="$tests" TESTS="$tests" >>house.log 2>&1 || {
	grep -a -h -E ':[FE]:' $(printf '%s.log ' $tests) || tail -n 30 house.log
	die "a unit test fails"
}
grep -q 'checking scratch (.*Passed' build/libpfm4/validate.log || die "libpfm4 does not check scratch"
${CC:-cc} -O2 -Wall -I libmon/include -I . -I build/libpfm4/include "$house/count.c" -o house-count \
	-L .libs -lmon build/libpfm4/lib/libpfm.a
${CC:-cc} -O2 -Wall -I libmon/include -I libmon/esp/include -I . "$house/accelerate.c" -o house-accelerate -L .libs -lmon-esp -lmon
grep -q '/dev/house_stratus.N' man/esp_accel.4 || die "esp_accel(4) does not tell the accelerator"
sed -e 's/^CONFIG_CPU_CACHES = .*/CONFIG_CPU_CACHES = 512 4 16 8/' -e 's/^\(TILE_2_0 = .*\)FFT_STRATUS/\1HOUSE_STRATUS/' \
	tests/designs/fft-3x2.esp_config >house.esp_config
./mon-vm --soc house.esp_config --append iomem=relaxed -- sh "$house/in-guest.sh" ./house-count ./house-accelerate ||
	die "the guest's counts are wrong"

# the layering is kept, and its check can fail
make -s check-includes
sed -i '1a #include "models/esp/soc.h"' libmon/error.c
! make -s check-includes >/dev/null 2>&1 || die "an include of models/ in libmon/ is not noticed"
git checkout -q libmon/error.c
sed -i '1a #include "dpu/include/model.h"' models/esp/noc.c
! make -s check-includes >/dev/null 2>&1 || die "an include of another system is not noticed"
git checkout -q models/esp/noc.c
printf 'void *esp_soc_new(void);\nvoid *house(void);\nvoid *house(void)\n{\n\treturn esp_soc_new();\n}\n' >>libmon/error.c
make -s libmon/libmoncore.la >>house.log 2>&1
found=$(python3 tests/lint/symbols.py || true)
grep -q '^libmon/error.c may not use esp_soc_new of models/esp/' <<<"$found" ||
	die "a call into models/ from libmon/, declared by hand, is not noticed"
cd "$built"
rm -rf "$copy"
echo "check-house: one line an event, a row and a model an accelerator, four folders and a line a system"
