// SPDX-License-Identifier: GPL-2.0-only
// v1B: cycles and instructions of a loop, five times; both.c prints CPI and IPC.
	.section .dpu_host
	.globl results
	.type results, @object
	.align 8
results:
	.zero 5 * 16			// cycles and instructions, 64 bits each
	.size results, 5 * 16

	.text
	.globl main
main:
	move r0, 7 << 1 | 1		// COUNT_ENABLE_BOTH, and clear
	time_cfg r0
	move r8, results
1:	move r1, 100000
2:	add r1, r1, -1, nz, 2b
	move r0, 6 << 1			// stop both
	time_cfg r0
	move r0, 5 << 1			// show cycles
	time_cfg r0
	time r2
	move r0, 6 << 1			// show instructions
	time_cfg r0
	time r3
	lsr r4, r2, 28			// 36 bits: what time shows, times 16
	lsl r5, r2, 4
	sd r8, 0, d4
	lsr r4, r3, 28
	lsl r5, r3, 4
	sd r8, 8, d4
	move r0, 7 << 1 | 1		// on, from 0
	time_cfg r0
	add r8, r8, 16
	jneq r8, results + 80, 1b
	jump r23
