/* SPDX-License-Identifier: GPL-2.0-only */
/* Loops with recurrences, as hashes and filters have: what clang's software pipeliner may compute wrong. Prints what gcc does. */
#include <stdint.h>
#include <stdio.h>

#include "random.h"

#define NOINLINE __attribute__((noinline))

static uint32_t ror32(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

static uint64_t ror64(uint64_t x, int n)
{
	return x >> n | x << (64 - n);
}

/* SHA-256's and SHA-512's schedules: distances 2, 7, 15 and 16 */
static NOINLINE void sha256(uint32_t *w)
{
	for (int i = 16; i < 64; i++)
		w[i] = w[i - 16] + (ror32(w[i - 15], 7) ^ ror32(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
		       (ror32(w[i - 2], 17) ^ ror32(w[i - 2], 19) ^ w[i - 2] >> 10);
}

static NOINLINE void sha512(uint64_t *w)
{
	for (int i = 16; i < 80; i++)
		w[i] = w[i - 16] + (ror64(w[i - 15], 1) ^ ror64(w[i - 15], 8) ^ w[i - 15] >> 7) + w[i - 7] +
		       (ror64(w[i - 2], 19) ^ ror64(w[i - 2], 61) ^ w[i - 2] >> 6);
}

/* SHA-1's: distances 3, 8, 14 and 16 */
static NOINLINE void sha1(uint32_t *w)
{
	for (int i = 16; i < 80; i++)
		w[i] = ror32(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 31);
}

/* A round each: eight variables that move on */
static NOINLINE void rounds(const uint32_t *w, uint32_t *h)
{
	uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], k = h[7];

	for (int i = 0; i < 64; i++) {
		uint32_t s = k + (ror32(e, 6) ^ ror32(e, 11) ^ ror32(e, 25)) + ((e & f) ^ (~e & g)) + w[i];
		uint32_t t = (ror32(a, 2) ^ ror32(a, 13) ^ ror32(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));

		k = g, g = f, f = e, e = d + s, d = c, c = b, b = a, a = s + t;
	}
	h[0] += a, h[1] += b, h[2] += c, h[3] += d, h[4] += e, h[5] += f, h[6] += g, h[7] += k;
}

static NOINLINE void filter(int32_t *y, const int32_t *x, int n)
{
	for (int i = 3; i < n; i++)
		y[i] = x[i] + (y[i - 1] >> 1) - (y[i - 2] >> 2) + (y[i - 3] >> 3);
}

static NOINLINE void lags(uint32_t *w, int n)
{
	for (int i = 5; i < n; i++)
		w[i] = 3 * w[i - 1] + 5 * w[i - 2] + 7 * w[i - 3] + (w[i - 5] ^ w[i - 4]);
}

static NOINLINE uint64_t sums(const uint32_t *x, uint64_t *to, int n)
{
	uint64_t sum = 0, carry = 0, least = UINT64_MAX;

	for (int i = 0; i < n; i++) {
		carry += (uint64_t)x[i] * 0x10001 + (to[i] & 0xffffffff);
		to[i] = carry & 0xffffffff;
		carry >>= 32;
		sum = sum * 31 + to[i];
		least = least < sum ? least : sum;
	}
	return sum ^ least ^ carry;
}

int main(void)
{
	static uint32_t w[256];
	static uint64_t v[256];
	static int32_t x[256], y[256];
	uint32_t h[8], sum32 = 0;
	uint64_t sum64 = 0;

	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 256; i++) {
			w[i] = next();
			v[i] = next();
			x[i] = (int32_t)next() >> 4;
			y[i] = 0;
			h[i % 8] = next();
		}
		sha512(v);
		for (int i = 0; i < 256; i++)
			sum64 = sum64 * 31 + v[i];
		sha256(w);
		rounds(w, h);
		for (int i = 0; i < 256; i++)
			sum32 = sum32 * 31 + w[i] + h[i % 8];
		sha1(w);
		filter(y, x, 256);
		for (int i = 0; i < 256; i++)
			sum32 = sum32 * 31 + w[i] + y[i];
		lags(w, 256);
		sum64 = sum64 * 31 + sums(w, v, 256);
		printf("%08x %016llx\n", (unsigned int)sum32, (unsigned long long)sum64);
	}
	return 0;
}
