// SPDX-License-Identifier: GPL-2.0-only
/* string.h, stdlib.h, ctype.h and printf's conversions. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "program.h"

static int sign(int n)
{
	return n < 0 ? -1 : n > 0;
}

PROGRAM(lengths)
{
	printf("%d %d %d\n", (int)strlen(TEXT("hello")), (int)strlen(TEXT("")), (int)strnlen(TEXT("abc"), 2));
}

PROGRAM(compare_strings)
{
	static const char *const s[] = { "", "a", "ab", "abc", "abd", "b", "\377" };

	for (unsigned int i = 0; i < COUNT(s); i++)
		for (unsigned int j = 0; j < COUNT(s); j++)
			printf("%d%d", sign(strcmp(s[i], s[j])), sign(strncmp(s[i], s[j], 2)));
	printf("\n");
}

PROGRAM(copy_strings)
{
	char a[32] = "start", b[12];

	strcat(a, " middle");
	strncat(a, " end and more", 4);
	strncpy(b, a, 8);
	b[8] = '\0';
	strcpy(a + 2, TEXT("XY"));
	printf("%s|%s\n", a, b);
}

PROGRAM(search_strings)
{
	const char *s = TEXT("the quick brown fox");

	printf("%s|%s|%s|%d|%d\n", strchr(s, 'q'), strrchr(s, 'o'), strstr(s, "own"),
	       (int)strspn(s, "eht "), (int)strcspn(s, "xyz"));
	printf("%d %d %d\n", strchr(s, 'Q') == NULL, strstr(s, "cat") == NULL, *strchr(s, '\0'));
}

PROGRAM(memory)
{
	unsigned char a[40], b[40];
	int i;

	for (i = 0; i < 40; i++)
		a[i] = i * 7;
	memset(b, 0xab, sizeof(b));
	memcpy(b + 4, a + 8, OPAQUE(16));
	memcpy(b + 21, a + 2, OPAQUE(9));
	memmove(a + 3, a, OPAQUE(20));
	memmove(a + 20, a + 25, OPAQUE(10));
	hash = 1;
	for (i = 0; i < 40; i++)
		mix(a[i] << 8 | b[i]);
	printf("%08x %d %d %d\n", hash, sign(memcmp(a, b, 40)), memcmp(a, a, 40),
	       (int)((unsigned char *)memchr(b, 0xab, 40) - b));
}

PROGRAM(conversions)
{
	char *end;
	long n = strtol(TEXT("0x1fzz"), &end, 0);

	printf("%d %d %ld\n", atoi(TEXT("  42x")), atoi("-17"), atol("123456789012"));
	printf("%ld %s\n", n, end);
	printf("%ld ", strtol("777", NULL, 8));
	printf("%lu ", strtoul("ffffffffffffffff", NULL, 16));
	printf("%ld ", strtol("99999999999999999999", NULL, 10));
	printf("%ld\n", strtol("-99999999999999999999", NULL, 10));
}

PROGRAM(absolute)
{
	div_t d = div(OPAQUE(-17), 5);
	ldiv_t l = ldiv(OPAQUE(17000000000L), -7);

	printf("%d %ld %d %d %ld %ld\n", abs(OPAQUE(-5)), labs(OPAQUE(-5000000000L)), d.quot, d.rem,
	       (long)l.quot, (long)l.rem);
}

static int by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

PROGRAM(sorting)
{
	int a[50], key = 0, *found;
	uint32_t r = 12345;

	for (int i = 0; i < 50; i++) {
		r = r * 1103515245 + 12345;
		a[i] = r >> 16 & 0x3ff;
	}
	key = a[17];
	qsort(a, 50, sizeof(a[0]), by_value);
	found = bsearch(&key, a, 50, sizeof(a[0]), by_value);
	hash = 1;
	for (int i = 0; i < 50; i++)
		mix(a[i]);
	printf("%08x %d %d\n", hash, *found == key, bsearch(&hash, a, 50, sizeof(a[0]), by_value) == NULL);
}

PROGRAM(characters)
{
	hash = 1;
	for (int c = 0; c < 128; c++)
		mix(!!isalnum(c) | !!isalpha(c) << 1 | !!isdigit(c) << 2 | !!islower(c) << 3 | !!isprint(c) << 4 |
			!!isspace(c) << 5 | !!isupper(c) << 6 | !!isxdigit(c) << 7 | tolower(c) << 8 | toupper(c) << 16);
	printf("%08x\n", hash);
}

PROGRAM(print_integers)
{
	printf("%d %i %u %x %X %o %c|\n", -1, 2, 3000000000u, 0xbeef, 0xBEEF, 0755, 'z');
	printf("%ld %lu %lx %lld\n", -1L, 18446744073709551615UL, 0x123456789abcdefUL, 5LL);
	printf("%5d|%-5d|%05d|%+d|% d|%#x|%.3d|%8.3d|\n", 42, 42, 42, 42, 42, 42, 42, 42);
	printf("%*d|%-*d|%.*s|\n", 6, 7, 4, 8, 2, "abcdef");
	printf("%hd %hhd %zu %jd\n", (short)-2, (signed char)-3, sizeof(int), (intmax_t)-4);
}

PROGRAM(print_others)
{
	printf("%f %.2f %e %g %10.3f|\n", 1.5, 2.345, 12345.678, 0.0001, -1.0);
	printf("%s %10s|%-10s|%.2s\n", "text", "right", "left", "cut");
	printf("100%% %s%s\n", "", "no arguments follow");
	printf("plain\n");
	printf("%" PRId64 " %" PRIu32 " %" PRIx64 "\n", (int64_t)-1, (uint32_t)1, (uint64_t)255);
	putchar('p');
	putchar('\n');
	puts("puts");
}

PROGRAM(long_text)
{
	char text[200];

	for (int i = 0; i < 199; i++)
		text[i] = 'a' + i % 26;
	text[199] = '\0';
	printf("%s and %s\n", text, text + 150);
}

PROGRAM(escapes)
{
	printf("tab\tquote\"backslash\\ \a\b\f\v\r\001\177 percent%% octal\0end\n");
	printf("\n");
}

int main(void)
{
	RUN(lengths);
	RUN(compare_strings);
	RUN(copy_strings);
	RUN(search_strings);
	RUN(memory);
	RUN(conversions);
	RUN(absolute);
	RUN(sorting);
	RUN(characters);
	RUN(print_integers);
	RUN(print_others);
	RUN(long_text);
	RUN(escapes);
	return 0;
}
