#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The DPU programs of UPMEM's page on performance counters, unchanged, and programs that dpu-cc
# refuses.
. "${srcdir:-.}/tests/guest/lib.sh"
top=${srcdir:-.}
dpu_cc="./dpu-cc -B $top/dpu/cc -B dpu/cc"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

compile()
{
	# words are wanted
	# shellcheck disable=SC2086
	$dpu_cc "$@"
}

# main's instructions: address and text, one a line
listing()
{
	./dpu-objdump "$1" | awk -F'\t' '/^[0-9a-f]+ <main>:/ { on = 1; next } /^$/ { on = 0 }
		on { print substr($1, 1, 8), $2 }'
}

counter()
{
	awk -v name="$2" '$2 == name { print $1 }' "$1"
}

cat >"$tmp/kernel.c" <<'END'
#include <stdint.h>
#include <mram.h>
volatile __mram uint64_t a;
volatile __mram uint64_t b;
int main() {
a = 2;
b = 1;
b += a;
return 0;
}
END
ok "the bank interface's kernel" compile -O2 "$tmp/kernel.c" -o "$tmp/kernel"
is "its variables" "$(./dpu-run -c -p a -p b "$tmp/kernel" 2>"$tmp/counters")" $'a = 2\nb = 3'
is "its LDMA" "$(counter "$tmp/counters" ldma_instruction)" 2
is "its SDMA" "$(counter "$tmp/counters" sdma_instruction)" 3
# a straight line after the 520 instructions of the start-up code (dpu/tests/rig.h)
is "its instructions" "$(counter "$tmp/counters" dpu_instructions)" \
	$((520 + $(listing "$tmp/kernel" | wc -l)))

cat >"$tmp/frequency.c" <<'END'
#include <perfcounter.h>
#include <stdio.h>
__host uint32_t nb_cycles;
int main() {
perfcounter_config(COUNT_CYCLES, true);
int loop = 1e7;
while (loop)
loop--;
nb_cycles = perfcounter_get();
return 0;
}
END
ok "the frequency example" compile -O2 "$tmp/frequency.c" -o "$tmp/frequency"
./dpu-run -c -p nb_cycles "$tmp/frequency" >"$tmp/output" 2>"$tmp/counters"
# dpu-cc removes a loop without effect: the rest is a straight line, too.
is "its instructions" "$(counter "$tmp/counters" dpu_instructions)" \
	$((520 + $(listing "$tmp/frequency" | wc -l)))

cat >"$tmp/both.c" <<'END'
#include <perfcounter.h>
#include <stdio.h>
int main() {
perfcounter_pair_t res;
/* volatile on the loop variable as to not be optimized out. */
volatile int loop;
perfcounter_config(COUNT_ENABLE_BOTH, /* reset_counter =*/ true);
for (int iter = 0; iter < 5; iter++) {
loop = 1e7;
while (loop)
loop--;
res = perfcounter_get_both(/* reset_counter =*/ true);
printf("cycles = %lu, instr = %lu => CPI=%f or IPC=%f\n",
res.cycles, res.instr,
(double)res.cycles / res.instr,
(double)res.instr / res.cycles);
}
return 0;
}
END
ok "both counters" compile -O2 "$tmp/both.c" -o "$tmp/both"
./dpu-run "$tmp/both" >"$tmp/output"
# The shortest backward jump in main is the loop: its instructions run 10 million times, and few
# others. Counters show multiples of 16; the time between two readings of printf belongs to the
# second one.
shortest()
{
	local at rest address start best=

	start=$((0x$(listing "$1" | head -n 1 | cut -d' ' -f1)))
	while read -r at rest; do
		[[ $rest =~ 0x([0-9a-f]+)$ ]] || continue
		at=$(((0x$at - 0x80000000) / 8))
		address=$((0x${BASH_REMATCH[1]}))
		if ((address <= at && address >= (start - 0x80000000) / 8)) &&
			((!best || at - address + 1 < best)); then
			best=$((at - address + 1))
		fi
	done < <(listing "$1")
	echo "$best"
}
loop=$(shortest "$tmp/both")
first=$(sed -n '1s/.*instr = \([0-9]*\) .*/\1/p' "$tmp/output")
is "lines" "$(wc -l <"$tmp/output")" 5
is "instructions of the loop" "$((first / 10000000))" "$loop"
ok "few more" test $((first % 10000000)) -le 64
like "one tasklet waits 11 cycles" "$(head -n 1 "$tmp/output")" 'CPI=11\.0000.. or IPC=0\.09090[89]$'
like "with the counter of v1A" "$(compile -O2 -mcpu=v1A "$tmp/both.c" -o "$tmp/both" 2>&1)" \
	'two counters of v1B'

# Compiled code executes at most 1.5 times the instructions of hand-written assembly, for all
# programs that exist in both forms.
executed()
{
	./dpu-run -c "$1" 2>&1 | awk '$2 == "dpu_instructions" { print $1 }'
}

