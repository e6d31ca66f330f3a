// SPDX-License-Identifier: GPL-2.0-only
// printf("hello from tasklet %u\n", me()) of every tasklet.
	.data
	.align 8
record:
	.asciz "%s%u%s"
	.asciz "hello from tasklet "
number:
	.long 0				// not aligned: the host copies bytes
	.asciz "\n"
	.align 8
record_end:

	.section .atomic
record_mutex:
	.space 1

	.text
	.globl main
main:
	move r14, r23
	move r0, record_mutex
	acquire r0, 0, nz, .
	move r1, number
	sb_id r1, 0, 0			// id | 0
	move r0, record
	move r1, record_end - record
	call r23, log_write
	move r0, record_mutex
	release r0, 0, nz, .+1
	jump r14

	.include "lib/stdio.s"
