#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The accelerator SORT_STRATUS: its driver, its results, its transfers.
# mon-vm: --soc @srcdir@/tests/designs/sort-3x2.esp_config
. "${srcdir:-.}/tests/guest/lib.sh"

# count SIZE BATCH
count()
{
	perf stat -x, -o /tmp/esp-sort.csv -e '{espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/}' -- \
		./tests/guest/esp/run-sort "$1" "$2" >/tmp/esp-sort.out || echo failed:
	awk -F, '/espmon/ { printf "%s%s", sep, $1; sep = " " }' /tmp/esp-sort.csv
}

# Two floats are a word of 64 bits, a word is a flit. The page table: 1 word, 3 + 2 flits. A vector of N words:
# a read of 3 + (1 + N) flits, a write of 3 + N.
is "a vector of 64" "$(count 64 1)" "$((1 + 2 * 32)) $((3 + 3 + 3 + 32)) $((2 + 1 + 32))"
like "it is sorted" "$(cat /tmp/esp-sort.out)" '1 vectors of 64 floats, [0-9]+ ns: sorted'
most=$(acc_most SORT_LEN)
n=$((most / 2))
is "three of the largest" "$(count "$most" 3)" "$((1 + 3 * 2 * n)) $((3 + 3 * (6 + n))) $((2 + 3 * (1 + n)))"
like "they are sorted" "$(cat /tmp/esp-sort.out)" "3 vectors of $most floats, [0-9]+ ns: sorted"
for wrong in "33 1" "$((2 * most)) 1" "64 $(($(acc_most SORT_BATCH) + 1))"; do
	# words are wanted
	# shellcheck disable=SC2086
	like "sizes that it cannot have: $wrong" "$(./tests/guest/esp/run-sort $wrong 2>&1)" 'the parameters do not fit'
done
is "its number" "$(cd /dev && echo sort_stratus.*)" "sort_stratus.0 sort_stratus.1 sort_stratus.2"
summary
