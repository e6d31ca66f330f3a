#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Types and local variables in dpu-dbg, and the sections that dpu-cc -g writes about them.
. "${srcdir:-.}/tests/guest/lib.sh"
[ -e examples/upmem/c/bfs-16.dpu ] || { echo "no clang: DPU programs in C were not built"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

cat >"$tmp/s.c" <<'END'
#include <defs.h>
#include <mram.h>
#include <mutex.h>
#include <stdbool.h>
#include <stdint.h>
struct point {
	int32_t x, y;
	uint8_t tag[4];
	struct point *next;
	enum { RED, GREEN = 5 } colour;
	unsigned int flags : 3, more : 5;
	union {
		uint32_t whole;
		uint16_t half[2];
	};
};
typedef struct point point_t;
MUTEX_INIT(guard);
point_t points[3] = { { 1, -2, "abc", &points[1], GREEN, 5, 17, { 0x20001 } } };
union both { float f; uint32_t i; } both = { 1.5f };
double tenth = 0.1;
char text[10] = "hello";
__mram_noinit uint64_t data[16];
__host const char *name = "say \"x\"\n";
int matrix[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } };
bool yes = true;
uint16_t zeroes[40];
static int twice(int a, char c);
static int (*function)(int, char) = twice;
static int left_out(int a)
{
	int unused = a;

	return unused;
}
static int __attribute__((noinline)) twice(int a, char c)
{
	static int calls;
	int sum = a + c;
	for (int i = 0; i < 2; i++) {
		int inner = sum * 2;
		sum += inner;
		calls++;
	}
	return sum;
}
int main(void)
{
	__dma_aligned uint64_t block[2] = { 7, 8 };
	int n = me();
	point_t *p = &points[1];
	p->y = 40;
	mram_write(block, data, 16);
	p->x = function(n + 3, 'b');
	return p->x;
}
END

# said COMMANDS: the output of dpu-dbg, without the prompts
said()
{
	timeout 60 ./dpu-dbg "$tmp/s.dpu" <<<"$1" 2>&1 | grep -v '^(dpu-dbg)'
}

# the output of a command when tasklet 0 has stopped in twice() before its loop
in_twice()
{
	timeout 60 ./dpu-dbg "$tmp/s.dpu" <<<$'break 40 thread 0\nrun\n'"$1" 2>&1 | sed '1,/^40\t/d' | grep -v '^(dpu-dbg)'
}

./dpu-cc -g -O0 -DNR_TASKLETS=2 "$tmp/s.c" -o "$tmp/s.dpu" || exit 1
is "a structure's type" "$(said 'ptype points')" "type = struct point {
    int32_t x;
    int32_t y;
    uint8_t tag[4];
    struct point *next;
    enum {RED, GREEN = 5} colour;
    unsigned int flags : 3;
    unsigned int more : 5;
    union {
        uint32_t whole;
        uint16_t half[2];
    };
} [3]"
is "names of types" "$(said $'whatis points\nwhatis function\nwhatis matrix\nwhatis name\nwhatis &points[1].next\nwhatis &matrix')" \
	"type = point_t [3]
type = int (*)(int, char)
type = int [2][3]
type = const char *
type = struct point **
type = int (*)[2][3]"

# a of twice() is me() + 3, so tasklet 0's sum is 3 + 'b' (98) = 101
# two steps on, each of them has a value: i and inner are not set yet in line 40
is "arguments, and locals from the innermost block" "$(in_twice $'next\nnext\ninfo args\ninfo locals' | tail -n 6)" "a = 3
c = 98 'b'
inner = 202
i = 0
calls = 0
sum = 101"
is "arguments behind the prologue" "$(said $'break twice thread 0\nrun\nprint a\nprint c' | tail -n 2)" $'a = 3\nc = 98 \'b\''
is "locals of the caller" "$(in_twice $'up\ninfo locals' | tail -n 3 | sed 's/0x[0-9a-f]*/0x/')" "block = {7, 8}
n = 0
p = (point_t *) 0x <points+28>"
is "of the frame below again" "$(in_twice $'up\ndown\nprint sum' | tail -n 1)" 'sum = 101'
like "a name of another function" "$(in_twice 'print block')" 'no variable block'
like "of a block that was not entered" "$(in_twice 'print inner')" 'no variable inner'
is "static ones" "$(in_twice $'next\nnext\nnext\nprint calls\nprint inner' | tail -n 2)" $'calls = 0\ninner = 202'

