/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs whose accesses can be counted on paper, one for each PART; test-programs.c has the sums.
 * None touches memory but its own buffer. Registers from r8 on keep the assembler from duplexes.
 */
	.text
	.globl	_start
	.p2align 6
_start:
	{ r11 = #2 }				/* rounds */
	{ r12 = #32 }
.Lround:
	{ r9 = ##buffer }
#if PART == 1		/* loads, 64 KiB, one of each line */
	{ r13 = ##2048 }
	loop0(.Lloop, r13)
.Lloop:
	{ r8 = memw(r9++#4) }
	{ r9 = add(r9,#28) }:endloop0
#elif PART == 2		/* the same, 16 KiB */
	{ r13 = ##512 }
	loop0(.Lloop, r13)
.Lloop:
	{ r8 = memw(r9++#4) }
	{ r9 = add(r9,#28) }:endloop0
#elif PART == 3		/* LINES lines, 4 KiB apart */
	loop0(.Lloop, #LINES)
.Lloop:
	{ r8 = memw(r9+#0) }
	{ r9 = add(r9,##4096) }:endloop0
#elif PART == 4		/* zero 32 KiB, then load each line */
	{ r13 = ##1024 }
	loop0(.Lloop, r13)
.Lloop:
	{ dczeroa(r9) }
	{ r9 = add(r9,r12) }:endloop0
	{ r9 = ##buffer }
	{ r13 = ##1024 }
	loop0(.Lload, r13)
.Lload:
	{ r8 = memw(r9++#4) }
	{ r9 = add(r9,#28) }:endloop0
	{ r11 = #1 }
#elif PART == 14	/* vectors at two addresses that are not aligned */
	{ r9 = add(r9,#64) }
	{ v0 = vmemu(r9+#0) }
	{ r9 = add(r9,#-60) }
	{ v0 = vmemu(r9+#0) }
#elif PART == 5		/* vectors, 4 KiB */
	loop0(.Lloop, #32)
.Lloop:
	{ v0 = vmem(r9+#0) }
	{ r9 = add(r9,#128) }:endloop0
#elif PART == 6		/* stores, 64 KiB, one of each line */
	{ r13 = ##2048 }
	loop0(.Lloop, r13)
.Lloop:
	{ memw(r9+#0) = r8 }
	{ r9 = add(r9,r12) }:endloop0
	{ r11 = #1 }
#elif PART == 7		/* a vector store over what was stored before, then a load of it */
	{ memw(r9+#0) = r8 }
	{ memw(r9+#32) = r8 }
	{ r8 = memw(r9+#64) }
	{ vmem(r9+#0) = v0 }
	{ r8 = memw(r9+#0) }
	{ r11 = #1 }
#elif PART == 8		/* a chain of pointers through 32 KiB and one line more */
	{ r9 = ##chain }
	{ r13 = ##1025 }
	loop0(.Lloop, r13)
.Lloop:
	{ r9 = memw(r9+#0) }:endloop0
#elif PART == 9		/* 48 KiB of code */
	{ jump .Lbody }
	.p2align 6
.Lbody:
	.rept	12288
	{ nop }
	.endr
#elif PART == 10	/* 1000 times two branches: one is taken every second time, one goes back */
	{ r13 = ##1000 }
.Lloop:
	{ p0 = tstbit(r13,#0) }
	{ if (p0) jump .Lodd }
	{ r8 = #0 }
.Lodd:
	{ r13 = add(r13,#-1) }
	{ p1 = cmp.eq(r13,#0) }
	{ if (!p1) jump .Lloop }
	{ r11 = #1 }
#elif PART == 11	/* loads, 16 KiB, one of each line, which is prefetched 8 lines before */
	{ r13 = ##512 }
	loop0(.Lloop, r13)
.Lloop:
	{ dcfetch(r9+#256) }
	{ r8 = memw(r9++#4) }
	{ r9 = add(r9,#28) }:endloop0
#elif PART == 12	/* 4 KiB and three rows of 128 bytes prefetched into the L2, then loads of the 4 KiB */
	{ r13 = ##0x00404040 }			/* stride 64, width 64, height 64 */
	{ l2fetch(r9,r13) }
	{ r14 = ##0x00800003 }			/* width 128, height 3 */
	{ r15 = ##4096 }			/* stride; bit 16 would be: by columns */
	{ r10 = ##buffer + 8192 + 32 }
	{ l2fetch(r10,r15:14) }
	{ r14 = ##0x00800000 }			/* no height: a stop */
	{ l2fetch(r10,r15:14) }
	{ r13 = ##128 }
	loop0(.Lloop, r13)
.Lloop:
	{ r8 = memw(r9++#4) }
	{ r9 = add(r9,#28) }:endloop0
#elif PART == 13	/* clean one dirty line, drop another; then load both, and the first as a vector */
	{ memw(r9+#0) = r8 }
	{ memw(r9+#32) = r8 }
	{ dccleana(r9) }
	{ r10 = add(r9,#32) }
	{ dccleaninva(r10) }
	{ r8 = memw(r9+#0) }
	{ r8 = memw(r9+#32) }
	{ v0 = vmem(r9+#0) }
	{ r11 = #1 }
#endif
	{ r11 = add(r11,#-1) }
	{ p0 = cmp.eq(r11,#0) }
	{ if (!p0) jump .Lround }
	{ r0 = #0 }
	{ r6 = #94 }
	{ trap0(#1) }

#if PART == 8
	.data
	.p2align 16
chain:
	.set	at, 0
	.rept	1025
	.word	chain + (at + 32) % (1025 * 32)
	.space	28
	.set	at, at + 32
	.endr
#endif
	.bss
	.p2align 16
buffer:
	.space	65536
