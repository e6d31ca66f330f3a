/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads a counter that only the system may read. */
	.text
	.globl	_start
_start:
	{ r0 = pmucnt0 }
	{ r0 = #0
	  r6 = #94 }
	{ trap0(#1) }
