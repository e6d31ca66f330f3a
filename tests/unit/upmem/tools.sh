#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# dpu-as, dpu-objdump and dpu-run as people use them: the examples' programs, and what they refuse.
. "${srcdir:-.}/tests/guest/lib.sh"
ex=examples/upmem
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# said COMMAND...: standard error
said()
{
	{ "$@" >/dev/null; } 2>&1
}

# The listing of UPMEM's page on performance counters.
page=$(cat <<'END'
80000058: 00 00 00 00 63 60 00 00 move r0, 0
80000060: 00 00 20 00 eb 51 00 00 move.s d2, 2
80000068: 00 20 8e 00 ff 00 00 00 add r1, id8, 1256
80000070: 00 00 05 46 04 7c 00 00 sd r1, 0, d2
80000078: 02 00 00 00 04 70 00 00 sdma r1, r0, 0
80000080: 00 00 80 00 63 61 00 00 move r2, 8
80000088: 00 00 10 00 eb 52 00 00 move.s d4, 1
80000090: 00 00 09 46 04 7c 00 00 sd r1, 0, d4
80000098: 02 00 04 00 04 70 00 00 sdma r1, r2, 0
800000a0: 00 00 00 00 04 70 00 00 ldma r1, r0, 0
800000a8: 00 00 00 46 07 72 00 00 ld d4, r1, 0
800000b0: 00 00 04 00 04 70 00 00 ldma r1, r2, 0
800000b8: 00 00 00 46 07 73 00 00 ld d6, r1, 0
800000c0: 00 00 ca 00 9c 0e 00 00 add r5, r7, r5
800000c8: 00 00 c8 20 18 0e 00 00 addc r4, r6, r4
800000d0: 00 00 09 46 04 7c 00 00 sd r1, 0, d4
800000d8: 00 00 00 00 63 60 00 00 move r0, 0
800000e0: 02 00 04 00 04 70 00 00 sdma r1, r2, 0
800000e8: 00 00 00 00 5f 8c 00 00 jump r23
END
)
is "listing of the page" "$(./dpu-objdump $ex/page-kernel.dpu | sed -n '/<main>/,$p' | sed 1d | tr '\t' ' ')" \
	"$page"
# and what it lists assembles to the same bytes
{ echo "main:"; cut -d' ' -f10- <<<"$page"; } >"$tmp/page.s"
ok "the listing assembles" ./dpu-as -o "$tmp/page.dpu" "$tmp/page.s"
is "to the same words" "$(./dpu-objdump "$tmp/page.dpu" | tail -n 19 | tr '\t' ' ')" "$page"
like "hexadecimal as the SDK writes it" "$(./dpu-objdump --hex $ex/page-kernel.dpu)" 'add r1, id8, 0x4e8'
like "symbols" "$(./dpu-objdump -t $ex/page-kernel.dpu)" '08000008        8  H b'
like "segments" "$(./dpu-objdump -h $ex/page-kernel.dpu)" 'IRAM 0x00000000      240 bytes'

is "variables of the page's kernel" "$(./dpu-run -p a -p b $ex/page-kernel.dpu)" $'a = 2\nb = 3'
# 520 of start-up code, 19 of the kernel
is "its counters" "$(said ./dpu-run -c $ex/page-kernel.dpu | sed -n 's/^ *\([0-9]*\) \([a-z0-9_]*_in.*\)/\1 \2/p')" \
	$'539 dpu_instructions\n2 ldma_instruction\n3 sdma_instruction\n2 read_64bit_instruction\n3 write_64bit_instruction'
is "a line of trace for each instruction" "$(said ./dpu-run --trace $ex/page-kernel.dpu | wc -l)" 539
like "the first ones, 11 cycles apart" "$(said ./dpu-run --trace $ex/page-kernel.dpu | head -n 2)" \
	'^ *1 t00 80000000: .* 12 t00 80000008: '
is "log of 16 tasklets" "$(./dpu-run $ex/hello.dpu | sort -u | wc -l)" 16
is "log of 3 tasklets" "$(./dpu-run --tasklets 3 $ex/hello.dpu | sort)" \
	$'hello from tasklet 0\nhello from tasklet 1\nhello from tasklet 2'
like "one tasklet: 11 cycles an instruction" "$(said ./dpu-run -c $ex/frequency.dpu)" \
	'11\.000 cycles per instruction'
like "clock of v1A" "$(said ./dpu-run --arch v1A -c $ex/frequency.dpu)" 'at 350000000 Hz'
like "another clock" "$(said ./dpu-run --clock 1000000 -c $ex/frequency.dpu)" 'at 1000000 Hz'
# 10000000 rounds of one cycle, and 16 of precision
like "another pipeline" "$(./dpu-run --timing=dispatch=1 -p nb_cycles $ex/frequency.dpu)" \
	'^nb_cycles = 100000(00|16)$'

