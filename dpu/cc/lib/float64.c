// SPDX-License-Identifier: MIT
/* double */
#include <stdint.h>

#define REAL double
#define BITS uint64_t
#define WIDTH 64
#define MANTISSA 52
#define NAME(x) __##x##df3
#define COMPARE(x) __##x##df2
#define FROM(x) __float##x##df
#define FROM_UNSIGNED(x) __floatun##x##df
#define TO(x) __fixdf##x
#define TO_UNSIGNED(x) __fixunsdf##x

#include "float.h"

/* From products of 32 bits each; the result is bits 49 and up of 106. */
static BITS product(BITS a, BITS b)
{
	uint32_t a1 = a >> 32, a0 = a, b1 = b >> 32, b0 = b;
	uint64_t low = (uint64_t)a0 * b0, middle = (uint64_t)a1 * b0 + (low >> 32);
	uint64_t other = (uint64_t)a0 * b1 + (uint32_t)middle;
	uint64_t high = (uint64_t)a1 * b1 + (middle >> 32) + (other >> 32);
	uint64_t rest = other << 32 | (uint32_t)low;

	return high << (64 - 49) | rest >> 49 | ((rest & ((UINT64_C(1) << 49) - 1)) != 0);
}
