/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints the same on this machine and on Hexagon: printf, numbers from text, strings, sorting, memory. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static double any_double(void)
{
	union {
		uint64_t bits;
		double value;
	} u;

	do
		u.bits = next();
	while (!isfinite(u.value));
	return u.value;
}

static void integers(void)
{
	static const char *const formats[] = {
		"[%d]", "[%5d]", "[%-5d]", "[%05d]", "[%+d]", "[% d]", "[%.3d]", "[%8.3d]", "[%-8.3d]", "[%08.3d]", "[%u]", "[%x]",
		"[%#x]", "[%X]", "[%#X]", "[%o]", "[%#o]", "[%#10x]", "[%#010x]", "[%hd]", "[%hhd]", "[%hu]", "[%hhx]", "[%.0d]", "[%i]",
	};
	static const int values[] = { 0, 1, -1, 7, 42, -42, 12345, -12345, INT_MAX, INT_MIN, 255, 256, -129, 65535 };

	for (size_t f = 0; f < COUNT(formats); f++, puts(""))
		for (size_t i = 0; i < COUNT(values); i++)
			printf(formats[f], values[i]);
	for (int i = 0; i < 20; i++) {
		long long n = next() >> (next() & 63);

		printf("%lld %llx %20lld %-20lld|%" PRIu64 " %jd\n", n, n, -n, n, (uint64_t)n, (intmax_t)-n);
	}
	printf("%*d|%-*d|%*d|%.*d|%zu|%c%5c%-3c|%%|%s|%10s|%-10s|%.2s|%.*s|%5.1s|%p\n", 6, 42, 6, 42, -6, 42, 4, 42, sizeof(int), 'a', 'b',
	       'c', "text", "right", "left", "cut", 1, "one", "xyz", (void *)0x1234);
}

/* picolibc prints the 17 digits that tell a double from all others, and zeros after them: of these values that is all of it. */
static void doubles(void)
{
	static const char *const formats[] = {
		"%f", "%.0f", "%.3f", "%10.2f", "%-10.1f|", "%+.1f", "% .2f", "%010.3f", "%#.0f", "%e", "%.0e", "%.10e", "%#.0e", "%E", "%g",
		"%.0g", "%.3g", "%.15g", "%#g", "%G", "%12.4g", "%a", "%A", "%.3a", "%+20a",
	};
	static const double values[] = {
		0, -0.0, 1, -1, 0.5, 1.5, 2.5, 0.1, 0.05, 1. / 3, 123456789, 1e15, 1e16, 1e21, 1e22, 1e-4, 1e-5, 9.9999995e-5, 999999.25,
		9.5, 99.95, 0.999999, -1e-100, DBL_MIN, DBL_EPSILON, 3.14159265358979, INFINITY, -INFINITY,
	};

	for (size_t f = 0; f < COUNT(formats); f++)
		for (size_t i = 0; i < COUNT(values); i++) {
			printf("%s: ", formats[f]);
			printf(formats[f], values[i]);
			puts("");
		}
	for (int i = 0; i < 60; i++) {
		double x = any_double(), y = ldexp(frexp(x, &(int){ 0 }), next() % 80 - 40.);

		printf("%a %g %e %.*f\n", x, x, x, i % 6, y);
	}
}

static void from_text(void)
{
	static const char *const numbers[] = {
		"0", "1", "-1", "  42xyz", "0x1f", "0X1F", "0x", "077", "2147483647", "9223372036854775807", "9223372036854775808",
		"-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "", "+", "-", "zz", "-7a",
	};
	static const char *const reals[] = {
		"0", "-0", "1", "1.5", ".5", "5.", "1e3", "1e-3", "1E+3", "1e", "1e+", "inf", "-Infinity", "12abc", "", ".", "-.e5", "1e400", "1e-400",
		"4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623157e308", "1.7976931348623159e308",
		"2.2250738585072011e-308", "9007199254740993", "9007199254740992.99999999999999999999999999999999999999",
		"0.1000000000000000055511151231257827021181583404541015625", "123456789012345678901234567890", "0.000000000000000000000000000001",
	};
	static const int bases[] = { 0, 2, 8, 10, 16, 36 };
	char *end, text[64];

	for (size_t i = 0; i < COUNT(numbers); i++)
		for (size_t b = 0; b < COUNT(bases); b++) {
			errno = 0;
			printf("%s %d: %lld", numbers[i], bases[b], strtoll(numbers[i], &end, bases[b]));
			printf(" %d %d", (int)(end - numbers[i]), errno);
			errno = 0;
			printf(" %llu", strtoull(numbers[i], &end, bases[b]));
			printf(" %d %d\n", (int)(end - numbers[i]), errno);
		}
	for (size_t i = 0; i < COUNT(reals); i++) {
		double x;

		errno = 0;
		x = strtod(reals[i], &end);
		printf("%s: %a %d %d\n", reals[i], x, (int)(end - reals[i]), errno);
	}
	/* what is written with 17 digits reads as the same number */
	for (int i = 0; i < 200; i++) {
		double x = any_double();

		sprintf(text, "%.17g", x);
		if (strtod(text, NULL) != x)
			printf("%s is not read as it was\n", text);
	}
	printf("%d %lld %f\n", atoi("-12"), atoll("99999999999"), atof("2.5"));
}

