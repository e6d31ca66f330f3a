/* SPDX-License-Identifier: GPL-2.0-only */
/* A program that stores to address 0 after a system call, which makes the packets before it known. */
	.text
	.globl	_start
	.p2align 4
_start:
	{ r0 = #0 }
	{ r6 = #124 }	/* sched_yield */
	{ trap0(#1) }
	{ r1 = #0 }
	{ memw(r1+#0) = r1 }
	{ jump _start }	/* never: for a translator that looks ahead */
