#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device hexagon-pmu,stalls=on --hexagon-dir examples/hexagon
#
# hexagon-stat on a core with stalls: every metric of programs with one thread against values
# derived on paper. Packets, instructions and taken loop ends follow from examples/hexagon/hand.S
# and memory.S; the stalls of memory.S are derived in tests/unit/hexagon/test-programs.c.
. "${srcdir:-.}/tests/guest/lib.sh"

pmu=/sys/bus/event_source/devices/hexagon
tmp=$(mktemp -d)
[ -e "$pmu" ] || skip "no PMU hexagon"
[ -x examples/hexagon/hand ] || skip "the Hexagon programs were not built: install clang and lld"

# metrics PROGRAM: concurrency, pcpp, load with one thread, ipc, mips, mpps (all, vectors, matrices) and density
metrics()
{
	./hexagon-stat --json -o "$tmp/json" -- ./hexagon-run "$1" >/dev/null
	python3 -c '
import json, sys
values = {(m["name"], m.get("n", 1)): m["value"] for m in json.load(open(sys.argv[1]))["metrics"]}
print(" ".join("%.4f" % values[name, 1] for name in ("hw_thread_concurrency", "pcpp", "nt_pcpp",
      "nt_load", "ipc", "mips", "mpps", "mpps_hvx", "mpps_hmx", "packet_density")))' "$tmp/json"
}

# expected PACKETS INSTRUCTIONS LOOP-ENDS STALLS [VECTOR-PACKETS]: the formulas, at 1400 MHz; packets of a thread
# count for vectors from its first vector packet on
expected()
{
	awk -v p="$1" -v i="$2" -v e="$3" -v s="$4" -v v="${5:-0}" 'BEGIN {
		c = 3 * p + s
		printf "%.4f %.4f %.4f %.4f %.4f %.4f %.4f %.4f %.4f %.4f\n", 1, c / p, c / p, 100,
			(i + 2 * e) / c, (i + 2 * e) / c * 1400, p / c * 1400, v / c * 1400, 0, i / p
	}'
}

# three lines of code and the buffer's first line come from memory
is "hand" "$(metrics hand)" "$(expected 36 61 9 $((4 * 150)) 10)"
# a round of 2048 loads: 3 packets, 2 a load, 3; two rounds between 2 and 3 packets; a NOP in each loop end
is "a stream of loads" "$(metrics memory-stream)" \
	"$(expected 8209 12305 4094 $((4 + 150 + 1024 * 150 + 3072 * 12)))"
is "a stream that fits" "$(metrics memory-stream-16k)" \
	"$(expected 2065 3089 1022 $((4 + 150 + 256 * 150 + 256 * 12)))"
is "a chain of pointers" "$(metrics memory-chain)" \
	"$(expected 2069 4119 2048 $((4 + 300 + 513 * 150 + 521 * 12)))"
is "vectors" "$(metrics memory-vectors)" "$(expected 143 207 62 $((4 + 150 + 64 * 150)) 139)"
is "stores" "$(metrics memory-stores)" "$(expected 4108 6156 2047 300)"
is "dczeroa" "$(metrics memory-zero)" "$(expected 4111 6159 2046 $((300 + 1024 * 12)))"
# 12288 packets a round; 770 lines from memory, then from the L2. To align the next packet, the
# assembler adds three NOPs to the packet with the jump.
is "code that does not fit" "$(metrics memory-code)" \
	"$(expected 24591 24597 0 $((4 + 770 * 150 + 770 * 12)))"

# before the loop 4 packets; 500 rounds of 5, 500 of 6; 7 after it. 503 of 2001 branches are
# mispredicted
is "branches" "$(metrics memory-branches)" "$(expected $((4 + 5500 + 7)) $((4 + 5500 + 7)) 0 $((503 * 4 + 300)))"

# Eight threads on six hardware threads: seven that do w, and the first one, which does 6 w. In w rounds six run;
# in the next w the first one and the two that waited; then the first one alone, 4 w. 13 w packets in 6 w rounds
# of three cycles. The threads begin ten packets one after the other, of half a million: 0.3 % is allowed.
./hexagon-stat --json -o "$tmp/json" -- ./hexagon-run eight-threads >/dev/null
is "eight threads" "$(python3 -c '
import json, sys
values = {(m["name"], m.get("n", 1)): m["value"] for m in json.load(open(sys.argv[1]))["metrics"]}
paper = {("hw_thread_concurrency", 1): 13 / 6, ("pcpp", 1): 3 * 6 / 13, ("nt_load", 6): 600 / 13,
         ("nt_load", 3): 300 / 13, ("nt_load", 1): 400 / 13, ("nt_pcpp", 6): 3 / 6, ("nt_pcpp", 3): 3 / 3,
         ("nt_pcpp", 1): 3, ("mpps", 1): 1400 * 13 / 18}
print([(k, values[k], v) for k, v in paper.items() if abs(values[k] / v - 1) > 0.003])' "$tmp/json")" "[]"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	./hexagon-stat -- ./hexagon-run eight-threads 2>&1 | grep -v "ms of the guest" | md5sum
done | sort -u >"$tmp/tables"
is "ten repetitions of eight threads" "$(wc -l <"$tmp/tables")" 1

for _ in 1 2 3 4 5 6 7 8 9 10; do
	./hexagon-stat -- ./hexagon-run memory-chain 2>&1 | grep -v "ms of the guest" | md5sum
done | sort -u >"$tmp/tables"
is "ten repetitions give the same table" "$(wc -l <"$tmp/tables")" 1

# top down: packets, cycles without a thread, and each cause of stalls add up to the cycles of both
# clusters
perf stat -x, -o "$tmp/stat" -e "{hexagon/committed_pkt_any/,hexagon/thread_off_pview_cycles/,hexagon/\
redirect_pview_cycles/,hexagon/iu_no_pkt_pview_cycles/,hexagon/du_cache_miss_pview_cycles/,hexagon/\
coproc_busy_pview_cycles/,hexagon/cycles_1_thread_running/}" -- ./hexagon-run memory-chain
read -r -a v <<<"$(grep -v '^#' "$tmp/stat" | grep . | cut -d, -f1 | tr '\n' ' ')"
is "packets, idle turns, redirects, fetches, data and vectors" "${v[*]:0:6}" \
	"2069 $((5 * 2069)) 8 600 $((2 * (513 * 150 + 521 * 12))) 0"
is "they are all cycles of two clusters" "$((v[0] + v[1] + v[2] + v[3] + v[4] + v[5]))" "$((2 * v[6]))"

mapfile -t events < <(find "$pmu/events/" -type f ! -name '*.*' -printf '%f\n')
is "four events more than without stalls" "${#events[@]}" 72
rm -rf "$tmp"
summary
