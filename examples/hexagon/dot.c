/* SPDX-License-Identifier: GPL-2.0-only */
/* Dot product of two vectors of 16-bit numbers, on the scalar units of one thread. */
#include "linux.h"

#define LENGTH 4096
#define ROUNDS 200

static short a[LENGTH], b[LENGTH];

static int dot(const short *x, const short *y, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

int main(void)
{
	int sum = 0;

	for (int i = 0; i < LENGTH; i++) {
		a[i] = i & 15;
		b[i] = 3;
	}
	for (int round = 0; round < ROUNDS; round++) {
		/* keeps the compiler from doing the same product only once */
		__asm__ volatile ("" : : : "memory");
		sum += dot(a, b, LENGTH);
	}
	/* 256 runs of 0+1+...+15 = 120, times 3, times 200 */
	write_number("dot product: ", sum);
	return sum == 256 * 120 * 3 * ROUNDS ? 0 : 1;
}
