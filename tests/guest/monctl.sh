#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --device espmon --device mrfld-visa --device upmem-rank --device hexagon-pmu --hexagon-dir examples/hexagon
# not on riscv64 arm64: it needs mrfld_visa, zsh and script(1); monctl-rates and monctl-serve run there
#
# monctl on all four PMUs: its lists, counts and recordings equal those of perf.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
devices=/sys/bus/event_source/devices

# perf_counts EVENTS COMMAND...: the counts on the whole system, in one line
perf_counts()
{
	local events=$1

	shift
	perf stat -a -x, -o "$dir/perf" -e "$events" -- "$@" >"$dir/out" 2>"$dir/err" ||
		echo "failed: $(tail -n 3 "$dir/err")"
	sed -n 's/^\([0-9]*\),.*/\1/p' "$dir/perf" | tr '\n' ' '
}

# ---- list, topology
for pmu in $(pmus); do
	names=$(find $devices/$pmu/events -type f ! -name '*.*' -printf '%f\n' | sort)
	is "list names every event of $pmu" \
		"$($monctl list $pmu | sed -n "s|^  $pmu/\(.*\)/.*|\1|p" | sort)" "$names"
	is "each has a unit, a place and a description: $pmu" \
		"$($monctl list --json $pmu | python3 -c '
import json, sys
print(sum(all(e[k] for k in ("unit", "where", "description")) for e in json.load(sys.stdin)))')" \
		"$(wc -l <<<"$names")"
done
# in a namespace of its own, with a PMU as a laptop's processor has it
is "another PMU of the machine is listed by its name only" "$(unshare -m sh -c "mount -t tmpfs none $devices && cd $devices
	mkdir -p power/events power/format && echo 9 >power/type && echo 0 >power/cpumask && echo config:0-7 >power/format/event
	echo event=0x05 >power/events/energy-psys && cd '$PWD' && $monctl list 2>&1; $monctl list power" | grep -v '^      ')" \
	"monctl list: no PMU here has events: load libmon's modules, or look inside of mon-vm
power:
  power/energy-psys/"
is "tiles and kinds as the driver tells them" \
	"$($monctl topology --json espmon | python3 -c '
import json, sys
for p in json.load(sys.stdin)[0]["places"]:
    print(p["number"], p["row"], p["column"], p["kind"])')" \
	"$(cd $devices/espmon/tiles && grep . -- * | sort -n | sed 's/:/ /' | cut -d ' ' -f 1-4)"
is "one cell a tile" "$($monctl topology espmon | grep -c '^|')" "$(cat $devices/espmon/caps/rows)"
like "an unknown PMU" "$($monctl topology nothing 2>&1)" '^monctl topology: nothing: no such PMU'
like "an unknown event" "$($monctl list nothing 2>&1)" 'nothing: no event or PMU of that name here: monctl list'
# ---- event strings mean what they mean in perf
refuses()
{
	$monctl stat -e "$1" -- true 2>&1
}
like "a group has no braces" "$(refuses '{espmon/ddr_accesses/,espmon/dma_reqs/}')" 'leave \{ \} out'
like "the processor's event is no PMU's" "$(refuses espmon/ddr_accesses/,cycles)" "the processor's event: did you mean upmem/cycles/"
like "there are no modifiers" "$(refuses espmon/ddr_accesses/u)" 'something follows the last /'
like "a name is perf's" "$(refuses espmon/ddr_accesses,name=w/)" 'only perf gives events names'
like "no event" "$(refuses '')" '^monctl stat: -e: no event'
like "the nearest name" "$(refuses hexagon/committed_pkt_nay/)" 'did you mean committed_pkt_any'
like "a group of Intel's article is a preset" "$($monctl stat -p UNC_SOC_Memory_DDR_BW -c -o /dev/stdout -- true 2>&1)" 'ddr_chan0_read32b|group=1'
is "no line is longer than the terminal's 80 columns" \
	"$({ $monctl list; $monctl topology; } | awk 'length > 80')" ""

# ---- completion
ok "completion of events" "${srcdir:-.}/tests/unit/monctl/test-completion.sh"

# ---- stat. 128 points: 1 word of the page table, 128 read, 128 written
fft=(./examples/esp/esp-fft --log-len 7 --coherence none)
is "perf counts around monctl" \
	"$(perf_counts espmon/ddr_accesses/ $monctl stat -c -p memory -p noc -a -o "$dir/stat.csv" -- "${fft[@]}")" "257 "
is "monctl counts the same" \
	"$(awk -F, '$3 == "\"ddr_accesses\"" && $9 == 1 { sum += $5 } END { print sum }' "$dir/stat.csv")" 257
