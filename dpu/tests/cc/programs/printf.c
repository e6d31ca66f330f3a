// SPDX-License-Identifier: GPL-2.0-only
/*
 * printf with a constant format, for which the compiler makes the record, and with one known at run
 * time only.
 */
#include "program.h"

#define BOTH(format, ...) do { \
	printf(format, ##__VA_ARGS__); \
	printf(TEXT(format), ##__VA_ARGS__); \
} while (0)

PROGRAM(texts)
{
	BOTH("text\n");
	BOTH("100%% of \"it\" \\ \t|\x7f|\n");
	BOTH("%%d %d%%\n", OPAQUE(5));
	BOTH("%s\n", TEXT("an argument"));
	BOTH("%d\n%d", OPAQUE(1), OPAQUE(2));
	BOTH("\n");
	puts("a line");
	puts(TEXT("a line"));
	puts("%d %s");
	puts("");
}

PROGRAM(integers)
{
	int n = OPAQUE(-123456);
	unsigned int u = OPAQUE(0xdeadbeefu);
	long l = OPAQUE(-123456789012345678l);

	BOTH("%d %i %u %x %X %o\n", n, n, u, u, u, u);
	BOTH("[%8d] [%-8d] [%08d] [%+d] [% d] [%.8d]\n", n, n, n, -n, -n, n);
	BOTH("[%#x] [%#o] [%12.10x]\n", u, u, u);
	BOTH("%ld %li %lu %lx %llX %lo\n", l, l, l, l, (long long)l, l);
	BOTH("%d %ld %d %ld %d\n", n, l, n + 1, l + 1, n + 2);
	BOTH("%zu %jd\n", OPAQUE(sizeof(int)), (intmax_t)l);
}

PROGRAM(others)
{
	double x = OPAQUE(3.25), y = OPAQUE(-1e100);

	BOTH("%c%c%c\n", OPAQUE('a'), OPAQUE('b'), OPAQUE('%'));
	BOTH("%f %e %g %.2f %10.3e\n", x, y, x, x, y);
	BOTH("%c %d %f %c %ld\n", OPAQUE('x'), OPAQUE(7), x, OPAQUE('y'), OPAQUE(8l));
	BOTH("%*d|%-*d|%.*f\n", OPAQUE(6), OPAQUE(42), OPAQUE(6), OPAQUE(42), OPAQUE(3), x);
}

/* A record of more than 128 bytes is made at run time, and so is one with many arguments. */
PROGRAM(long_ones)
{
	BOTH("0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"
	     "01234567890123456789012345678901234567890123456789 %d\n", OPAQUE(1));
	BOTH("01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901"
	     "012345678901234567890123456789%d\n", OPAQUE(1));
	BOTH("%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d\n",
	     OPAQUE(1), 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
	     32, 33, 34);
}

/* A format that only looks constant. */
PROGRAM(others_texts)
{
	static char changes[] = "before %d\n";
	static const char middle[] = "left out: %d\n";

	printf(changes, OPAQUE(1));
	memcpy(OPAQUE((char *)changes), "after!", 6);
	printf(changes, OPAQUE(2));
	printf(middle + 10, OPAQUE(3));
	printf(OPAQUE(1) ? "one %d\n" : "other %d\n", OPAQUE(4));
}

int main(void)
{
	RUN(texts);
	RUN(integers);
	RUN(others);
	RUN(long_ones);
	RUN(others_texts);
	return 0;
}
