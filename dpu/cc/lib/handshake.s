// SPDX-License-Identifier: MIT
// Handshakes. Each tasklet has a byte. 0: no tasklet waits for it; n + 1: tasklet n waits for it;
// 255: it has notified and waits for the tasklet that will wait for it.
	.data
	.balign 8
__sys_handshake:
	.zero 24
	.size __sys_handshake, 24

	.section .atomic
__sys_handshake_bit:
	.zero 1

	.text
	.globl handshake_notify
	.type handshake_notify, @function
handshake_notify:
	move r1, __sys_handshake_bit
	acquire r1, 0, nz, .
	lbu r2, id, __sys_handshake
	jeq r2, 0, 1f
	move r3, 0
	sb id, __sys_handshake, r3
	add r2, r2, -1
	release r1, 0, nz, .+1
	resume r2, 0, nz, .
	jump r23
1:	move r2, 255
	sb id, __sys_handshake, r2
	release r1, 0, nz, .+1
	stop true, .+1
	jump r23
	.size handshake_notify, . - handshake_notify

// returns r0 = 0, or 1 if another tasklet already waits for the same one.
	.globl handshake_wait_for
	.type handshake_wait_for, @function
handshake_wait_for:
	move r1, __sys_handshake_bit
	acquire r1, 0, nz, .
	lbu r2, r0, __sys_handshake
	jeq r2, 255, 2f
	jneq r2, 0, 3f
	add r2, id, 1
	sb r0, __sys_handshake, r2
	release r1, 0, nz, .+1
	stop true, 1f
1:	move r0, 0
	jump r23
2:	move r2, 0
	sb r0, __sys_handshake, r2
	release r1, 0, nz, .+1
	resume r0, 0, nz, .
	move r0, 0
	jump r23
3:	release r1, 0, nz, .+1
	move r0, 1
	jump r23
	.size handshake_wait_for, . - handshake_wait_for
