#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Our perf ("make perf-metrics") prints metrics. It is optional, so "make check" does not run this;
# "make check-perf-metrics" does.
. "${srcdir:-.}/tests/guest/lib.sh"
perf=build/perf/perf
[ -x $perf ] || skip "$perf is missing: make perf-metrics"
fft=./examples/esp/esp-fft
[ -x ./examples/.libs/esp-fft ] && fft=./examples/.libs/esp-fft

listed=$($perf list metric 2>/dev/null)
for metric in esp_llc_miss_ratio mrfld_ddr_total; do
	like "perf list has $metric" "$listed" "$metric"
done
# one run of 128 points: a word of the page table, 128 read, 128 written
like "words of a run" "$($perf stat -a -M esp_words_per_invocation $fft --log-len 7 2>&1)" \
	'257\.0 words +esp_words_per_invocation'
# it transfers 257 words and computes: some of its time, but not all of it
like "share of memory" "$($perf stat -a -M esp_acc_memory_share $fft --log-len 7 2>&1)" \
	'# +[1-9][0-9]?\.[0-9] %  esp_acc_memory_share'
summary
