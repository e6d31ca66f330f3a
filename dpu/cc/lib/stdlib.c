// SPDX-License-Identifier: MIT
/* Numbers, sorting, searching. */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int abs(int n)
{
	return n < 0 ? -n : n;
}

long labs(long n)
{
	return n < 0 ? -n : n;
}

div_t div(int a, int b)
{
	return (div_t){ a / b, a % b };
}

ldiv_t ldiv(long a, long b)
{
	return (ldiv_t){ a / b, a % b };
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if ((c | 32) >= 'a' && (c | 32) <= 'z')
		return (c | 32) - 'a' + 10;
	return 36;
}

/* The number without its sign; *overflow if it is longer than 64 bits. */
static uint64_t parse(const char *text, char **end, int base, int *negative, int *overflow)
{
	const char *p = text, *first;
	uint64_t n = 0;

	while (isspace(*p))
		p++;
	*negative = *p == '-';
	*overflow = 0;
	if (*p == '-' || *p == '+')
		p++;
	if ((base == 0 || base == 16) && p[0] == '0' && (p[1] | 32) == 'x' && digit(p[2]) < 16) {
		base = 16;
		p += 2;
	} else if (base == 0) {
		base = *p == '0' ? 8 : 10;
	}
	for (first = p; digit(*p) < base; p++) {
		uint64_t next = n * base + digit(*p);

		if ((n >> 58) && (next - digit(*p)) / base != n)
			*overflow = 1;
		if (next < n * (uint64_t)base)
			*overflow = 1;
		n = next;
	}
	if (end)
		*end = (char *)(p == first ? text : p);
	return n;
}

long strtol(const char *text, char **end, int base)
{
	int negative, overflow;
	uint64_t n = parse(text, end, base, &negative, &overflow);

	if (overflow || n > (uint64_t)INT64_MAX + negative)
		return negative ? INT64_MIN : INT64_MAX;
	return negative ? -n : n;
}

unsigned long strtoul(const char *text, char **end, int base)
{
	int negative, overflow;
	uint64_t n = parse(text, end, base, &negative, &overflow);

	return overflow ? UINT64_MAX : negative ? -n : n;
}

int atoi(const char *text)
{
	return strtol(text, NULL, 10);
}

long atol(const char *text)
{
	return strtol(text, NULL, 10);
}

static void swap(uint8_t *a, uint8_t *b, size_t size)
{
	for (; size; size--, a++, b++) {
		uint8_t t = *a;

		*a = *b;
		*b = t;
	}
}

/* Heapsort: no recursion, stacks are small. */
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	uint8_t *p = base;
	size_t start = count / 2, end = count;

	while (end > 1) {
		size_t root, child;

		if (start)
			start--;
		else
			swap(p, p + --end * size, size);
		for (root = start; (child = 2 * root + 1) < end; root = child) {
			if (child + 1 < end && compare(p + child * size, p + (child + 1) * size) < 0)
				child++;
			if (compare(p + root * size, p + child * size) >= 0)
				break;
			swap(p + root * size, p + child * size, size);
		}
	}
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
	      int (*compare)(const void *, const void *))
{
	const uint8_t *p = base;

	while (count) {
		const uint8_t *middle = p + count / 2 * size;
		int order = compare(key, middle);

		if (!order)
			return (void *)middle;
		if (order > 0) {
			p = middle + size;
			count--;
		}
		count /= 2;
	}
	return NULL;
}

void exit(int status)
{
	(void)status;
	for (;;)
		__asm__ volatile ("stop true, .");
}

void abort(void)
{
	__asm__ volatile ("fault 4");
	__builtin_unreachable();
}
