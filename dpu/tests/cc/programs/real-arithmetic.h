/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums, products, quotients. */
#include "real.h"

#define REALS(name, expression) \
	static REAL __attribute__((noinline)) op_##name(REAL a, REAL b) { (void)b; return (expression); } \
	PROGRAM(name) \
	{ \
		hash = 1; \
		for (unsigned int i = 0; i < COUNT(values); i++) \
			for (unsigned int j = 0; j < COUNT(values); j++) \
				put(op_##name(values[i], values[j])); \
		printf("%08x\n", hash); \
	}

REALS(add, a + b)
REALS(subtract, a - b)
REALS(multiply, a * b)
REALS(divide, a / b)
REALS(negate, -a)
REALS(mixed, (a + 1) * (b - 2) / (a * a + 1))
REALS(choose, a < b ? a : b >= 0 ? b : -b)

int main(void)
{
	RUN(add);
	RUN(subtract);
	RUN(multiply);
	RUN(divide);
	RUN(negate);
	RUN(mixed);
	RUN(choose);
	return 0;
}
