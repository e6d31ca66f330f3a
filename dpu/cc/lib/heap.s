// SPDX-License-Identifier: MIT
// The heap begins after the stacks, which are the last data in WRAM.
	.data
	.balign 4
	.globl __sys_heap_start
__sys_heap_start:
	.long __sys_stacks + NR_TASKLETS * STACK_SIZE_TASKLET_0
	.globl __sys_heap_pointer
	.type __sys_heap_pointer, @object
__sys_heap_pointer:
	.long __sys_stacks + NR_TASKLETS * STACK_SIZE_TASKLET_0
	.size __sys_heap_pointer, 4

	.section .atomic
	.globl __sys_heap_bit
__sys_heap_bit:
	.zero 1
