/* SPDX-License-Identifier: GPL-2.0-only */
/* The same numbers on both machines (xorshift), and the bits of a double. */
#ifndef LIBRARY_RANDOM_H
#define LIBRARY_RANDOM_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t next(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* All that are no numbers are equal. */
static inline uint64_t bits(double x)
{
	uint64_t value;

	memcpy(&value, &x, sizeof(value));
	return isnan(x) ? 1 : value;
}

#endif