# a display of another function's variable is no mistake; 10 of gdb's: twice() is called with 3 and 98
is "arguments in a backtrace" "$(in_twice bt)" "#0  twice (a=3, c=98 'b') at s.c:40
#1  0x$(in_twice bt | sed -n 's/^#1  0x\([0-9a-f]*\).*/\1/p') in main () at s.c:54"
is "display" "$(in_twice $'display sum\ndisplay/x calls\nnext\nundisplay 1\nfinish' | grep '^[0-9]: ')" \
	$'1: sum = 101\n2: calls = 0x00000000\n1: sum = 101\n2: calls = 0x00000000\n2: no variable calls in the program; registers are $r0 to $r23'
# two rounds of sum += 2 * sum: 101 * 9
is "until leaves a loop" "$(in_twice $'next\nnext\nnext\nuntil\nuntil\nuntil\nprint sum' | tail -n 2)" $'45\t\treturn sum;\nsum = 909'
is "until a place" "$(in_twice $'until 45\nprint sum' | tail -n 2)" $'45\t\treturn sum;\nsum = 909'
like "until, but the caller comes first" "$(in_twice 'until 48')" 'tasklet 0, main \(\) at s.c:54'
# six members of 4 bytes, and the bit fields
is "sizeof" "$(in_twice $'print sizeof(struct point)\nprint sizeof(point_t *)\nprint sizeof points + 1\nprint sizeof(points[0].tag)\nprint sizeof(unsigned int)')" \
	"sizeof(struct point) = 28
sizeof(point_t *) = 4
sizeof points + 1 = 85
sizeof(points[0].tag) = 4
sizeof(unsigned int) = 4"
is "types by their names" "$(said $'whatis struct point **\nptype union both\nwhatis uint8_t\nptype uint8_t')" "type = struct point **
type = union both {
    float f;
    uint32_t i;
}
type = uint8_t
type = unsigned char"
like "no such type" "$(said 'ptype struct nothing')" 'no type of struct nothing'

# x, y, tag, next, colour, the bit fields and the union have 4 bytes each: points[1] begins after 28
is "a structure" "$(in_twice 'print points[0]' | sed 's/0x[0-9a-f]*/0x/')" 'points[0] = {x = 1, y = -2, tag = "abc", next = 0x <points+28>, colour = GREEN, flags = 5, more = 17, {whole = 131073, half = {1, 2}}}'
is "through pointers" "$(in_twice $'print points[0].next->y\nprint (*points[0].next).y\nprint points->next[0].y\nprint *&points[1].y' | sort -u | sed 's/.*= //' | uniq)" 40
is "bit fields and members without a name" "$(in_twice $'print points[0].more\nprint points[0].half[1]')" "points[0].more = 17
points[0].half[1] = 2"
is "numbers" "$(in_twice $'print both\nprint tenth\nprint yes\nprint matrix\nprint matrix[1][2]\nprint zeroes\nprint data')" \
	"both = {f = 1.5, i = 1069547520}
tenth = 0.10000000000000001
yes = true
matrix = {{1, 2, 3}, {4, 5, 6}}
matrix[1][2] = 6
zeroes = {0 <repeats 40 times>}
data = {7, 8, 0 <repeats 14 times>}"
is "text" "$(in_twice $'print text\nprint text[1]\nprint name\nprint *name' | sed 's/0x[0-9a-f]*/0x/')" 'text = "hello\000\000\000\000"
text[1] = 101 '"'e'"'
name = 0x "say \"x\"\n"
*name = 115 '"'s'"
like "a pointer to code, which is an instruction's number" "$(in_twice 'print function')" \
	'^function = \(int \(\*\)\(int, char\)\) 0x[0-9a-f]+ <twice>$'
