/* SPDX-License-Identifier: MIT */
/* Clang's names for functions of the C library. */
#define OTHER_NAME(name, function) \
	__asm__(".globl " #name "\n.type " #name ", @function\n" #name ": { jump " #function " }\n");

OTHER_NAME(__hexagon_sqrtdf2, sqrt)
OTHER_NAME(__hexagon_fast2_sqrtdf2, sqrt)
OTHER_NAME(__hexagon_sqrtf, sqrtf)
OTHER_NAME(__hexagon_fast2_sqrtf, sqrtf)
OTHER_NAME(__hexagon_mindf3, fmin)
OTHER_NAME(__hexagon_maxdf3, fmax)
OTHER_NAME(__hexagon_memcpy_likely_aligned_min32bytes_mult8bytes, memcpy)
