// SPDX-License-Identifier: MIT
/* float */
#include <stdint.h>

#define REAL float
#define BITS uint32_t
#define WIDTH 32
#define MANTISSA 23
#define NAME(x) __##x##sf3
#define COMPARE(x) __##x##sf2
#define FROM(x) __float##x##sf
#define FROM_UNSIGNED(x) __floatun##x##sf
#define TO(x) __fixsf##x
#define TO_UNSIGNED(x) __fixunssf##x

#include "float.h"

static BITS product(BITS a, BITS b)
{
	uint64_t p = (uint64_t)a * b;

	return p >> (MANTISSA - 3) | ((p & ((1u << (MANTISSA - 3)) - 1)) != 0);
}
