// SPDX-License-Identifier: MIT
// Quotients of 32 bits; mul.s has the rules for registers. A divisor of 0 is fault 2, as with UPMEM's SDK.
	.text
// r12, r13 = r13 / r11, r13 % r11, unsigned: a step for each bit that the quotient can have.
	.globl __dpu_divu
	.type __dpu_divu, @function
__dpu_divu:
	jneq r11, 0, 1f
	fault 2
1:	sw r22, -4, r9
	clz r9, r11
	clz r12, r13
	sub r9, r9, r12
	move r12, 0
	jlts r9, 0, 3f
	sub r9, 31, r9
	jump r9, 2f
2:
	div_step d12, r11, d12, 31, false, .+1
	div_step d12, r11, d12, 30, false, .+1
	div_step d12, r11, d12, 29, false, .+1
	div_step d12, r11, d12, 28, false, .+1
	div_step d12, r11, d12, 27, false, .+1
	div_step d12, r11, d12, 26, false, .+1
	div_step d12, r11, d12, 25, false, .+1
	div_step d12, r11, d12, 24, false, .+1
	div_step d12, r11, d12, 23, false, .+1
	div_step d12, r11, d12, 22, false, .+1
	div_step d12, r11, d12, 21, false, .+1
	div_step d12, r11, d12, 20, false, .+1
	div_step d12, r11, d12, 19, false, .+1
	div_step d12, r11, d12, 18, false, .+1
	div_step d12, r11, d12, 17, false, .+1
	div_step d12, r11, d12, 16, false, .+1
	div_step d12, r11, d12, 15, false, .+1
	div_step d12, r11, d12, 14, false, .+1
	div_step d12, r11, d12, 13, false, .+1
	div_step d12, r11, d12, 12, false, .+1
	div_step d12, r11, d12, 11, false, .+1
	div_step d12, r11, d12, 10, false, .+1
	div_step d12, r11, d12, 9, false, .+1
	div_step d12, r11, d12, 8, false, .+1
	div_step d12, r11, d12, 7, false, .+1
	div_step d12, r11, d12, 6, false, .+1
	div_step d12, r11, d12, 5, false, .+1
	div_step d12, r11, d12, 4, false, .+1
	div_step d12, r11, d12, 3, false, .+1
	div_step d12, r11, d12, 2, false, .+1
	div_step d12, r11, d12, 1, false, .+1
	div_step d12, r11, d12, 0, false, .+1
3:	lw r9, r22, -4
	jump r10
	.size __dpu_divu, . - __dpu_divu

// The same, signed, towards 0.
	.globl __dpu_div
	.type __dpu_div, @function
__dpu_div:
	sw r22, -20, r10
	sw r22, -24, r13
	xor r12, r13, r11
	sw r22, -28, r12
	jges r13, 0, 1f
	neg r13, r13
1:	jges r11, 0, 2f
	neg r11, r11
2:	call r10, __dpu_divu
	lw r10, r22, -28
	jges r10, 0, 3f
	neg r12, r12
3:	lw r10, r22, -24
	jges r10, 0, 4f
	neg r13, r13
4:	lw r10, r22, -20
	jump r10
	.size __dpu_div, . - __dpu_div
