/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads UPCYCLE, PKTCOUNT and UTIMER, executes 100 packets, reads them again and writes the differences, four bytes each, to
 * standard output. From a register's first read to its second there are that read, those of the other two, loop0, 100 packets
 * of the loop, and then the reads before it: 104.
 */
	.text
	.globl	_start
	.p2align 6
_start:
	{ r13 = #100 }
	{ r9:8 = upcycle }
	{ r17:16 = pktcount }
	{ r19:18 = utimer }
	{ loop0(.Lloop, r13) }
.Lloop:
	{ r12 = add(r12,#1)
	  nop }:endloop0
	{ r11:10 = upcycle }
	{ r21:20 = pktcount }
	{ r23:22 = utimer }
	{ r11:10 = sub(r11:10,r9:8) }
	{ r21:20 = sub(r21:20,r17:16) }
	{ r23:22 = sub(r23:22,r19:18) }
	{ r1 = ##result }
	{ memw(r1+#0) = r10 }
	{ memw(r1+#4) = r20 }
	{ memw(r1+#8) = r22 }
	{ r0 = #1
	  r2 = #12 }
	{ r6 = #64 }
	{ trap0(#1) }
	{ r0 = #0
	  r6 = #94 }
	{ trap0(#1) }

	.bss
	.p2align 6
result:
	.space	12
