// SPDX-License-Identifier: GPL-2.0-only
// Multiplication and division, one bit an instruction, as the DPU's mul_step and div_step do it.
	.text
// r0 = r0 * r1
	.globl mulsi3
mulsi3:
	move r2, r1			// shifts out below
	move r3, 0			// adds up
	mul_step d2, r0, d2, 0, z, 1f
	mul_step d2, r0, d2, 1, z, 1f
	mul_step d2, r0, d2, 2, z, 1f
	mul_step d2, r0, d2, 3, z, 1f
	mul_step d2, r0, d2, 4, z, 1f
	mul_step d2, r0, d2, 5, z, 1f
	mul_step d2, r0, d2, 6, z, 1f
	mul_step d2, r0, d2, 7, z, 1f
	mul_step d2, r0, d2, 8, z, 1f
	mul_step d2, r0, d2, 9, z, 1f
	mul_step d2, r0, d2, 10, z, 1f
	mul_step d2, r0, d2, 11, z, 1f
	mul_step d2, r0, d2, 12, z, 1f
	mul_step d2, r0, d2, 13, z, 1f
	mul_step d2, r0, d2, 14, z, 1f
	mul_step d2, r0, d2, 15, z, 1f
	mul_step d2, r0, d2, 16, z, 1f
	mul_step d2, r0, d2, 17, z, 1f
	mul_step d2, r0, d2, 18, z, 1f
	mul_step d2, r0, d2, 19, z, 1f
	mul_step d2, r0, d2, 20, z, 1f
	mul_step d2, r0, d2, 21, z, 1f
	mul_step d2, r0, d2, 22, z, 1f
	mul_step d2, r0, d2, 23, z, 1f
	mul_step d2, r0, d2, 24, z, 1f
	mul_step d2, r0, d2, 25, z, 1f
	mul_step d2, r0, d2, 26, z, 1f
	mul_step d2, r0, d2, 27, z, 1f
	mul_step d2, r0, d2, 28, z, 1f
	mul_step d2, r0, d2, 29, z, 1f
	mul_step d2, r0, d2, 30, z, 1f
	mul_step d2, r0, d2, 31, z, 1f
1:	move r0, r3
	jump r23

// r0, r1 = r0 / r1, r0 % r1, unsigned; r1 = 0 is fault 2
	.globl udivsi3
udivsi3:
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
