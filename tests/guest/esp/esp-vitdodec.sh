#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The accelerator VITDODEC_STRATUS: its driver, its results, its transfers.
# mon-vm: --soc @srcdir@/tests/designs/vitdodec-3x2.esp_config
. "${srcdir:-.}/tests/guest/lib.sh"

# count BITS [ERRORS]
count()
{
	perf stat -x, -o /tmp/esp-vitdodec.csv -e '{espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/}' -- \
		./tests/guest/esp/run-vitdodec "$@" >/tmp/esp-vitdodec.out || echo failed:
	awk -F, '/espmon/ { printf "%s%s", sep, $1; sep = " " }' /tmp/esp-vitdodec.csv
}

# The transfers do not depend on the data; words of 64 bits, a flit each. The page table: 1 word, 3
# + 2 flits. A read: 3 + (1 + N) flits, a write: 3 + N.
in=$(($(acc_row VITDODEC_STRATUS 6) / 8))
out=$(($(acc_row VITDODEC_STRATUS 7) / 8))
moved="$((1 + in + out)) $((3 + 3 + 3 + out)) $((2 + 1 + in))"
is "288 bits" "$(count)" "$moved"
like "they are found" "$(cat /tmp/esp-vitdodec.out)" '288 bits, 0 of 576 symbols spoilt, [0-9]+ ns: 0 bits wrong'
is "12000 bits, and 800 errors" "$(count 12000 800)" "$moved"
like "they are mended" "$(cat /tmp/esp-vitdodec.out)" '800 of 24000 symbols spoilt, [0-9]+ ns: 0 bits wrong'
# the program's ntraceback is 5
like "too many bits" "$(./tests/guest/esp/run-vitdodec $(($(acc_row VITDODEC_STRATUS 8) - 8 * 5 + 1)) 2>&1)" 'the parameters do not fit'
summary
