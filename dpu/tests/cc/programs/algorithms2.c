// SPDX-License-Identifier: GPL-2.0-only
/* More short textbook programs. */
#include "program.h"

PROGRAM(overflow)
{
	int32_t r = 0;
	uint32_t u = 0;
	int64_t l = 0;
	int n = 0;

	n += __builtin_add_overflow(OPAQUE(INT32_MAX), 1, &r);
	n += __builtin_sub_overflow(OPAQUE(0u), 1u, &u) << 1;
	n += __builtin_mul_overflow(OPAQUE(1 << 20), 1 << 12, &r) << 2;
	n += __builtin_mul_overflow(OPAQUE(0xffffu), 0xffffu, &u) << 3;
	n += __builtin_add_overflow(OPAQUE(INT64_MAX), 1L, &l) << 4;
	n += __builtin_mul_overflow(OPAQUE(1L << 40), 3L, &l) << 5;
	printf("%d %d %u %ld\n", n, r, u, (long)l);
}

/* Around the largest squares, powers of two and limits, with all signs */
PROGRAM(overflow_of_products)
{
	static const int64_t factors[] = {
		0, 1, 2, 3, 0xffffffff, 1L << 31, 1L << 32, 3037000499, 3037000500, 1L << 62, INT64_MAX
	};
	const int count = COUNT(factors);

	for (int i = 0; i < 4 * count * count; i++) {
		int64_t a = factors[i / 4 % count], b = factors[i / 4 / count], product = 0;
		int over;

		a = i & 1 ? ~a : a;
		b = i & 2 ? -b : b;
		over = __builtin_mul_overflow(OPAQUE(a), OPAQUE(b), &product);
		printf("%d %ld\n", over, (long)product);
	}
}

PROGRAM(minimum)
{
	int32_t low = INT32_MAX, high = INT32_MIN;
	uint32_t ulow = ~0u, uhigh = 0;
	int64_t wide = 0;

	for (int i = 0; i < 30; i++) {
		int32_t n = (int32_t)((uint32_t)i * 0x9e3779b9u);

		low = n < low ? n : low;
		high = n > high ? n : high;
		ulow = (uint32_t)n < ulow ? (uint32_t)n : ulow;
		uhigh = (uint32_t)n > uhigh ? (uint32_t)n : uhigh;
		wide = wide > n ? wide - n : wide + n;
	}
	printf("%d %d %u %u %ld\n", low, high, ulow, uhigh, (long)wide);
}

PROGRAM(collatz)
{
	unsigned int n = OPAQUE(27u), steps = 0;
	uint64_t top = 0;

	for (uint64_t x = n; x != 1; steps++) {
		x = x & 1 ? 3 * x + 1 : x / 2;
		top = x > top ? x : top;
	}
	printf("%u %lu\n", steps, (unsigned long)top);
}

PROGRAM(base64)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *in = (const uint8_t *)TEXT("Many hands make light work.");
	char out[40];
	int n = 0;

	for (int i = 0; i < 27; i += 3) {
		uint32_t v = in[i] << 16 | in[i + 1] << 8 | in[i + 2];

		for (int s = 18; s >= 0; s -= 6)
			out[n++] = letters[v >> s & 63];
	}
	out[n] = '\0';
	printf("%s\n", out);
}

PROGRAM(xorshift)
{
	uint64_t x = OPAQUE((uint64_t)88172645463325252);

	for (int i = 0; i < 100; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
	}
	printf("%lu\n", (unsigned long)x);
}

PROGRAM(wide_division)
{
	hash = 1;
	for (int i = 0; i < 40; i++) {
		uint64_t n = OPAQUE((uint64_t)0xfedcba9876543210) >> i, d = OPAQUE((uint64_t)0x123456789) >> (i / 2);
		int64_t m = -(int64_t)n;

		mix64(n / d);
		mix64(n % d);
		mix64(m / (int64_t)d);
		mix64(m % (int64_t)d);
		mix64(n / (d | (uint64_t)1 << 40));
		mix64(m / 1000);
		mix64(n % 10);
	}
	printf("%08x\n", hash);
}

PROGRAM(wide_sums)
{
	int64_t sum = 0, difference = 0;
	uint64_t carry = 0;

	for (int i = 0; i < 50; i++) {
		int64_t n = (int64_t)((uint64_t)i * 0x9e3779b97f4a7c15);

		sum += n;
		difference -= n >> 3;
		carry += (uint32_t)n;
		carry -= (uint64_t)n >> 60;
		if (sum < difference)
			sum ^= n;
	}
	printf("%lx %lx %lx\n", (unsigned long)sum, (unsigned long)difference, (unsigned long)carry);
}

PROGRAM(life)
{
	uint16_t rows[16] = { 0, 0x0e00, 0, 0x0070, 0x0040, 0x0020 };

	for (int generation = 0; generation < 8; generation++) {
		uint16_t next[16] = { 0 };

		for (int y = 0; y < 16; y++)
			for (int x = 0; x < 16; x++) {
				int n = 0;

				for (int d = 0; d < 9; d++)
					if (d != 4)
						n += rows[(y + d / 3 + 15) & 15] >> ((x + d % 3 + 15) & 15) & 1;
				if (n == 3 || (n == 2 && (rows[y] >> x & 1)))
					next[y] |= 1 << x;
			}
		memcpy(rows, next, sizeof(rows));
	}
	hash = 1;
	for (int y = 0; y < 16; y++)
		mix(rows[y]);
	printf("%08x\n", hash);
}

PROGRAM(queens)
{
	int columns[8], solutions = 0, row = 0;

	columns[0] = -1;
	while (row >= 0) {
		int ok = 1;

		if (++columns[row] == 7) {
			row--;
			continue;
		}
		for (int i = 0; i < row && ok; i++) {
			int d = columns[row] - columns[i];

			ok = d && d != row - i && d != i - row;
		}
		if (!ok)
			continue;
		if (row == 6)
			solutions++;
		else
			columns[++row] = -1;
	}
	printf("%d\n", solutions);
}

PROGRAM(fixed_point)
{
	int32_t x = OPAQUE(3 << 16), y = 1 << 16;

	for (int i = 0; i < 8; i++)
		y = (y + (int32_t)(((int64_t)x << 16) / y)) / 2;
	printf("%d %d\n", y, (int32_t)(((int64_t)y * y) >> 16));
}

int main(void)
{
	RUN(overflow);
	RUN(overflow_of_products);
	RUN(minimum);
	RUN(collatz);
	RUN(base64);
	RUN(xorshift);
	RUN(wide_division);
	RUN(wide_sums);
	RUN(life);
	RUN(queens);
	RUN(fixed_point);
	return 0;
}
