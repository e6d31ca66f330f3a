#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Languages and options of dpu-cc that makefiles of other projects use.
. "${srcdir:-.}/tests/guest/lib.sh"
top=$(cd "${srcdir:-.}" && pwd)
tree=$PWD
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1

compile()
{
	"$tree/dpu-cc" -B "$top/dpu/cc" -B "$tree/dpu/cc" "$@" 2>&1
}

run()
{
	"$tree/dpu-run" "$@" 2>&1
}

# twice 7 with -DTWICE; what is behind #if 0 is not there
printf '#define VALUE 7\n' >value.h
cat >get.S <<'END'
#include "value.h"
	.globl get		// a comment
get:
#ifdef TWICE
	move r0, 2 * VALUE	# another one
#else
	move r0, VALUE; /* a third
one */
#endif
#if 0
	move r0, 101
#endif
	jump r23
END
printf '#include <stdio.h>\nint get(void);\nint main(void) { printf("%%d\\n", get()); return 0; }\n' >main.c
compile main.c get.S -o get
is "a .S file is preprocessed" "$(run get)" 7
compile -DTWICE -c get.S && compile main.c get.o -o get
is "with -D" "$(run get)" 14
is "its dependencies" "$(compile -MM get.S)" "get.o: get.S value.h"
printf '\t.globl main\nmain:\n\n\tbogus r1\n' >wrong.S
is "lines are those of the source" "$(compile wrong.S)" "dpu-cc: wrong.S:4: unknown instruction 'bogus'"
for line in '#if 0' '#define A 1' '#include "a.h"' '#else'; do
	printf 'main:\n%s\n\tjump r23\n' "$line" >wrong.s
	like "$line in a .s file" "$(compile wrong.s; "$tree/dpu-as" wrong.s 2>&1)" "wrong.s:2: '#[a-z]+' is for the C preprocessor.*wrong.s:2:"
done

# a program of its own: the sum of 1 to 8 is 36
cat >own.S <<'END'
#define p r1
	.globl __bootstrap
__bootstrap:
	move r0, 0; move p, bytes
again:	lbu r2, p, 0; add r0, r0, r2
	add p, p, 1
	jltu p, bytes_end, again
	sw zero, sum, r0
	stop
	.data
bytes:	.byte 1, 2, 3, 4, 5, 6, 7, 8	# ; no statement
	.section .dpu_host
	.globl sum
	.type sum, @object
sum:	.long 0
	.size sum, 4
END
sed -i 's/jltu p, bytes_end, again/move r3, bytes + 8; jltu p, r3, again/' own.S
compile -nostartfiles own.S -o own
is "-nostartfiles" "$(run -p sum own)" "sum = 36"
printf '\t.globl __bootstrap\n__bootstrap:\n\tfault\n' >fault.S
compile -nostartfiles fault.S -o fault
like "fault without a number" "$(run fault)" 'fault 0'
printf 'int printf(const char *, ...);\nint main(void)\n{\n\tint x;\n\n\t__asm__ volatile("move %%0, 1; add %%0, %%0, 2 /* 3 */" : "=r"(x));\n\tprintf("%%d\\n", x);\n}\n' >asm.c
compile -O2 asm.c -o asm
is "two instructions in one asm" "$(run asm)" 3

