// SPDX-License-Identifier: GPL-2.0-only
// Counts the cycles of a loop of ten million rounds; frequency.c turns them into seconds.
	.section .dpu_host
	.globl nb_cycles
	.type nb_cycles, @object
nb_cycles:
	.long 0
	.size nb_cycles, 4

	.text
	.globl main
main:
	move r0, 1 << 1 | 1		// COUNT_CYCLES, and clear
	time_cfg r0
	move r1, 10000000
1:	add r1, r1, -1, nz, 1b
	time r0				// bits 35..4
	lsl r0, r0, 4
	sw zero, nb_cycles, r0
	jump r23
