#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device hexagon-pmu --hexagon-dir examples/hexagon
#
# The Hexagon PMU as users see it: perf counts what hexagon-run runs. Numbers of `hand` are counted
# on paper in tests/unit/hexagon/test-programs.c.
. "${srcdir:-.}/tests/guest/lib.sh"

pmu=/sys/bus/event_source/devices/hexagon
tmp=$(mktemp -d)
[ -e "$pmu" ] || skip "no PMU hexagon"
[ -x examples/hexagon/hand ] || skip "the Hexagon programs were not built: install clang and lld"

# count EVENTS COMMAND...: the counts, in one line
count()
{
	local events=$1

	shift
	perf stat -x, -o "$tmp/stat" -e "$events" -- "$@" >"$tmp/out" 2>"$tmp/err"
	grep -v '^#' "$tmp/stat" | grep . | cut -d, -f1 | tr '\n' ' '
}

# names PREFIX SUFFIX WORD...: perf events
names()
{
	local prefix=$1 suffix=$2 list=

	shift 2
	for word in "$@"; do
		list+=",hexagon/$prefix$word$suffix/"
	done
	echo "${list#,}"
}

sum()
{
	local total=0

	for n in "$@"; do
		total=$((total + n))
	done
	echo $total
}

# ---- exact counts
is "packets, instructions, taken loop ends of hand" \
	"$(count "$(names committed_ '' pkt_any insts pkt_endloop)" ./hexagon-run hand)" "36 61 9 "
is "the rest of hand" "$(count "$(names committed_ '' nops loads stores memops pkt_changed_flow \
	program_flow_insts bimodal_branch_insts),hexagon/hvx_pkt/" ./hexagon-run hand)" \
	"8 7 1 1 12 19 1 2 "
is "one thread: STID 1 has all" \
	"$(count 'hexagon/committed_pkt_any,stid=1/,hexagon/committed_pkt_any,stid=2/' \
	./hexagon-run hand)" "36 0 "
# c20 before packet 35: 34; c21 after 35: 58 - 8 NOPs + 1; c22: 3 vector instructions
is "qemu-hexagon's own counters" "$(./hexagon-run hand-own | od -An -tu4 | tr -s ' ')" " 34 51 3"
is "modelled cycles of hand: 3 a packet" \
	"$(count "$(names cycles_ _thread_running 1 2)" ./hexagon-run hand)" "108 0 "

# inside.S; test-programs.c has the derivation
is "a program that counts itself" "$(./hexagon-run inside | od -An -tu4 | tr -s ' ')" " 120 229 414"
$monctl record -q -e hexagon/committed_pkt_any/ -o "$tmp/phases" -- ./hexagon-run inside >/dev/null
like "its phases are in a recording" "$($monctl export --json "$tmp/phases")" '"user":"hot ..loop..","is_phase":true'

# ---- caches; memory.S and test-programs.c have the derivation: loads over 32 KiB + 1 line, twice
is "misses of a chain of pointers" "$(count "$(names '' '' dcache_demand_miss l2_du_read_access \
	l2_du_read_miss dcache_store_miss)" ./hexagon-run memory-chain)" "1034 1034 513 0 "
is "requests to the L2 are those of its units" "$(count "$(names '' '' l2_access l2_iu_access \
	l2_du_read_access l2_du_store_access hvxld_l2 hvxst_l2)" ./hexagon-run memory-mixed)" \
	"9 1 4 2 0 2 "
is "prefetches ahead of loads" "$(count "$(names '' '' dcfetch_hit dcfetch_miss dcache_demand_miss \
	l2_du_prefetch_miss)" ./hexagon-run memory-ahead)" "512 512 8 256 "
is "prefetches into the L2, one of them a stop" "$(count "$(names '' '' l2fetch_command l2fetch_access \
	l2fetch_miss l2_du_read_miss)" ./hexagon-run memory-l2fetch)" "4 146 73 0 "

# ---- six threads
read -r any rest <<<"$(count "{$(names committed_pkt_ '' any t0 t1 t2 t3 t4 t5)}" \
	./hexagon-run six-threads)"
# shellcheck disable=SC2086
is "packets of the six threads are all packets" "$(sum $rest)" "$any"
read -r any rest <<<"$(count "{hexagon/committed_pkt_any/,$(names committed_pkt_ _thread_running \
	1 2 3 4 5 6)}" ./hexagon-run six-threads)"
# shellcheck disable=SC2086
is "packets by number of running threads are all packets" "$(sum $rest)" "$any"