cells()
{
	awk -F, '$3 ~ /noc_injects_p[01235]/ && $9 == 1 { gsub("\"", "", $3); print $3, $4, $5 }' "$1" | sort
}
# not plane 4, in which accesses to registers are flits too, those of reading the counters included
events=
for plane in 0 1 2 3 5; do
	for tile in 0 1 2 3 4 5; do
		events+=,espmon/noc_injects_p$plane,bytile,tile=$tile/
	done
done
perf stat -a -x, -o "$dir/tiles" -e "${events#,}" -- $monctl stat -c -p noc -a -o "$dir/noc.csv" -- "${fft[@]}" >/dev/null
is "every tile and plane as perf counts it" "$(cells "$dir/noc.csv")" \
	"$(sed -n 's|^\([0-9]*\),.*espmon/\(noc_injects_p.\),bytile,tile=\([0-9]*\)/.*|\2 \3 \1|p' "$dir/tiles" | sort)"
ok "some of them counted" grep -qE ' [1-9][0-9]*$' <(cells "$dir/noc.csv")
like "a metric: words of each run" "$($monctl stat -p accelerators -- "${fft[@]}" 2>&1)" \
	' 257 words +esp_words_per_invocation'
like "one mrfld group after the other is an estimate" \
	"$($monctl stat -e mrfld_visa/group=1,counter=0/,mrfld_visa/group=3,counter=0/ -- sleep 0.5 2>&1)" \
	'an estimate'
is "the command's status" "$($monctl stat -e ddr_accesses -- bash -c 'exit 7' 2>/dev/null; echo $?)" 7
like "no such preset" "$($monctl stat -p wrong -- true 2>&1)" 'wrong: there is no such preset: monctl list --presets'
like "no such event" "$($monctl stat -e espmon/wrong/ -- true 2>&1)" 'no event wrong'
is "intervals add up" "$($monctl stat -j -I 50 -e ddr_accesses -o "$dir/json" -- "${fft[@]}" >/dev/null
	python3 -c '
import json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
parts = sum(l["counters"][0]["count"] for l in lines if not l["whole"])
print(parts <= lines[-1]["counters"][0]["count"] == 257)' "$dir/json")" True

