// SPDX-License-Identifier: MIT
// Where values stay for a moment on their way between MRAM and registers: 8 bytes a tasklet.
	.bss
	.balign 8
	.globl __sw_cache_buffer
	.type __sw_cache_buffer, @object
__sw_cache_buffer:
	.zero 8 * NR_TASKLETS
	.size __sw_cache_buffer, 8 * NR_TASKLETS
