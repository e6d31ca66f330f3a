// SPDX-License-Identifier: GPL-2.0-only
// Adds one to "in", logs a line, and faults when "in" is 13.
	.section .dpu_host
	.align 8
	.globl in
	.type in, @object
in:	.long 0
	.size in, 4
	.globl out
	.type out, @object
out:	.long 0
	.size out, 4
	.section .mram
	.align 8
	.globl data
	.type data, @object
data:	.zero 64
	.size data, 64
	.data
	.align 8
record:	.asciz "%s"
	.asciz "hello\n"
	.align 8
end:
	.text
	.globl main
	.type main, @function
main:
	move r14, r23
	lw r0, zero, in
	jeq r0, 13, 1f
	add r0, r0, 1
	sw zero, out, r0
	move r0, record
	move r1, end - record
	call r23, log_write
	jump r14
1:	fault 3
	.include "lib/stdio.s"