examples=examples/upmem
while read -r c assembly; do
	ok "$c: at most 1.5 times $assembly" test $((2 * $(executed "$c"))) -le $((3 * $(executed "$assembly")))
done <<END
$tmp/kernel $examples/page-kernel.dpu
$examples/c/vecadd-16.dpu $examples/vecadd.dpu
$examples/c/reduction-16.dpu $examples/reduction.dpu
$examples/c/hello-16.dpu $examples/hello.dpu
$examples/c/frequency-1.dpu $examples/frequency.dpu
$examples/c/both-1.dpu $examples/both.dpu
END

# Programs with 64-bit values: their output, and the most instructions they may take, as a share of
# the instructions with loads and stores of halves and comparisons by xor, with clang 14 (unique
# 2289279, scan 15068816, search 2039359).
while read -r name most; do
	ok "$name" compile -O2 -DNR_TASKLETS=16 "$top/dpu/tests/cc/wide/$name.c" -o "$tmp/$name"
	ok "$name: at most $most instructions" test "$(executed "$tmp/$name")" -le "$most"
done <<END
unique $((2289279 * 72 / 100))
scan $((15068816 * 80 / 100))
search $((2039359 * 85 / 100))
END
# 2 of 3 neighbours: in each 8, i * 3 / 4 is 0 0 1 2 3 3 4 5; 128 elements a block begin with a new one
like "unique: how many" "$(./dpu-run "$tmp/unique")" "^$((32768 * 6 / 8)) "
# the last sum of tasklet 15: 16 times the blocks that it scanned, 15, 31, ... 511, of 128 elements
# of 65537 n
sum=0
for ((at = 15 * 128; at < 65536; at += 16 * 128)); do
	sum=$((sum + 128 * at + 127 * 64))
done
like "scan: the last sum" "$(./dpu-run "$tmp/scan" | sort -n | tail -n 1)" "^15 $((sum * 65537 * 16))$"

# Unrolled loops over 64-bit values, called through a table, with the default stack: 32768 elements in 256 blocks, of
# which each has 0, 0, 1, 1 ... 63, 63 in both halves, 4032 in all; 16 tasklets add their number to 16 blocks each.
is "unrolled: no warning" "$(compile -O2 -DNR_TASKLETS=16 "$top/dpu/tests/cc/wide/unrolled.c" -o "$tmp/unrolled" 2>&1)" ""
both=$((1 << 32 | 1))
is "unrolled: the sums" "$(./dpu-run "$tmp/unrolled")" \
	"$((256 * 4032 * both)) $((2 * ((128 * 255 * 128 << 32) + 16 * 120) + 256 * 4032 * both)) $((256 * 64)) $((63 * both))"
# 1072 bytes if each element's address is kept
ok "unrolled: at most 96 bytes of stack for each kernel" test \
	"$(./dpu-objdump --stack "$tmp/unrolled" | awk '$3 ~ /_all$/ && $1 > 96' | wc -l)" -eq 0
is "unrolled: main's stack includes the kernels'" \
	"$(./dpu-objdump --stack "$tmp/unrolled" | grep -c 'pointers are left out')" 0

# IRAM: functions that are never called are left out. 0 + ... + 99 = 4950; key 39 has 38 and 99,
# 137, the largest.
ok "a hash table" compile -O2 -mcpu=v1A "$top/dpu/tests/cc/wide/hash.c" -o "$tmp/hash"
is "it works" "$(./dpu-run "$tmp/hash")" "mean $((4950 / 137)) rest $((4950 % 137)), largest 39: 137"
instructions=$(./dpu-objdump "$tmp/hash" | grep -c '^8000')
ok "half of IRAM holds it" test "$instructions" -le 2048
ok "without what nobody calls" test -z "$(./dpu-objdump "$tmp/hash" | grep -E '<(unused|puts|strtol|bsearch|__divdf3)>:')"

# Stacks: frames in the first column below, then with calls: c stores 20 bytes behind the pointer; main has 32 and
# calls a, 48, which calls c; b jumps to c. u grows upwards, as UPMEM's compiler does. d calls itself, e a pointer. k
# calls what is in a table, t jumps there; a stop that does not jump is no jump to the start-up code.
cat >"$tmp/stack.s" <<'END'
	.text
	.globl main
	.type main, @function
main:	add r22, r22, -32
	call r23, a
	call r23, b
	add r22, r22, 32
	jump r23
	.size main, . - main
	.type a, @function
a:	add r22, r22, -48
	call r23, c
	add r22, r22, 48
	jump r23
	.size a, . - a
	.type b, @function
b:	jump c
	.size b, . - b
	.type c, @function
c:	sw r22, -20, r1
	jump r23
	.size c, . - c
	.type d, @function
d:	add r22, r22, -16
	call r23, d
	call r23, e
	add r22, r22, 16
	jump r23
	.size d, . - d
	.type e, @function
