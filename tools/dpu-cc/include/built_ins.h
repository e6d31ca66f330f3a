/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions without a place in C. */
#ifndef DPU_CC_BUILT_INS_H
#define DPU_CC_BUILT_INS_H

#include <stdint.h>

/* 1 in each byte where a and b are the same, else 0. */
static inline uint32_t __builtin_dpu_cmpb4(uint32_t a, uint32_t b)
{
	uint32_t result;

	__asm__("cmpb4 %0, %1, %2" : "=r"(result) : "r"(a), "r"(b));
	return result;
}

#define __builtin_cmpb4_rrr(result, a, b) ((result) = __builtin_dpu_cmpb4(a, b))

#endif
