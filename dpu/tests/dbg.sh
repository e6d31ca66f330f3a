#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# dpu-dbg, cases that its page does not show: instructions, memory.
. "${srcdir:-.}/tests/guest/lib.sh"
ex=examples/upmem
[ -e $ex/c/bfs-16.dpu ] || { echo "no clang: DPU programs in C were not built"; exit 77; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# dbg ARGUMENTS...: a session with the commands on standard input
dbg()
{
	timeout 60 ./dpu-dbg "$@" 2>&1
}

# code like that of UPMEM's compiler: {r22, r23} are saved together, and stacks grow up
cat >"$tmp/steps.s" <<'END'
	.text
	.globl twice
	.type twice, @function
twice:	add r0, r0, r0
	jump r23
	.size twice, . - twice
	.globl main
	.type main, @function
main:	sd r22, 0, d22
	add r22, r22, 8
	move r0, 5
	call r23, twice
	move r1, words
	sw r1, 0, r0
	call r23, twice
	sw r1, 8, r0
	ld d22, r22, -8
	jump r23
	.size main, . - main
	.data
	.balign 8
	.globl words
	.type words, @object
words:	.zero 16
	.size words, 16
END
./dpu-as --tasklets=1 "$tmp/steps.s" -o "$tmp/steps.dpu" || exit 1
# 5 doubled is 10, then 20
text=$(dbg "$tmp/steps.dpu" <<'END'
break twice
run
backtrace
print $r0
finish
print $r0
stepi 2
print words
x/4xw words
x/2dg words
x/2i $pc
delete
nexti
print $r0
set words[2] = 7
print words
print/t words[2]
set $r0 = 21
watch words[2]
continue
delete
continue
END
)
is "exit status of a session without a mistake" $? 0
like "a breakpoint at a function" "$text" 'Breakpoint 1, tasklet 0, twice \(\) at 0x80000'
like "its callers, with a stack that grows up" "$text" '#0  twice .*#1  main '
is "registers" "$(grep -o '^.r0 = [0-9]*' <<<"$text" | paste -sd' ')" "\$r0 = 5 \$r0 = 10 \$r0 = 20"
is "variables" "$(grep '^words = ' <<<"$text" | paste -sd' ')" 'words = {10, 0, 0, 0} words = {10, 0, 7, 0}'
like "memory in hexadecimal" "$text" $'<words>:\t0x0000000a\t0x00000000\t0x00000000\t0x00000000'
like "in words of 64 bits" "$text" $'<words>:\t10\t0'
like "instructions" "$text" '=> 0x800000[0-9a-f]+ <main\+48>:.call r23'
like "in binary" "$text" 'words\[2\] = 111'
like "a watchpoint, and a register that was set" "$text" 'Old value = 7.New value = 21.tasklet 0 wrote it in main'
like "the end" "$text" '\[The program has ended: '

text=$(dbg "$tmp/steps.dpu" <<<$'frobnicate\nbreak nowhere\nprint nothing\nstep\ninfo nothing\nstart\nx/4w 0x20000000')
is "exit status of a session with mistakes" $? 1
for mistake in 'no command frobnicate' 'no function nowhere' 'no variable nothing' 'use run or start' \
	'0x20000000 is in no memory'; do
	like "$mistake" "$text" "$mistake"
done
# stepping does not change counts
plain=$(./dpu-run -c $ex/c/bfs-16.dpu 2>&1 | awk '/dpu_instructions|dpu_cycles/ { print $1 }' | paste -sd' ')
text=$(dbg $ex/c/bfs-16.dpu <<<$'break main thread 5\nrun\nstepi 9\nturn 50\nthread 3\nnexti 3\ndelete\ncontinue')
is "counts do not change" \
	"$(sed -n 's/.*ended: \([0-9]*\) instructions, \([0-9]*\) cycles.*/\1 \2/p' <<<"$text")" "$plain"

summary