e:	call r23, r0
	jump r23
	.size e, . - e
	.type u, @function
u:	add r22, r22, 64
	call r23, c
	add r22, r22, -64
	jump r23
	.size u, . - u
	.type k, @function
k:	add r22, r22, -16
	move r1, table
	lsl_add r1, r1, r0, 2
	lw r1, r1, 0
	call r23, r1
	add r22, r22, 16
	jump r23
	.size k, . - k
	.type t, @function
t:	stop false, 0
	lsl r1, r0, 2
	lw r1, r1, table
	jump r1
	.size t, . - t
	.data
	.long d, u, k, t
table:	.long a, c
	.size table, 8
END
like "a small stack" "$(compile -DSTACK_SIZE_DEFAULT=64 "$tmp/stack.s" -o "$tmp/stack" 2>&1)" \
	'need 100 bytes of stack, a tasklet has 64; give them with -DSTACK_SIZE_DEFAULT=112 '
is "one that is large enough" "$(compile -DSTACK_SIZE_DEFAULT=112 "$tmp/stack.s" -o "$tmp/stack" 2>&1)" ""
is "the listing" "$(./dpu-objdump --stack "$tmp/stack" | sed 1,2d | grep -v __bootstrap)" "\
             100    32  main
              84    16  k
              84    64  u
              68    48  a
              68     0  t
              20     0  b
              20    20  c
              16    16  d, recursion: at least, calls through pointers are left out
               0     0  e, calls through pointers are left out
a tasklet has 112"

# refused PATTERN [OPTION...]: the program on standard input
refused()
{
	local pattern=$1

	shift
	cat >"$tmp/refused.c"
	like "$pattern" "$(compile -O2 "$@" "$tmp/refused.c" -o "$tmp/refused" 2>&1)" "$pattern"
}

# Both count the same: cycles and instructions of the loop, 11 and 1 a round. Counters show
# multiples of 16; few instructions are outside of the loop.
for both in $examples/c/both-1.dpu $examples/both.dpu; do
	read -r cycles instructions <<<"$(./dpu-run -p results "$both" | cut -d' ' -f 5,6)"
	is "$both: instructions" "$instructions" 100000
	ok "$both: cycles" test $((cycles / 1100000 == 1 && cycles % 1100000 <= 11 * 32)) -eq 1
done

refused 'refused.c:1:21: error: expected expression' <<<'int main() { return }'
refused "refused.c: error: 'nowhere' is not defined" <<<'int nowhere(void); int main() { return nowhere(); }'
refused 'WRAM is full: data and stacks need 71[0-9]* bytes, v1B has 63488' -DSTACK_SIZE_DEFAULT=1024 \
	<<<'char x[70000]; int main() { return x[5]; }'
refused 'IRAM is full: [0-9]* instructions, v1A has 4096' -mcpu=v1A \
	<<<'#define A x = x * x + 1; x ^= 77;
#define B A A A A A A A A
#define C B B B B B B B B
volatile int x; int main() { C C C C C C return 0; }'
refused 'asm outside of functions is not supported' <<<'__asm__("nop"); int main() { return 0; }'
refused 'thread-local variables are not supported' <<<'__thread int x; int main() { return x++; }'
refused 'must be a number from 1 to 24' -DNR_TASKLETS=25 <<<'int main() { return 0; }'
refused 'pass a pointer' <<<'struct { int a[40]; } s; void f(int, ...); int main() { f(1, s); }'

# Tasklets go on from a barrier in the order in which they came, here from 7 down to 0: each later than the one before.
cat >"$tmp/order.c" <<'END'
#include <barrier.h>
#include <defs.h>
#include <perfcounter.h>
BARRIER_INIT(all, NR_TASKLETS);
perfcounter_t when[NR_TASKLETS];
uint64_t later;
int main(void)
{
	for (volatile int i = (NR_TASKLETS - me()) * 100; i; i--)
		;
	if (!me())
		perfcounter_config(COUNT_CYCLES, true);
	barrier_wait(&all);
	when[me()] = perfcounter_get();
	barrier_wait(&all);
	for (int i = 1; !me() && i < NR_TASKLETS; i++)
		later += when[i - 1] > when[i];
	return 0;
}
END
ok "barrier" compile -O2 -DNR_TASKLETS=8 "$tmp/order.c" -o "$tmp/order"
is "who came first goes on first" "$(./dpu-run -p later "$tmp/order")" "later = 7"

# The program contains the C lines of main.
printf 'volatile int x;\nint main()\n{\n\tx = 1;\n\treturn x;\n}\n' >"$tmp/lines.c"
ok "-g" compile -g -O2 "$tmp/lines.c" -o "$tmp/lines"
like "lines" "$(readelf --debug-dump=decodedline "$tmp/lines" 2>/dev/null)" 'lines.c +4 +0x8000005'
summary
