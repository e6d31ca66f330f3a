// SPDX-License-Identifier: MIT
// Values in MRAM that span more than one multiple of 8 bytes: unaligned ones and structs of up to 64.
	.bss
	.balign 8
__mram_long_buffer:
	.zero 80 * NR_TASKLETS
__mram_length:				// length of the last read, as ldma takes it
	.zero 4 * NR_TASKLETS

	.text
// r0 = address in WRAM of r1 bytes at r0 in MRAM, with the bytes around them.
	.globl __mram_fetch
	.type __mram_fetch, @function
__mram_fetch:
	move r2, id
	lsl r3, r2, 4			// id * 80
	lsl_add r3, r3, r2, 6
	add r3, r3, __mram_long_buffer
	and r2, r0, 7
	add r1, r1, r2
	add r1, r1, 7
	lsr r1, r1, 3
	add r1, r1, -1
	lsl r1, r1, 24
	sw id4, __mram_length, r1
	or r1, r1, r3
	and r0, r0, -8
	ldma r1, r0, 0
	add r0, r3, r2
	jump r23
	.size __mram_fetch, . - __mram_fetch

// Writes the data of __mram_fetch back to r0 in MRAM.
	.globl __mram_write_back
	.type __mram_write_back, @function
__mram_write_back:
	move r2, id
	lsl r3, r2, 4
	lsl_add r3, r3, r2, 6
	add r3, r3, __mram_long_buffer
	lw r1, id4, __mram_length
	or r1, r1, r3
	and r0, r0, -8
	sdma r1, r0, 0
	jump r23
	.size __mram_write_back, . - __mram_write_back
