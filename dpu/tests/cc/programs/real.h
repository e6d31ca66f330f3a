/* SPDX-License-Identifier: GPL-2.0-only */
/* Floating point of a type: REAL, with the unsigned type of its size, B. */
#include "program.h"

static REAL values[] = {
	0, 1, -1, 2, 0.5, 0.1, -0.3, 3.14159265358979, 1e10, -1e10, 1e-10, 123456789, 16777217, 4294967296.0,
	1e30, -1e-30, 1e38, 1e-40, 1e-44, 3e-45, 1.17549435e-38, 65535.5, -2147483648.0, 2147483647.0, 1e-308,
	5e-324, 1.7e308, 9007199254740993.0, (REAL)(1.0 / 3), 255, 256
};

/* All NaNs print the same. */
static void put(REAL x)
{
	union {
		REAL real;
		B bits;
	} u = { .real = x };

	mix64(x != x ? 0x7fc0dead : u.bits);
}
