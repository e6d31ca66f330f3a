/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads UPCYCLE, executes 100 packets, reads it again and writes the difference, four bytes, to standard output. From the
 * first read to the second there are that read, loop0, 100 packets of the loop: 102.
 */
	.text
	.globl	_start
	.p2align 6
_start:
	{ r13 = #100 }
	{ r9:8 = upcycle }
	{ loop0(.Lloop, r13) }
.Lloop:
	{ r12 = add(r12,#1)
	  nop }:endloop0
	{ r11:10 = upcycle }
	{ r11:10 = sub(r11:10,r9:8) }
	{ r1 = ##result }
	{ memw(r1+#0) = r10 }
	{ r0 = #1
	  r2 = #4 }
	{ r6 = #64 }
	{ trap0(#1) }
	{ r0 = #0
	  r6 = #94 }
	{ trap0(#1) }

	.bss
	.p2align 6
result:
	.space	4
