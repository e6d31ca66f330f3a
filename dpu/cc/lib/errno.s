// SPDX-License-Identifier: MIT
	.bss
	.balign 4
	.globl __errno_of
	.type __errno_of, @object
__errno_of:
	.zero 4 * NR_TASKLETS
	.size __errno_of, 4 * NR_TASKLETS
