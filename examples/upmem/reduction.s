// SPDX-License-Identifier: GPL-2.0-only
// The sum of 64-bit numbers in MRAM: every tasklet sums its blocks, adds its part to the total under
// a mutex, and after a barrier the last one reports.
	.set COUNT, 1 << 16
	.set BLOCK, 1024

	.section .mram.noinit
	.globl input
	.type input, @object
input:	.space COUNT * 8
	.size input, COUNT * 8

	.section .dpu_host
	.align 8
	.globl sum
	.type sum, @object
sum:	.quad 0
	.size sum, 8

	.section .atomic
total_mutex:
	.space 1
barrier_mutex:
	.space 1

	.data
	.align 8
total:	.quad 0
barrier:
	.long 0, 0, NR_TASKLETS, barrier_mutex

	.bss
	.align 8
buffers:
	.space BLOCK * NR_TASKLETS

	.text
	.globl main
main:
	sd r22, 0, d22			// the return address (r23), on the stack
	lsl r8, id, 10
	add r8, r8, buffers
	lsl r9, id, 10
	move r10, COUNT * 8
	move.s d14, 0
1:	jgeu r9, r10, 3f
	add r0, r9, input
	ldma r8, r0, BLOCK / 8 - 1
	move r3, BLOCK / 8
	move r4, r8
2:	ld d6, r4, 0
	add r15, r15, r7
	addc r14, r14, r6
	add r4, r4, 8
	add r3, r3, -1, nz, 2b
	add r9, r9, NR_TASKLETS * BLOCK
	jump 1b
3:	move r0, total_mutex
	call r23, mutex_lock
	ld d6, zero, total
	add r7, r7, r15
	addc r6, r6, r14
	sd zero, total, d6
	move r0, total_mutex
	call r23, mutex_unlock
	move r0, barrier
	call r23, barrier_wait
	jneq id, NR_TASKLETS - 1, 4f
	ld d6, zero, total
	sd zero, sum, d6
4:	ld d22, r22, 0
	jump r23

	.include "lib/sync.s"
