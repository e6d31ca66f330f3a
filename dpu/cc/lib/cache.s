// SPDX-License-Identifier: MIT
// Buffers of 8 bytes a tasklet for values on their way between MRAM and registers.
	.bss
	.balign 8
	.globl __sw_cache_buffer
	.type __sw_cache_buffer, @object
__sw_cache_buffer:
	.zero 8 * NR_TASKLETS
	.size __sw_cache_buffer, 8 * NR_TASKLETS
