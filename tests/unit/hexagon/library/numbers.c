/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints the same on this machine and on Hexagon: operations that the compiler calls functions for, on random numbers and on
 * those at the limits. One line for 64 results, which are their bits summed with a factor.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "random.h"

static const uint64_t limits[] = {
	0, 1, 2, 3, INT32_MAX, (uint64_t)INT32_MIN, UINT32_MAX, INT64_MAX, (uint64_t)INT64_MIN, UINT64_MAX, 10, 1000000007,
	0x7ff0000000000000, 0xfff0000000000000, 0x3ff0000000000000, 0x0010000000000000, 0x000fffffffffffff, 0x7fefffffffffffff,
};

/* Of any length. */
static uint64_t any(void)
{
	return next() % 8 ? next() >> next() % 64 : limits[next() % (sizeof(limits) / sizeof(limits[0]))];
}

static uint64_t sum;

static void add(uint64_t value)
{
	sum = sum * 6364136223846793005 + value;
}

static void add_double(double value)
{
	add(bits(value));
}

static void add_float(float value)
{
	add(bits(value));
}

static void integers(uint64_t a, uint64_t b)
{
	uint32_t c = a, d = b;

	if (b) {
		add(a / b);
		add(a % b);
	}
	if (b && !(a == (uint64_t)INT64_MIN && b == UINT64_MAX)) {
		add((int64_t)a / (int64_t)b);
		add((int64_t)a % (int64_t)b);
	}
	if (d) {
		add(c / d);
		add(c % d);
	}
	if (d && !(c == (uint32_t)INT32_MIN && d == UINT32_MAX)) {
		add((int32_t)c / (int32_t)d);
		add((int32_t)c % (int32_t)d);
	}
	add((int64_t)a * (int64_t)b);
	add(a >> (b & 63));
	add(a << (b & 63));
}

static void reals(double a, double b)
{
	add_double(a + b);
	add_double(a - b);
	add_double(a * b);
	add_double(a / b);
	add_double(sqrt(a));
	add_double(sqrt(fabs(a)));
	add_double(fmod(a, b));
	add_double(rint(a));
	add_double(floor(a));
	add_double(ceil(a));
	add_double(trunc(a));
	add_double(round(a));
	add(a < b);
	add(a == b);
	add(a >= b);
	if (!isnan(a) && !isnan(b)) {
		add_double(fmin(a, b));
		add_double(fmax(a, b));
		add_double(copysign(a, b));
	}
}

static void floats(float a, float b)
{
	add_float(a + b);
	add_float(a * b);
	add_float(a / b);
	add_float(sqrtf(fabsf(a)));
	add_float(floorf(a));
	if (fabsf(a) < 1e18f) {
		add((int64_t)a);
		if (fabsf(a) < 1e9f)
			add((int32_t)a);
	}
	add_double(a);
}

int main(void)
{
	for (int line = 0; line < 60; line++) {
		for (int i = 0; i < 64; i++) {
			union {
				uint64_t bits;
				double value;
			} a = { any() }, b = { any() };
			union {
				uint32_t bits;
				float value;
			} c = { a.bits }, d = { b.bits };

			integers(a.bits, b.bits);
			a.bits = next() % 4 ? next() : a.bits;
			/* of about the same size */
			if (next() % 2)
				b.bits = a.bits + (next() >> 12) - (next() % 40 << 52);
			reals(a.value, b.value);
			if (next() % 2)
				d.bits = c.bits + (next() & 0x7fffff) - (next() % 20 << 23);
			floats(c.value, d.value);
			add_double((double)(int64_t)a.bits);
			add_float((float)b.bits);
		}
		printf("%d %016llx\n", line, (unsigned long long)sum);
	}
	return 0;
}
