#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --smp 1 --qemu-arg -icount --qemu-arg shift=3,sleep=off --env TEST_TIMEOUT=100000 --device espmon
#
# monctl record of everything: all monitors of a 3x2 SoC each 10 ms, 32 of them each 1 ms. With
# -icount the guest's time is a function of its instructions (8 ns each) and skips its sleep, so the
# cost of sampling does not depend on the host. But time also passes while the guest waits for a
# file of the host; so of several runs the shortest counts. A second of it here; `make check-rates`
# takes a minute.
. "${srcdir:-.}/tests/guest/lib.sh"
monctl=./monctl
[ ! -x .libs/monctl ] || monctl=./.libs/monctl
fft=./examples/esp/esp-fft
[ ! -x examples/.libs/esp-fft ] || fft=./examples/.libs/esp-fft
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
load=("$fft" --log-len 10 --repeat $((${RATES_SECONDS:-1} * 100)))
TIMEFORMAT=%R
tries=3
[ -z "${RATES_SECONDS-}" ] || tries=1

# monitors REGEX: those of every tile whose names do not match
monitors()
{
	local event tile list=

	for event in $(events_here espmon | grep -vE "^acc_(mem|tot)_cycles$|$1"); do
		for tile in 0 1 2 3 4 5; do
			list+=,espmon/$event,bytile,tile=$tile/
		done
	done
	echo "${list#,}"
}

# totals FILE: "EVENT COUNT" of each counter of a recording that counted
totals()
{
	$monctl export --csv "$1" | python3 -c '
import csv, sys
rows = csv.reader(sys.stdin)
# counters, "EVENT/ [unit]"; metrics and runs follow them
names = [name.split(" [")[0] for name in next(rows)[1:] if "/ [" in name]
sums = [0] * len(names)
for row in rows:
    for i, value in enumerate(row[1:len(names) + 1]):
        sums[i] += float(value)
for name, total in zip(names, sums):
    # the clock beside them was not asked for
    if total and "dvfs_" not in name:
        print(name, round(total))' | sort
}

plain=$(for ((i = 0; i < tries; i++)); do { time "${load[@]}" >/dev/null; } 2>&1; done | sort -n | head -n 1)

# record_once INTERVAL EVENTS: its seconds
record_once()
{
	said=$($monctl record --no-marks -i "$1" -e "$2" -o "$dir/data" -- "${load[@]}" 2>&1 >/dev/null)
	seconds=$(sed -n 's/.* samples in \([0-9.]*\) s .*/\1/p' <<<"$said")
	awk "BEGIN { exit !(${seconds:-0} > 0 && ${seconds:-0} <= 1.3 * $plain) }"
}

# holds_rate NAME INTERVAL EVENTS
holds_rate()
{
	local said seconds slow i enough='\((99\.[0-9]|100\.[0-9]) % of'

	for ((i = 0; i < tries; i++)); do
		record_once "$2" "$3"
		slow=$?
		[ "$slow" = 0 ] && [[ $said =~ $enough ]] && break
	done
	verdict "$1: at most 1.3 times slower" "$slow" "$seconds s rather than $plain s"
	like "$1: samples" "$said" "$enough"
	is "$1: none was lost" "$(grep -c lost <<<"$said") $(perf report -i "$dir/data" --stats 2>/dev/null | grep -c LOST)" "0 0"
	[ -z "${RATES_SECONDS-}" ] || echo "$1: $said; without it $plain s" >&"${TEST_PROGRESS:-1}"
}

# perf's counts around the recording, without events that count without the load, too: cycles of
# tiles, and plane 4, on which registers are read.
quiet=$(monitors '^dvfs_|_p4')
perf stat -a -x, -o "$dir/perf" -e "$quiet" -- \
	$monctl record -q --no-marks -i 10ms -e "$quiet" -o "$dir/data" -- "${load[@]}" >/dev/null
wanted=$(sed -n 's|^\([1-9][0-9]*\),[^,]*,\(espmon/[a-z0-9_]*\),bytile,\(tile=[0-9]*/\).*|\2,\3 \1|p' "$dir/perf" | sort)
is "the totals are perf's" "$(totals "$dir/data")" "$wanted"
# words at the memory tile, TLB, memory and total cycles and runs of an accelerator, flits on planes 3 and 5
holds "of all that the load makes count" "$(wc -l <<<"$wanted") >= 10"

all=$(monitors '^$')
is "59 monitors in 6 tiles" "$(tr -cd , <<<"$all" | wc -c)" $((354 * 3 - 1))
holds_rate "354 counters each 10 ms" 10ms "$all"
# a sample has 5.7 KB, and the buffer is full after 3.6 s: a sample that wraps around must be whole,
# too
$monctl record -q --no-marks -i 20ms -e "$all" -o "$dir/data" -- sleep 5
is "no counter goes back" "$($monctl export --csv "$dir/data" |
	awk -F, 'NR > 1 { for (i = 2; i <= 355; i++) n += $i > 1e15 } END { print (NR > 200) " " (n + 0) }')" "1 0"
holds_rate "32 counters each 1 ms" 1ms "$(cut -d , -f 1-$((32 * 3)) <<<"$all")"
summary
