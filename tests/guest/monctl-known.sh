#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Programs whose bottleneck is known by construction, and the first sentence about each: of monctl stat without options,
# and of a recording without options. usage: monctl-known.sh, from the top build directory; in a guest with the name of
# a set of cases: devices, soc, processors. KNOWN=REGEX chooses some.
#
# It succeeds if none is wrong and at most one of twenty is silent.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# first_sentence FILE [PHASE]: of JSON that monctl stat -j or export --json has written
first_sentence()
{
	python3 - "$1" "${2-}" <<'END'
import json, sys

text = open(sys.argv[1]).read()
try:
    data = json.loads(text)
except ValueError:
    data = json.loads(text.strip().split("\n")[-1])
for answer in data.get("answers", []):
    if (answer["phase"] or "") == sys.argv[2]:
        print(answer["sentences"][0]["text"] if answer["sentences"] else f"(none) {answer['missing'] or ''}")
END
}

# judge WHAT SOURCE EXPECTED SEEN: a line of the table
judge()
{
	local how=wrong

	[[ $4 == ?* && $4 != "(none)"* ]] || how=silent
	[[ ! $4 =~ $3 ]] || how=right
	printf '%s\t%s\t%s\t%s\t%s\n' "$how" "$2" "$1" "$3" "${4:-(no answer)}"
}

# known WHAT EXPECTED COMMAND...
known()
{
	local what=$1 expected=$2

	shift 2
	[[ $what =~ ${KNOWN:-.} ]] || return 0
	$monctl stat -j -o "$dir/stat" -- "$@" >/dev/null 2>"$dir/said" || sed "s/^/# $what: /" "$dir/said"
	judge "$what" stat "$expected" "$(first_sentence "$dir/stat")"
	$monctl record -q -o "$dir/data" -- "$@" >/dev/null 2>&1
	$monctl export --json "$dir/data" >"$dir/json"
	judge "$what" record "$expected" "$(first_sentence "$dir/json")"
}

dpus()
{
	local what=$1 expected=$2 program=$3

	shift 3
	known "$what" "$expected" ./tests/guest/upmem/known-host "tests/guest/upmem/known-$program.dpu" "$@"
}

