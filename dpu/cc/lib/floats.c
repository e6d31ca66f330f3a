// SPDX-License-Identifier: MIT
/* Conversions between float and double. */
#include <stdint.h>

union real {
	float narrow;
	uint32_t narrow_bits;
	double wide;
	uint64_t wide_bits;
};

double __extendsfdf2(float x)
{
	uint32_t bits = ((union real){ .narrow = x }).narrow_bits, fraction = bits & 0x7fffff;
	int exponent = bits >> 23 & 255;
	uint64_t sign = (uint64_t)(bits >> 31) << 63;

	if (exponent == 255)
		exponent = 2047;
	else if (exponent)
		exponent += 1023 - 127;
	else if (fraction) {
		int shift = __builtin_clz(fraction) - 8;

		fraction = fraction << shift & 0x7fffff;
		exponent = 1023 - 127 + 1 - shift;
	}
	return ((union real){ .wide_bits = sign | (uint64_t)exponent << 52 |
					   (uint64_t)fraction << 29 }).wide;
}

float __truncdfsf2(double x)
{
	uint64_t bits = ((union real){ .wide = x }).wide_bits, fraction = bits & 0xfffffffffffff;
	int exponent = bits >> 52 & 2047;
	uint32_t sign = (uint32_t)(bits >> 63) << 31, m, rest;

	if (exponent == 2047)
		return ((union real){ .narrow_bits = sign | 0x7f800000 | (fraction ? 0x400000 : 0) }).narrow;
	exponent += 127 - 1023;
	if (exponent >= 255)
		return ((union real){ .narrow_bits = sign | 0x7f800000 }).narrow;
	/* 24 bits and three more; the lowest is the OR of all lower bits. */
	m = (fraction | (uint64_t)1 << 52) >> 26;
	m |= (fraction & 0x3ffffff) != 0;
	if (exponent <= 0) {
		int shift = 1 - exponent;

		m = shift > 27 ? 1 : m >> shift | ((m & ((1u << shift) - 1)) != 0);
		exponent = 0;
	}
	rest = m & 7;
	m = ((m >> 3) & ~0x800000u) | (uint32_t)exponent << 23;
	if (rest > 4 || (rest == 4 && (m & 1)))
		m++;
	return ((union real){ .narrow_bits = sign | m }).narrow;
}
