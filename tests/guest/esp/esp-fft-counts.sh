#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# perf stat around real FFTs on the emulated accelerator. Expected counts are derived from the packet
# formats of ESP's non-coherent DMA: a read request is 3 flits, its answer 1 + words; a write is
# 3 + words without answer; a word is 64 bits, one point of the FFT. A run reads the page table (one
# word a chunk), then reads and writes 2^log_len words for each batch.
. "${srcdir:-.}/tests/guest/lib.sh"
fft=./examples/esp/esp-fft

# perf_values EVENTS COMMAND...: the counts, separated by spaces
perf_values()
{
	local events=$1 out=/tmp/perf-values.csv

	shift
	perf stat -x, -o $out -e "$events" -- "$@" >/tmp/perf-values.out 2>&1 || {
		echo "failed: $(tail -n 3 /tmp/perf-values.out)"
		return
	}
	awk -F, '/espmon/ { printf "%s%s", sep, $1; sep = " " }' $out
}

. "${srcdir:-.}/tests/guest/esp/fft-words.inc"
fft_words ddr_accesses $((1 + 128 + 128)) 2023
trio='{espmon/ddr_accesses/,espmon/dma_reqs/,espmon/dma_rsps/}'

# the example of the README: 1 + 128 + 128 words; 3 + 3 + (3 + 128) and 2 + (1 + 128) flits
is "128 points" "$(perf_values "$trio" $fft --log-len 7 --coherence none)" "257 137 131"
is "twice the FFT, twice the counts" \
	"$(perf_values "$trio" $fft --log-len 7 --coherence none --repeat 2)" "514 274 262"

t2='{espmon/ddr_accesses,bytile,tile=2/,espmon/dma_reqs,bytile,tile=2/,espmon/dma_rsps,bytile,tile=2/}'
is "the memory tile has them all" "$(perf_values "$t2" $fft --log-len 7)" "257 137 131"
is "the CPU tile has none" \
	"$(perf_values espmon/ddr_accesses,bytile,tile=1/ $fft --log-len 7)" "0"
# tile 0 has accelerator 0, whose requests are the only flits of the tile on plane index 5; its
# interrupt is 1 flit and each register that the driver reads answers with 2, all on plane index 4
is "what the accelerator injects" \
	"$(perf_values espmon/noc_injects_p5,bytile,tile=0/ $fft --log-len 7 --acc 0)" "137"
is "another accelerator, another tile" \
	"$(perf_values espmon/noc_injects_p5,bytile,tile=4/ $fft --log-len 7 --acc 2)" "137"

most=$(acc_most FFT_LOG_LEN)
for log_len in 3 4 5 6 8 9 10 "$most"; do
	n=$((1 << log_len))
	is "$n points" "$(perf_values "$trio" $fft --log-len "$log_len" --coherence none)" \
		"$((1 + 2 * n)) $((3 + 3 + 3 + n)) $((2 + 1 + n))"
done
for batches in 2 3 4; do
	# each batch is a read and a write of its own
	is "$batches batches" "$(perf_values "$trio" $fft --log-len 6 --batches $batches)" \
		"$((1 + batches * 128)) $((3 + batches * (3 + 3 + 64))) $((2 + batches * 65))"
done
# offsets do not change the counts (1 MiB chunks)
is "source and destination offset" \
	"$(perf_values "$trio" $fft --log-len 7 --src-offset 4096 --dst-offset 65536)" "257 137 131"

# the sum over all tiles equals the counts of single tiles, for a run of each accelerator
for acc in 0 1 2; do
	is "accelerator $acc runs once" \
		"$(perf_values espmon/acc_invocations/ $fft --acc $acc --log-len 5)" "1"
done

# cycles: the TLB fetch is part of the total, and the accelerator has waited for memory
counts=$(perf_values '{espmon/acc_tlb/,espmon/acc_mem_cycles/,espmon/acc_tot_cycles/}' \
	$fft --log-len 10)
numbers "cycles of an accelerator" 3 "$counts"
read -r tlb mem tot <<<"$counts"
holds "acc_tlb > 0" "$tlb > 0"
holds "acc_mem > 2048 words" "$mem > 2048"
holds "acc_tot > acc_tlb + acc_mem" "$tot > $tlb + $mem"

# a group is one instant: in the tile of the accelerator index 22 counts every cycle, so that the
# run of the same group's acc_tot can never be longer
counts=$(perf_values '{espmon/dvfs_op3,bytile,tile=0/,espmon/acc_tot_cycles,bytile,tile=0/}' \
	$fft --log-len "$most")
numbers "cycles of a tile" 2 "$counts"
read -r cycles tot <<<"$counts"
holds "cycles of a tile bound the run" "$cycles >= $tot && $tot > 0"

fails "a transform that the accelerator cannot hold" $fft --log-len $((most + 1))
fails "an accelerator that is not there" $fft --acc 3
like "its reason" "$($fft --acc 3 2>&1)" "3"
fails "unknown coherence mode" $fft --coherence psychic
summary
