#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Programs whose bottleneck is known by construction, and the sentences about each: of monctl stat, and of the page of a
# recording, both without options where none are given. An expression begins with what the first sentence must say.
# usage: monctl-known.sh, from the top build directory; in a guest with the name of a set of cases: devices, soc, kinds,
# many, processors. KNOWN=REGEX chooses some.
#
# It succeeds if none is wrong and at most one of twenty is silent.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# sentences FILE [PHASE]: of JSON of monctl stat -j, or of a page of monctl report, in one line
sentences()
{
	python3 - "$1" "${2-}" <<'END'
import json, re, sys

text = open(sys.argv[1]).read()
page = re.search(r'<script[^>]*id="recording"[^>]*>(.*?)</script>', text, re.S)
try:
    data = json.loads(page[1] if page else text)
except ValueError:
    data = json.loads(text.strip().split("\n")[-1])
for answer in data.get("answers", []):
    if (answer["phase"] or "") == sys.argv[2]:
        print(" ".join(s["text"] for s in answer["sentences"]) or f"(none) {answer['missing'] or ''}")
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

# known WHAT EXPECTED [-p PRESET] COMMAND...: the sentences of monctl stat, and of the page of a recording
known()
{
	local what=$1 expected=$2 preset=()

	shift 2
	[[ $what =~ ${KNOWN:-.} ]] || return 0
	if [ "$1" = -p ]; then
		preset=(-p "$2")
		shift 2
	fi
	$monctl stat -j -o "$dir/stat" "${preset[@]}" -- "$@" >/dev/null 2>"$dir/said" || sed "s/^/# $what: /" "$dir/said"
	judge "$what" stat "$expected" "$(sentences "$dir/stat")"
	$monctl record -q -o "$dir/data" "${preset[@]}" -- "$@" >/dev/null 2>&1
	$monctl report -o "$dir/page" "$dir/data" >/dev/null 2>&1
	judge "$what" page "$expected" "$(sentences "$dir/page")"
}

dpus()
{
	local what=$1 expected=$2 preset=() program

	shift 2
	if [ "$1" = -p ]; then
		preset=(-p "$2")
		shift 2
	fi
	program=$1
	shift
	known "$what" "$expected" "${preset[@]}" ./tests/guest/upmem/known-host "tests/guest/upmem/known-$program.dpu" "$@"
}

devices()
{
	local fft='./examples/esp/esp-fft --log-len 11' traffic=./examples/mrfld/mrfld-traffic

	# ---- ESP: an FFT of 2048 points computes for 44032 cycles and waits for 4155: 91 and 8.6 %. Without a private L2 and with
	# --coherence full it works in mode recall: each of 2048 lines of two words holds the last-level cache for 4 cycles, or for
	# 26 if it comes from DRAM. That is 8192 cycles, 16 %, if all hit. A run with --coherence none flushes that cache: after it
	# the 1024 lines of the input miss, 30720 cycles, 41 %. Of three at the same time the guest's scheduler says how many runs come
	# after a flush; the two others hold the bus for 2 * 2 * 2068 cycles more at most, 47 %. What is less than 24 % is not named.
	local computed='computed in 9[01] % of (its|their) run time\.( |$)'

	known "ESP: three FFTs at once, the third in mode recall" \
		'^Tile 4 \(fft_stratus.2\) computed in ((7[6-9]|8[0-4]) % of its run time\. |(5[3-9]|6[0-9]|7[0-6]) % of its run time; transfers (2[4-9]|3[0-9]|4[0-7]) %)' \
		sh -c "$fft --acc 0 --repeat 20 & $fft --acc 1 --repeat 20 & $fft --acc 2 --coherence full --repeat 20; wait"
	known "ESP: three FFTs in turn, the third in mode recall" '^Tile 4 \(fft_stratus.2\) computed in 59 % of its run time; transfers 41 %' \
		sh -c "for i in 1 2 3 4 5; do $fft; $fft --acc 1; $fft --acc 2 --coherence full; done"
	known "ESP: one FFT" "^Tile 0 \\(fft_stratus.0\\) $computed" sh -c "$fft --repeat 20"
	known "ESP: two FFTs" "^Tiles 0 and 3 \\(fft_stratus\\) $computed" sh -c "$fft --repeat 20 & $fft --acc 1 --repeat 20; wait"
	known "ESP: one FFT in mode recall" '^Tile 4 \(fft_stratus.2\) computed in 8[0-5] % of its run time' sh -c "$fft --acc 2 --coherence full --repeat 20"
	# 256 * 9 * 3 + 5 * 512 + 5 of 9477 + 2 * 512 + 59 + 51 (monctl-budget.sh)
	known "ESP: one short FFT, then sleep" '^Tile 0 \(fft_stratus.0\) computed in 89 % of its run time' sh -c "$fft --log-len 9; sleep 2"
	# 81, 75 and 51 cycles a run
	known "ESP: FFTs of 8 points" '^Tile 0 \(fft_stratus.0\) computed in 39 % of its run time; transfers 36 %' sh -c "$fft --log-len 3 --repeat 300"
	known "ESP: one accelerator has 20 times the runs of another" "^Tile 0 \\(fft_stratus.0\\) $computed" \
		sh -c "$fft --repeat 20 & $fft --acc 1 --repeat 1; wait"
	known "ESP: three FFTs, one after the other" '^Tiles 0(, 3 and 4| and 3) \(fft_stratus\) computed in (9[01]|8[0-9] to 9[01]) % of their run time' \
		sh -c "$fft --repeat 5; $fft --acc 1 --repeat 5; $fft --acc 2 --repeat 5"
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
		$monctl report -o "$dir/page" "$dir/data" >/dev/null 2>&1
		judge "ESP: a phase that waits" page '^Tile 4 \(fft_stratus.2\) .*transfers' "$(sentences "$dir/page" waits)"
		judge "ESP: a phase that computes" page "^Tile 0 \\(fft_stratus.0\\) $computed" "$(sentences "$dir/page" computes)"
	fi
	# Who waits for whom, and how long, is as the runs begin. The first one computes for 678896 cycles; waiting is the larger part
	# from there on. Memory moves 20 inputs and outputs of 2048 words, 81920: at most 12 % of that, so the partner is named.
	known "ESP: a chain of two FFTs" '^Tiles? [03] .*(computed in|had transfers under way in .*partner of a point-to-point transfer)' ./tests/guest/esp/chain 2 20
	known "ESP: a chain of three FFTs" '^Tiles? [034].*(computed in|had transfers under way in .*partner of a point-to-point transfer)' \
		./tests/guest/esp/chain 3 20

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
	known "UPMEM: binary search, 16 tasklets" '^DPUs 0 to 63: in ([0-9]+ to )?[0-9]+ % of their cycles a transfer began, or no tasklet was ready' \
		./examples/upmem/c/search-host examples/upmem/c/search-16.dpu
	dpus "UPMEM: DPU 7 has 20 times the work" '^DPU 7 issued instructions in (9[0-9]|100) % of its cycles' 1-16-8 100 20 7
	# 128 copies of 2 MiB at 350 MB/s and 64 at 79 MB/s (libmon/upmem/host.def) are 2.5 s; 3.59 million cycles of 400 MHz are 9 ms
	known "UPMEM: vecadd" '^DPUs 0 to 63: their DMA engines moved words in 88 % of the cycles; copies between host and DPUs took 99\.6 %' ./examples/upmem/vecadd examples/upmem/vecadd.dpu
	dpus "UPMEM: two DPUs have 10 times the work" '^DPUs 3 and 40 issued instructions in (9[0-9]|100) % of their cycles' 1-16-8 100 10 3 40
	# a lock for each tasklet's transfer: 1024 of 1057 cycles and what the lock takes; the others poll it
	dpus "UPMEM: one lock around transfers of 2048 bytes" '^DPUs 0 to 63: their DMA engines moved words in (8[5-9]|9[0-6]) % of the cycles' 9-16-2048 30
	dpus "UPMEM: writes of 2048 bytes" '^DPUs 0 to 63: their DMA engines moved words in (8[5-9]|9[0-6]) % of the cycles' 8-16-2048 100
	# an engine of two tasklets has the next transfer ready when one ends
	dpus "UPMEM: 2 tasklets, transfers of 2048 bytes" '^DPUs 0 to 63: their DMA engines moved words in (8[5-9]|9[0-6]) % of the cycles' 3-2-2048 200
	# 33 of 37 cycles
	dpus "UPMEM: beginnings of transfers of 8 bytes" '^DPUs 0 to 63: the beginnings of transfers held their DMA engines in [78][0-9] % of the cycles' \
		-p dma 3-16-8 500
	# 33 of 1066, and refresh
	dpus "UPMEM: beginnings of transfers of 2048 bytes" '^DPUs 0 to 63: the beginnings of transfers held their DMA engines in (2\.[89]|3\.[01]) % of the cycles' \
		-p dma 3-16-2048 100
	# 33 of 65 cycles begin a transfer
	dpus "UPMEM: transfers of 64 bytes" '^DPUs 0 to 63: in [45][0-9] % of their cycles a transfer began, or no tasklet was ready' 3-16-64 200
	# 64 copies of a word, each 12 + 27 us and 4 bytes at 1.9 MB/s, are 2.6 ms; a kernel of 20000 cycles would be 50 us
	dpus "UPMEM: copies, and a kernel of a few microseconds" "^Copies between host and DPUs took (99(\\.[0-9]+)?|100) % of the program's run" 1-16-8 1
	# 161 cycles of the engine for 400 instructions and more
	dpus "UPMEM: transfers of 256 bytes beside more instructions" '^DPUs 0 to 63 issued instructions in (9[0-9]|100) % of their cycles' 7-16-256 50
	dpus "UPMEM: 64-bit multiplications" '^DPUs 0 to 63 issued instructions in (9[0-9]|100) % of their cycles' 5-16-8 20
	dpus "UPMEM: a walk through WRAM" '^DPUs 0 to 63 issued instructions in (9[0-9]|100) % of their cycles' 6-16-8 20
	# 8 of 11 turns
	dpus "UPMEM: 8 tasklets walk through WRAM" '^DPUs 0 to 63 issued instructions in 7[0-3] % of their cycles; waiting for a tasklet to become ready 2[6-9] %' \
		6-8-8 50
	dpus "UPMEM: one of 16 works, 15 wait at a semaphore" '^No tasklet of DPUs 0 to 63 was ready in [89][0-9] % of their cycles' 10-16-8 50
	dpus "UPMEM: half of the DPUs have 5 times the work" '^DPUs 0 to 31 issued instructions in (9[0-9]|100) % of their cycles' \
		1-16-8 100 5 $(seq -s ' ' 0 31)

	# 16 tasklets, the k-th of which adds for k units until all meet: k threads issue in max(11, k) cycles of a unit's turns, 81
	# for the first 6 levels and 110 for the others; of these 191 cycles a unit 136 have an instruction
	dpus "UPMEM: work of 1 to 16 units between barriers" \
		'^DPUs 0 to 63 issued instructions in 7[01] % of their cycles; waiting for a tasklet to become ready (29|30) %' 11-16-8 20
	# both take 1.87 million cycles: 202 * 16 transfers of 33 + 512 cycles and what refresh takes, or 101 * 16 * 2 * 579 instructions
	dpus "UPMEM: half of the DPUs move, the others add" \
		'DPUs 0 to 31: their DMA engines moved words in 8[6-9] % of the cycles.*DPUs 32 to 63 issued instructions in (9[5-9]|100) %|DPUs 32 to 63 issued instructions in (9[5-9]|100) %.*DPUs 0 to 31: their DMA engines moved words in 8[6-9] %' \
		12-16-1024 101 2 $(seq -s ' ' 0 31)
	# all issue in all of their own time, so the last one limits: DPU 60 has 61 of its 64 units
	dpus "UPMEM: DPU n has n + 1 times the work" '^DPUs 6[01] to 63 issued instructions in 9[4-8] to 100 % of their cycles' 1-16-8 10 each
	# 1000 of 1066 cycles and refresh
	dpus "UPMEM: transfers of 1000 bytes" '^DPUs 0 to 63: their DMA engines moved words in (8[6-9]|90) % of the cycles' 3-16-1000 200

	# ---- Hexagon: examples/hexagon/memory.S, one thread of six
	# A thread alone executes a packet in three cycles: one of six turns of two clusters, and both wait for it. With its packets and
	# waits (hexagon-stalls.sh) a part is 2 * WAIT of 6 * PACKETS + 2 * WAITS cycles.
	waits()
	{
		local what=$1 packets=$2 wait=$3 others=$4 share

		share=$(awk "BEGIN { printf \"%.0f\", 200 * $wait / (6 * $packets + 2 * ($wait + $others)) }")
		known "Hexagon: $what" "^Hardware threads waited for $5 in $share %" ./hexagon-run "$6"
	}
	waits "a chain of pointers" 2069 $((513 * 150 + 521 * 12)) 304 data memory-chain
	waits "a stream of loads" 8209 $((1024 * 150 + 3072 * 12)) 154 data memory-stream
	waits "a stream of loads from 16 KiB" 2065 $((256 * 150 + 256 * 12)) 154 data memory-stream-16k
	waits "lines that were set to zero" 4111 $((1024 * 12)) 300 data memory-zero
	waits "48 KiB of code" 24591 $((770 * 150 + 770 * 12)) 4 instructions memory-code
	waits "vectors" 143 $((64 * 150)) 154 "the vector unit" memory-vectors
	# 5511 packets, 503 times 4 cycles and 300: 5511 of 6 * 5511 + 2 * 2312 are 15 %
	known "Hexagon: branches, few of which are mispredicted" '^Hardware threads committed packets in 15 % of the cycles' ./hexagon-run memory-branches
	# 3000014 packets of one of six turns; beside it 150000 cycles of a thread that waits
	known "Hexagon: one thread of six" '^Hardware threads committed packets in 17 % of the cycles, .*; idle 8[23][.0-9]* %' ./hexagon-run uneven-hides
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

	# one of six turns
	known "Hexagon: one mutex around all work" '^Hardware threads committed packets in 17 % of the cycles, .*; idle 8[23](\.[0-9])? %' \
		./hexagon-run limits-mutex
	# 1 + 2 + ... + 6 of 6 * 6 turns
	known "Hexagon: work of 1 to 6 units between barriers" '^Hardware threads committed packets in 58 % of the cycles, .*; idle 4[12](\.[0-9])? %' \
		./hexagon-run limits-barrier
	# Four of six work, then the two that waited: 6 of 12 turns, and 2 of 12 wait.
	known "Hexagon: six threads with vectors, four contexts" \
		'^Hardware threads committed packets in (49|50) % of the cycles, .*; waiting for the vector unit 1[67] %; idle 33(\.[0-9])? %' ./hexagon-run limits-contexts
	# 512 lines, 8 of which are not ahead: 3088 packets leave 5 of 6 turns, and 4 * (150 + 12) + 304 cycles of waiting
	known "Hexagon: loads that are fetched ahead" '^Hardware threads committed packets in 15 % of the cycles, .*; idle 7[56](\.[0-9])? %' \
		./hexagon-run memory-ahead

	# ---- Merrifield: 8528 MB/s are all that DRAM moves
	known "Merrifield: graphics alone" '^The graphics controller made 100 % of the requests' $traffic -a gfx -b 64M
	known "Merrifield: the display alone" '^The display controller made 100 % of the requests' $traffic -a disp -b 64M
	known "Merrifield: imaging writes" '^The imaging controller made 100 % of the requests' $traffic -a imaging -o write -b 64M
	known "Merrifield: low-speed peripherals" '^The low-speed peripheral fabric made 100 % of the requests' $traffic -a lowspeedpf -b 64M
	known "Merrifield: graphics, the display hardly" '^The graphics controller made 99 % of the requests' \
		sh -c "$traffic -a disp -b 1M & $traffic -a gfx -b 128M; wait"
	known "Merrifield: requests of 16 bytes" '^The graphics controller made 100 % of the requests' $traffic -a gfx -s partial -b 16M
	# 1920 * 1080 * 4 * 60 of 8528 million bytes a second, 5.836 %
	known "Merrifield: scan-out" '^The display controller made 100 % of the requests.* While requests came, they were at most 5\.8[34] %' \
		$traffic --scan-out 1920x1080x4@60 --seconds 2
	known "Merrifield: display and imaging alike" '^The (display|imaging) controller made [45][0-9] % of the requests.*; the (display|imaging) controller ' \
		sh -c "$traffic -a disp -b 128M & $traffic -a imaging -b 128M; wait"
	known "Merrifield: reads beside a third as many writes" '^The graphics controller made 75 % of the requests; the imaging controller 25 %' \
		sh -c "$traffic -b 192M & $traffic -a imaging -o write -b 64M; wait"
	known "Merrifield: four times as many requests of 4 bytes" '^The low-speed peripheral fabric made 80 % of the requests' \
		sh -c "$traffic -a lowspeedpf -s 4 -b 16M & $traffic -b 64M; wait"
	# 1.6 ms
	known "Merrifield: 1 MiB" '^The graphics controller made 100 % of the requests\..* Requests came for too short a time to know their rate\.$' \
		$traffic -b 1M
	# 200 MiB in 0.105 s and 100 MiB in 1.049 s are 272.7 of 8528 MB/s
	known "Merrifield: a fast stretch and a slow one" \
		'^The graphics controller made 100 % of the requests.* While requests came, they were at most 3\.(19|2[01]?) %' \
		sh -c "$traffic -r 2000 -b 200M; $traffic -r 100 -b 100M"
	# 4 * 200 of 8528 MB/s are 9.38 %, while all four ask: how far apart they begin is up to the guest's scheduler, so before
	if [[ "Merrifield: four agents at 200 MB/s" =~ ${KNOWN:-.} ]]; then
		setsid ./tests/guest/mrfld/together 200 0x1000000000 &
		sleep 1
		known "Merrifield: four agents at 200 MB/s" \
			'^The .* made 25 % of the requests.* Together they were at most 9\.3[789] %.* While requests came, they were at most 9\.3[789] %' sleep 1
		kill -- -$!
		wait
	fi
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
	# lines of 16 bytes that do not fit
	known "CPU: stores over 128 KiB" '^Tile [0-9]+ \(cpu\): [4-9][0-9] % of its requests missed the private L2' $walk -p seq -b 128K -w -r 200
	known "CPU: words of 256 KiB in order" '^Tile [0-9]+ \(cpu\): [4-9][0-9] % of its requests missed the private L2' $walk -p seq -b 256K -r 200
	known "CPU: stores over 24 KiB" "$hardly" $walk -p seq -b 24K -w -r 4000
	# Two columns of B have the same 200 lines, which an L1 keeps: of their 800 loads and 2 stores 200 and some of A and C go to the
	# L2, and 320 KB pass before they are needed again. 12 million misses, and 120000 stores that hit: 99 %. The system's
	# requests that hit come with the time: 1.5 million in a run on a busy host, 89 %.
	known "CPU: matrices that do not fit" '^Tile [0-9]+ \(cpu\): [89][0-9] % of its requests missed the private L2' \
		$beside ./tests/guest/matmul --size 200 --repeat 3
	# 83,100 cycles of waiting, and 20 million at least of the processor's misses
	known "CPU: 20 FFTs beside a walk through 4 MiB" '^Tile [0-9]+ \(cpu\): [4-9][0-9] % of its requests missed the private L2.* computed in ' \
		sh -c "./examples/esp/esp-fft --log-len 11 --repeat 20 & $walk -p chase -b 4M -s 16 -r 20; wait"
	known "CPU: two processors write the same lines" 'missed the private L2, as caches took lines from each other' ./tests/guest/cpu-share 1000
}

soc()
{
	# ---- accelerators that copy: of the cycles of a burst, 1024 and more, 4 are no transfer
	known "ESP: five copy at the same time" '^Tiles [0-9, andto]+ \(dummy_stratus\) had transfers under way in (99|100) % of their run time' \
		./tests/guest/esp/dummies 0 16384 64 0 4
	# a line of two words that misses holds the last-level cache for 26: no partner has a part in that
	known "ESP: one copies 1 MiB through the last-level cache" '^Tile [0-9]+ [^.]*\.[0-9]+\) had transfers under way in (99|100) % of its run time\. What [^.]*\. The ' \
		./tests/guest/esp/dummies 1 16384 64 0 0
	known "ESP: two copy, one after the other" '^Tiles [0-9]+ and [0-9]+ \(dummy_stratus\) had transfers under way in (99|100) % of their run time' \
		sh -c "./tests/guest/esp/dummies 0 16384 64 0 0; ./tests/guest/esp/dummies 0 16384 64 1 1"
	known "ESP: one copies through its private L2" '^Tile [0-9]+ .*had transfers under way in (99|100) % of its run time\. What [^.]*\. T.*Coherence moved' \
		./tests/guest/esp/dummies 3 16384 64 0 0
	# 8 words there and back; a page table for each run takes 51 cycles or more
	known "ESP: 2000 copies of 64 bytes" '^Tile [0-9]+ .*had transfers under way in [56][0-9] % of its run time; waiting for the page table [34][0-9] %' \
		./tests/guest/esp/dummies 0 64 1 0 0 2000
	# ---- Hexagon with 40 cycles for a mispredicted branch: 2 * 503 * 40 of 6 * 5511 + 2 * (503 * 40 + 300) cycles
	known "Hexagon: mispredicted branches" '^Hardware threads waited after mispredicted branches in 54 %' ./hexagon-run memory-branches
}

# Accelerators of several kinds, cycles as docs/esp-model.md has them: a load of N words is N + 52, a store N + 7, a table 51.
kinds()
{
	# 2048 of 2048 + 564 + 519 + 51 + 5
	known "ESP: a vector of 1024 is sorted" '^Tile 2 \(sort_stratus.0\) computed in 64 % of its run time; transfers 34 %' ./tests/guest/esp/run-sort 1024
	# 20 are sorted in 2048 cycles each, with hardly a wait: of these 564 + 519 are transfers of the vectors beside it
	known "ESP: 20 vectors of 1024 are sorted" '^Tile 2 \(sort_stratus.0\) had transfers under way in 5[12] % of its run time; computing 4[89] %\. What an accelerator computes' \
		./tests/guest/esp/run-sort 1024 20
	# 64 of 64 + 68 + 23 + 51 + 5, and some cycles of the way
	known "ESP: a vector of 32 is sorted" '^Tile 2 \(sort_stratus.0\) had transfers under way in 4[2-5] % of its run time; computing 3[1-3] %; waiting for the page table 2[45] %' \
		./tests/guest/esp/run-sort 32
	# 41 * 2501 beside a load of 3107 and a store of 2324 words
	known "ESP: 288 bits are decoded" '^Tile 8 \(vitdodec_stratus.0\) computed in 95 % of its run time' ./tests/guest/esp/run-vitdodec 288
	# an own one computes 512 cycles after each load of 564 and before each store of 519
	known "ESP: an accelerator in C" '^Tile 15 \(adder_c.0\) had transfers under way in 68 % of its run time; computing 32 %' \
		./tests/guest/esp/esp-own adder_c.0 10240 5 10240
	known "ESP: one computes, another one copies" \
		'^Tile 1 \(fft_stratus.0\) computed in 9[01] % of its run time\. Tile 4 \(dummy_stratus.0\): transfers 100 %' \
		sh -c "./examples/esp/esp-fft --log-len 11 --repeat 20 & ./tests/guest/esp/dummies 0 65536 16 0 0; wait"
}

# Many accelerators, and two ranks.
many()
{
	# 520 instructions of start-up code, one in 11 cycles, beside 960000 and 96000 that fill the pipeline
	dpus "UPMEM: one rank has ten times the work of another" \
		'^On upmem: DPUs 0 to 63 issued instructions in 99 % of their cycles.*On upmem_1: DPUs 0 to 63 issued instructions in 9[45] % of their cycles' \
		1-16-8 30 10 $(seq -s ' ' 0 63)
	known "ESP: 44 accelerators copy at the same time" '^44 tiles \(dummy_stratus\) had transfers under way in (99|100) % of their run time' \
		./tests/guest/esp/dummies 0 16384 16 0 43
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
	awk '/ acc DUMMY_STRATUS/ && ++n == 1 { sub("DUMMY_STRATUS basic_", "FFT_STRATUS basic_fx32_") }
		/ acc DUMMY_STRATUS/ { sub("DUMMY", n == 2 ? "SORT" : n == 4 ? "VITDODEC" : "DUMMY") } n == 5 { sub("DUMMY_STRATUS", "ADDER_C") }
		{ print }' "${srcdir:-.}/tests/designs/dummy-4x4.esp_config" >"$dir/kinds.esp_config"
	"${vm[@]}" --soc "$dir/kinds.esp_config" --accelerator ADDER_C=tests/unit/esp/adder.acc --device espmon -- "$0" kinds
	"${vm[@]}" --soc "${srcdir:-.}/tests/designs/dummy-16x16.esp_config" --device espmon --device upmem-rank --device upmem-rank \
		-- "$0" many
	"${vm[@]}" --cpu --smp 2 --soc "${srcdir:-.}/tests/designs/sixteen-4x4.esp_config" --device espmon -- "$0" processors
} | tee "$dir/table"
count()
{
	grep -c "^$1" "$dir/table"
}
echo "right $(count right), silent $(count silent), wrong $(count wrong)"
[ "$(count right)" -gt 0 ] && [ "$(count wrong)" = 0 ] && [ $(($(count silent) * 20)) -le "$(count right)" ]
