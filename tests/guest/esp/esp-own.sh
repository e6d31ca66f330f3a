#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A user's own accelerators in a guest whose driver has no row for them, and processes that die,
# stop or send nonsense during a run: the program gets EIO, mon-vm prints the reason, and the device
# still works. Runs on the host.
srcdir=${srcdir:-.}
. "$srcdir/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
unit=tests/unit/esp
mkfifo "$dir/in"
awk '/ acc FFT_STRATUS/ && ++n == 1 { sub("FFT_STRATUS", "VADD_STRATUS") }
	/ acc FFT_STRATUS/ && n { sub("FFT_STRATUS", "NONSENSE") } { print }' \
	"$srcdir/tests/designs/fft-3x2.esp_config" >"$dir/own.esp_config"
run()
{
	./mon-vm --device espmon,accelerator-silence=3000 --soc "$dir/own.esp_config" \
		--accelerator VADD_STRATUS=$unit/vadd_sc.acc --accelerator NONSENSE=$unit/nonsense.acc "$@"
}

# victim PID: the accelerator's process below it, once it computes
victim()
{
	local child

	for child in $(pgrep -P "$1"); do
		[ "$(cat "/proc/$child/comm" 2>/dev/null)" = computes ] && echo "$child" && return
		victim "$child" && return
	done
	return 1
}

# slabs: how many pieces of memory are in use that are as big as what the driver keeps of such an accelerator, 1.3 KB
slabs()
{
	echo 1 >/sys/kernel/slab/kmalloc-2k/shrink
	awk '$1 == "kmalloc-2k" { print $2 }' /proc/slabinfo
}

# rebound: the driver goes and comes a hundred times, and keeps nothing of it
# shellcheck disable=SC2317 # the guest calls it
rebound()
{
	local before device i

	cd /sys/bus/auxiliary/drivers/esp_accel || return
	device=$(echo ./*.*.*)
	before=$(slabs)
	for i in {0..99}; do
		echo "${device#./}" >unbind
		echo "${device#./}" >bind
	done
	[ "$i" -eq 99 ] && [ $(($(slabs) - before)) -lt 50 ] && echo freed
}

own=./tests/guest/esp/esp-own
# a structure of another size, and one of the right size whose ioctl does not tell the order of the XML, as ESP's own;
# vadd on 1200 words, 512 at a time: see test-remote; the page table is a word and 3 + 1 + 1 flits
run -- bash -c "
	echo killed; $own nonsense.0 12; read -r line
	echo stopped; $own nonsense.0 12; read -r line
	for what in 0 1 2 3 4 5 6 7 8; do $own nonsense.0 \$what; done
	perf stat -x, -o /tmp/counts -e espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/ $own vadd 1200 5
	sed -n 's/,.*espmon.*//p' /tmp/counts | xargs
	$own vadd_stratus.0 1 2
	echo order; $own vadd_stratus.0 1 2 3 4
	./monctl stat -a -p accelerators -- $own vadd 600 1 2>&1 | grep -c '^Tile 0 (vadd_stratus.0) had transfers under way'
	dmesg | grep -c 'Call Trace'
	$(declare -f slabs rebound)
	rebound" <"$dir/in" >"$dir/out" 2>"$dir/err" &
vm=$!
exec 9>"$dir/in"

# hit WORD SIGNAL: to the accelerator's process in the middle of a run that makes progress until then
hit()
{
	wait_until grep -q "^$1" "$dir/out"
	wait_until victim $vm >"$dir/pid"
	kill "-$2" "$(cat "$dir/pid")"
	echo >&9
}
hit killed KILL
hit stopped STOP
wait $vm
exec 9>&-

is "how the runs ended" "$(xargs <"$dir/out")" \
	"killed EIO stopped EIO $(printf 'EIO %.0s' {0..8})right 2401 1221 1205 ENOTTY order ENOTTY 1 0 freed"
for why in 'ended by signal 9 during a run' 'makes no progress for 3000 ms' 'not in the protocol' 'in the past' \
	'more than 256 MiB' 'no words' 'more words than it asked' 'out of range' 'the matrix is singular'; do
	like "why" "$(cat "$dir/err")" "NONSENSE.*$why"
done
summary
