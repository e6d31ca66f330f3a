#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --cpu --smp 4 --soc @srcdir@/tests/designs/dummy-4x4.esp_config
# Four virtual CPUs, four CPU tiles, under load: each level counts what the level before it sends.
# The load lasts MON_CPU_STRESS seconds (default 10; `make stress-cpu`: 300).
. "${srcdir:-.}/tests/guest/lib.sh"
echo 16 >/proc/sys/vm/nr_hugepages
seconds=${MON_CPU_STRESS:-10}

# Walks that share the caches, short processes, short-lived mappings.
# shellcheck disable=SC2317 # perf runs it
load()
{
	local end=$((SECONDS + seconds)) i

	for i in 0 1 2 3; do
		while [ "$SECONDS" -lt "$end" ]; do
			taskset -c "$i" ./examples/memwalk --pattern chase --stride 16 \
				--bytes $((32 << i))K --repeat $((64 >> i)) >/dev/null
		done &
	done
	while [ "$SECONDS" -lt "$end" ]; do
		python3 -c 'import mmap, os
for i in range(100):
    m = mmap.mmap(-1, 1 << 20); m[::4096] = b"x" * 256; m.close()
for i in range(8):
    os.fork() or os._exit(0)'
	done
	wait
}

events=
for e in l2_hits l2_misses llc_hits llc_misses coh_reqs noc_injects_p0 coh_fwds noc_injects_p1 \
	coh_rsps_snd coh_rsps_rcv noc_injects_p2 ddr_accesses; do
	events+=,espmon/$e/
done
export -f load
export seconds
perf stat -x, -o /tmp/cpu-smp.csv -e "{${events#,}}" -- bash -c load >/tmp/cpu-smp.out 2>&1
is "the load ended well" $? 0
declare -A n
while IFS=, read -r count _ name _; do
	case $name in espmon/*) name=${name#espmon/} n[${name%/}]=$count ;; esac
done </tmp/cpu-smp.csv

# close NAME A B: both counted, and equal except for accesses during the reading of the tiles
close()
{
	holds "$1" "$2 > 0 && $3 > 0 && ($2 > $3 ? $2 - $3 : $3 - $2) * 1000 <= $3"
}

numbers "all events were counted" 12 "${n[*]}"
holds "there was a load" "${n[l2_misses]} > 100000"
close "requests that L2s sent came to an LLC" "${n[noc_injects_p0]}" "${n[coh_reqs]}"
close "forwards that LLCs sent" "${n[noc_injects_p1]}" "${n[coh_fwds]}"
# each miss of an L2 is one pulse of an LLC, and so is each line returned and each upgrade
holds "LLCs hit or missed for all misses of L2s" \
	"${n[llc_hits]} + ${n[llc_misses]} >= ${n[l2_misses]}"
# a request is 2 flits, and 4 if it carries a modified line
pulses=$((n[llc_hits] + n[llc_misses]))
holds "flits of so many requests" "${n[coh_reqs]} >= 2 * $pulses * 999 / 1000 &&
	${n[coh_reqs]} <= 4 * $pulses * 1001 / 1000"
# each miss of an LLC reads a line of 2 words, and writes 2 at most
holds "DRAM words of so many misses" "${n[ddr_accesses]} >= 2 * ${n[llc_misses]} * 999 / 1000 &&
	${n[ddr_accesses]} <= 4 * ${n[llc_misses]} * 1001 / 1000"
# responses come from LLCs, or from L2s to an LLC or to each other
holds "responses" \
	"${n[noc_injects_p2]} * 1001 / 1000 >= ${n[coh_rsps_snd]} + ${n[coh_rsps_rcv]}"
summary
