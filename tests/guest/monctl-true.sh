#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device espmon --device mrfld-visa --device upmem-rank --device hexagon-pmu --hexagon-dir examples/hexagon
# not on riscv64 arm64: it wants all four devices
#
# Correctness of monctl's output: verdicts, labels, estimates, rates, and files after signals.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# 128 points: 1 word of the page table, 128 read, 128 written
fft=(./examples/esp/esp-fft --log-len 7 --coherence none)

# ---- monctl record refuses a rate, or says which one it reached
some=
for event in {0..23}; do
	some+=,espmon/event=$event,bytile,tile=0/
done
some=${some#,}
text=$($monctl record -i 100us -e "$some" -o "$dir/data" -- sleep 0.5 2>&1)
if [[ $text == *"cannot be sampled that fast"* ]]; then
	verdict "24 counters each 100 us are refused" 0
else
	like "or asked and reached" "$text" 'one every [0-9.]+ ms, asked for every 0.1 ms'
fi

# ---- each printed event name is accepted as an argument
$monctl stat -c -a -e 'espmon/noc_injects_p5/' -o "$dir/all.csv" -- "${fft[@]}" >/dev/null
$monctl stat -c -e espmon/noc_injects_p5,tile=2/ -o "$dir/one.csv" -- "${fft[@]}" >/dev/null
is "a label of one tile counts in that tile" \
	"$(awk -F, '$9 == 1 && !/^seconds/ { print $4, $5 }' "$dir/one.csv")" \
	"$(awk -F, '$9 == 1 && $4 == 2 { print $4, $5 }' "$dir/all.csv")"
is "so does a glob, and what is given twice counts once" \
	"$($monctl stat -c -e 'espmon/noc_injects_p5,tile=2/,espmon/noc_injects_p5*,tile=2/' -- true 2>&1 |
		awk -F, '!/^seconds/ { print $3 $4 }')" '"noc_injects_p5"2'
$monctl record -q -i 5ms -e espmon/noc_injects_p5/ -a -o "$dir/labels" -- true
label=$($monctl export --csv "$dir/labels" | sed -n '1s/.*"\(espmon[^"]*tile=1\/\) \[flits\]".*/\1/p')
is "the column of a table is one too" "$($monctl stat -c -e "$label" -- true 2>&1 | awk -F, 'NR == 2 { print $4 }')" 1
is "the driver's own terms stay as they are" \
	"$($monctl stat -c -e espmon/noc_injects_p5,bytile,tile=1/ -- true 2>&1 | awk -F, 'NR == 2 { print $4 }')" 1

# ---- the answer first
# one after the other: with three at once the host would decide which one disturbs which
printf './examples/esp/esp-fft --acc %s --log-len 11\n' 0 1 '2 --coherence full' >"$dir/three"
text=$($monctl stat -a -p accelerators -- sh "$dir/three" 2>&1 >/dev/null)
like "which of three accelerators waits" "$(grep -m 1 '^Tile 4' <<<"$text")" \
	'^Tile 4 \(fft_stratus.2\) computed in [0-9]+ % of its run time; transfers [0-9]+ %'
is "as long as its cycles say" "$(sed -n 's/^Tile 4.*; transfers \([0-9]*\) %.*/\1/p' <<<"$text")" \
	"$(awk '/^tile 4 fft/ { printf "%.0f", 100 * $5 / $6; exit }' <<<"$text")"
# twenty runs find their data in the cache
like "none waits" "$($monctl stat -a -p accelerators -- "${fft[@]}" --coherence full --log-len 11 --repeat 20 2>&1 >/dev/null)" \
	'Tile 0 \(fft_stratus.0\) computed in 8[0-9] % of its run time\.'
# 202945600 instructions in 229755008 cycles, 88 % (monctl.md)
like "what a DPU program is bound by" \
	"$($monctl stat -- ./examples/upmem/vecadd examples/upmem/vecadd.dpu 2>&1 >/dev/null)" \
	'issuing instructions 88\.[0-9] %.*DPUs 0 to 63: their DMA engines moved words in 88 % of the cycles'
