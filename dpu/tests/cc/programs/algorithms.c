// SPDX-License-Identifier: GPL-2.0-only
/* Short textbook programs. */
#include "program.h"

PROGRAM(sieve)
{
	static unsigned char composite[500];
	int count = 0, last = 0;

	for (int i = 2; i < 500; i++) {
		if (composite[i])
			continue;
		count++;
		last = i;
		for (int j = i * i; j < 500; j += i)
			composite[j] = 1;
	}
	printf("%d %d\n", count, last);
}

PROGRAM(gcd)
{
	unsigned int a = OPAQUE(1071u * 13), b = OPAQUE(462u * 13);

	while (b) {
		unsigned int t = a % b;

		a = b;
		b = t;
	}
	printf("%u\n", a);
}

PROGRAM(crc)
{
	uint32_t crc = ~0u;

	for (const char *p = TEXT("123456789"); *p; p++) {
		crc ^= (uint8_t)*p;
		for (int i = 0; i < 8; i++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	printf("%08x\n", ~crc);
}

PROGRAM(fnv)
{
	uint64_t h = 0xcbf29ce484222325;

	for (const char *p = TEXT("foobar"); *p; p++)
		h = (h ^ (uint8_t)*p) * 0x100000001b3;
	printf("%lx\n", (unsigned long)h);
}

PROGRAM(bubble_sort)
{
	int a[] = { 5, -3, 9, 0, 2, 8, -7, 1 }, swapped;

	do {
		swapped = 0;
		for (unsigned int i = 1; i < COUNT(a); i++) {
			if (a[i - 1] > a[i]) {
				int t = a[i];

				a[i] = a[i - 1];
				a[i - 1] = t;
				swapped = 1;
			}
		}
	} while (swapped);
	for (unsigned int i = 0; i < COUNT(a); i++)
		printf("%d ", a[i]);
	printf("\n");
}

static void quick(uint16_t *a, int from, int to)
{
	int i = from, j = to;
	uint16_t pivot = a[(from + to) / 2];

	while (i <= j) {
		while (a[i] < pivot)
			i++;
		while (a[j] > pivot)
			j--;
		if (i <= j) {
			uint16_t t = a[i];

			a[i++] = a[j];
			a[j--] = t;
		}
	}
	if (from < j)
		quick(a, from, j);
	if (i < to)
		quick(a, i, to);
}

PROGRAM(quick_sort)
{
	uint16_t a[100];

	for (int i = 0; i < 100; i++)
		a[i] = i * 7919 + 13;
	quick(a, 0, 99);
	hash = 1;
	for (int i = 0; i < 100; i++)
		mix(a[i]);
	printf("%08x\n", hash);
}

PROGRAM(matrix)
{
	int16_t a[6][6], b[6][6];
	int32_t c[6][6], trace = 0;

	for (int i = 0; i < 36; i++) {
		a[i / 6][i % 6] = i * 3 - 20;
		b[i / 6][i % 6] = 40 - i * 2;
	}
	for (int i = 0; i < 6; i++)
		for (int j = 0; j < 6; j++) {
			c[i][j] = 0;
			for (int k = 0; k < 6; k++)
				c[i][j] += a[i][k] * b[k][j];
		}
	for (int i = 0; i < 6; i++)
		trace = trace * 31 + c[i][i] + c[i][5 - i];
	printf("%d\n", trace);
}

PROGRAM(bytes_product)
{
	uint8_t a[64];
	int8_t b[64];
	int32_t same = 0, mixed = 0;
	uint32_t product = 0;

	for (int i = 0; i < 64; i++) {
		a[i] = i * 37;
		b[i] = i * 91;
	}
	for (int i = 0; i < 64; i++) {
		product += a[i] * a[63 - i];
		same += b[i] * b[63 - i];
		mixed += a[i] * b[i];
		product ^= (uint32_t)a[i] * 200 + (uint32_t)b[i];
	}
	printf("%u %d %d\n", product, same, mixed);
}

PROGRAM(halves_product)
{
	uint16_t a[32];
	int16_t b[32];
	uint32_t product = 0;
	int32_t same = 0, mixed = 0;

	for (int i = 0; i < 32; i++) {
		a[i] = i * 4001 + 60000;
		b[i] = i * 5003 - 30000;
	}
	for (int i = 0; i < 32; i++) {
		product += (uint32_t)a[i] * a[31 - i];
		same ^= b[i] * b[31 - i];
		mixed += (int32_t)((uint32_t)a[i] * (uint32_t)b[i]);
	}
	printf("%u %d %d\n", product, same, mixed);
}

PROGRAM(bits)
{
	uint32_t sum = 0;
	uint64_t w = 0x8000000000000001, s = 0;

	for (uint32_t i = 1, n = OPAQUE(0x9e3779b9u); i < 40; i++, n = n * 3 + i) {
		sum += __builtin_popcount(n) + 2 * __builtin_clz(n) + 3 * __builtin_ctz(n) + 5 * __builtin_parity(n);
		sum ^= __builtin_bswap32(n) ^ (n << 7 | n >> 25) ^ __builtin_bswap16(n);
		w = (w << 3 | w >> 61) ^ n;
		s += __builtin_popcountll(w) + __builtin_clzll(w) * 7 + __builtin_ctzll(w) * 9 + __builtin_bswap64(w);
	}
	printf("%u %lx\n", sum, (unsigned long)s);
}

int main(void)
{
	RUN(sieve);
	RUN(gcd);
	RUN(crc);
	RUN(fnv);
	RUN(bubble_sort);
	RUN(quick_sort);
	RUN(matrix);
	RUN(bytes_product);
	RUN(halves_product);
	RUN(bits);
	return 0;
}
