// SPDX-License-Identifier: MIT
// Upper halves of products, from the products of bytes; mul.s has the rules for registers.
	.text
// r13 = r11 * r12 >> 32, unsigned. Sums of the products that stand 8 bits apart; each sum's upper part
// is added to the next one.
	.globl __dpu_mulhu
	.type __dpu_mulhu, @function
__dpu_mulhu:
	sd r22, -8, d0
	sd r22, -16, d2
	lsr r0, r11, 16			// r11, r12: bytes 1 and 0; r0, r1: bytes 3 and 2
	lsr r1, r12, 16
	mul_uh_ul r2, r11, r12
	mul_ul_uh r3, r11, r12
	add r2, r2, r3
	mul_ul_ul r3, r11, r12
	lsl_add r2, r3, r2, 8
	lsr r2, r2, 16
	mul_ul_ul r3, r11, r1		// 2^16
	add r2, r2, r3
	mul_ul_ul r3, r0, r12
	add r2, r2, r3
	mul_uh_uh r3, r11, r12
	add r2, r2, r3
	lsr r2, r2, 8
	mul_ul_uh r3, r11, r1		// 2^24
	add r2, r2, r3
	mul_uh_ul r3, r0, r12
	add r2, r2, r3
	mul_uh_ul r3, r11, r1
	add r2, r2, r3
	mul_ul_uh r3, r0, r12
	add r2, r2, r3
	lsr r2, r2, 8
	mul_ul_ul r3, r0, r1		// 2^32
	add r2, r2, r3
	mul_uh_uh r3, r11, r1
	add r2, r2, r3
	mul_uh_uh r3, r0, r12
	add r2, r2, r3
	mul_uh_ul r3, r0, r1		// 2^40
	mul_ul_uh r13, r0, r1
	add r3, r3, r13
	lsl_add r2, r2, r3, 8
	mul_uh_uh r3, r0, r1		// 2^48
	lsl_add r13, r2, r3, 16
	ld d2, r22, -16
	ld d0, r22, -8
	jump r10
	.size __dpu_mulhu, . - __dpu_mulhu

// The same, both signed: subtracts what the sign bits added.
	.globl __dpu_mulh
	.type __dpu_mulh, @function
__dpu_mulh:
	sw r22, -20, r10
	sw r22, -24, r11
	sw r22, -28, r12
	call r10, __dpu_mulhu
	lw r10, r22, -20
	lw r11, r22, -24
	lw r12, r22, -28
	jges r11, 0, 1f
	sub r13, r13, r12
1:	jges r12, 0, 2f
	sub r13, r13, r11
2:	jump r10
	.size __dpu_mulh, . - __dpu_mulh

// r11 is signed, r12 is not.
	.globl __dpu_mulhsu
	.type __dpu_mulhsu, @function
__dpu_mulhsu:
	sw r22, -20, r10
	sw r22, -24, r11
	sw r22, -28, r12
	call r10, __dpu_mulhu
	lw r10, r22, -20
	lw r11, r22, -24
	lw r12, r22, -28
	jges r11, 0, 1f
	sub r13, r13, r12
1:	jump r10
	.size __dpu_mulhsu, . - __dpu_mulhsu