devices()
{
	local fft='./examples/esp/esp-fft --log-len 11' traffic=./examples/mrfld/mrfld-traffic

	# ---- ESP: an FFT of 2048 points computes for 44032 cycles and waits for 4155: 91 and 8.6 %. Without a private L2 and with
	# --coherence full it works in mode recall: 2048 lines of two words that each hold the last-level cache for 4 cycles are
	# 8192 cycles, 16 % if nobody else uses it. Beside two others it waits for their transfers, too.
	local computed='computed in 9[01] % of (its|their) runs\.$'

	known "ESP: three FFTs, the third in mode recall" '^Tile 4 \(fft_stratus.2\) computed in [67][0-9] % of its runs; transfers [23][0-9] %' \
		sh -c "$fft --acc 0 --repeat 20 & $fft --acc 1 --repeat 20 & $fft --acc 2 --coherence full --repeat 20; wait"
	known "ESP: one FFT" "^Tile 0 \\(fft_stratus.0\\) $computed" sh -c "$fft --repeat 20"
	known "ESP: two FFTs" "^Tiles 0 and 3 $computed" sh -c "$fft --repeat 20 & $fft --acc 1 --repeat 20; wait"
	known "ESP: one FFT in mode recall" '^Tile 4 \(fft_stratus.2\) computed in 8[0-5] % of its runs' sh -c "$fft --acc 2 --coherence full --repeat 20"
	known "ESP: one short FFT, then sleep" '^Tile 0 \(fft_stratus.0\) computed in 90 % of its runs' sh -c "$fft --log-len 9; sleep 2"
	# 81, 75 and 51 cycles a run
	known "ESP: FFTs of 8 points" '^Tile 0 \(fft_stratus.0\) computed in 39 % of its runs; transfers 36 %' sh -c "$fft --log-len 3 --repeat 300"
	known "ESP: one accelerator has 20 times the runs of another" "^Tile 0 \\(fft_stratus.0\\) $computed" \
		sh -c "$fft --repeat 20 & $fft --acc 1 --repeat 1; wait"
	known "nothing" '^Nothing ran' sleep 1
	if [[ "ESP: phases" =~ ${KNOWN:-.} ]]; then
		# 4 * 16 cycles for lines, 16 * (1.5 * 4 + 5) to compute 16 points: 27 %, and what begins a transfer
		cat >"$dir/phases" <<END
$monctl mark waits
$fft --log-len 4 --acc 2 --coherence full --repeat 200
$monctl mark computes
$fft --repeat 20
$monctl mark --end
END
		$monctl record -q -o "$dir/data" -- sh "$dir/phases" >/dev/null
		$monctl export --json "$dir/data" >"$dir/json"
		judge "ESP: a phase that waits" record '^Tile 4 \(fft_stratus.2\) .*transfers' "$(first_sentence "$dir/json" waits)"
		judge "ESP: a phase that computes" record "^Tile 0 \\(fft_stratus.0\\) $computed" "$(first_sentence "$dir/json" computes)"
	fi

	# ---- UPMEM: eleven tasklets fill the pipeline
	dpus "UPMEM: 16 tasklets add" '^DPUs 0 to 63 issued instructions in (9[0-9]|100) % of their cycles' 1-16-8 200
	dpus "UPMEM: 11 tasklets add" '^DPUs 0 to 63 issued instructions in (9[0-9]|100) % of their cycles' 1-11-8 200
	dpus "UPMEM: 4 tasklets add" "^No tasklet of DPUs 0 to 63 was ready in 6[0-9] % of their cycles; issuing instructions 3[0-9] %" 1-4-8 200
	dpus "UPMEM: 1 tasklet adds" "^No tasklet of DPUs 0 to 63 was ready in 9[01] % of their cycles" 1-1-8 200
	dpus "UPMEM: 16 tasklets, one lock" '^DPUs 0 to 63 issued instructions in [0-9]+ % of their cycles' 2-16-8 50
	dpus "UPMEM: one of 16 works, 15 wait at a barrier" '^No tasklet of DPUs 0 to 63 was ready in [0-9]+ % of their cycles' 4-16-8 50
	dpus "UPMEM: transfers of 512 bytes" '^DPUs 0 to 63 waited for their DMA engines in at least 8[0-9] % of their cycles' 3-16-512 200
	dpus "UPMEM: transfers of 2048 bytes" '^DPUs 0 to 63: their DMA engines moved words in (8[5-9]|9[0-9]) % of the cycles' 3-16-2048 100
	dpus "UPMEM: transfers of 8 bytes" '^DPUs 0 to 63: in [78][0-9] % of their cycles a transfer began, or no tasklet was ready' 3-16-8 500
	dpus "UPMEM: 1 tasklet, transfers of 8 bytes" '^(No tasklet of DPUs 0 to 63 was ready|DPUs 0 to 63: in [0-9]+ % of their cycles a transfer began, or no tasklet was ready)' 3-1-8 1000
	known "UPMEM: binary search, 16 tasklets" '^DPUs 0 to 63: in [0-9]+ % of their cycles a transfer began, or no tasklet was ready' \
		./examples/upmem/c/search-host examples/upmem/c/search-16.dpu
	dpus "UPMEM: DPU 7 has 20 times the work" '^DPU 7 issued instructions in (9[0-9]|100) % of its cycles' 1-16-8 100 20 7
	known "UPMEM: vecadd" '^DPUs 0 to 63: their DMA engines moved words in 88 % of the cycles' ./examples/upmem/vecadd examples/upmem/vecadd.dpu
	dpus "UPMEM: two DPUs have 10 times the work" '^DPUs 3 and 40 issued instructions in (9[0-9]|100) % of their cycles' 1-16-8 100 10 3 40

	# ---- Hexagon: examples/hexagon/memory.S, one thread of six
	known "Hexagon: a chain of pointers" '^Hardware threads waited for data' ./hexagon-run memory-chain
	known "Hexagon: a stream of loads" '^Hardware threads waited for data' ./hexagon-run memory-stream
	known "Hexagon: 48 KiB of code" '^Hardware threads waited for instructions' ./hexagon-run memory-code
	known "Hexagon: vector loads" '^Hardware threads waited for vector loads' ./hexagon-run memory-vectors
	# 4108 packets leave 5 of 6 turns; in 300 cycles the thread waits: 20540 / (6 * 4108 + 600) = 81 %
	known "Hexagon: stores that hit" '^Hardware threads committed packets in 16 % of the cycles, .*; idle 81.[0-9] %' ./hexagon-run memory-stores
	known "Hexagon: six equal threads" '^Hardware threads committed packets in (9[0-9]|100) %' ./hexagon-run six-threads
	# 13 w packets in 6 w rounds of 6 turns (hexagon-stalls.sh): 64 % are idle. Of twelve threads the first one loses its
	# turn to the last one after 10^6 packets, and has another one when five end, at 2 w: w = 525000, so 17 w packets in
	# 6 w + 2 w - 10^6 rounds, 54 % idle.
	known "Hexagon: eight threads, one has six times the work" '^Hardware threads committed packets in 3[0-9] % of the cycles, .*; idle 6[0-9.]+ %' \
		./hexagon-run eight-threads
	known "Hexagon: twelve threads, one has six times the work" '^Hardware threads committed packets in 4[0-9] % of the cycles, .*; idle 5[0-9.]+ %' \
		./hexagon-run twelve-threads

	# ---- Merrifield: 8528 MB/s are all that DRAM moves
	known "Merrifield: graphics alone" '^The graphics controller made 100 % of the requests' $traffic -a gfx -b 64M
	known "Merrifield: the display alone" '^The display controller made 100 % of the requests' $traffic -a disp -b 64M
	known "Merrifield: imaging writes" '^The imaging controller made 100 % of the requests' $traffic -a imaging -o write -b 64M
	known "Merrifield: low-speed peripherals" '^The low-speed peripheral fabric made 100 % of the requests' $traffic -a lowspeedpf -b 64M
	known "Merrifield: graphics, the display hardly" '^The graphics controller made 99 % of the requests' \
		sh -c "$traffic -a disp -b 1M & $traffic -a gfx -b 128M; wait"
	# 0.2 s of the SoC's time
	known "Merrifield: four agents ask for 117 % of the limit" '^DRAM is the bottleneck' \
		./tests/guest/mrfld/together 2500 0x20000000
}

