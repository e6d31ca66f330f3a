#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Programs whose bottleneck is known by construction, and the first sentence about each: of monctl stat without options,
# and of a recording without options. usage: monctl-known.sh, from the top build directory; in a guest with the name of
# a set of cases: devices, soc, processors. KNOWN=REGEX chooses some.
#
# It succeeds if none is wrong and at most one of twenty is silent. On a slow host the seconds of the guest, which tiles of ESP
# count as cycles, go on while the host emulates: so what an accelerator was idle stands beside what it did, and processors look
# as if they waited less.
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

	# ---- ESP: an FFT of 2048 points computes for 44032 cycles. Without a private L2 and with --coherence full it works in
	# mode recall: 2048 lines of two words that each hold the last-level cache for 4 cycles are 8192 cycles, 16 % if nobody
	# else uses it. Beside two others it waits for their transfers, too.
	local computed='^The accelerators (were idle: .* they )?computed: the longest wait for memory was'

	known "ESP: three FFTs, the third in mode recall" '^Tile 4 \(fft_stratus.2\) waited [23][0-9] % of its run for memory' \
		sh -c "$fft --acc 0 --repeat 20 & $fft --acc 1 --repeat 20 & $fft --acc 2 --coherence full --repeat 20; wait"
	known "ESP: one FFT" "$computed 8" sh -c "$fft --repeat 20"
	known "ESP: two FFTs" "$computed [89]" sh -c "$fft --repeat 20 & $fft --acc 1 --repeat 20; wait"
	known "ESP: one FFT in mode recall" "$computed 1[5-9]" sh -c "$fft --acc 2 --coherence full --repeat 20"
	known "ESP: one short FFT, then sleep" '^The accelerators were idle: the busiest one ran 0' sh -c "$fft --log-len 9; sleep 2"
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
		judge "ESP: a phase that waits" record '^Tile 4 \(fft_stratus.2\) waited [23][0-9] % of its run for memory' \
			"$(first_sentence "$dir/json" waits)"
		judge "ESP: a phase that computes" record "$computed 8" "$(first_sentence "$dir/json" computes)"
	fi

	# ---- UPMEM: eleven tasklets fill the pipeline
	dpus "UPMEM: 16 tasklets add" '^The DPUs issued instructions in (9[0-9]|100) % of their cycles' 1-16-8 200
	dpus "UPMEM: 11 tasklets add" '^The DPUs issued instructions in (9[0-9]|100) % of their cycles' 1-11-8 200
	dpus "UPMEM: 4 tasklets add" "^No tasklet was ready in 6[0-9] % .* fewer than 11 tasklets run" 1-4-8 200
	dpus "UPMEM: 1 tasklet adds" "^No tasklet was ready in 9[01] % .* fewer than 11 tasklets run" 1-1-8 200
	dpus "UPMEM: 16 tasklets, one lock" 'issued instructions in .* Loops that wait for a mutex issue instructions, too' 2-16-8 50
	dpus "UPMEM: one of 16 works, 15 wait at a barrier" '^No tasklet was ready in .* or they wait for each other' 4-16-8 50
	dpus "UPMEM: transfers of 512 bytes" '^The DPUs wait for their DMA engines' 3-16-512 200
	dpus "UPMEM: transfers of 2048 bytes" '^The DPUs wait for their DMA engines' 3-16-2048 100
	dpus "UPMEM: transfers of 8 bytes" '^The DPUs wait for short transfers: 8 bytes each' 3-16-8 500
	dpus "UPMEM: 1 tasklet, transfers of 8 bytes" '^No tasklet was ready in .* too few tasklets run to hide transfers' 3-1-8 1000
	known "UPMEM: binary search, 16 tasklets" '^The DPUs wait for short transfers: 8 bytes each' \
		./examples/upmem/c/search-host examples/upmem/c/search-16.dpu
	dpus "UPMEM: DPU 7 has 20 times the work" '^DPU 7 ran 100 % of the time until the slowest DPU was done' 1-16-8 100 20 7
	dpus "UPMEM: two DPUs have 10 times the work" '^DPUs 3 and 40 ran 100 % of the time' 1-16-8 100 10 3 40

	# ---- Hexagon: examples/hexagon/memory.S, one thread of six
	known "Hexagon: a chain of pointers" '^Hardware threads waited for data' ./hexagon-run memory-chain
	known "Hexagon: a stream of loads" '^Hardware threads waited for data' ./hexagon-run memory-stream
	known "Hexagon: 48 KiB of code" '^Hardware threads waited for instructions' ./hexagon-run memory-code
	known "Hexagon: vector loads" '^Hardware threads waited for vector loads' ./hexagon-run memory-vectors
	# 4108 packets leave 5 of 6 turns; in 300 cycles the thread waits: 20540 / (6 * 4108 + 600) = 81 %
	known "Hexagon: stores that hit" '^Hardware threads were off or waited for work in 81 %' ./hexagon-run memory-stores
	known "Hexagon: six equal threads" '^Hardware threads committed packets in (9[0-9]|100) %' ./hexagon-run six-threads
	# 13 w packets in 6 w rounds of 6 turns (hexagon-stalls.sh): 64 % are idle. Of twelve threads the first one loses its
	# turn to the last one after 10^6 packets, and has another one when five end, at 2 w: w = 525000, so 17 w packets in
	# 6 w + 2 w - 10^6 rounds, 54 % idle.
	known "Hexagon: eight threads, one has six times the work" '^Hardware threads were off or waited for work in 64 %' \
		./hexagon-run eight-threads
	known "Hexagon: twelve threads, one has six times the work" '^Hardware threads were off or waited for work in 5[34] %' \
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
	local beside="taskset -c $((1 - $(cat /sys/bus/event_source/devices/espmon/cpumask)))"
	local walk="$beside ./examples/memwalk" hardly='^Processors hardly waited for memory: their private L2 caches missed once in'

	echo 40 >/proc/sys/vm/nr_hugepages
	known "CPU: matrices that fit into the L2" "$hardly" $beside ./examples/matmul --size 32 --repeat 4000
	known "CPU: a chain of pointers through 16 KiB" "$hardly" $walk -p chase -b 16K -s 16 -r 1000000
	known "CPU: a chain of pointers through 256 KiB" '^Tile [0-9]+ \(cpu\): 9[0-9] % of its requests missed the private L2' \
		$walk -p chase -b 256K -s 16 -r 1000
	# 6.5 million misses of both; on a slow host the system around them makes as many requests that hit, and what an L2 misses
	# takes less of the time. A last-level cache counts each line that an L2 gives back as a hit: half of its requests missed.
	known "CPU: a chain of pointers through 4 MiB" \
		'^(Tile [0-9]+ \(cpu\): [5-9][0-9] % of its requests missed the private L2|The last-level cache missed [345][0-9] %)' \
		$walk -p chase -b 4M -s 64 -r 100
	known "CPU: two processors write the same lines" '^Caches took lines from each other' ./tests/guest/cpu-share 1000
}

soc()
{
	# ---- accelerators that copy: of the cycles of a burst, 1024 and more, 4 are no transfer
	known "ESP: five copy at the same time" '^Tiles [0-9, and]+ waited (99|100) % of their run for memory' \
		./tests/guest/esp/dummies 0 16384 64 0 4
	known "ESP: one copies 1 MiB through the last-level cache" '^Tile [0-9]+ .*waited (99|100) % of its run for memory' \
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
	"${vm[@]}" --soc "${srcdir:-.}/examples/esp/designs/dummy-4x4.esp_config" \
		--device espmon --device hexagon-pmu,stalls=on,redirect-cycles=40 -- "$0" soc
	"${vm[@]}" --cpu --smp 2 --soc "${srcdir:-.}/examples/esp/designs/sixteen-4x4.esp_config" --device espmon -- "$0" processors
} | tee "$dir/table"
count()
{
	grep -c "^$1" "$dir/table"
}
echo "right $(count right), silent $(count silent), wrong $(count wrong)"
[ "$(count right)" -gt 0 ] && [ "$(count wrong)" = 0 ] && [ $(($(count silent) * 20)) -le "$(count right)" ]
