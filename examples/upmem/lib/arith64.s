// SPDX-License-Identifier: GPL-2.0-only
// 64-bit multiplication, division and shifts. Arguments in d0 and d2 (d0 = r0:r1, r0 the upper
// half), r2 to r13 are scratch; the return address is r23. Includes arith.s.
	.text
// d0 = d0 * d2. The lower halves' product is 64 bits, from those of their bytes; of the crosswise
// products only the lower 32 bits count.
	.globl __muldi3
__muldi3:
	move r8, r0
	move r12, r3
	move r13, 0
	call r9, mulsteps
	move r8, r1
	move r12, r2
	call r9, mulsteps		// r13 is the sum of both
	lsr r2, r1, 16			// r1, r3: bytes 1 and 0; r2, r4: bytes 3 and 2
	lsr r4, r3, 16
	mul_ul_ul r7, r1, r3		// 2^0 and 2^32: no overlap yet
	mul_ul_ul r5, r1, r4
	mul_ul_ul r6, r2, r3
	add r5, r5, r6
	mul_uh_uh r6, r1, r3
	add r5, r5, r6			// column 2^16
	mul_ul_ul r6, r2, r4
	mul_uh_ul r8, r2, r3
	mul_ul_uh r9, r2, r3
	add r8, r8, r9
	mul_uh_ul r9, r1, r4
	add r8, r8, r9
	mul_ul_uh r9, r1, r4
	add r8, r8, r9			// column 2^24
	mul_uh_uh r9, r1, r4
	add r6, r6, r9
	mul_uh_uh r9, r2, r3
	add r6, r6, r9			// column 2^32
	mul_uh_ul r9, r1, r3
	mul_ul_uh r10, r1, r3
	add r9, r9, r10			// column 2^8
	mul_uh_ul r10, r2, r4
	mul_ul_uh r11, r2, r4
	add r10, r10, r11		// column 2^40
	mul_uh_uh r11, r2, r4		// column 2^48
	lsl_add r6, r6, r10, 8
	lsl_add r6, r6, r11, 16
	add r6, r6, r13
	lsl r10, r9, 8			// a column's upper part goes to the upper half
	add r1, r7, r10
	lsr r10, r9, 24
	addc r0, r6, r10
	lsl r10, r5, 16
	add r1, r1, r10
	lsr r10, r5, 16
	addc r0, r0, r10
	lsl r10, r8, 24
	add r1, r1, r10
	lsr r10, r8, 8
	addc r0, r0, r10
	jump r23

// d0, d2 = d0 / d2, d0 % d2, unsigned; d2 = 0 is fault 2.
	.globl __udivdi3
__udivdi3:
	or r4, r0, r2, nz, 1f		// 32 bits each: one step a bit
	move r0, r1
	move r1, r3
	move r9, r23
	call r23, __udivsi3
	move r3, r1
	move r2, 0
	move r1, r0
	move r0, 0
	jump r9
1:	or zero, r2, r3, nz, 2f
	fault 2
2:	move.u d4, 0			// remainder
	move r6, 64
3:	add r1, r1, r1			// remainder and dividend, as 128 bits, one to the left
	addc r0, r0, r0
	addc r5, r5, r5
	addc r4, r4, r4, c, 4f		// 65 bits: larger than any divisor
	sub zero, r5, r3
	subc zero, r4, r2, ltu, 5f
4:	sub r5, r5, r3
	subc r4, r4, r2
	add r1, r1, 1			// a bit of the quotient
5:	add r6, r6, -1, nz, 3b
	movd d2, d4
	jump r23

// d0, d2 = d0 / d2, d0 % d2, signed, towards zero; the remainder has the dividend's sign.
	.globl __divdi3
__divdi3:
	move r10, r23
	move r11, r0			// sign of the remainder
	xor r12, r0, r2			// and of the quotient
	jges r0, 0, 1f
	neg r1, r1
	subc r0, 0, r0
1:	jges r2, 0, 2f
	neg r3, r3
	subc r2, 0, r2
2:	call r23, __udivdi3
	jges r12, 0, 3f
	neg r1, r1
	subc r0, 0, r0
3:	jges r11, 0, 4f
	neg r3, r3
	subc r2, 0, r2
4:	jump r10

// d0 = d0 % d2, unsigned and signed
	.globl __umoddi3, __moddi3
__umoddi3:
	move r13, r23
	call r23, __udivdi3
	movd d0, d2
	jump r13
__moddi3:
	move r13, r23
	call r23, __divdi3
	movd d0, d2
	jump r13

// d0 = d0 << r2, d0 >> r2 with zeroes, d0 >> r2 with the sign; r2 = 0 to 63.
	.globl __ashldi3
__ashldi3:
	lsl r3, r1, r2, sh32, 1f
	lslx r4, r1, r2
	lsl r0, r0, r2
	or r0, r0, r4
	move r1, r3
	jump r23
1:	move r0, r3
	move r1, 0
	jump r23
	.globl __lshrdi3
__lshrdi3:
	lsr r3, r0, r2, sh32, 1f
	lsrx r4, r0, r2
	lsr r1, r1, r2
	or r1, r1, r4
	move r0, r3
	jump r23
1:	move r1, r3
	move r0, 0
	jump r23
	.globl __ashrdi3
__ashrdi3:
	asr r3, r0, r2, sh32, 1f
	lsrx r4, r0, r2
	lsr r1, r1, r2
	or r1, r1, r4
	move r0, r3
	jump r23
1:	asr r0, r0, 31
	move r1, r3
	jump r23

	.include "arith.s"