# ---- record: the totals of a recording are those of perf stat around it, for each PMU
# recorded EVENT COMMAND...: perf's counts around the recording, then the recording's totals
recorded()
{
	local events=$1 perf

	shift
	perf=$(perf_counts "$events" $monctl record -q -i 5ms -e "$events" -o "$dir/data" -- "$@")
	echo "$perf= $($monctl export --csv "$dir/data" | awk -v n="$(wc -w <<<"$perf")" 'NR == 1 { next }
		{ k = split($0, v, ","); for (i = 2; i <= k; i++) s[i] += v[i] }
		END { for (i = 2; i < n + 2; i++) printf "%d ", s[i] }')"
}
same()
{
	local perf=${2%%= *} ours=${2##*= }

	is "$1: recording and perf" "$ours" "$perf"
	like "$1: something was counted" "$perf" '^([1-9][0-9]* )+$'
}
same espmon "$(recorded espmon/ddr_accesses/,espmon/dma_rsps/,espmon/noc_injects_p5,bytile,tile=0/ \
	./examples/esp/esp-fft --log-len 10 --repeat 20)"
same upmem "$(recorded upmem/dpu_instructions/,upmem/ldma_instruction/ \
	./examples/upmem/vecadd examples/upmem/vecadd.dpu)"
same hexagon "$(recorded hexagon/committed_pkt_any/,hexagon/committed_insts/ ./hexagon-run hand)"
like "a metric of them is a column" "$($monctl export --csv "$dir/data" | head -n 1)" \
	'"hexagon hexagon_packet_density \[instructions/packet\]"'
like "and the run has the program's name" "$($monctl export --csv "$dir/data" | cut -d '"' -f 2-)" 'hexagon[0-9]* hexagon-run: hand"'
same mrfld_visa "$(recorded mrfld_visa/group=1,counter=0/,mrfld_visa/group=1,counter=2/ \
	./examples/mrfld/mrfld-traffic --agent gfx --op read --bytes 4M)"

# ---- the file; without the plane of register accesses, which monctl's own readings use
$monctl record -i 5ms -e 'espmon/noc_injects_p[!4]/' -a -o "$dir/noc.data" -- \
	./examples/esp/esp-fft --log-len 10 --repeat 20 2>"$dir/said" >/dev/null
perf script -i "$dir/noc.data" >"$dir/script" 2>"$dir/err"
is "perf script reads it" "$(cat "$dir/err")" ""
$monctl export --csv "$dir/noc.data" >"$dir/noc.csv"
# the sums of perf script: its fourth word from the end is the count of an event since the last
# sample
is "perf script's sum of a tile is the recording's" \
	"$(awk '/noc_injects_p5,bytile,tile=0\// { for (i = 1; i < NF; i++) if ($(i + 1) ~ /tile=0/) s += $i } END { print s }' "$dir/script")" \
	"$(python3 -c '
import csv, sys
print(sum(int(row["espmon/noc_injects_p5,tile=0/ [flits]"]) for row in csv.DictReader(open(sys.argv[1]))))' "$dir/noc.csv")"
is "a mark at the begin and the end of each of 20 runs" \
	"$(grep -c 'esp_accel:run_begin: .*user=esp-fft.*about=none, buffer [1-9][0-9]* KiB' "$dir/script") $(grep -c esp_accel:run_end: "$dir/script")" "20 20"
# All samples of the file are readings, but for the 40 of marks. The first and the last reading are monctl's own.
is "samples as monctl counts them" "$(sed -n 's/.* counters\?, \([0-9]*\) samples .*/\1/p' "$dir/said")" \
	$(($(perf script -D -i "$dir/noc.data" 2>/dev/null | grep -c ' PERF_RECORD_SAMPLE(') - 40 - 2))
ok "no sample was lost" bash -c "! perf script -D -i '$dir/noc.data' 2>/dev/null | grep -q PERF_RECORD_LOST"
ok "a page" $monctl report "$dir/noc.data"
is "no progress in a pipe" "$($monctl report "$dir/noc.data" 2>&1 | grep -c ' %')" 0
like "progress on a terminal" "$(script -qec "$monctl report $dir/noc.data" /dev/null)" '[0-9]+ %'
ok "a trace" $monctl export --perfetto "$dir/noc.data" -o "$dir/trace"
like "not a recording" "$($monctl report "$0" 2>&1)" 'not a recording'
perf record -q -o "$dir/perf.data" -e cpu-clock true 2>/dev/null
like "perf's own file" "$($monctl report "$dir/perf.data" 2>&1)" 'record it with monctl record'

# ---- rates that are too high, groups that do not fit
every=
for tile in 0 1 2 3 4 5; do
	for event in $(events_here espmon); do
		every+=,espmon/$event,bytile,tile=$tile/
	done
done
text=$($monctl record -i 10us -e "${every#,}" -o "$dir/data" -- true 2>&1)
like "all counters each 10 us are refused" "$text" 'cannot be sampled that fast here: .*: give -i [0-9.]+ms'
possible=$(sed -n 's/.*give -i \([0-9.]*ms\).*/\1/p' <<<"$text")
like "both event groups of Merrifield at once" \
	"$($monctl record -e mrfld_visa/group=1,counter=0/,mrfld_visa/group=3,counter=0/ -o "$dir/data" -- true 2>&1)" \
	'mrfld_visa cannot count it together with the others'
# a busy host takes time between two trials: its next advice counts, too
for ((i = 0; i < 20; i++)); do
	text=$($monctl record -q -i "$possible" -e "${every#,}" -o "$dir/data" -- true 2>&1) && break
	possible=$(sed -n 's/.*give -i \([0-9.]*ms\).*/\1/p' <<<"$text")
done
ok "what it says instead works" test $i -lt 20

# a preset may be about several devices; a Merrifield SoC counts one group at a time, a Hexagon core eight events
like "a preset records what fits, and names what does not" "$($monctl record -i 100ms -p pipeline -a -o "$dir/data" -- true 2>&1)" \
	'hexagon cannot count these together with its others, so they are left out: [a-z][a-z0-9_]*.* Choose others with -e'
like "the others are there" "$($monctl export --csv "$dir/data" | head -n 1)" 'hexagon/.*upmem/dpu_instructions,dpu=0/ '

# ---- what is printed
text=$($monctl stat -a -p memory -- "${fft[@]}" 2>&1 >/dev/null)
# a note says which PMU's cycles are not known
is "devices that did nothing have no rows" "$(grep -v 'is not known' <<<"$text" | grep -cE 'upmem|mrfld|dpu|MB')" 0
like "words are whole numbers" "$text" ' 257 words '

# ---- without permissions
like "who may not count is told how to" "$(setpriv --reuid 65534 --clear-groups $monctl stat -e ddr_accesses -- true 2>&1)" \
	'perf_event_paranoid'
summary
