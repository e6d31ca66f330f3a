// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>

#include "fft.h"

static double to_double(int32_t value)
{
	return value / (double)(1 << FFT_FRACTION);
}

void fft_input(int32_t *points, size_t n)
{
	uint32_t state = 1;
	size_t i;

	/* Between -1 and 1; the largest FFT, 2048 points, then just fits in 12 integer bits. */
	for (i = 0; i < 2 * n; i++) {
		state = state * 1664525 + 1013904223;
		points[i] = (int32_t)(state >> 11) - (1 << FFT_FRACTION);
	}
}

/* Radix 2, decimation in time, forward, without scaling; re and im are permuted already. */
static void transform(double *re, double *im, size_t n)
{
	size_t half, start, k;

	for (half = 1; half < n; half *= 2) {
		for (start = 0; start < n; start += 2 * half) {
			for (k = 0; k < half; k++) {
				double angle = -M_PI * k / half;
				double wr = cos(angle), wi = sin(angle);
				size_t a = start + k, b = a + half;
				double tr = wr * re[b] - wi * im[b];
				double ti = wr * im[b] + wi * re[b];

				re[b] = re[a] - tr;
				im[b] = im[a] - ti;
				re[a] += tr;
				im[a] += ti;
			}
		}
	}
}

static size_t reversed(size_t i, unsigned int bits)
{
	size_t r = 0;

	while (bits--) {
		r = r << 1 | (i & 1);
		i >>= 1;
	}
	return r;
}

static bool is_off(double is, double should)
{
	/* Small numbers are compared with what fixed point can show. */
	return fabs(is - should) > 0.05 * fmax(fabs(should), 1.0 / (1 << 10));
}

unsigned int fft_errors(const int32_t *in, const int32_t *out, unsigned int log_len, bool bitrev)
{
	size_t n = (size_t)1 << log_len, i;
	double *re = malloc(2 * n * sizeof(*re)), *im = re + n;
	unsigned int errors = 0;

	if (!re)
		abort();
	for (i = 0; i < n; i++) {
		size_t from = bitrev ? reversed(i, log_len) : i;

		re[i] = to_double(in[2 * from]);
		im[i] = to_double(in[2 * from + 1]);
	}
	transform(re, im, n);
	for (i = 0; i < n; i++) {
		errors += is_off(to_double(out[2 * i]), re[i]);
		errors += is_off(to_double(out[2 * i + 1]), im[i]);
	}
	free(re);
	return errors;
}
