#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The C library of hexagon-cc: programs print on Hexagon what they print here with glibc. With each clang of CLANGS our own
# part of it is compiled anew.
. "${srcdir:-.}/tests/guest/lib.sh"

programs=${srcdir:-.}/tests/unit/hexagon/library
sources=${srcdir:-.}/tools/hexagon/cc/lib
[ -f build/picolibc/lib/libc.a ] || skip "the library was not built: make picolibc says why"
command -v bwrap >/dev/null || skip "no bubblewrap"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# here PROGRAM: what it prints on this machine
here()
{
	gcc -O1 -fno-builtin -ffp-contract=off -w "$programs/$1.c" -o "$tmp/$1.here" -lm && "$tmp/$1.here" one "two words" >"$tmp/$1.want"
}

# there PROGRAM OPTION...: what it prints on Hexagon
there()
{
	local program=$1

	shift
	./hexagon-cc -O2 -Wall -Wextra -Werror -Wno-format-nonliteral "$@" "$programs/$program.c" -o "$tmp/$program" -lm -lpthread &&
		./hexagon-run --host "$tmp/$program" one "two words" >"$tmp/$program.got"
}

# Units of the last place between what two runs of math.c print: "doubles floats" at most, and the number of results.
difference()
{
	python3 - "$tmp/math.want" "$tmp/math.got" <<-'END'
		import struct, sys
		def order(bits, sign):
		    return bits if bits < sign else sign - bits
		def single(text):
		    return struct.unpack(">I", struct.pack(">f", struct.unpack(">d", bytes.fromhex(text))[0]))[0]
		here, there = ([line.split() for line in open(name)] for name in sys.argv[1:3])
		doubles = floats = 0
		for a, b in zip(here, there):
		    if a[:3] != b[:3]:
		        sys.exit(f"{a} {b}")
		    doubles = max(doubles, abs(order(int(a[3], 16), 1 << 63) - order(int(b[3], 16), 1 << 63)))
		    floats = max(floats, abs(order(single(a[4]), 1 << 31) - order(single(b[4]), 1 << 31)))
		print(doubles <= 2, floats <= 2, len(here) == len(there), len(here))
	END
}

for program in text numbers math c99 recurrences; do
	ok "$program runs here" here "$program"
done

# check CLANG OPTION...: all programs
check()
{
	local name=$1

	shift
	for program in text numbers c99 recurrences; do
		ok "$name: $program runs" there "$program" "$@"
		ok "$name: $program prints the same" cmp "$tmp/$program.want" "$tmp/$program.got"
	done
	ok "$name: math runs" there math "$@"
	like "$name: functions are within two units of the last place" "$(difference)" '^True True True [0-9]{4}$'
	ok "$name: threads run" there threads "$@"
	# each of five threads: 1000 times; keys 1 to 5; all but one of a barrier return 0; 40 detached threads; EBUSY while others read or write
	is "$name: threads" "$(cat "$tmp/threads.got")" "0 5000 5 1 15 1
1000 1
0002 000 1
001 010 0100
0 40000
0 5000 1"
}

