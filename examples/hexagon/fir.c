/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * FIR filter with 16 taps: two nested loops that the compiler turns into hardware loops (loop1 over
 * the samples, loop0 over the taps), so end-of-loop markers show up in the counters.
 */
#include "linux.h"

#define TAPS 16
#define SAMPLES 4096
#ifndef ROUNDS
#define ROUNDS 8
#endif

static int in[SAMPLES + TAPS], out[SAMPLES], taps[TAPS];

static void fir(int *restrict y, const int *restrict x, const int *restrict h)
{
	for (int i = 0; i < SAMPLES; i++) {
		int sum = 0;

#pragma clang loop unroll(disable) vectorize(disable)
		for (int j = 0; j < TAPS; j++)
			sum += x[i + j] * h[j];
		y[i] = sum;
	}
}

int main(void)
{
	for (int i = 0; i < SAMPLES + TAPS; i++)
		in[i] = 1;
	for (int j = 0; j < TAPS; j++)
		taps[j] = j;
	for (int round = 0; round < ROUNDS; round++) {
		__asm__ volatile ("" : : : "memory");
		fir(out, in, taps);
	}
	/* 0+1+...+15 */
	write_number("filtered: ", out[SAMPLES - 1]);
	return out[SAMPLES - 1] == 120 ? 0 : 1;
}
