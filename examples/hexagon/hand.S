/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program whose packets can be counted on paper: the comments number them in order of execution,
 * tests/unit/hexagon/test-programs.c has the sums. With -DOWN_COUNTERS it writes the counters that
 * qemu-hexagon keeps itself (packets, instructions, vector instructions; 4 bytes each) before it
 * ends. Registers from r8 on are used where the assembler must not make a duplex.
 */
	.text
	.globl	_start
	.p2align 4
_start:
	{ r8 = #0 }				/* 1 */
	{ r9 = ##buffer }			/* 2: extended */
	{ r10 = #1 }				/* 3 */
	loop0(.Lsum, #5)			/* 4: one packet */
.Lsum:
	{ r11 = memw(r9+#0)
	  r8 = add(r8,r10) }:endloop0		/* 5-9: taken 4 times */
	{ memw(r9+#4) = r8
	  nop }					/* 10 */
	{ nop
	  nop
	  nop
	  nop }					/* 11 */
	{ r1 = r9 }				/* 12 */
	{ r2 = memw(r1+#0)
	  r3 = memw(r1+#4) }			/* 13: duplex */
	loop1(.Louter, #3)			/* 14 */
.Louter:
	loop0(.Linner, #2)			/* 15, 19, 23 */
.Linner:
	{ r12 = add(r12,r10)
	  r13 = add(r13,r10) }:endloop0		/* 16-17, 20-21, 24-25: taken once each */
	{ r14 = add(r14,r10)
	  r15 = add(r15,r10)
	  nop }:endloop1			/* 18, 22, 26: taken twice */
	{ v0.w = vadd(v1.w,v2.w)
	  v3.w = vsub(v1.w,v2.w) }		/* 27 */
	{ r12 = add(r12,r10)
	  vmem(r9+#1) = v0 }			/* 28 */
	{ jump .Lover }				/* 29 */
	{ nop }					/* never */
.Lover:
	{ call function }			/* 30 */
	{ p0 = cmp.eq(r8,r8) }			/* 32 */
	{ if (!p0) jump .Lover }		/* 33: not taken */
	{ memw(r9+#0) += r10 }			/* 34 */
#ifdef OWN_COUNTERS
	.word	0x6a14c000 | 16			/* 35: r16 = c20, packets before this one */
	.word	0x6a15c000 | 17			/* 36: r17 = c21 */
	.word	0x6a16c000 | 18			/* 37: r18 = c22 */
	{ memw(r9+#0) = r16 }
	{ memw(r9+#4) = r17 }
	{ memw(r9+#8) = r18 }
	{ r0 = #1 }
	{ r1 = r9 }
	{ r2 = #12 }
	{ r6 = #64 }
	{ trap0(#1) }
#endif
	{ r0 = #0
	  r6 = #94 }				/* 35 */
	{ trap0(#1) }				/* 36 */

	.p2align 4
function:
	{ jumpr r31 }				/* 31 */

	.bss
	.p2align 7
buffer:
	.space	256
