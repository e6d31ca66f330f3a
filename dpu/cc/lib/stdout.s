// SPDX-License-Identifier: MIT
// The log's memory, unless the program defines its own (STDOUT_BUFFER_INIT).
	.section .mram.noinit
	.balign 8
	.globl __stdout_buffer
	.type __stdout_buffer, @object
__stdout_buffer:
	.zero 1 << 20
	.size __stdout_buffer, 1 << 20

	.data
	.balign 4
	.globl __stdout_buffer_size
	.type __stdout_buffer_size, @object
__stdout_buffer_size:
	.long 1 << 20
	.size __stdout_buffer_size, 4
