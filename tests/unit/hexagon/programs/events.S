/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What makes events count that no other example has: floating point, register jumps, permutations and shifts of vectors,
 * several vector contexts, and sets of threads in both clusters. Main starts five children, whose loops end in the order
 * 2, 5, 4, 1, 3; main, 1, 3 and 4 execute vectors. tests/unit/hexagon/test-programs.c has the counts.
 */
#define CLONE_FLAGS 0x50f00	/* VM, FS, FILES, SIGHAND, THREAD, SYSVSEM */

	.text
	.globl	_start
	.p2align 6
_start:					/* 11 packets with the function */
	{ r2 = #3 }
	{ v0 = vror(v1,r2) }
	{ v3.w = vasl(v1.w,r2) }
	{ r8 = sfadd(r8,r9) }
	{ r20 = ##.Lfunction }
	{ callr r20 }
	{ r20 = ##.Lnext }
	{ jumpr r20 }
.Lnext:
	{ r16 = #0 }
	{ r17 = ##stacks }
.Lclone:				/* 7 a child, which begins after the trap */
	{ r16 = add(r16,#1)
	  r17 = add(r17,#64) }
	{ r0 = ##CLONE_FLAGS
	  r1 = r17 }
	{ r6 = #220
	  p1 = cmp.gt(r16,#4) }
	{ trap0(#1) }
	{ p0 = cmp.eq(r0,#0) }
	{ if (p0) jump .Lchild }
	{ if (!p1) jump .Lclone }
	{ r13 = ##2000 }
	{ loop0(.Lmain, r13) }
.Lmain:
	{ r8 = add(r8,#1)
	  nop }:endloop0
	{ r0 = #0
	  r6 = #94 }
	{ trap0(#1) }

.Lfunction:
	{ jumpr r31 }

.Lchild:				/* two packets before, then 5, 1, its loop, 2 */
	{ r13 = memw(r16<<#2+##lengths) }
	{ p0 = cmp.gt(r13,#199) }
	{ if (!p0) jump .Lscalar }
	{ v0 = vror(v1,r2) }
	{ v3.w = vasl(v1.w,r2) }
.Lscalar:
	{ loop0(.Lloop, r13) }
.Lloop:
	{ r8 = add(r8,#1)
	  nop }:endloop0
	{ r6 = #93 }
	{ trap0(#1) }

	.section .rodata
	.p2align 2
lengths:
	.word	0, 300, 100, 400, 200, 100

	.bss
	.p2align 6
stacks:
	.space	64 * 7