like "an address" "$(in_twice 'print &sum')" '^&sum = \(int \*\) 0x[0-9a-f]+$'
is "in formats" "$(in_twice $'print/x matrix\nprint/t sum\nprint/d text[0]')" "matrix = {{0x00000001, 0x00000002, 0x00000003}, {0x00000004, 0x00000005, 0x00000006}}
sum = 1100101
text[0] = 104"
is "sums" "$(in_twice $'print sum + 1\nprint -a\nprint *(matrix[1][0] - 4 + name)' | sed "s/ 's'//")" "sum + 1 = 102
-a = -3
*(matrix[1][0] - 4 + name) = 115"
is "setting" "$(in_twice $'set both.f = 2.5\nset points[2].y = -7\nset sum = 20\nset text[0] = 74\nprint both.f\nprint points[2].y
print sum\nprint text')" "both.f = 2.5
points[2].y = -7
sum = 20
text = \"Jello\\000\\000\\000\\000\""
is "memory behind a pointer" "$(in_twice $'up\nx/2dw p' | tail -n 1 | cut -f2-)" $'0\t40'
like "a watched member" "$(said $'watch points[1].y\nrun\nrun')" 'Old value = 0.New value = 40'
# parts of the matrix, gdb's way; sum is 20 and the count sum - 17
is "several elements" "$(in_twice $'print matrix[0][1]@3\nprint/x matrix[1][0]@2\nset sum = 20\nprint points[0].tag[0]@sum - 17')" \
	"matrix[0][1]@3 = {2, 3, 4}
matrix[1][0]@2 = {0x00000004, 0x00000005}
points[0].tag[0]@sum - 17 = {97 'a', 98 'b', 99 'c'}"
for mistake in 'matrix@' 'sum@0' '5@2' '&sum@2'; do
	like "$mistake" "$(in_twice "print $mistake"; echo "end")" 'after @ there must be a number|only a variable in memory'
done
for mistake in 'points[3]' 'points[0].z' 'matrix[1]' 'sum[0]' '*sum' 'points[' '&3' 'a +' 'nothing.x'; do
	like "$mistake" "$(in_twice "print $mistake"; echo "end")" 'index 3: there are 3|no member z|as many indices|only pointers|is missing|in memory|no variable'
done

# optimized code: values in stack slots are certain, values in registers are not
./dpu-cc -g -O2 -DNR_TASKLETS=2 "$tmp/s.c" -o "$tmp/s.dpu" || exit 1
text=$(said $'break twice thread 0\nrun\ninfo args\nup\ninfo locals\nprint n\nprint points[1].y')
like "registers" "$text" $'a = <optimized out>.c = <optimized out>'
like "the stack" "$text" 'block = \{7, 8\}.n = <optimized out>.p = <optimized out>'
like "what to do" "$text" 'n is <optimized out>: compile with -O0'
cat >"$tmp/inlined.c" <<'END'
#include <defs.h>
int out[2];
static inline int inner(int a)
{
	return a * out[1] + 7;
}
static int __attribute__((noinline)) outer(int n)
{
	int s = inner(n);
	return inner(s ^ 5);
}
int main(void)
{
	out[me()] = outer(me());
	return 0;
}
END
./dpu-cc -g -O2 -DNR_TASKLETS=1 "$tmp/inlined.c" -o "$tmp/inlined.dpu" || exit 1
inlined=$(timeout 60 ./dpu-dbg "$tmp/inlined.dpu" <<<$'break inner\nrun\nbt\ncontinue\ncontinue' 2>&1)
like "a function in two places of another one" "$inlined" 'Breakpoint 1 at 0x[0-9a-f]+ in outer \(\) at inlined.c:9, 0x[0-9a-f]+ in outer \(\) at inlined.c:10'
like "both of them stop" "$inlined" 'inner \(.*inlined in outer \(.*\) at inlined.c:9.*inner \(.*inlined in outer \(.*\) at inlined.c:10.*ended'
like "global ones" "$text" 'points\[1\].y = 40'

