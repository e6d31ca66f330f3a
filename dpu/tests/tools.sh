#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# dpu-as, dpu-objdump and dpu-run: the programs of the examples, and errors.
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
# and the listing assembles to the same bytes
{ echo "main:"; cut -d' ' -f10- <<<"$page"; } >"$tmp/page.s"
ok "the listing assembles" ./dpu-as -o "$tmp/page.dpu" "$tmp/page.s"
is "to the same words" "$(./dpu-objdump "$tmp/page.dpu" | tail -n 19 | tr '\t' ' ')" "$page"
like "hexadecimal as the SDK writes it" "$(./dpu-objdump --hex $ex/page-kernel.dpu)" 'add r1, id8, 0x4e8'
is "-d: the same" "$(./dpu-objdump -d $ex/page-kernel.dpu)" "$(./dpu-objdump $ex/page-kernel.dpu)"
like "symbols" "$(./dpu-objdump -t $ex/page-kernel.dpu)" '08000008        8  H b'
# An object of two sections, by the host's assembler: 18 is where ELF has the machine, 0xf5 for DPUs
cat >"$tmp/object.s" <<'END'
	.section .text.main,"ax"
main:	.quad 0x606300000000, 0x8c5f00000000
	.section .text.other,"ax"
other:	.quad 0x7c6300000000
END
if as --32 -o "$tmp/object.o" "$tmp/object.s" 2>/dev/null; then
	printf '\xf5' | dd of="$tmp/object.o" bs=1 seek=18 conv=notrunc status=none
	is "an object" "$(./dpu-objdump "$tmp/object.o" | sed '1d; /^$/d' | tr '\t' ' ')" \
'Section .text.main:
00000000 <main>:
00000000: 00 00 00 00 63 60 00 00 move r0, 0
00000008: 00 00 00 00 5f 8c 00 00 jump r23
Section .text.other:
00000000 <other>:
00000000: 00 00 00 00 63 7c 00 00 nop'
	like "is no program" "$(said ./dpu-run "$tmp/object.o")" 'not a DPU program'
fi
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
like "another pipeline" "$(./dpu-run --timing=dispatch-interval=1 -p nb_cycles $ex/frequency.dpu)" \
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

# Variables, MRAM and files in and out: the sum of four numbers, of which three come from outside.
cat >"$tmp/sum.s" <<'END'
	.section .dpu_host
	.align 8
a:	.long 1
	.size a, 4
small:	.byte 0, 0
	.size small, 1
	.align 8
sum:	.quad 0
	.size sum, 8
	.section .mram
here:	.quad 0, 0
	.size here, 16
	.bss
	.align 8
buffer:	.space 8
	.text
main:	lw r0, zero, a
	lbu r1, zero, small
	add r0, r0, r1
	move r2, here
	move r3, buffer
	ldma r3, r2, 0
	lw r1, r3, 0
	add r0, r0, r1
	move r2, 0x100000
	ldma r3, r2, 0
	lw r1, r3, 0
	add r1, r1, r0
	sw zero, sum, r1
	jump r23
END
./dpu-as -o "$tmp/sum.dpu" "$tmp/sum.s"
printf '\x64\0\0\0\0\0\0\0' >"$tmp/hundred"
printf '\xe8\x03\0\0\0\0\0\0' >"$tmp/0.in"
printf '\x10\x27\0\0\0\0\0\0' >"$tmp/1.in"
is "variables and MRAM from outside" "$(./dpu-run --set a=0x2 --set small=7 --set here=@"$tmp/hundred" \
	--mram 0x100000=@"$tmp/0.in" -p sum -p small "$tmp/sum.dpu")" $'sum = 1109\nsmall = 7'
is "several DPUs, each with its files" "$(./dpu-run --dpus 2 --mram 0x100000=@"$tmp/%d.in" -p sum \
	--dump sum="$tmp/%d.out" "$tmp/sum.dpu")" $'DPU 0:\nsum = 1001\nDPU 1:\nsum = 10001'
is "their dumps" "$(od -An -td8 "$tmp/0.out" "$tmp/1.out" | tr -s ' \n' ' ')" ' 1001 10001 '
is "a dump in hexadecimal" "$(./dpu-run --set a=255 --dump a --dump MRAM:0:3 "$tmp/sum.dpu")" \
	$'ff 00 00 00\n00 00 00'
refuses "no such variable" 'none: no such symbol' ./dpu-run --set none=1 "$tmp/sum.dpu"
refuses "number too large" '256: does not fit the variable' ./dpu-run --set small=256 "$tmp/sum.dpu"
refuses "no number" 'x: not a number' ./dpu-run --set a=x "$tmp/sum.dpu"
refuses "file too long" 'longer than' ./dpu-run --set a=@"$tmp/hundred" "$tmp/sum.dpu"
refuses "MRAM beyond its end" 'MRAM has 64 MiB' ./dpu-run --mram 0x4000000=@"$tmp/hundred" "$tmp/sum.dpu"
like "what it runs on" "$(said ./dpu-run -v "$tmp/sum.dpu")" 'v1B \(as the program says\), 400 MHz'
# an SDK of 2021 wrote no attributes: the section gets a name that no tool reads
sed 's/\.dpu\.attributes/.xxx.attributes/' "$tmp/sum.dpu" >"$tmp/old.dpu"
like "a program that does not say" "$(said ./dpu-run -v "$tmp/old.dpu")" \
	'v1A \(since the program does not say\), 350 MHz'
