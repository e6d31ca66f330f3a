#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mon-vm: --cpu --smp 1 --qemu-arg -icount --qemu-arg shift=0
# The guest's own accesses: programs whose cache misses can be derived on paper.
#
# The default design: lines of 16 bytes; L1 256 sets of 8 ways, L2 512 sets of 4 ways (32 KiB each),
# LLC 1024 sets of 16 ways (256 KiB). L1 and L2 replace first in, first out, and so does the LLC here, where one CPU
# tile gives its lines back as it walks (docs/cpu-model.md): a cyclic walk hits all lines
# if each set has room for its share of them, else none. A miss in the LLC reads one line, 2 words;
# a line that comes back modified from the L2 and leaves the LLC writes 2.
#
# The buffers are in huge pages, so that low address bits are physical. With -icount the guest's
# clock depends on its instructions alone, and so does the work of the system meanwhile. A run that
# sets everything up but walks 0 times measures that work.
. "${srcdir:-.}/tests/guest/lib.sh"
echo 8 >/proc/sys/vm/nr_hugepages

events='{espmon/l2_hits/,espmon/l2_misses/,espmon/llc_hits/,espmon/llc_misses/,espmon/ddr_accesses/}'
module0='{mrfld_visa/mod0_readpartial/,mrfld_visa/mod0_writepartial/}'

# raw EVENTS COMMAND...: counts, separated by spaces
raw()
{
	local out=/tmp/cpu-walk.csv events=$1

	shift
	perf stat -x, -o $out -e "$events" -- "$@" >/tmp/cpu-walk.out 2>&1 ||
		echo "failed: $(tail -n 3 /tmp/cpu-walk.out)"
	awk -F, '/espmon|mrfld/ { printf "%s%s", sep, $1; sep = " " }' $out
}

