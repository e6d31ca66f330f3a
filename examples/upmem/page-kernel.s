// SPDX-License-Identifier: GPL-2.0-only
// The kernel of UPMEM's page on performance counters: a = 2; b = 1; b += a; on variables in MRAM.
// Each access to MRAM goes through 8 bytes of WRAM, id8 + 1256. Two loads and three stores: the
// page's text says three and two, its own listing and its output say otherwise.
	.section .mram.noinit
	.globl a
	.type a, @object
a:	.space 8
	.size a, 8
	.globl b
	.type b, @object
b:	.space 8
	.size b, 8

	.data
	.org 1256
__sw_cache_buffer:
	.space 8 * DPU_NR_THREADS

	.text
	.globl main
	.type main, @function
main:
	move r0, a
	move.s d2, 2
	add r1, id8, __sw_cache_buffer
	sd r1, 0, d2
	sdma r1, r0, 0
	move r2, b
	move.s d4, 1
	sd r1, 0, d4
	sdma r1, r2, 0
	ldma r1, r0, 0
	ld d4, r1, 0
	ldma r1, r2, 0
	ld d6, r1, 0
	add r5, r7, r5
	addc r4, r6, r4
	sd r1, 0, d4
	move r0, 0
	sdma r1, r2, 0
	jump r23
	.size main, . - main
