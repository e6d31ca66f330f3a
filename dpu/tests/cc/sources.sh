#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Constructs of DPU sources: headers, macros with and without a semicolon, builtins; a long of 64
# bits. Runs with the clangs of CLANGS; default: the default one.
. "${srcdir:-.}/tests/guest/lib.sh"
top=${srcdir:-.}
here=$top/dpu/tests/cc
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

compile()
{
	./dpu-cc -B "$top/dpu/cc" -B dpu/cc "$@"
}

# -3 * 5; 200 * 0; -2 * 0x1234 in two bytes; 16 ones, 31 zeroes; 5 + (3 << 4), 256 >> 4; 3 < 5, 10 - 3;
# 1000 >= 7 << 7: the quotient's first bit is 1, 1000 - 896 = 104 remain; 77 in the upper half; four times 3 in
# text[12], 'a' in [17], 'd' in [20], 15 in [23]; buffer[3] to [12] in text[35] to [44]; 4 times 10; 7 + 5 + 0
cat >"$tmp/expected" <<'END'
products -15 0
by halves -9320
bits 16 31
shifts 53 16
differences 1 7
division's step 100000068
memory 4d0000
read 12 97 100 15
written 0 103 112 0
40 1 16 12
kept 1
END
# 2^40 in four types; 2^33 + 3 + 2 + 4 * 8, -1; text as it is, 11 letters and the NUL; 63 - 40, 40, 64, 35 + 1;
# -(-2^63) does not fit, 3 * -1 does
cat >"$tmp/expected-long" <<'END'
1099511627776 1099511627776 ffffffffffffffff 1099511627776
sum 8589934629, -1
%ld long 5L 12
int, long, unsigned long, double
23 40 64 36
1099511627776 1099511627776 108
likely
1
1 0 -3
END
clangs=0
for clang in ${CLANGS:-clang}; do
	command -v "$clang" >/dev/null || continue
	clangs=$((clangs + 1))
	for level in -O0 -O1 -O2 -Os; do
		rm -f "$tmp/sdk" "$tmp/long"
		ok "$clang $level" compile "--clang=$clang" $level -Wall -Wextra -pedantic -Werror -DNR_TASKLETS=4 \
			"$here/sources/sdk.c" -o "$tmp/sdk"
		is "$clang $level: what it prints" "$(./dpu-run "$tmp/sdk" 2>&1)" "$(cat "$tmp/expected")"
		ok "$clang $level: long" compile "--clang=$clang" $level -Wall -Wextra -Werror -DSTACK_SIZE_DEFAULT=2048 \
			"$here/sources/long.c" -o "$tmp/long"
		is "$clang $level: its values" "$(./dpu-run "$tmp/long" 2>&1)" "$(cat "$tmp/expected-long")"
	done
done
ok "a clang" test "$clangs" -gt 0

# What is left of a stack is its size without main's frame, which dpu-objdump lists.
cat >"$tmp/left.c" <<'END'
#include <defs.h>
#include <stdio.h>
int main(void)
{
	if (me() == NR_TASKLETS - 1)
		printf("%u\n", check_stack());
	return 0;
}
END
for sizes in "-DSTACK_SIZE_DEFAULT=2048" "-DSTACK_SIZE_TASKLET_1=2048 -DSTACK_SIZE_DEFAULT=1024 -DSTACK_SIZE_TASKLET_0=256"; do
	# shellcheck disable=SC2086
	ok "check_stack with $sizes" compile -O2 -DNR_TASKLETS=2 $sizes "$tmp/left.c" -o "$tmp/left"
	is "check_stack with $sizes: its value" "$(./dpu-run "$tmp/left")" \
		$((2048 - $(./dpu-objdump --stack "$tmp/left" | awk '$NF == "main" { print $2 }')))
done

