// SPDX-License-Identifier: GPL-2.0-only
/* A long of 64 bits in all places where C allows one; the expected lines are in sources.sh. */
#include <defs.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define WORD unsigned long
#define LIKELY(x) __builtin_expect((x), 1)
#define KIND(x) _Generic((x), int: "int", long: "long", unsigned long: "unsigned long", \
			 long long: "long long", unsigned long long: "unsigned long long", \
			 double: "double", default: "other")

_Static_assert(sizeof(long) == 8 && sizeof(long long) == 8 && sizeof(void *) == 4, "sizes");
_Static_assert(sizeof(long double) == 8 && sizeof(1.5L) == 8, "long double");
_Static_assert(sizeof(unsigned long int) == 8 && sizeof(int long unsigned) == 8, "any order");
_Static_assert(sizeof(long *) == 4 && sizeof(long[3]) == 24 && sizeof(WORD) == 8, "derived");
_Static_assert(_Alignof(long) == 8 && sizeof(struct { char c; long l; }) == 16, "alignment");
_Static_assert(sizeof(5L) == 8 && sizeof(5UL) == 8 && sizeof(5lu) == 8 && sizeof(0x5L) == 8 &&
	       sizeof(5LL) == 8 && sizeof(5) == 4 && sizeof(0xfL + 1) == 8, "numbers");
_Static_assert(LONG_MAX == 0x7fffffffffffffffL && ULONG_MAX == 0xffffffffffffffffUL, "limits");
#if LONG_MAX <= INT_MAX || __SIZEOF_LONG__ != 8
#error "the preprocessor's long"
#endif

static long volatile global = -1;
static const char text[] = "%ld long 5L";

static long arguments(long a, int b, unsigned long c)
{
	long array[b];			/* variable length */

	for (int i = 0; i < b; i++)
		array[i] = a + i;
	return array[b - 1] + c + sizeof(array);
}

typedef long (*function)(long, int, unsigned long);

int main(void)
{
	function f = arguments;
	long long large = 1LL << 40;

	printf("%ld %lu %lx %lld\n", (long)1 << 40, 1UL << 40, ~0UL, large);
	printf("sum %ld, " "%" PRId64 "\n", f(1L << 33, 4, 2), (int64_t)global);
	printf("%s %zu\n", text, sizeof(text));
	printf("%s, %s, %s, %s\n", KIND(1), KIND(1L), KIND(1UL), KIND(1.0));
	printf("%d %d %d %d\n", __builtin_clzl(1UL << 40), __builtin_ctzl(1UL << 40),
	       __builtin_popcountl(~0UL), __builtin_ffsl(1L << 35));
	printf("%ld %ld %d\n", labs(-(1L << 40)), strtol("1099511627776", NULL, 10), 'l');
	/* None of the lower 32 bits is set. */
	if (LIKELY(large))
		puts("likely");
	{
		long sum;

		printf("%d\n", __builtin_saddl_overflow(LONG_MAX, 1L, &sum));
		printf("%d", __builtin_smull_overflow(LONG_MIN, global, &sum));
		printf(" %d", __builtin_smull_overflow(3, global, &sum));
		printf(" %ld\n", sum);
	}
	return 0;
}
