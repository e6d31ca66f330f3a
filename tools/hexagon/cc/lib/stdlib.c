/* SPDX-License-Identifier: MIT */
/* Numbers, sorting. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int abs(int x)
{
	return x < 0 ? -x : x;
}

long labs(long x)
{
	return x < 0 ? -x : x;
}

long long llabs(long long x)
{
	return x < 0 ? -x : x;
}

div_t div(int a, int b)
{
	return (div_t){ a / b, a % b };
}

ldiv_t ldiv(long a, long b)
{
	return (ldiv_t){ a / b, a % b };
}

lldiv_t lldiv(long long a, long long b)
{
	return (lldiv_t){ a / b, a % b };
}

static int digit_of(char c)
{
	return isdigit(c) ? c - '0' : isalpha(c) ? tolower(c) - 'a' + 10 : 99;
}

/* The digits of an integer of at most `most`; its sign in *negative. */
static unsigned long long parse(const char *s, char **end, int base, unsigned long long most, unsigned long long most_below,
				int *negative)
{
	unsigned long long value = 0;
	const char *p = s;
	int any = 0, over = 0;

	while (isspace(*p))
		p++;
	*negative = *p == '-';
	p += *p == '-' || *p == '+';
	if ((base == 0 || base == 16) && p[0] == '0' && tolower(p[1]) == 'x' && digit_of(p[2]) < 16) {
		base = 16;
		p += 2;
	}
	if (base == 0)
		base = *p == '0' ? 8 : 10;
	most = *negative ? most_below : most;
	for (; digit_of(*p) < base; p++, any = 1) {
		unsigned long long more;

		over |= __builtin_mul_overflow(value, base, &more) || __builtin_add_overflow(more, digit_of(*p), &more) ||
			more > most;
		value = over ? most : more;
	}
	if (over)
		errno = ERANGE;
	if (end)
		*end = (char *)(any ? p : s);
	return value;
}

long long strtoll(const char *restrict s, char **restrict end, int base)
{
	int negative;
	unsigned long long value = parse(s, end, base, LLONG_MAX, LLONG_MAX + 1ull, &negative);

	return negative ? -value : value;
}

unsigned long long strtoull(const char *restrict s, char **restrict end, int base)
{
	int negative, before = errno;
	unsigned long long value;

	errno = 0;
	value = parse(s, end, base, ULLONG_MAX, ULLONG_MAX, &negative);
	if (errno == ERANGE)
		return ULLONG_MAX;
	errno = before;
	return negative ? -value : value;
}

long strtol(const char *restrict s, char **restrict end, int base)
{
	int negative;
	unsigned long value = parse(s, end, base, LONG_MAX, LONG_MAX + 1ull, &negative);

	return negative ? -value : value;
}

unsigned long strtoul(const char *restrict s, char **restrict end, int base)
{
	int negative, before = errno;
	unsigned long value;

	errno = 0;
	value = parse(s, end, base, ULONG_MAX, ULONG_MAX, &negative);
	if (errno == ERANGE)
		return ULONG_MAX;
	errno = before;
	return negative ? -value : value;
}

int atoi(const char *s)
{
	return strtol(s, NULL, 10);
}

long atol(const char *s)
{
	return strtol(s, NULL, 10);
}

long long atoll(const char *s)
{
	return strtoll(s, NULL, 10);
}

double atof(const char *s)
{
	return strtod(s, NULL);
}

void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	const char *first = base;

	while (n) {
		const char *middle = first + n / 2 * size;
		int order = compare(key, middle);

		if (order == 0)
			return (void *)middle;
		if (order > 0) {
			first = middle + size;
			n--;
		}
		n /= 2;
	}
	return NULL;
}

static void exchange(char *a, char *b, size_t size)
{
	while (size--) {
		char c = *a;

		*a++ = *b;
		*b++ = c;
	}
}

/* Lets an element of a heap of n sink to its place. */
static void sink(char *base, size_t i, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	size_t child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n && compare(base + child * size, base + (child + 1) * size) < 0)
			child++;
		if (compare(base + i * size, base + child * size) >= 0)
			return;
		exchange(base + i * size, base + child * size, size);
		i = child;
	}
}

void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	for (size_t i = n / 2; i--;)
		sink(base, i, n, size, compare);
	for (size_t i = n; i-- > 1;) {
		exchange(base, (char *)base + i * size, size);
		sink(base, 0, i, size, compare);
	}
}

static uint64_t seed = 1;

int rand(void)
{
	/* Knuth's multiplier; the upper bits are the better ones */
	seed = seed * 6364136223846793005 + 1442695040888963407;
	return seed >> 33;
}

void srand(unsigned int value)
{
	seed = value;
}
