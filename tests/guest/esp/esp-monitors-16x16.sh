#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --soc @srcdir@/tests/designs/dummy-16x16.esp_config
# READ_ALL of 256 tiles against perf stat. A register access takes the model 0.1 ms at this size, so
# each program runs once, and perf counts the memory tiles and the tile of accelerator 0 only.
. "${srcdir:-.}/tests/guest/lib.sh"
program=tests/guest/esp/esp-monitors-16x16
[ -x tests/guest/.libs/esp-monitors-16x16 ] && program=tests/guest/.libs/esp-monitors-16x16
dir=$(mktemp -d)
ulimit -n "$(ulimit -Hn)"
tiles=/sys/bus/event_source/devices/espmon/tiles
is "tiles in sysfs" "$(find $tiles -type f | wc -l)" 256

for tile in $(cd $tiles && grep -l ' mem$' -- * | sort -n); do
	for event in ddr_accesses coh_dma_reqs coh_dma_rsps llc_hits llc_misses noc_injects_p5; do
		echo "espmon/$event,bytile,tile=$tile/"
	done
done > "$dir/events"
acc=$(cd $tiles && grep -l 'dummy_stratus[.]0' -- *)
for event in acc_tlb acc_invocations acc_mem_cycles acc_tot_cycles noc_injects_p3; do
	echo "espmon/$event,bytile,tile=$acc/"
done >> "$dir/events"
perf stat -x, -o "$dir/perf" -e "{$(paste -s -d, "$dir/events")}" -- "$program" all > "$dir/said"
verdict "perf stat" $?
sed -n 's|^\([0-9]*\),[^,]*,espmon/\([^,]*\),bytile,tile=\([0-9]*\)/.*|\3 \2 \1|p' "$dir/perf" |
	sort > "$dir/counts"
is "perf stat counts all events" "$(wc -l < "$dir/counts")" "$(wc -l < "$dir/events")"
is "what perf stat says and the program does not" \
	"$(sort "$dir/said" | comm -13 - "$dir/counts" | head -n 5)" ""
is "a run" "$(grep acc_invocations "$dir/counts")" "$acc acc_invocations 1"

# 256 * 40 + 11 in each of 16 memory tiles + 2 for each L2 + 4 for each of the 44 accelerators, in groups
# of 2000 events at most that end between tiles: 6 reads
# (only calls that may read stop the program for strace: it opens more than 10000 files)
calls()
{
	# from the last execve() on: before it, libtool's script of a build tree runs
	strace -f --seccomp-bpf -e trace=execve,read,readv,pread64,preadv,ioctl -o "$dir/trace" \
		"$program" reads "$1" &&
		awk '/execve\(/ { n = 0 } !/exited|SIG|resumed/ { n++ } END { print n }' "$dir/trace"
}
is "system calls of a second READ_ALL" "$(($(calls 2) - $(calls 1)))" 6
summary
