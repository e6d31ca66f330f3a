#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --smp 1 --qemu-arg -icount --qemu-arg shift=3,sleep=off --env TEST_TIMEOUT=100000 --device espmon
#
# monctl record of everything: all monitors of a 3x2 SoC. With -icount the guest skips its sleep, so many samples
# take little time of the host. `make bench-monctl` measures what recording costs.
. "${srcdir:-.}/tests/guest/lib.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
load=(./examples/esp/esp-fft --log-len 10 --repeat 100)

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
counters=$(grep -o tile= <<<"$all" | wc -l)
# a sample has 5.7 KB, and the buffer is full after 180: one that wraps around must be whole, too
said=$($monctl record --no-marks -i 20ms -e "$all" -o "$dir/data" -- sleep 10 2>&1)
is "all counters are there, and none goes back" "$($monctl export --csv "$dir/data" |
	awk -F, -v last=$((counters + 1)) 'NR > 1 { for (i = 2; i <= last; i++) n += $i > 1e15 }
		END { print (NR > 200) " " (NF >= last) " " (n + 0) }')" "1 1 0"
is "no sample was lost" "$(grep -c lost <<<"$said") $(perf report -i "$dir/data" --stats 2>/dev/null | grep -c LOST)" "0 0"
summary
