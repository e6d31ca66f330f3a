/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A main thread and CHILDREN others that do unequal things; none joins another one. Each may have its own loop: MAIN_TIMES
 * packets without an access, and CHILD_TIMES times a load of a line of its own, at STRIDE bytes from each other
 * (0: no loads). So what they cost can be derived on paper: tests/unit/hexagon/test-programs.c.
 */
#define CLONE_FLAGS 0x50f00	/* VM, FS, FILES, SIGHAND, THREAD, SYSVSEM */

	.text
	.globl	_start
	.p2align 6
_start:
	{ r16 = #CHILDREN }			/* 1 */
	{ r17 = ##buffer }			/* 2 */
	{ r18 = ##0x10000 }			/* 3: bytes of buffer of a thread */
.Lclone:					/* 7 for each child: 4 to 10 */
	{ r17 = add(r17,r18)
	  r16 = add(r16,#-1) }
	{ r0 = ##CLONE_FLAGS
	  r1 = r17 }
	{ r6 = #220
	  p1 = cmp.eq(r16,#0) }
	{ trap0(#1) }
	{ p0 = cmp.eq(r0,#0) }			/* the child begins here: 2 until its branch */
	{ if (p0) jump .Lchild }
	{ if (!p1) jump .Lclone }
	{ r13 = ##MAIN_TIMES }			/* 1 */
	{ loop0(.Lmain, r13) }			/* 1 */
.Lmain:
	{ r8 = add(r8,#1)
	  nop }:endloop0			/* MAIN_TIMES */
#ifdef SPIN
.Lspin:
	{ r8 = memw(##flag) }
	{ p0 = cmp.eq(r8,#0) }
	{ if (p0) jump .Lspin }
#endif
#ifdef FORK
	{ r0 = #17				/* SIGCHLD: another process, which ends as this one does */
	  r6 = #220 }
	{ trap0(#1) }
#endif
	{ r0 = #0
	  r6 = #94 }				/* 1 */
	{ trap0(#1) }				/* 1 */

	.p2align 6
.Lchild:
	{ r13 = ##CHILD_TIMES }			/* 1 */
	{ loop0(.Lloop, r13) }			/* 1 */
.Lloop:
#if STRIDE
	{ r8 = memw(r17+#0)
	  r17 = add(r17,#STRIDE) }:endloop0	/* CHILD_TIMES */
#else
	{ r8 = add(r8,#1)
	  nop }:endloop0
#endif
	{ memw(##flag) = r6 }			/* 1 */
	{ r6 = #93 }				/* 1 */
	{ trap0(#1) }				/* 1 */

	.bss
	.p2align 16
flag:
	.space	0x10000
buffer:
	.space	0x10000 * (CHILDREN + 2)
