// SPDX-License-Identifier: GPL-2.0-only
// The log that dpu_log_read() and dpu-run print. A record is a format of conversions alone, its NUL
// and the arguments, padded with zeroes to a multiple of 8 bytes.
	.set LOG_SIZE, 1 << 20

	.section .mram.noinit
	.align 8
	.globl __stdout_buffer
	.type __stdout_buffer, @object
__stdout_buffer:
	.space LOG_SIZE
	.size __stdout_buffer, LOG_SIZE

	.data
	.align 4
	.globl __stdout_buffer_size
__stdout_buffer_size:
	.long LOG_SIZE

	.section .atomic
__stdout_mutex:
	.space 1

// log_write(r0 = record in WRAM, r1 = bytes, at most 2048). One tasklet at a time.
	.text
	.globl log_write
log_write:
	move r8, __stdout_mutex
	acquire r8, 0, nz, .
	lw r9, zero, __stdout_buffer_state
	lw r10, zero, __stdout_buffer_size
	add r11, r9, r1
	jleu r11, r10, 1f
	move r9, 0			// start over: the beginning is lost
	move r12, 1
	sw zero, __stdout_buffer_state + 4, r12
	move r11, r1
1:	add r9, r9, __stdout_buffer
	lsr r12, r1, 3			// words - 1 go to bits 31..24 of the WRAM address
	add r12, r12, -1
	lsl r12, r12, 24
	or r12, r12, r0
	sdma r12, r9, 0
	sw zero, __stdout_buffer_state, r11
	release r8, 0, nz, .+1
	jump r23