# measure EVENTS REPEAT COMMAND...: counts of the repetitions alone, in the array got
measure()
{
	local events=$1 repeat=$2 slashes=${1//[^\/]} i text
	local -a noise all

	shift 2
	got=()
	# the first run brings program and files into memory
	raw "$events" "$@" --repeat 0 >/dev/null
	text=$(raw "$events" "$@" --repeat 0)
	numbers "what $* counts by itself" $((${#slashes} / 2)) "$text"
	read -r -a noise <<<"$text"
	text=$(raw "$events" "$@" --repeat "$repeat")
	numbers "what $* counts" $((${#slashes} / 2)) "$text"
	read -r -a all <<<"$text"
	for i in "${!all[@]}"; do
		got[i]=$((all[i] - noise[i]))
	done
}

# near NAME INDEX EXPECTED [OF]: got[INDEX] is EXPECTED within 2 % (of OF, where EXPECTED is none or few)
near()
{
	local is=${got[$2]}

	holds "$1" "($is > $3 ? $is - $3 : $3 - $is) * 50 <= ${4:-$3}"
}

walk=./examples/memwalk

# 4 MiB are 262144 lines, far more than any cache holds: every line misses everywhere, in each walk.
# The second word of a line is a hit in the L1, which the L2 does not see. For each miss the L2
# returns a clean line, which the LLC holds: a hit.
n=$((8 * 262144))
measure "$events" 8 $walk --pattern seq --bytes 4M
near "seq 4 MiB: L2 misses" 1 $n
near "seq 4 MiB: LLC hits" 2 $n
near "seq 4 MiB: LLC misses" 3 $n
near "seq 4 MiB: DRAM words" 4 $((2 * n))

# Written: of two stores to a line one misses and one hits; all lines go back modified and on to
# DRAM.
measure "$events" 8 $walk --pattern seq --bytes 4M --write
near "seq write 4 MiB: L2 hits" 0 $n
near "seq write 4 MiB: L2 misses" 1 $n
near "seq write 4 MiB: LLC misses" 3 $n
near "seq write 4 MiB: DRAM words" 4 $((4 * n))

# A stride of 64 bytes uses every fourth line, so every fourth set: 65536 of them in each walk.
n=$((32 * 65536))
measure "$events" 32 $walk --pattern stride --stride 64 --bytes 4M
near "stride 64: L2 misses" 1 $n
near "stride 64: DRAM words" 4 $((2 * n))
# 8192 bytes: all 128 lines of 1 MiB fall into one set of the L2 and into 2 of the LLC, 64 each.
n=$((8192 * 128))
measure "$events" 8192 $walk --pattern stride --stride 8192 --bytes 1M
near "stride 8192: L2 misses" 1 $n
near "stride 8192: DRAM words" 4 $((2 * n))
# 1024 bytes in 128 KiB: 128 lines in 8 sets of the L2, 16 each, and in 16 sets of the LLC, 8 each
n=$((8192 * 128))
measure "$events" 8192 $walk --pattern stride --stride 1024 --bytes 128K
near "stride 1024 in 128 KiB: L2 misses" 1 $n
near "stride 1024 in 128 KiB: LLC hits" 2 $((2 * n))
near "stride 1024 in 128 KiB: DRAM words" 4 0 $((2 * n))

# Pointer chases through all lines of a working set. 24 KiB: 3 lines a set of the L2, 6 of the L1.
n=$((1000 * 1536))
measure "$events" 1000 $walk --pattern chase --stride 16 --bytes 24K
near "chase 24 KiB: L2 misses" 1 0 $n
near "chase 24 KiB: DRAM words" 4 0 $n
# 48 KiB: 6 lines a set of 4 ways, all found in the LLC, which gets as many lines back
n=$((500 * 3072))
measure "$events" 500 $walk --pattern chase --stride 16 --bytes 48K
near "chase 48 KiB: L2 misses" 1 $n
near "chase 48 KiB: LLC hits" 2 $((2 * n))
near "chase 48 KiB: DRAM words" 4 $((2 * 3072)) $n
# 192 KiB: 12 lines a set of the LLC's 16, which come from DRAM once
n=$((250 * 12288))
measure "$events" 250 $walk --pattern chase --stride 16 --bytes 192K
near "chase 192 KiB: L2 misses" 1 $n
near "chase 192 KiB: LLC hits" 2 $((2 * n))
near "chase 192 KiB: DRAM words" 4 $((2 * 12288)) $n
# 384 KiB: 24 lines a set
n=$((62 * 24576))
measure "$events" 62 $walk --pattern chase --stride 16 --bytes 384K
near "chase 384 KiB: L2 misses" 1 $n
near "chase 384 KiB: LLC misses" 3 $n
near "chase 384 KiB: DRAM words" 4 $((2 * n))

# Matrices of 256 x 256 doubles, 2 KiB or 128 lines a row. Without blocks the inner loop goes down a
# column of B: 256 lines in 4 sets of the L2 and 8 of the LLC; all are evicted before the next
# column: a miss everywhere for each of n^3 elements. One of the 128 lines of A's row lies in a set
# of such a column and misses once a column, n^2; A and C as a whole are n^2/2 lines for each of
# their n rows, C is written back.
n=256
measure "$events" 1 ./tests/guest/matmul --size $n
misses=$((n * n * n + n * n + n * n / 2 + n * n / 2))
near "matrices without blocks: L2 misses" 1 $misses
near "matrices without blocks: DRAM words" 4 $((2 * misses + n * n))
# In blocks of 8 x 8, for each of 32^2 blocks of B all 256 rows of C and A come by with 4 lines each
# and miss: 1024 and 1024. The block of B, 32 lines, 2 in each of its sets, shares these sets with
# C. First in, first out: 3 lines of C evict each line of B once, so that 2 miss again: 32 + 1024 *
# 2/3. In 32 of the blocks A is in the same sets, too, and 4 lines of A and C evict both once: 32 +
# 2048 / 2.
measure "$events" 1 ./tests/guest/matmul --size $n --block 8
misses=$((992 * (1024 + 1024 + 32 + 1024 * 2 / 3) + 32 * (1024 + 1024 + 32 + 2048 / 2)))
near "matrices in blocks: L2 misses" 1 $misses

# Module 0 of Merrifield: lines of 64 bytes, a shared L2 of 1 MiB. 4 MiB are 65536 lines, each read
# and, if written, written back. At first the cache is full of lines that the preparation has
# written.
if [ "$(uname -m)" != x86_64 ]; then
	echo "mrfld_visa is not here: it stands on iosf_mbi, an x86 driver"
	summary
fi
n=$((32 * 65536))
measure "$module0" 32 $walk --pattern seq --bytes 4M
near "module 0, read: reads" 0 $n
near "module 0, read: writes" 1 0 $n
measure "$module0" 32 $walk --pattern seq --bytes 4M --write
near "module 0, written: reads" 0 $n
near "module 0, written: writes" 1 $n
measure "$module0" 64 $walk --pattern seq --bytes 512K
near "module 0, half its cache: reads" 0 0 $n
summary