# A private L2 has 32 KiB, as an L1 has, four last-level caches 512 KiB each. The system around a program makes some 100,000
# requests, so the program must make more, or run for long. A recording's samples are taken on the PMU's processor: 13,500
# to 16,000 requests each, of 76 counters, that mostly hit. So a program of one thread, whose requests alone are known, runs on the other one.
processors()
{
	local hardly=': [0-9]+ % of (its|their) requests hit the private L2, which hardly costs time'
	local beside="taskset -c $((1 - $(cat /sys/bus/event_source/devices/espmon/cpumask)))"
	local walk="$beside ./examples/memwalk"

	echo 40 >/proc/sys/vm/nr_hugepages
	known "CPU: matrices that fit into the L2" "$hardly" $beside ./tests/guest/matmul --size 32 --repeat 4000
	known "CPU: a chain of pointers through 16 KiB" "$hardly" $walk -p chase -b 16K -s 16 -r 1000000
	known "CPU: a chain of pointers through 256 KiB" '^Tile [0-9]+ \(cpu\): [89][0-9] % of its requests missed the private L2' \
		$walk -p chase -b 256K -s 16 -r 1000
	# 6.5 million misses of both; on a slow host the system around them makes as many requests that hit, and what an L2 misses
	# takes less of the time. A last-level cache counts each line that an L2 gives back as a hit: half of its requests missed.
	known "CPU: a chain of pointers through 4 MiB" \
		'^(Tile [0-9]+ \(cpu\): [5-9][0-9] % of its requests missed the private L2|The last-level cache missed [345][0-9] %)' \
		$walk -p chase -b 4M -s 64 -r 100
	known "CPU: two processors write the same lines" 'missed the private L2, as caches took lines from each other' ./tests/guest/cpu-share 1000
}

soc()
{
	# ---- accelerators that copy: of the cycles of a burst, 1024 and more, 4 are no transfer
	known "ESP: five copy at the same time" '^Tiles [0-9, andto]+ waited for transfers in (99|100) % of their runs' \
		./tests/guest/esp/dummies 0 16384 64 0 4
	known "ESP: one copies 1 MiB through the last-level cache" '^Tile [0-9]+ .*waited for transfers in (99|100) % of its runs' \
		./tests/guest/esp/dummies 1 16384 64 0 0
	# ---- Hexagon with 40 cycles for a mispredicted branch
	known "Hexagon: mispredicted branches" '^Hardware threads waited after mispredicted branches' ./hexagon-run memory-branches
}

if [ $# -gt 0 ]; then
	"$1"
	exit
fi
vm=("${MON_VM:-./mon-vm}" --timeout 3600 --env KNOWN="${KNOWN-}" --env srcdir="${srcdir:-.}" --hexagon-dir examples/hexagon)
{
	"${vm[@]}" --device espmon --device mrfld-visa --device upmem-rank --device hexagon-pmu,stalls=on -- "$0" devices
	"${vm[@]}" --soc "${srcdir:-.}/tests/designs/dummy-4x4.esp_config" \
		--device espmon --device hexagon-pmu,stalls=on,redirect-cycles=40 -- "$0" soc
	"${vm[@]}" --cpu --smp 2 --soc "${srcdir:-.}/tests/designs/sixteen-4x4.esp_config" --device espmon -- "$0" processors
} | tee "$dir/table"
count()
{
	grep -c "^$1" "$dir/table"
}
echo "right $(count right), silent $(count silent), wrong $(count wrong)"
[ "$(count right)" -gt 0 ] && [ "$(count wrong)" = 0 ] && [ $(($(count silent) * 20)) -le "$(count right)" ]