static int order(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static void strings(void)
{
	char a[64] = "hello", b[64], *rest, *word;
	int numbers[500], key, wrong = 0;

	strcat(a, " world");
	strncat(a, "!!!", 2);
	printf("%s %zu %zu\n", a, strlen(a), strnlen(a, 4));
	strncpy(b, a, sizeof(b));
	printf("%s %d %d %d\n", b, b[63], strcmp(a, b) == 0, strcmp("a", "b") < 0);
	printf("%s %s %s %s\n", strchr(a, 'o'), strrchr(a, 'o'), strstr(a, "wor"), strpbrk(a, "wr"));
	printf("%zu %zu %d %d\n", strspn(a, "ehl"), strcspn(a, " "), strncmp(a, "help", 3), strstr(a, "none") == NULL);
	strcpy(b, ",one,,two;three,");
	for (word = strtok_r(b, ",;", &rest); word; word = strtok_r(NULL, ",;", &rest))
		printf("<%s>", word);
	memmove(a + 2, a, 8);
	printf("%.12s\n", a);
	memmove(a, a + 2, 8);
	printf("%.12s %d %s\n", a, memcmp("abc", "abd", 3) < 0, (char *)memchr("abc", 'b', 3));
	for (int c = 0; c < 128; c++)
		printf("%d%d%d%d%d%d%d%d%d%d%d%c", !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c), !!isdigit(c), !!isgraph(c), !!islower(c),
		       !!isprint(c), !!ispunct(c), !!isspace(c), !!isxdigit(c), isprint(c) ? toupper(c) : '.');
	puts("");
	for (size_t i = 0; i < COUNT(numbers); i++)
		numbers[i] = next() % 1000;
	qsort(numbers, COUNT(numbers), sizeof(int), order);
	for (size_t i = 1; i < COUNT(numbers); i++)
		wrong += numbers[i - 1] > numbers[i];
	key = numbers[123];
	printf("%d %d %d\n", wrong, *(int *)bsearch(&key, numbers, COUNT(numbers), sizeof(int), order) == key,
	       bsearch(&(int){ 5000 }, numbers, COUNT(numbers), sizeof(int), order) == NULL);
	printf("%d %s|%d\n", snprintf(b, 5, "%s", "longer"), b, snprintf(NULL, 0, "%d", 12345));
	printf("%d %d %d\n", div(-7, 2).quot, div(-7, 2).rem, abs(-3));
}

/* Each piece is filled with its number. */
static void memory(void)
{
	static unsigned char *piece[100];
	static size_t size[100];
	void *volatile p;	/* what is not used need not be allocated */
	int wrong = 0;

	for (int round = 0; round < 5000; round++) {
		int i = next() % COUNT(piece);
		size_t new = next() % (round % 50 ? 500 : 100000), kept;

		for (size_t k = 0; k < size[i]; k++)
			wrong += piece[i][k] != i;
		if (next() % 3) {
			kept = size[i] < new ? size[i] : new;
			piece[i] = realloc(piece[i], new + 1);
			for (size_t k = 0; k < kept; k++)
				wrong += piece[i][k] != i;
		} else {
			free(piece[i]);
			piece[i] = next() % 2 ? aligned_alloc(128, (new & ~(size_t)127) + 128) : calloc(1, new + 1);
		}
		wrong += !piece[i] || (uintptr_t)piece[i] % 8;
		size[i] = new;
		memset(piece[i], i, new);
	}
	for (size_t i = 0; i < COUNT(piece); i++)
		free(piece[i]);
	printf("%d pieces are wrong\n", wrong);
	p = calloc((size_t)-1, 16);
	printf("%d\n", p == NULL);
}

int main(int argc, char **argv)
{
	assert(argc == 3);
	printf("%s %s\n", argv[1], argv[2]);
	integers();
	doubles();
	from_text();
	strings();
	memory();
	return 0;
}
