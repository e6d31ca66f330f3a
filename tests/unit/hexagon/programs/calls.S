/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls, for the profile: f three times, which calls g twice, and r, which calls itself three times. g is 3 packets, f 4 and
 * those of g, each r 5. In all 67 packets.
 */
	.macro function name
	.globl	\name
	.type	\name, @function
\name:
	.endm

	.text
	.p2align 6
	function _start
	{ r16 = #3 }
.Lround:
	{ call f }
	{ r16 = add(r16,#-1) }
	{ p0 = cmp.gt(r16,#0) }
	{ if (p0) jump .Lround }
	{ r0 = #4 }
	{ call r }
	{ r0 = #0
	  r6 = #94 }
	{ trap0(#1) }
	.size	_start, . - _start

	function f
	{ allocframe(#0) }
	{ call g }
	{ call g }
	{ dealloc_return }
	.size	f, . - f

	function g
	{ r1 = #0 }
	{ r1 = add(r1,#1) }
	{ jumpr r31 }
	.size	g, . - g

	function r
	{ allocframe(#0) }
	{ r0 = add(r0,#-1) }
	{ p0 = cmp.eq(r0,#0) }
	{ if (!p0) call r }
	{ dealloc_return }
	.size	r, . - r