# 100 * acc_mem_cycles / acc_tot_cycles of tile 0, which ran, alone and with others that did not
$monctl stat -j -a -p accelerators -o "$dir/json" -- "${fft[@]}" >/dev/null
$monctl stat -c -a -p accelerators -o "$dir/csv" -- "${fft[@]}" >/dev/null
is "metrics of each place are values, in JSON and CSV" "$(python3 - "$dir/json" "$dir/csv" <<'END'
import csv, json, sys

data = json.loads(open(sys.argv[1]).read())
count = {(c["event"], c.get("place")): c["count"] for c in data["counters"]}
share = 100 * count["acc_mem_cycles", 0] / count["acc_tot_cycles", 0]
for m in data["metrics"]:
    if m["metric"] == "esp_acc_memory_share":
        print(m.get("place"), m["unit"], abs(m["value"] - share) < 1e-6, m["is_estimate"])
rows = list(csv.DictReader(open(sys.argv[2])))
count = {(r["event"], r["place"]): float(r["count"]) for r in rows if r["count"]}
share = 100 * count["acc_mem_cycles", "0"] / count["acc_tot_cycles", "0"]
for r in rows:
    if r["event"] == "esp_acc_memory_share":
        print(r["place"], r["unit"], abs(float(r["value"]) - share) < 1e-6, r["share"])
END
)" "None % True False
0 % True False
 % True 1.0000
0 % True 1.0000"
is "a glob brings halves of counters if it asks for them" \
	"$($monctl stat -c -e 'espmon/acc_mem*/,espmon/acc_*_lo/' -- true 2>&1 | awk -F, 'NR > 1 { print $3 }' | sort | paste -sd ' ')" \
	'"acc_mem_cycles" "acc_mem_lo" "acc_tot_lo"'
like "for programs too" "$($monctl stat -j -p accelerators -- "${fft[@]}" 2>&1 >/dev/null)" '"answers":.*Tile 0 .fft_stratus.0. computed in'

# ---- monctl names the traffic of its own readings
like "a note says what else plane 4 counts" "$($monctl stat -p noc -- "${fft[@]}" 2>&1 >/dev/null | tr -s "[:space:]" " ")" \
	"noc_injects_p4: Accesses to registers are flits of this plane too: .* monctl's own readings"

# ---- counters that take turns are marked in the table of places
text=$($monctl stat -a -p pipeline -- ./hexagon-run six-threads 2>&1 >/dev/null)
like "estimates have a mark" "$text" 'thread 4 .* ~[0-9]+'
like "which is explained" "$text" 'counters took turns.*Choose fewer with -e'

