// SPDX-License-Identifier: GPL-2.0-only
// c = a + b on 32-bit numbers in MRAM, 1 KiB at a time, every tasklet its own blocks.
	.set SIZE, 2 << 20		// bytes of each vector
	.set BLOCK, 1024

	.section .mram.noinit
	.globl a
	.type a, @object
a:	.space SIZE
	.size a, SIZE
	.globl b
	.type b, @object
b:	.space SIZE
	.size b, SIZE
	.globl c
	.type c, @object
c:	.space SIZE
	.size c, SIZE

	.section .dpu_host
	.globl size
	.type size, @object
	.align 4
size:	.long SIZE			// bytes to add; a multiple of BLOCK
	.size size, 4

	.bss
	.align 8
buffers:
	.space 2 * BLOCK * NR_TASKLETS

	.text
	.globl main
main:
	lsl r8, id, 11			// this tasklet's buffers: a and result, then b
	add r8, r8, buffers
	lsl r9, id, 10			// its first block
	lw r10, zero, size
1:	jgeu r9, r10, 3f
	add r0, r9, a
	ldma r8, r0, BLOCK / 8 - 1
	add r1, r9, b
	add r2, r8, BLOCK
	ldma r2, r1, BLOCK / 8 - 1
	move r3, BLOCK / 4
	move r4, r8
2:	lw r5, r4, 0
	lw r6, r4, BLOCK
	add r5, r5, r6
	sw r4, 0, r5
	add r4, r4, 4
	add r3, r3, -1, nz, 2b
	add r0, r9, c
	sdma r8, r0, BLOCK / 8 - 1
	add r9, r9, NR_TASKLETS * BLOCK
	jump 1b
3:	jump r23
