/* SPDX-License-Identifier: GPL-2.0-only */
/* Comparisons, and conversions between types. */
#include "real.h"

static uint64_t __attribute__((noinline)) op_compare(REAL a, REAL b)
{
	return (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5;
}

PROGRAM(compare)
{
	REAL nan = OPAQUE((REAL)0) / OPAQUE((REAL)0);

	hash = 1;
	for (unsigned int i = 0; i < COUNT(values); i++)
		for (unsigned int j = 0; j < COUNT(values); j++)
			mix(op_compare(values[i], values[j]));
	printf("%08x %x %x\n", hash, (int)op_compare(nan, 1), (int)op_compare(nan, nan));
}

PROGRAM(to_integer)
{
	hash = 1;
	for (unsigned int i = 0; i < COUNT(values); i++) {
		REAL x = OPAQUE(values[i]);

		/* C does not define the conversion of a value that does not fit. */
		if (x > -2e9 && x < 2e9)
			mix((int32_t)x);
		if (x >= 0 && x < 4e9)
			mix((uint32_t)x);
		if (x > -9e18 && x < 9e18)
			mix64((int64_t)x);
		if (x >= 0 && x < 1.8e19)
			mix64((uint64_t)x);
		if (x > -128 && x < 128)
			mix((int8_t)x);
	}
	printf("%08x\n", hash);
}

PROGRAM(from_integer)
{
	static int64_t numbers[] = {
		0, 1, -1, 100, -100, 16777215, 16777216, 16777217, 16777219, 2147483647, -2147483648, 4294967295,
		9007199254740991, 9007199254740993, -9007199254740993, INT64_MAX, INT64_MIN, 0x123456789abcdef
	};

	hash = 1;
	for (unsigned int i = 0; i < COUNT(numbers); i++) {
		int64_t n = OPAQUE(numbers[i]);

		put((int32_t)n);
		put((uint32_t)n);
		put(n);
		put((uint64_t)n);
		put((int8_t)n);
	}
	printf("%08x\n", hash);
}

PROGRAM(other_width)
{
	hash = 1;
	for (unsigned int i = 0; i < COUNT(values); i++) {
		put((REAL)(float)OPAQUE(values[i]));
		put((REAL)((double)OPAQUE(values[i]) * 0.1));
	}
	printf("%08x\n", hash);
}

PROGRAM(series)
{
	REAL sum = 0, term = 1, root = 2;

	for (int i = 1; i < 20; i++) {
		sum += term;
		term /= i;
	}
	for (int i = 0; i < 6; i++)
		root = (root + 2 / root) / 2;
	printf("%.6f %.6f\n", (double)sum, (double)root);
}

int main(void)
{
	RUN(compare);
	RUN(to_integer);
	RUN(from_integer);
	RUN(other_width);
	RUN(series);
	return 0;
}