# ---- signals to monctl alone
# after SIGNAL PROGRAM...: its status, after it was sent a signal 1 s after its command wrote $ready
export ready=$dir/ready
forever=(bash -c ': >$ready; exec sleep 60')
after()
{
	local signal=$1 pid

	shift
	rm -f "$ready"
	"$@" >"$dir/signal.out" 2>&1 &
	pid=$!
	until [ -e "$ready" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.1; done
	sleep 1
	kill -"$signal" $pid
	wait $pid
	echo $?
}
is "SIGTERM ends stat, as it does the command" "$(after TERM $monctl stat -e ddr_accesses -- "${forever[@]}")" 143
like "with the counts" "$(cat "$dir/signal.out")" 'elapsed'
is "SIGINT ends record" "$(after INT $monctl record -i 10ms -e ddr_accesses -o "$dir/signal" -- "${forever[@]}")" 130
ok "with a whole file" test "$($monctl export --csv "$dir/signal" 2>&1 | wc -l)" -gt 20
is "a command that wants to clean up does so" \
	"$(after TERM $monctl stat -e ddr_accesses -o "$dir/null" -- bash -c 'trap "exit 5" TERM; : >$ready; while :; do sleep 0.1; done')" 5
is "SIGKILL leaves a file" "$(after KILL $monctl record -i 10ms -e ddr_accesses -o "$dir/killed" -- "${forever[@]}")" 137
ok "that can be read to its end" test "$($monctl export --csv "$dir/killed" 2>&1 | wc -l)" -gt 20
head -c $(($(stat -c %s "$dir/signal") / 2)) "$dir/signal" >"$dir/half"
ok "half of a file as well" test "$($monctl export --csv "$dir/half" 2>&1 | wc -l)" -gt 10

# ---- times, parts and names
$monctl record -i 10ms -e ddr_accesses --for 1s -o "$dir/for" 2>"$dir/said"
like "a recording of a second" "$(cat "$dir/said")" ' samples in [1-9][0-9]*\.[0-9]* s '
ok "a page of a part of it" $monctl report --from 200ms --to 0.5s "$dir/for" -o "$dir/part.html"
is "which is as long" "$(sed -n 's/.*"length_ns":\([0-9]*\).*/\1/p' "$dir/part.html")" 300000000
like "a part that is not there" "$($monctl report --from 1h "$dir/for" -o "$dir/part.html" 2>&1)" 'nothing was recorded from'
is "all of it as JSON" "$($monctl export --json "$dir/for" | python3 -c '
import json, sys
data = json.load(sys.stdin)
print(data["events"]["espmon/ddr_accesses"]["unit"], len(data["counters"][0]["bins"]) == data["bins"])')" "words True"
like "an event that may be meant" "$($monctl stat -e espmon/ddr_acceses/ -- true 2>&1)" 'no event ddr_acceses: did you mean ddr_accesses\?'
like "one of no PMU" "$($monctl stat -e acc_tlv -- true 2>&1)" 'did you mean acc_tlb\?'
like "a preset" "$($monctl stat -p acelerators -- true 2>&1)" 'did you mean accelerators\?'

# ---- -o - is standard output
is "a table on standard output" "$($monctl stat -c -o - -e espmon/ddr_accesses/ -- true 2>/dev/null | head -n 1)" \
	"seconds,pmu,event,place,count,unit,value,share,whole,run"

# ---- a missing command
cp "$dir/signal" "$dir/kept"
is "no such command" "$($monctl record -e ddr_accesses -o "$dir/kept" -- /no/such 2>/dev/null; echo $?)" 127
ok "leaves an old recording alone" cmp "$dir/signal" "$dir/kept"

# ---- without options: what fits the registers, and a verdict
like "Hexagon without options" "$($monctl stat -- ./hexagon-run six-threads 2>&1 >/dev/null | tr -s '[:space:]' ' ')" \
	'committing packets [0-9.]+ %.*Hardware threads committed packets in (99|100) % of the cycles'
like "Merrifield without options" \
	"$($monctl stat -- ./examples/mrfld/mrfld-traffic --bytes 64M 2>&1 >/dev/null | tr -s '[:space:]' ' ')" \
	'The graphics controller made 100 % of the requests\. Together they were at most [0-9.]+ % of what both channels can move'
like "ESP without options" "$($monctl stat -- "${fft[@]}" 2>&1 >/dev/null | tr -s '[:space:]' ' ')" \
	'espmon, in cycles of the tile .*The accelerators '

# ---- a device that goes is an error, not a count; it comes back for the tests behind this one
like "stat names a device that went" "$($monctl stat -e hexagon/committed_pkt_any/ -- \
	sh -c 'for d in /sys/bus/pci/devices/*; do [ "$(cat $d/device)" != 0x10f3 ] || echo 1 >$d/remove; done' 2>&1; echo "status $?")" \
	'hexagon: the device went away.*status 1'
echo 1 >/sys/bus/pci/rescan
wait_until test -e /sys/bus/event_source/devices/hexagon
ok "and counts again when it is back" $monctl stat -e hexagon/committed_pkt_any/ -o "$dir/back" -- true
cat >"$dir/leave" <<'END'
for d in /sys/bus/pci/devices/*; do [ "$(cat $d/device)" != 0x10f3 ] || echo 1 >$d/remove; done
sleep 0.2
echo 1 >/sys/bus/pci/rescan
END
like "record names a device that went and is back" \
	"$($monctl record -e hexagon/committed_pkt_any/ -o "$dir/left" -- sh "$dir/leave" 2>&1)" \
	'hexagon: .*the device went away.* what it counted is not known'
ok "its recording says so" grep -aq "^gone$(printf '\t')hexagon$" "$dir/left"
wait_until test -e /sys/bus/event_source/devices/hexagon
like "so does stat" "$($monctl stat -e hexagon/committed_pkt_any/ -- sh "$dir/leave" 2>&1)" 'hexagon: .*the device went away'
wait_until test -e /sys/bus/event_source/devices/hexagon
summary