./hexagon-stat --json -o "$tmp/json" -- ./hexagon-run six-threads >"$tmp/out"
is "output comes once" "$(cat "$tmp/out")" "the threads agree"
metric()
{
	python3 -c '
import json, sys
values = [m["value"] or 0 for m in json.load(open(sys.argv[1]))["metrics"] if m["name"] == sys.argv[2]]
print(eval(sys.argv[3], {"v": values, "sum": sum}))' "$tmp/json" "$1" "$2"
}
is "loads sum to 100 %" "$(metric nt_load 'abs(sum(v) - 100) < 1e-6')" True
is "six equal threads run together" "$(metric hw_thread_concurrency '5.95 <= v[0] <= 6')" True
is "three cycles between the packets of a thread" "$(metric nt_pcpp 'abs(v[5] - 0.5) < 1e-9')" True
# --once: the passes take turns in one run, and each metric is of one pass, in which packets and cycles belong together
./hexagon-stat --once --json -o "$tmp/json" -- ./hexagon-run six-threads-long >"$tmp/out"
is "--once: one run" "$(wc -l <"$tmp/out")" 1
is "loads of a pass sum to 100 %" "$(metric nt_load 'abs(sum(v) - 100) < 0.1')" True
is "the pace of six equal threads" "$(metric nt_pcpp 'abs(v[5] - 0.5) < 0.01')" True
# without the times of the passes
plain()
{
	sed 's/"interval_us": [0-9.]*, "running_us": [0-9.]*//' "$1"
}
./hexagon-stat -j -o "$tmp/name" -- ./hexagon-run hand >/dev/null
$monctl stat -p profile -j -o "$tmp/preset" -- ./hexagon-run hand >/dev/null
is "it is a preset of monctl stat" "$(plain "$tmp/name")" "$(plain "$tmp/preset")"
# 36 packets, 61 instructions
is "with values separated by commas" "$($monctl stat -p profile -c -o /dev/stdout -- ./hexagon-run hand |
	grep packet_density)" "packet_density,,1.69444444,instructions/packet,1"
ok "hexagon-stat prints a table" ./hexagon-stat -- ./hexagon-run hvx-add
is "no table of a program that failed" "$(./hexagon-stat -- ./hexagon-run nosuch 2>&1 | grep -c pcpp)" 0
./hexagon-stat -- ./hexagon-run nosuch 2>/dev/null
is "its status" $? 125

# a sample every 10 ms: a counter that goes back would show a difference of almost 2^64
perf stat -x, -I 10 -o "$tmp/samples" -e "{$(names cycles_ _thread_running 1 2 3 4 5 6)}" -- \
	./hexagon-run six-threads-long >/dev/null 2>&1
is "no cycle counter decreases" \
	"$(awk -F, '$2 + 0 > 1e12 || $2 + 0 < 0' "$tmp/samples" | wc -l)" 0
is "samples were taken" "$(($(grep -c cycles_6 "$tmp/samples") > 20))" 1

# ---- groups and multiplexing
cycles=$(names cycles_ _thread_running 1 2 3 4 5 6)
like "the eight events of IPC are one group" "$(count \
	"{$cycles,$(names committed_ '' insts pkt_endloop)}" ./hexagon-run hand)" '^108 0 0 0 0 0 61 9 $'
# perf shows the kernel's answer (EINVAL is 22) only this way
perf stat -vv -e "{$cycles,$(names committed_ '' insts pkt_endloop pkt_any)}" -- true >"$tmp/out" 2>&1
is "the ninth is refused" "$(grep -o 'sys_perf_event_open failed, error.*' "$tmp/out" | sort -u)" \
	"sys_perf_event_open failed, error -22"

# packets_flow: true if a program runs now
packets_flow()
{
	[ "$(count hexagon/committed_pkt_any/ sleep 0.2)" != "0 " ]
}

coproc ENDLESS { exec ./hexagon-run endless; }
endless_pid=$ENDLESS_PID
wait_until packets_flow
many="$(names committed_ '' pkt_any pkt_t0 insts loads stores nops pkt_changed_flow \
	program_flow_insts pkt_1_thread_running memops pkt_return pkt_t1 pkt_2_thread_running)"
many+=,$(names cycles_ _thread_running 1 2),hexagon/hvx_pkt/
# endless.S: 3 packets with 7 instructions, 1 load, 1 store, 1 NOP, 1 jump; 3 cycles a packet. An
# event that counts a third of the packets is compared with packets / 3, and so on; the limit is 5
# %.
far_off()
{
	awk -v values="${got[*]}" 'BEGIN {
		n = split(values, v, " ")
		split("1 1 7/3 1/3 1/3 1/3 1/3 1/3 1 0 0 0 0 3 0 0", ratio, " ")
		for (i = 1; i <= 16; i++) {
			m = split(ratio[i], r, "/")
			expected = v[1] * r[1] / (m > 1 ? r[2] : 1)
			if (n != 16 || v[1] <= 0 || v[i] < 0.95 * expected || v[i] > 1.05 * expected)
				printf "%d:%s ", i, v[i]
		}
	}'
}
# on a busy host the load is not steady; more turns compensate for that
for seconds in 4 8 16 32; do
	read -r -a got <<<"$(count "$many" sleep $seconds)"
	[ -z "$(far_off)" ] && break
