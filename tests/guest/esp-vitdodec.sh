#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The accelerator VITDODEC_STRATUS: its driver, what it decodes and what it moves.
# mon-vm: --soc @srcdir@/examples/esp-designs/vitdodec-3x2.esp_config
. "${srcdir:-.}/tests/guest/lib.sh"

# count BITS [ERRORS]
count()
{
	perf stat -x, -o /tmp/esp-vitdodec.csv -e '{espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/}' -- \
		./examples/esp-vitdodec "$@" >/tmp/esp-vitdodec.out || echo failed:
	awk -F, '/espmon/ { printf "%s%s", sep, $1; sep = " " }' /tmp/esp-vitdodec.csv
}

# 24856 bytes come and 18592 go, whatever there is to decode: 3107 and 2324 words of 64 bits, a flit each. The page
# table: 1 word, 3 + 2 flits. A read: 3 + (1 + N) flits, a write: 3 + N.
moved="$((1 + 3107 + 2324)) $((3 + 3 + 3 + 2324)) $((2 + 1 + 3107))"
is "288 bits" "$(count)" "$moved"
like "they are found" "$(cat /tmp/esp-vitdodec.out)" '288 bits, 0 of 576 symbols spoilt, [0-9]+ ns: 0 bits wrong'
is "12000 bits, and 800 errors" "$(count 12000 800)" "$moved"
like "they are mended" "$(cat /tmp/esp-vitdodec.out)" '800 of 24000 symbols spoilt, [0-9]+ ns: 0 bits wrong'
like "too many bits" "$(./examples/esp-vitdodec 12353 2>&1)" 'the parameters do not fit'
summary