# Each builtin once, with operands of its kinds: the assembler takes it.
{
	printf '#include <built_ins.h>\nint main(void)\n{\n\tuint32_t x = 1, y = 2;\n\tuint64_t p = 3;\n'
	sed -nE 's/^#define (__builtin_[a-z0-9_]+)\(([a-z, ]*)\) .*/\1 \2/p' "$top/dpu/cc/include/built_ins.h" |
		tr -d , | while read -r name operands; do
		list=
		for operand in $operands; do
			case $operand in
			rc) operand=x ;;
			dc | db) operand=p ;;
			ra | rb) operand=y ;;
			imm | off | shift) operand='"4"' ;;
			length) operand='"0"' ;;
			cc) [[ $name = *_stop_ci ]] && operand='"true"' || operand='"nz"' ;;
			pc) operand='".+1"' ;;
			wram) operand='(void *)y' ;;
			mram) operand='(__mram_ptr void *)y' ;;
			bytes) operand=8 ;;
			esac
			list="$list${list:+, }$operand"
		done
		printf '\t%s(%s);\n' "$name" "$list"
	done
	printf '\treturn x + p;\n}\n'
} >"$tmp/builtins.c"
ok "many builtins" test "$(grep -c __builtin_ "$tmp/builtins.c")" -gt 150
ok "the assembler takes them" compile -O2 -w "$tmp/builtins.c" -o "$tmp/builtins"

# 2^23 and on do not fit an offset of 24 bits, nor does the second half of a long long at 2^23 - 4: the program is compiled,
# and faults at the address.
for access in "int 0x7ffffc" "int 0x800000" "long 0x7ffffc" "long 0x7ffff8" "char 0xfff00000"; do
	read -r type address <<<"$access"
	# either half of a long may be first, or both are one access (clang 19)
	echo "int main(void) { *(volatile $type *)$address = 1; return *(volatile $type *)$address; }" >"$tmp/far.c"
	for level in -O0 -O2; do
		ok "$access, $level" compile $level "$tmp/far.c" -o "$tmp/far"
		like "$access, $level: the fault" "$(./dpu-run "$tmp/far" 2>&1)" "accesses WRAM address ($address|$(printf '0x%x' $((address + 4))))[ ,]"
	done
done

# Missing functions name their replacement.
echo '#include <virtual_mram.h>' >"$tmp/missing.c"
like "a header" "$(compile -c "$tmp/missing.c" -o "$tmp/missing" 2>&1)" 'not part of dpu-cc; use mram_read'
for header in "$top"/dpu/cc/include/instead/*.h; do
	name=$(basename "$header")
	echo "#include <$name>" >"$tmp/missing.c"
	like "$name" "$(compile -c "$tmp/missing.c" -o "$tmp/missing" 2>&1)" "error: \"$name: .*(use|uses|calls) [a-z_()]+"
done
# a header of the program's own is found first
mkdir "$tmp/own"
echo 'static const int now = 5;' >"$tmp/own/time.h"
printf '#include <time.h>\n#include <dpu_characteristics.h>\nint values[now == 5 ? DPU_NR_ATOMIC_BITS : -1];\n' >"$tmp/missing.c"
ok "a header of the program's own" compile "-I$tmp/own" -Wno-gnu-folding-constant -c "$tmp/missing.c" -o "$tmp/missing"
echo '_Atomic int n; int main(void) { return n++; }' >"$tmp/missing.c"
like "atomic access" "$(compile "$tmp/missing.c" -o "$tmp/missing" 2>&1)" "is not defined; .* use mutex.h"
echo 'int main(void) { return __builtin_add_rrrrr(1); }' >"$tmp/missing.c"
like "a builtin" "$(compile -w "$tmp/missing.c" -o "$tmp/missing" 2>&1)" \
	"'__builtin_add_rrrrr' is not defined; built_ins.h has the DPU's instructions"
echo 'void mram_read(void *, void *, unsigned); int main(void) { mram_read(0, 0, 8); return 0; }' >"$tmp/missing.c"
like "a function without its header" "$(compile "$tmp/missing.c" -o "$tmp/missing" 2>&1)" \
	"'mram_read' is not defined; include mram.h"
# 8, 2048 and lengths that are no constants are silent
cat >"$tmp/lengths.c" <<'END'
#include <mram.h>
__mram_noinit char far[4096];
__dma_aligned char near[4096];
volatile unsigned int length = 4096;
int main(void)
{
	mram_read(far, near, 8);
	mram_write(near, far, 2048);
	mram_read(far, near, length);
	mram_read(far, near, 4096);
	mram_write(near, far, 100);
	mram_read(far, near, 0);
	return 0;
}
END
is "lines with a wrong length" \
	"$(compile -O2 -c "$tmp/lengths.c" -o "$tmp/lengths" 2>&1 | sed -n 's/.*lengths.c:\([0-9]*\):.*warning: the length of a transfer is .*/\1/p' | paste -s -d ' ')" \
	"10 11 12"
summary