# every clang that is installed
for clang in /usr/bin/clang-[0-9] /usr/bin/clang-[0-9][0-9]; do
	[ -x "$clang" ] || continue
	./dpu-cc --clang="$clang" -g -O0 -DNR_TASKLETS=2 "$tmp/s.c" -o "$tmp/s.dpu" || exit 1
	is "$clang -O0" "$(in_twice $'print sum\nup\nprint block' | grep '^[a-z]* =')" $'sum = 101\nblock = {7, 8}'
	./dpu-cc --clang="$clang" -g -O2 -DNR_TASKLETS=2 "$tmp/s.c" -o "$tmp/s.dpu" || exit 1
	is "$clang -O2" "$(said $'break twice thread 0\nrun\nup\nprint block' | tail -n 1)" 'block = {7, 8}'
done

# objects, and functions that were left out
./dpu-cc -g -O0 -c "$tmp/s.c" -o "$tmp/s.o" && ./dpu-cc -DNR_TASKLETS=2 "$tmp/s.o" -o "$tmp/s.dpu"
is "the same from an object" "$(in_twice 'print sum')" 'sum = 101'
cat >"$tmp/other.c" <<'END'
int other = 9;
struct point { long long z; } points_of_other = { 11 };
int unused(void) { return other; }
END
./dpu-cc -g -O0 -DNR_TASKLETS=2 "$tmp/other.c" "$tmp/s.c" -o "$tmp/s.dpu"
is "a type of the same name in two files" "$(in_twice $'print points_of_other\nprint points[0].x\nprint sum')" \
	$'points_of_other = {z = 11}\npoints[0].x = 1\nsum = 101'
ok "readelf understands it" test -z "$(readelf --debug-dump=info,abbrev,str,Ranges "$tmp/s.dpu" 2>&1 >/dev/null)"
./dpu-cc -g1 -O2 -DNR_TASKLETS=2 "$tmp/s.c" -o "$tmp/s.dpu"
like "without types" "$(said $'whatis points\nrun\nprint matrix')" 'compile with -g.*matrix = \{1, 2, 3, 4, 5, 6\}'

# dpu-as in a section for debuggers: 300 is 0x2c + 2 * 128; -129 is -1 * 128 - 1, in two groups of
# seven bits; addresses of code have IRAM's mark (main is the first instruction behind 11 of
# start-up code); the address of a function that is left out is 0
cat >"$tmp/leb.s" <<'END'
	.globl main
main:	jump r23
.Lend:
	.section .debug_str,"MS",@progbits,1
	.uleb128 300
	.sleb128 -129, 63, 64
	.word main, .Lend-main, nowhere, .debug_str
END
./dpu-as "$tmp/leb.s" -o "$tmp/leb.dpu" || exit 1
is "numbers for debuggers" "$(readelf -x .debug_str "$tmp/leb.dpu" | awk '/ 0x/ { for (i = 2; i < NF; i++) printf "%s", $i }')" \
	"ac02ff7e3fc00058000080080000000000000000000000"

# Places other than an address or a slot of the stack (pointer r22) would be a guess. Code does not
# depend on -g.
for source in "$tmp/s.c" "${srcdir:-.}"/examples/upmem/c/{bfs,gemv,histogram,scan,search,spmv,vecadd}.c; do
	for level in -O0 -O2; do
		./dpu-cc $level -DNR_TASKLETS=11 "$source" -o "$tmp/plain.dpu" || exit 1
		./dpu-cc -g $level -DNR_TASKLETS=11 "$source" -o "$tmp/debug.dpu" || exit 1
		is "$(basename "$source") $level: instructions with -g" "$(./dpu-objdump "$tmp/debug.dpu" | sed 1d | cksum)" \
			"$(./dpu-objdump "$tmp/plain.dpu" | sed 1d | cksum)"
		is "$(basename "$source") $level: places" "$(readelf --debug-dump=info "$tmp/debug.dpu" 2>/dev/null |
			grep -o 'DW_OP_[a-z0-9]*' | sort -u | grep -vx 'DW_OP_addr\|DW_OP_fbreg\|DW_OP_reg22')" ""
	done
done
summary