done
is "sixteen events were counted" "${#got[@]}" 16
is "sixteen events, multiplexed and scaled, are right within 5 %" "$(far_off)" ""
like "they took turns" "$(cut -d, -f5 "$tmp/stat" | tr '\n' ' ')" '[45][0-9]\.[0-9]'

# ---- errors
like "a second program waits its turn" "$(./hexagon-run hand 2>&1)" 'runs another program'
kill "$endless_pid"
wait "$endless_pid" 2>/dev/null
ok "a killed run frees the core" ./hexagon-run hand
# refused EVENT...: perf opens none of them
refused()
{
	for event in "$@"; do
		perf stat -e "hexagon/$event/" -- true >"$tmp/err" 2>&1
		grep -q 'not supported\|Invalid argument\|syntax error\|Bad event' "$tmp/err" ||
			echo "$event"
	done
}
is "refused: idle, chains, not supplied, filter on what ignores it, unknown bits" \
	"$(refused event=0 event=1 event=2 event=5 event=6 event=0x4 event=0x3ff event=0xc,stid=1 \
	config=0x400 config=0x1000003)" ""
like "not in the folder" "$(./hexagon-run nosuch 2>&1)" 'nosuch: No such file'
like "a path with .." "$(./hexagon-run ../../hexagon-host 2>&1)" 'outside the folder'
like "a path that comes back" "$(./hexagon-run ../hexagon/hand 2>&1)" 'outside the folder'
like "an absolute path" "$(./hexagon-run /bin/true 2>&1)" 'outside the folder'
like "a link out of the folder" "$(./hexagon-run way-out 2>&1)" 'outside the folder'
like "a folder" "$(./hexagon-run . 2>&1)" 'not a file'
./hexagon-run nosuch 2>/dev/null
is "status of what could not be run" $? 125
before=$(count "$(names committed_ '' pkt_any)" ./hexagon-run crash)
is "a crashing program keeps what it did until its last system call" "$before" "3 "
./hexagon-run crash 2>/dev/null
is "status of a crash is 128 + SIGSEGV" $? 139
long=$(head -c 5000 /dev/zero | tr '\0' x)
like "arguments that are too long" "$(./hexagon-run hand "$long" 2>&1)" 'too long'
fails "the device needs rights" su nobody -s /bin/sh -c './hexagon-run hand'

# ---- the device supplies every listed event, and each one opens
mapfile -t events < <(find "$pmu/events/" -type f ! -name '*.*' -printf '%f\n')
perf stat -e "$(names '' '' "${events[@]}")" -- true >"$tmp/out" 2>&1
is "every listed event opens" "$(grep -c 'not supported\|Invalid' "$tmp/out")" 0
# 46 measured or modelled without the caches, 22 with them
is "they are the 68 that the feed supplies on V69" "${#events[@]}" 68
is "identifier" "$(cat "$pmu/identifier")" hexagon-v69

# ---- the device is removed while a program runs and an event is open, and returns
./hexagon-run endless 2>"$tmp/gone" &
run_pid=$!
# shellcheck disable=SC2016
perf stat -x, -o "$tmp/kept" -e hexagon/committed_pkt_any/ -- \
	sh -c 'touch "$0/begun"; until [ -e "$0/removed" ]; do sleep 0.1; done' "$tmp" &
perf_pid=$!
wait_until test -e "$tmp/begun"
wait_until packets_flow
device=$(grep -l 0x10f3 /sys/bus/pci/devices/*/device | head -n 1)
echo 1 >"${device%/device}/remove"
touch "$tmp/removed"
wait "$run_pid"
is "a run on a device that goes fails" $? 125
like "and says why" "$(cat "$tmp/gone")" 'No such device'
wait "$perf_pid"
like "the event keeps what it had" "$(grep packets "$tmp/kept")" '^[1-9]'
fails "without a core nothing runs" ./hexagon-run hand
echo 1 >/sys/bus/pci/rescan
wait_until test -e "$pmu"
is "the core is back, and only it counts" \
	"$(count "$(names committed_ '' pkt_any)" ./hexagon-run hand)" "36 "
is "nothing of the old program is left" "$(count "$(names committed_ '' pkt_any)" true)" "0 "
rm -rf "$tmp"
summary
