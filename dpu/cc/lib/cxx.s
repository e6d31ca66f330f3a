// SPDX-License-Identifier: MIT
	/* What clang's C++ refers to. There is no new and delete: fault 4 (halt). */
	.text
	.globl __cxa_pure_virtual
	.type __cxa_pure_virtual, @function
__cxa_pure_virtual:
	fault 4
	.size __cxa_pure_virtual, . - __cxa_pure_virtual
	.globl _ZdlPv
	.type _ZdlPv, @function
_ZdlPv:
	fault 4
	.size _ZdlPv, . - _ZdlPv
