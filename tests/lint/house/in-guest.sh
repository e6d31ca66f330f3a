#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# In the guest of check-house: the new events, the accelerator and the fifth system, by perf, mon.h and libpfm4.
# words are wanted where variables are not quoted
# shellcheck disable=SC2086
set -eu
count=$1
accelerate=$2

expect() {
	[ "$2" = "$3" ] || {
		echo "check-house: $1: got '$2', expected '$3'"
		exit 1
	}
	echo "check-house: $1: $2"
}

# one run of the accelerator, one start
run="./examples/esp/esp-fft --log-len 7 --coherence none"
stat=$(perf stat -x, -a -e espmon/acc_starts/ $run 2>&1 >/dev/null | grep acc_starts | cut -d, -f1)
expect "espmon/acc_starts/ by perf stat" "$stat" 1
expect "by mon.h and libpfm4" "$($count espmon acc_starts -- $run | grep '^acc_starts')" "acc_starts 1 1"

# events EVENT=COUNT... -- COMMAND: counted by perf, and by mon.h and libpfm4
events() {
	list=
	perf=
	want=
	while [ "$1" != -- ]; do
		list="$list ${1%=*}"
		perf="$perf -e espmon/${1%=*}/"
		want="$want${1#*=} "
		shift
	done
	shift
	stat=$(perf stat -x, -a $perf "$@" 2>&1 >/dev/null | grep espmon | cut -d, -f1 | tr '\n' ' ')
	expect "$list by perf stat" "$stat" "$want"
}

# The LLC of this SoC holds 16 sets of 8 lines of 16 bytes. Mode none has flushed it, so it is empty.
#
# Mode llc, 512 points of 8 bytes in place: 256 lines and one of the page table are read, all new, and 256 are
# written, whole. A set gets 16 of each one after the other and holds 8, so the writes find none of their lines.
# 257 fills of 2 words; 257 + 256 lines came, 128 stay.
events llc_evictions=385 ddr_fills=514 -- ./examples/esp/esp-fft --log-len 9 --coherence llc
# Mode full, 128 points: the accelerator's L2 requests and returns 64 lines and the page table; it
# holds all of them, and a write to a line that it owns sends no message. Each request arrives in the LLC.
full="./examples/esp/esp-fft --log-len 7 --coherence full"
events l2_puts=65 noc_packets=130 noc_packets_taken=130 -- $full
expect "by mon.h and libpfm4" "$($count espmon l2_puts noc_packets -- $full | grep -E '^(l2|noc)_' | tr '\n' ' ')" \
	"l2_puts 65 65 noc_packets 130 130 "

# The accelerator in mode none; its first run flushes the caches of mode full. The page table is a
# word, 64 words are read and 64 written. Requests have 3 flits, that of the write its words behind;
# answers a flit and their words.
words=64
expect "the accelerator" "$("$accelerate" $words)" added
events ddr_accesses=$((1 + 2 * words)) dma_reqs=$((3 + 3 + 3 + words)) dma_rsps=$((2 + 1 + words)) -- \
	"$accelerate" $words
expect "by mon.h and libpfm4" "$($count espmon dma_reqs dma_rsps -- "$accelerate" $words | grep ^dma_ | tr '\n' ' ')" \
	"dma_reqs $((9 + words)) $((9 + words)) dma_rsps $((3 + words)) $((3 + words)) "
expect "more words than the row allows" "$("$accelerate" 513 | grep -c 'parameters do not fit')" 1

stat=$(perf stat -x, -a -e scratch/scratch_writes/,scratch/scratch_reads/ $count --touch 10 7 2>&1 |
	grep scratch | cut -d, -f1 | tr '\n' ' ')
expect "scratch by perf stat" "$stat" "10 7 "
expect "by mon.h and libpfm4" "$($count scratch scratch_writes scratch_reads -- $count --touch 5 3 | tr '\n' ' ')" \
	"scratch_writes 5 5 scratch_reads 3 3 "