# depends NAME EXPECTED OPTIONS...: the files and targets are those of clang 14
depends()
{
	local name=$1 expected=$2

	shift 2
	rm -f ./*.d
	compile "$@"
	is "$name" "$(for file in *.d; do echo "$file $(grep -o '^[^ ]*: *[a-z.A-Z]*' "$file" | tr '\n' ' ')"; done)" "$expected "
}
printf '#include "value.h"\nint main(void) { return VALUE; }\n' >t.c
depends "-MMD -c -o" "t.d t.o: t.c" -O2 -MMD -c t.c -o t.o
depends "-MD -c" "t.d t.o: t.c" -MD -c t.c
depends "-o elsewhere" "x.d x.o: t.c" -MMD -c t.c -o x.o
depends "-MF" "y.d t.o: t.c" -MMD -MF y.d -c t.c
depends "-MT and -MP" "t.d z: t.c value.h:" -MMD -MP -MTz -c t.c -nostdinc
depends "a program" "hello.d hello: t.c" -MMD t.c -o hello
depends "-MQ, -MF with a space" "q.d a: t.c" -MD -MQ a -MF q.d -c t.c
is "options that change nothing" "$(compile -pipe -static -save-temps --target=dpu-upmem-dpurte -target dpu --sysroot=/ t.c -o t)" ""
# profiled A B OPTIONS...: what a program says whose section profiling_A and profiling_B mark
printf '#include <profiling.h>\nPROFILING_INIT(part)\nint main(void)\n{\n\tA(&part);\n\tB(&part);\n\treturn 0;\n}\n' >part.c
profiled()
{
	compile -Wall -Wextra -Werror "-DA=profiling_$1" "-DB=profiling_$2" "${@:3}" part.c -o part
	run part
}
like "-pg: a section that starts twice" "$(profiled start start -pg)" 'fault 6 \(already profiling\)'
like "-pg: a section that does not start" "$(profiled stop start -pg)" 'fault 7 \(not profiling\)'
is "-pg: a section as it should be" "$(profiled start stop -pg)" ""
is "without -pg no fault" "$(profiled start start)$(profiled stop start)" ""
printf '#include <mram_unaligned.h>\n__mram_noinit char to[32];\n__dma_aligned char from[32];\nint main(void)\n{\n\tmram_write_unaligned(from + 3, to + AT, 9);\n\treturn 0;\n}\n' >unaligned.c
for at in 11 12; do
	compile -DAT=$at unaligned.c -o unaligned$at
done
is "mram_write_unaligned, equal modulo 8" "$(run unaligned11)" ""
like "mram_write_unaligned, unequal modulo 8" "$(run unaligned12)" 'fault 8 \(unaligned MRAM access\)'
cat >buddy.c <<'END'
#include <buddy_alloc.h>
#include <stdio.h>
int main(void)
{
	char *first, *all;

	buddy_init(4096);
	first = buddy_alloc(2048);
	first[2047] = 1;
	buddy_alloc(32);
	buddy_reset();
	all = buddy_alloc(4096);
	if (all)
		all[4095] = 1;
	printf("%d %d\n", all == first, buddy_alloc(32) == NULL);
	return 0;
}
END
compile -O2 buddy.c -o buddy
is "buddy_reset" "$(run buddy)" "1 1"
is "buddy_reset and --check" "$(run --check buddy)" "1 1"
like "another target" "$(compile --target=arm t.c -o t)" 'unknown option'

cat >t.cc <<'END'
#include <barrier.h>
#include <defs.h>
#include <mutex.h>
#include <stdio.h>
BARRIER_INIT(barrier, NR_TASKLETS)
MUTEX_INIT(mutex)
template <typename T> struct Sum { T value; void add(T x) { value += x; } };
struct Shape { virtual int area() const = 0; };
struct Square : Shape { int side; Square(int s) : side(s) {} int area() const override { return side * side; } };
static Sum<int> sum;
int main()
{
	mutex_lock(mutex);
	sum.add(me() + 1);
	mutex_unlock(mutex);
	barrier_wait(&barrier);
	const Square square(sum.value);
	const Shape *shape = &square;
	if (!me())
		printf("%d %d\n", sum.value, shape->area());
}
END
for name in t.cc t.cpp t.cxx; do
	[ -e $name ] || cp t.cc $name
	for level in -O0 -O2; do
		# 1 + 2 + 3 + 4
		is "$name $level" "$(compile -std=c++17 $level -DNR_TASKLETS=4 $name -o t; run t)" "10 100"
	done
done
like "C++ is not C" "$(compile -c t.cc -Werror -Wall -o t.o && echo 'class A {};' >c.c; compile -c c.c)" "unknown type name 'class'"

compile -DNR_TASKLETS=24 main.c get.S -o many
is "24 tasklets build for v1A" "$(run many | wc -l)" 24
like "or say so" "$(compile -mcpu=v1B -DNR_TASKLETS=24 t.c -o t)" '24 tasklets.*v1B has 16.*-mcpu=v1A'
summary
