#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# examples/esp/multifft_mon: its counts, and the contention of three accelerators at the same time. The
# scheduler decides how far apart they start, so a busy host may need some tries.
. "${srcdir:-.}/tests/guest/lib.sh"

ok "it runs" ./examples/esp/multifft_mon /tmp
# the guide's counts: 1 + 128 + 128 words
like "one monitor" "$(./examples/esp/multifft_mon /tmp)" 'off-chip memory words: 257'
# what one run leaves in the accelerators does no harm to the next
for run in 1 2 3 4 5 6; do
	ok "run $run after it" ./examples/esp/multifft_mon /tmp
done
# three times a page table of a word, and 16384 times 8 points in and out; more if a write's data come late
words=$((3 * (1 + 2 * 16384 * 8)))
meet()
{
	./examples/esp/multifft_mon /tmp |
		awk -v words=$words '/takes/ { met += $7 > $4 * 1.05 } / one by one/ { all = $8 >= words }
			END { exit !(met == 3 && all) }'
}
met=no
for _ in 1 2 3 4 5 6 7 8 9 10; do
	if meet; then
		met=yes
		break
	fi
done
is "all three wait for each other" $met yes
summary
