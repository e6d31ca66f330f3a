// SPDX-License-Identifier: GPL-2.0-only
/* Variable arguments. */
#include <stdarg.h>

#include "program.h"

static long __attribute__((noinline)) sum(int n, ...)
{
	va_list args;
	long total = 0;

	va_start(args, n);
	while (n--)
		total += va_arg(args, int);
	va_end(args);
	return total;
}

PROGRAM(variable_ints)
{
	printf("%ld %ld %ld\n", sum(0), sum(3, 1, 2, 3), sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
}

static void __attribute__((noinline)) types(const char *kinds, ...)
{
	va_list args;

	va_start(args, kinds);
	for (; *kinds; kinds++) {
		if (*kinds == 'i')
			printf("%d ", va_arg(args, int));
		else if (*kinds == 'l')
			printf("%lx ", va_arg(args, long));
		else if (*kinds == 'd')
			printf("%.2f ", va_arg(args, double));
		else
			printf("%s ", va_arg(args, const char *));
	}
	va_end(args);
	printf("\n");
}

PROGRAM(variable_types)
{
	types("ildsilds", 1, 0x123456789abL, 2.5, "three", -4, -5L, -6.25, "");
	types("llllddddii", 1L, 2L, 3L, 4L, 5.0, 6.0, 7.0, 8.0, 9, 10);
}

struct three {
	int a, b, c;
};

static int __attribute__((noinline)) structs(int n, ...)
{
	va_list args, again;
	int total = 0;

	va_start(args, n);
	va_copy(again, args);
	while (n--) {
		struct three t = va_arg(args, struct three);

		total += t.a * 100 + t.b * 10 + t.c;
	}
	total += va_arg(again, struct three).b;
	va_end(again);
	va_end(args);
	return total;
}

PROGRAM(variable_structs)
{
	struct three t = { 1, 2, 3 }, u = { 4, 5, 6 };

	printf("%d\n", structs(3, t, u, t));
}

static int list(int n, va_list args)
{
	int total = 0;

	while (n--)
		total = total * 2 + va_arg(args, int);
	return total;
}

static int __attribute__((noinline)) pass_on(int n, ...)
{
	va_list args;
	int total;

	va_start(args, n);
	total = list(n, args);
	va_end(args);
	return total;
}

PROGRAM(variable_passed_on)
{
	printf("%d\n", pass_on(5, 1, 0, 1, 1, 0));
}

int main(void)
{
	RUN(variable_ints);
	RUN(variable_types);
	RUN(variable_structs);
	RUN(variable_passed_on);
	return 0;
}