# refuses NAME TEXT COMMAND...: ends with 1 (64: usage) and says why
refuses()
{
	local name=$1 text=$2 status

	shift 2
	"$@" >/dev/null 2>"$tmp/error"
	status=$?
	[ $status -eq 1 ] || [ $status -eq 64 ]
	verdict "$name" $? "status $status"
	like "$name: why" "$(cat "$tmp/error")" "$text"
}

refuses "endless program" 'still running' ./dpu-run --limit 1000 $ex/frequency.dpu
refuses "no file" 'No such file' ./dpu-run "$tmp/none"
refuses "no ELF file" 'not an ELF file' ./dpu-run "$tmp/page.s"
refuses "another machine" 'machine 245' ./dpu-run /bin/true
head -c 100 $ex/hello.dpu >"$tmp/short.dpu"
refuses "half a file" 'damaged' ./dpu-run "$tmp/short.dpu"
refuses "no such symbol" 'no such symbol' ./dpu-run -p none $ex/hello.dpu
refuses "too many tasklets" 'tasklets' ./dpu-run -t 17 $ex/hello.dpu
refuses "unknown timing" "unknown timing parameter 'x=1'" ./dpu-run --timing=x=1 $ex/hello.dpu
refuses "no program" 'no program' ./dpu-run
printf 'main: nop\n hash r1, r2, r3\n' >"$tmp/hash.s"
ok "an instruction without a documented effect assembles" ./dpu-as -o "$tmp/hash.dpu" "$tmp/hash.s"
refuses "and faults with its name" \
	'undocumented instruction "hash r1, r2, r3" at 0x80000060, tasklet 0' ./dpu-run "$tmp/hash.dpu"

# wrong NAME TEXT SOURCE: the assembler's message with file and line
wrong()
{
	printf '%b' "$3" >"$tmp/wrong.s"
	refuses "$1" "wrong\\.s:$2" ./dpu-as -o "$tmp/wrong.dpu" "$tmp/wrong.s"
}

wrong "unknown instruction" "2: unknown instruction 'foo'" 'main:\n foo r1\n'
wrong "unknown symbol" "1: 'none' is not defined" 'main: move r1, none\n'
wrong "number out of range" "1: no form of 'sd'" 'main: sd r1, 1 << 23, d2\n'
wrong "wrong register" "1: no form of 'add'" 'main: add r24, r1, r2\n'
wrong "unknown directive" "1: " '.nonsense 1\n'
wrong "label twice" "2: " 'main: nop\nmain: nop\n'
wrong "instruction among data" "2: an instruction outside of .text" '.data\nmain: nop\n'
wrong "section nobody knows" "1: unknown section '.foo'" '.section .foo\n'
wrong "operands of a directive" "1: '.size' takes 2 to 2 operands" '.size main\n'

# What compilers write around a program: 7 / 2 and 7 % 2 by the library, 5 by a conditional move.
cat >"$tmp/compiled.s" <<'END'
	.text
	.file	"compiled.c"
	.section	.text.main,"ax",@progbits
	.globl	main                            // -- Begin function main
	.type	main,@function
main:                                   // @main
.Lfunc_begin0:
	.loc	1 3 0
	.cfi_sections .debug_frame
	.cfi_startproc
	sd r22, 0, d22
	add r22, r22, 8
	.cfi_def_cfa r22, -8
	.loc	1 4 1 prologue_end
	move r0, 7
	move r1, 2
	call r23, __divsi3
	movd d2, d0
	sw zero, quotient, r2
	sw zero, rest, r3
	move r0, 5, true, .LBB0_2
	move r0, 6
.LBB0_2:
	move r1, r0, true, .LBB0_3
	move r1, 9
.LBB0_3:
	sw zero, moved, r1
	ld d22, r22, -8
	jump r23
.Lfunc_end0:
	.size	main, .Lfunc_end0-main
	.cfi_endproc
	.section	.stack_sizes,"o",@progbits,.text.main
	.long	.Lfunc_begin0
	.byte	8
	.type	quotient,@object
	.section	.dpu_host,"aw",@progbits
	.globl	quotient
	.p2align	3
quotient:
	.long	0
	.size	quotient, 4
rest:	.long	0
	.size	rest, 4
moved:	.long	0
	.size	moved, 4
	.comm	unused,12,8
	.section	.debug_info,"",@progbits
.Ldebug_info_start0:
	.long	.Ldebug_info_end0-.Lnowhere
	.ident	"a compiler"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym main
END
ok "what a compiler writes assembles" \
	./dpu-as -o "$tmp/compiled.dpu" "$tmp/compiled.s" "${srcdir:-.}/examples/upmem/lib/arith.s"
is "and runs" "$(./dpu-run -p quotient -p rest -p moved "$tmp/compiled.dpu")" \
	$'quotient = 3\nrest = 1\nmoved = 5'
refuses "no source" 'No such file' ./dpu-as -o "$tmp/wrong.dpu" "$tmp/none.s"
refuses "tasklets of no DPU" 'must be 1 to 24' ./dpu-as -t 25 "$tmp/page.s"
refuses "unknown architecture" 'must be v1A or v1B' ./dpu-as --arch v2 "$tmp/page.s"
summary
