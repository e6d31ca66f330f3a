/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program that never ends: a steady load of one thread, three packets with 2, 4 and 1 instructions
 * in a circle, of which one is a load, one a store and one a NOP.
 */
	.text
	.globl	_start
	.p2align 4
_start:
	{ r9 = ##buffer }
	{ r10 = #1 }
.Lcircle:
	{ r11 = memw(r9+#0)
	  r12 = add(r12,r10) }
	{ r13 = add(r13,r10)
	  r14 = add(r14,r10)
	  nop
	  memw(r9+#4) = r10 }
	{ jump .Lcircle }

	.bss
	.p2align 7
buffer:
	.space	256