check "the library as it was built"
for clang in $CLANGS; do
	export HEXAGON_CLANG=$clang
	check "$clang" -std=gnu11 -ffreestanding -fno-builtin -ffp-contract=off -I"${srcdir:-.}" "$sources"/*.c
done
unset HEXAGON_CLANG

./hexagon-cc -O2 "$programs/perf.c" -o "$tmp/perf"
is "a program times and counts itself" "$(./hexagon-run --marks "$tmp/marks" "$tmp/perf" 2>"$tmp/err")" "1 1
1 1
1
1
0"
like "and says" "$(cat "$tmp/err")" "^perf\.c:[0-9]+: HIGH: message 1$"
like "its phase" "$(cat "$tmp/marks")" '"ph":"B".*"name":"loops"'
like "a condition that is not true" "$(./hexagon-run --host "$tmp/perf" more 2>&1)" 'assertion "argc == 1" failed: file ".*perf\.c", line [0-9]+.*as signal 6 does'
is "without the model its clocks stand still" "$(qemu-hexagon "$tmp/perf" 2>/dev/null | head -n 1)" "0 0"
is "a program compiled in two steps" "$(printf '#include <stdio.h>\nint main(void)\n{\n\treturn !puts("linked");\n}\n' >"$tmp/two.c" &&
	./hexagon-cc -c "$tmp/two.c" -o "$tmp/two.o" && ./hexagon-cc "$tmp/two.o" -o "$tmp/two" && ./hexagon-run --host "$tmp/two")" linked
./hexagon-cc -O2 -Wall -Wextra -Werror "$programs/sdk.c" -o "$tmp/sdk"
# counters: two events of 10,000 packets of two instructions, a group that finds no room, one event; VTCM of which all is taken, and
# two pages for 5000 bytes, older names; power without HMX; a line of memory, a thread that ends with 7, 19.2 ticks a microsecond;
# a semaphore of one, what is held and what its own thread may take again, signals, which were 0 before; clocks, zeros
is "headers of the SDK" "$(./hexagon-run --counters committed_pkt_any "$tmp/sdk" 2>/dev/null)" "0 0 1 1 1 0 1 0 1 0 0
0 1 1 1 0 1 1 0 1 1 8192 0 0 0 1 0 0 0 1 1
0 1
0 1 3 0 1 0 7 19200
0 1 0 0 4 1 4 0 1 1 1 0 0
1 1 1 1 4 5"
for header in "${srcdir:-.}"/tools/hexagon/cc/include/*.h; do
	ok "$(basename "$header") stands by itself" ./hexagon-cc -Wall -Wextra -Werror -fsyntax-only "$header"
done
for header in "${srcdir:-.}"/tools/hexagon/cc/include/instead/*.h; do
	like "$(basename "$header") says why" "$(echo "#include <$(basename "$header")>" | ./hexagon-cc -x c -fsyntax-only - 2>&1)" "error: \"$(basename "$header"): "
done
cat >"$tmp/own.c" <<'END'
#include <string.h>
int length = 4;
char text[8] = "four";
void _start(void)
{
	unsigned long long before = __builtin_readcyclecounter(), after;
	volatile int sum = 0;
	for (int i = 0; i < 100; i++)
		sum += i;
	after = __builtin_readcyclecounter();
	register long number __asm__("r6") = 94;
	register long status __asm__("r0") = strlen(text) == length && after - before >= 300 ? 42 : 1;
	__asm__ volatile ("trap0(#1)" : : "r" (number), "r" (status));
}
END
for clang in "" $CLANGS; do
	export HEXAGON_CLANG=$clang
	[ -n "$clang" ] || unset HEXAGON_CLANG
	./hexagon-cc -O2 -fno-pic "$tmp/own.c" -o "$tmp/own" && ./hexagon-run --counters committed_pkt_any "$tmp/own" 2>"$tmp/err"
	is "a start of the program's own, a function of the library, cycles, no position independence" $? 42
done
unset HEXAGON_CLANG

# where picolibc could not be fetched
mkdir -p "$tmp/without/tools/hexagon/cc"
cp hexagon-cc "$tmp/without/"
cp tools/hexagon/cc/tree tools/hexagon/cc/builtins.a "$tmp/without/tools/hexagon/cc/"
like "a program without its C library" "$("$tmp/without/hexagon-cc" "$tmp/two.c" 2>&1)" \
	"there is no C library here.*install meson and ninja-build and run 'make picolibc'"
cat >"$tmp/free.c" <<'END'
volatile unsigned long long dividend = 42000000000000, divisor = 1000000000000;
void _start(void)
{
	register long number __asm__("r6") = 94;
	register long status __asm__("r0") = dividend / divisor;
	__asm__ volatile ("trap0(#1)" : : "r" (number), "r" (status));
}
END
ok "a freestanding program is built without it" "$tmp/without/hexagon-cc" -O2 -ffreestanding "$tmp/free.c" -o "$tmp/free"
./hexagon-run --host "$tmp/free" 2>"$tmp/err"
is "and divides" $? 42
like "a clang that is not there" "$(HEXAGON_CLANG=nosuch ./hexagon-cc -c "$tmp/two.c" 2>&1)" 'nosuch: not found: install clang'
like "no arguments" "$(./hexagon-cc 2>&1)" '^hexagon-cc: no input file: see hexagon-cc --help$'
summary
