// SPDX-License-Identifier: MIT
// Products of 32 bits. Helpers of compiled code keep all registers except r10 to r13 and return to r10.
// They may use memory below the stack pointer.
	.text
// r13 = r11 * r12, one bit of the smaller operand an instruction.
	.globl __dpu_mul
	.type __dpu_mul, @function
__dpu_mul:
	jgeu r11, r12, 1f
	move r13, r12
	move r12, r11
	move r11, r13
1:	move r13, 0
	mul_step d12, r11, d12, 0, z, 2f
	mul_step d12, r11, d12, 1, z, 2f
	mul_step d12, r11, d12, 2, z, 2f
	mul_step d12, r11, d12, 3, z, 2f
	mul_step d12, r11, d12, 4, z, 2f
	mul_step d12, r11, d12, 5, z, 2f
	mul_step d12, r11, d12, 6, z, 2f
	mul_step d12, r11, d12, 7, z, 2f
	mul_step d12, r11, d12, 8, z, 2f
	mul_step d12, r11, d12, 9, z, 2f
	mul_step d12, r11, d12, 10, z, 2f
	mul_step d12, r11, d12, 11, z, 2f
	mul_step d12, r11, d12, 12, z, 2f
	mul_step d12, r11, d12, 13, z, 2f
	mul_step d12, r11, d12, 14, z, 2f
	mul_step d12, r11, d12, 15, z, 2f
	mul_step d12, r11, d12, 16, z, 2f
	mul_step d12, r11, d12, 17, z, 2f
	mul_step d12, r11, d12, 18, z, 2f
	mul_step d12, r11, d12, 19, z, 2f
	mul_step d12, r11, d12, 20, z, 2f
	mul_step d12, r11, d12, 21, z, 2f
	mul_step d12, r11, d12, 22, z, 2f
	mul_step d12, r11, d12, 23, z, 2f
	mul_step d12, r11, d12, 24, z, 2f
	mul_step d12, r11, d12, 25, z, 2f
	mul_step d12, r11, d12, 26, z, 2f
	mul_step d12, r11, d12, 27, z, 2f
	mul_step d12, r11, d12, 28, z, 2f
	mul_step d12, r11, d12, 29, z, 2f
	mul_step d12, r11, d12, 30, z, 2f
	mul_step d12, r11, d12, 31, z, 2f
2:	jump r10
	.size __dpu_mul, . - __dpu_mul