like "but is told" "$(said ./dpu-run -v --arch v1B "$tmp/old.dpu")" 'v1B \(as told by --arch\)'

# Without options in the build tree
printf '#include <mram.h>\nint main(void) { return 0; }\n' >"$tmp/tree.c"
if command -v clang >/dev/null; then
	for compiler in "$PWD/dpu-cc" "$PWD/dpu-upmem-dpurte-clang"; do
		ok "${compiler##*/} anywhere" env -C "$tmp" "$compiler" -O2 tree.c -o tree.dpu
	done
fi
# A profile: instructions and cycles are the counters', and each address has the trace's share.
ok "a profile is written" ./dpu-run --profile "$tmp/profile" $ex/hello.dpu
is "its sums are the counters" "$(sed -n 's/^totals: \([0-9]* [0-9]*\) .*/\1/p' "$tmp/profile")" \
	"$(said ./dpu-run -c $ex/hello.dpu | awk '/instructions|dpu_cycles/ { printf "%s%s", s, $1; s = " " }')"
is "its lines add up" "$(awk '/^0x/ { i += $3; c += $4 } END { print i, c }' "$tmp/profile")" \
	"$(sed -n 's/^totals: \([0-9]* [0-9]*\) .*/\1/p' "$tmp/profile")"
is "an address's share is the trace's" "$(awk '/^0x/ { print substr($1, 3), $3 }' "$tmp/profile")" \
	"$(said ./dpu-run --trace $ex/hello.dpu | awk '{ sub(":", "", $3); n[$3]++ } END { for (a in n) print a, n[a] }' | sort)"
# A single tasklet waits only for its five transfers of 8 bytes: write-latency and read-latency
# (dpu/docs/upmem-model.md) and half a cycle a byte. No refresh falls into them.
is "waiting for DMA" "$(./dpu-run --timing refresh-ns=0 --profile "$tmp/profile" $ex/page-kernel.dpu &&
	sed -n 's/^totals: [0-9]* [0-9]* //p' "$tmp/profile")" "$((3 * (57 + 4) + 2 * (73 + 4))) 0"
# Loads of 64 bits and of MRAM belong to their own lines. A round of line 9 has a load and an addition in two parts, one
# of line 11 a transfer and the same; line 7 has one transfer and its addresses.
printf '%s\n' '#include <mram.h>' '__mram_noinit uint64_t data[64];' 'int main(void)' '{' \
	'	__dma_aligned uint64_t block[64], sum = 0;' '' '	mram_read(data, block, sizeof(block));' \
	'	for (int k = 0; k < 64; k++)' '		sum += block[k];' '	for (int k = 0; k < 64; k++)' \
	'		sum ^= data[k] + 1;' '	return sum;' '}' >"$tmp/lines.c"
if command -v clang >/dev/null; then
	echo 'int main(void) { return x; }' >"$tmp/wrong.c"
	is "an error of clang, and no other" "$(said ./dpu-cc "$tmp/wrong.c" -o "$tmp/wrong.dpu" | grep -c error:)" 1
	ok "a program with lines" ./dpu-cc -g -O2 -o "$tmp/lines.dpu" "$tmp/lines.c"
	ok "its profile" ./dpu-run --profile "$tmp/profile" "$tmp/lines.dpu"
	for line in 9 11; do
		ok "line $line has its loads" test "$(awk -v line=$line '/^0x/ && $2 == line { n += $3 } END { print n + 0 }' \
			"$tmp/profile")" -ge $((3 * 64))
	done
	ok "the transfer's line is short" test "$(awk '/^0x/ && $2 == 7 { n += $3 } END { print n + 0 }' \
		"$tmp/profile")" -le 16
fi
# 3 rounds of a compiler's lines 11 and 12, and the assembler's own lines
cat >"$tmp/lines.s" <<'END'
	.text
	.file	1 "/src" "prog.c"
	.type	main,@function
main:
	.loc	1 10 0
	move r0, 3
.LBB0_1:
	.loc	1 11 5
	add r1, r1, r0
	.loc	1 12 5
	add r0, r0, -1, nz, .LBB0_1
	.loc	1 13 1
	jump r23
	.size	main, .-main
END
./dpu-as -o "$tmp/lines.dpu" "$tmp/lines.s"
./dpu-run --profile "$tmp/profile" "$tmp/lines.dpu"
is "lines of a compiler" "$(sed -n '/^fl=.src.prog.c/,$s/^0x[0-9a-f]* \([0-9]* [0-9]*\) .*/\1/p' "$tmp/profile")" \
	$'10 1\n11 3\n12 3\n13 1'
