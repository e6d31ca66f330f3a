/* SPDX-License-Identifier: GPL-2.0-only */
/* Two threads, of which one waits after a branch while the other one begins a load that misses: test-programs.c. */
#define CLONE_FLAGS 0x50f00	/* VM, FS, FILES, SIGHAND, THREAD, SYSVSEM */

	.text
	.globl	_start
	.p2align 6
_start:
	{ r1 = ##data
	  r0 = ##CLONE_FLAGS }
	{ r6 = #220 }
	{ trap0(#1) }
	{ p0 = cmp.eq(r0,#0) }			/* the child begins here */
	{ if (p0) jump .Lchild }
	{ nop }
	{ r3 = memw(r1+#0) }
	{ r0 = #0
	  r6 = #94 }
	{ trap0(#1) }

	.p2align 6
.Lchild:
	{ jump .Lchild }

	.bss
	.p2align 6
	.space	4096
data:
	.space	64
