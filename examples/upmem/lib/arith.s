// SPDX-License-Identifier: GPL-2.0-only
// Multiplication and division, one bit an instruction, as the DPU's mul_step and div_step do it.
// The names are those that compiled code calls; r2 to r13 are scratch.
	.text
// r0 = r0 * r1. The smaller factor is shifted out: fewer steps.
	.globl __mulsi3
__mulsi3:
	jgtu r1, r0, 1f
	move r8, r0
	move r12, r1, true, 2f
1:	move r8, r1
	move r12, r0
2:	move r13, 0
	call r9, mulsteps
	move r0, r13
	jump r23

// r13 += r8 * r12 and r12 = 0, back to r9.
	.globl mulsteps
mulsteps:
	mul_step d12, r8, d12, 0, z, 1f
	mul_step d12, r8, d12, 1, z, 1f
	mul_step d12, r8, d12, 2, z, 1f
	mul_step d12, r8, d12, 3, z, 1f
	mul_step d12, r8, d12, 4, z, 1f
	mul_step d12, r8, d12, 5, z, 1f
	mul_step d12, r8, d12, 6, z, 1f
	mul_step d12, r8, d12, 7, z, 1f
	mul_step d12, r8, d12, 8, z, 1f
	mul_step d12, r8, d12, 9, z, 1f
	mul_step d12, r8, d12, 10, z, 1f
	mul_step d12, r8, d12, 11, z, 1f
	mul_step d12, r8, d12, 12, z, 1f
	mul_step d12, r8, d12, 13, z, 1f
	mul_step d12, r8, d12, 14, z, 1f
	mul_step d12, r8, d12, 15, z, 1f
	mul_step d12, r8, d12, 16, z, 1f
	mul_step d12, r8, d12, 17, z, 1f
	mul_step d12, r8, d12, 18, z, 1f
	mul_step d12, r8, d12, 19, z, 1f
	mul_step d12, r8, d12, 20, z, 1f
	mul_step d12, r8, d12, 21, z, 1f
	mul_step d12, r8, d12, 22, z, 1f
	mul_step d12, r8, d12, 23, z, 1f
	mul_step d12, r8, d12, 24, z, 1f
	mul_step d12, r8, d12, 25, z, 1f
	mul_step d12, r8, d12, 26, z, 1f
	mul_step d12, r8, d12, 27, z, 1f
	mul_step d12, r8, d12, 28, z, 1f
	mul_step d12, r8, d12, 29, z, 1f
	mul_step d12, r8, d12, 30, z, 1f
	mul_step d12, r8, d12, 31, z, 1f
1:	jump r9

// r0, r1 = r0 / r1, r0 % r1, unsigned; r1 = 0 is fault 2
	.globl __udivsi3, __udiv32
__udivsi3:
__udiv32:
	jneq r1, 0, 1f
	fault 2
1:	move r3, r0			// remainder
	move r2, 0			// quotient
	clz r4, r1			// the largest shift of the divisor without loss
	sub r4, 31, r4			// steps to leave out
	call r4, r4, udivsteps		// r4 is not needed any more
udivsteps:
	div_step d2, r1, d2, 31, false, .+1
	div_step d2, r1, d2, 30, false, .+1
	div_step d2, r1, d2, 29, false, .+1
	div_step d2, r1, d2, 28, false, .+1
	div_step d2, r1, d2, 27, false, .+1
	div_step d2, r1, d2, 26, false, .+1
	div_step d2, r1, d2, 25, false, .+1
	div_step d2, r1, d2, 24, false, .+1
	div_step d2, r1, d2, 23, false, .+1
	div_step d2, r1, d2, 22, false, .+1
	div_step d2, r1, d2, 21, false, .+1
	div_step d2, r1, d2, 20, false, .+1
	div_step d2, r1, d2, 19, false, .+1
	div_step d2, r1, d2, 18, false, .+1
	div_step d2, r1, d2, 17, false, .+1
	div_step d2, r1, d2, 16, false, .+1
	div_step d2, r1, d2, 15, false, .+1
	div_step d2, r1, d2, 14, false, .+1
	div_step d2, r1, d2, 13, false, .+1
	div_step d2, r1, d2, 12, false, .+1
	div_step d2, r1, d2, 11, false, .+1
	div_step d2, r1, d2, 10, false, .+1
	div_step d2, r1, d2, 9, false, .+1
	div_step d2, r1, d2, 8, false, .+1
	div_step d2, r1, d2, 7, false, .+1
	div_step d2, r1, d2, 6, false, .+1
	div_step d2, r1, d2, 5, false, .+1
	div_step d2, r1, d2, 4, false, .+1
	div_step d2, r1, d2, 3, false, .+1
	div_step d2, r1, d2, 2, false, .+1
	div_step d2, r1, d2, 1, false, .+1
	div_step d2, r1, d2, 0, false, .+1
	move r0, r2
	move r1, r3
	jump r23

// The same, signed, towards zero; the remainder has the dividend's sign.
	.globl __divsi3, __div32
__divsi3:
__div32:
	move r11, r23
	move r12, r0			// sign of the remainder
	xor r13, r0, r1			// and of the quotient
	jges r0, 0, 1f
	neg r0, r0
1:	jges r1, 0, 2f
	neg r1, r1
2:	call r23, __udivsi3
	jges r13, 0, 3f
	neg r0, r0
3:	jges r12, 0, 4f
	neg r1, r1
4:	jump r11

// r0 = r0 % r1, unsigned and signed
	.globl __umodsi3, __modsi3
__umodsi3:
	move r10, r23
	call r23, __udivsi3
	move r0, r1
	jump r10
__modsi3:
	move r10, r23
	call r23, __divsi3
	move r0, r1
	jump r10
