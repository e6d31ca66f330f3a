// SPDX-License-Identifier: GPL-2.0-only
/* Recursion, many arguments, callbacks, structs as values. */
#include "program.h"

static unsigned int __attribute__((noinline)) fibonacci(unsigned int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

PROGRAM(recursion)
{
	printf("%u\n", fibonacci(15));
}

static unsigned int ackermann(unsigned int m, unsigned int n)
{
	return !m ? n + 1 : !n ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

PROGRAM(deep_recursion)
{
	printf("%u\n", ackermann(2, 5));
}

static int is_odd(unsigned int n);

static int __attribute__((noinline)) is_even(unsigned int n)
{
	return n ? is_odd(n - 1) : 1;
}

static int __attribute__((noinline)) is_odd(unsigned int n)
{
	return n ? is_even(n - 1) : 0;
}

PROGRAM(mutual_recursion)
{
	printf("%d %d\n", is_even(10), is_odd(7));
}

static long __attribute__((noinline)) many(int a, long b, char c, double d, short e, long f, int g, long h,
					   int i, float j, int k)
{
	return a + 2 * b + 3 * c + 4 * (long)d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * (long)j + 11 * k;
}

PROGRAM(many_arguments)
{
	printf("%ld\n", many(1, 0x100000000, 3, 4.5, -5, -6, 7, 8, 9, 10.25f, 11));
}

static int apply(int (*f)(void *, int), void *context, int n)
{
	int total = 0;

	for (int i = 0; i < n; i++)
		total += f(context, i);
	return total;
}

static int scaled(void *context, int i)
{
	return *(int *)context * i;
}

PROGRAM(callbacks)
{
	int factor = OPAQUE(7);

	printf("%d\n", apply(scaled, &factor, 10));
}

struct big {
	int a[30];
};

static struct big __attribute__((noinline)) shift(struct big b, int by)
{
	struct big r;

	for (int i = 0; i < 30; i++)
		r.a[i] = b.a[(i + by) % 30];
	return r;
}

PROGRAM(big_structs)
{
	struct big b;

	for (int i = 0; i < 30; i++)
		b.a[i] = i * 3;
	b = shift(shift(b, 4), OPAQUE(5));
	printf("%d %d\n", b.a[0], b.a[29]);
}

static uint64_t __attribute__((noinline)) wide(uint64_t a, uint32_t b, uint64_t c)
{
	return (a + b) * (c ^ a);
}

PROGRAM(wide_results)
{
	printf("%lx\n", (unsigned long)wide(0x123456789, OPAQUE(7u), 0xfedcba987));
}

static void __attribute__((noinline)) hanoi(int n, int from, int to, int by, int *moves)
{
	if (!n)
		return;
	hanoi(n - 1, from, by, to, moves);
	*moves = *moves * 3 + from * 7 + to;
	hanoi(n - 1, by, to, from, moves);
}

PROGRAM(towers)
{
	int moves = 0;

	hanoi(6, 1, 3, 2, &moves);
	printf("%d\n", moves);
}

int main(void)
{
	RUN(recursion);
	RUN(deep_recursion);
	RUN(mutual_recursion);
	RUN(many_arguments);
	RUN(callbacks);
	RUN(big_structs);
	RUN(wide_results);
	RUN(towers);
	return 0;
}