like "for callgrind_annotate" "$(callgrind_annotate "$tmp/profile")" '8 .*/src/prog.c:main'
sed 's/^\t\.\(loc\|file\).*//' "$tmp/lines.s" >"$tmp/own.s"
./dpu-as -g -o "$tmp/own.dpu" "$tmp/own.s"
./dpu-run --profile "$tmp/profile" "$tmp/own.dpu"
is "the assembler's own lines" \
	"$(sed -n '/^fl=.*own.s/,$s/^0x[0-9a-f]* \([0-9]* [0-9]*\) .*/\1/p' "$tmp/profile")" \
	$'6 1\n9 3\n11 3\n13 1'
# a line's share of the instructions is that of its addresses in the trace
is "a line's share is the trace's" \
	"$(awk '/^fl=/ { mine = /own.s/ } /^0x/ && mine { n[$2] += $3 } END { for (l in n) print l, n[l] }' "$tmp/profile" | sort)" \
	"$(said ./dpu-run --trace "$tmp/own.dpu" | awk '/move r0, 3$/ { n[6]++ } /add r1, r1, r0$/ { n[9]++ }
		/add r0, r0, -1, nz/ { n[11]++ } /jump r23$/ { n[13]++ } END { for (l in n) print l, n[l] }' | sort)"
like "functions" "$(cat "$tmp/profile")" 'fn=main'

refuses "endless program" 'still running' ./dpu-run --limit 1000 $ex/frequency.dpu
refuses "no file" 'No such file' ./dpu-run "$tmp/none"
refuses "no ELF file" 'not an ELF file' ./dpu-run "$tmp/page.s"
refuses "another machine" 'machine 245' ./dpu-run /bin/true
head -c 100 $ex/hello.dpu >"$tmp/short.dpu"
refuses "half a file" 'damaged' ./dpu-run "$tmp/short.dpu"
refuses "no such symbol" 'no such symbol' ./dpu-run -p none $ex/hello.dpu
refuses "too many tasklets" 'tasklets' ./dpu-run -t 17 $ex/hello.dpu
refuses "unknown timing" "unknown timing parameter 'x=1'" ./dpu-run --timing=x=1 $ex/hello.dpu
refuses "timing out of range" 'dispatch-interval=0 is out of range: use 1 to 1000' \
	./dpu-run --timing=dispatch-interval=0 $ex/hello.dpu
is "the plain interpreter counts the same" "$(said ./dpu-run --reference -c $ex/hello.dpu)" \
	"$(said ./dpu-run -c $ex/hello.dpu)"
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

# Constructs of compiled programs: 7 / 2 and 7 % 2 by the library, 5 by a conditional move.
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
	.section	.stack_size.main,"o",@progbits,.text.main
	.long	main
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
cat >"$tmp/divsi3.s" <<'END'
	.globl	__divsi3
__divsi3:
	move r2, r0
	move r0, 0
1:	jltu r2, r1, 2f
	sub r2, r2, r1
	add r0, r0, 1
	jump 1b
2:	move r1, r2
	jump r23
END
ok "what a compiler writes assembles" ./dpu-as -o "$tmp/compiled.dpu" "$tmp/compiled.s" "$tmp/divsi3.s"
is "and runs" "$(./dpu-run -p quotient -p rest -p moved "$tmp/compiled.dpu")" \
	$'quotient = 3\nrest = 1\nmoved = 5'
refuses "no source" 'No such file' ./dpu-as -o "$tmp/wrong.dpu" "$tmp/none.s"
refuses "tasklets of no DPU" 'must be 1 to 24' ./dpu-as -t 25 "$tmp/page.s"
refuses "unknown architecture" 'must be v1A or v1B' ./dpu-as --arch v2 "$tmp/page.s"

# A target that an instruction never uses is no call, as in UPMEM's __udiv32.
cat >"$tmp/divide.s" <<'END'
	.type	main,@function
main:	call r23, divide
	jump r23
	.size	main, .-main
	.type	divide,@function
divide:	div_step d0, r2, d0, 31, false, main
	jump r23
	.size	divide, .-divide
END
./dpu-as -o "$tmp/divide.dpu" "$tmp/divide.s"
is "no recursion" "$(./dpu-objdump --stack "$tmp/divide.dpu" | grep -c recursion)" 0
sed -i 's/false, main/true, main/' "$tmp/divide.s"
./dpu-as -o "$tmp/divide.dpu" "$tmp/divide.s"
is "recursion" "$(./dpu-objdump --stack "$tmp/divide.dpu" | grep -c recursion)" 3

# The heap's symbol is found, however many others there are.
missing=0
printf 'main: jump r23\n' >"$tmp/many.s"
for n in {1..70}; do
	echo "	.set name$n, $n" >>"$tmp/many.s"
	./dpu-as -o "$tmp/many" "$tmp/many.s"
	grep -q __sys_used_mram_end "$tmp/many" || missing=$((missing + 1))
done
is "programs without the heap's symbol" "$missing" 0
summary
