// SPDX-License-Identifier: LGPL-2.1-or-later
/* utils/fft_utils.h: an FFT in software, radix 2, decimation in time. */
#include "utils/fft_utils.h"

unsigned int fft_rev(unsigned int v)
{
	unsigned int r = 0;

	for (unsigned int i = 0; i < sizeof(v) * CHAR_BIT; i++)
		r |= (v >> i & 1) << (sizeof(v) * CHAR_BIT - 1 - i);
	return r;
}

static void exchange(float *a, float *b)
{
	for (int i = 0; i < 2; i++) {
		float t = a[i];

		a[i] = b[i];
		b[i] = t;
	}
}

void fft_bit_reverse(float *w, unsigned int n, unsigned int bits)
{
	for (unsigned int i = 0; i < n && bits; i++) {
		unsigned int r = fft_rev(i) >> (sizeof(i) * CHAR_BIT - bits);

		if (i < r)
			exchange(w + 2 * i, w + 2 * r);
	}
}

/* (a, b) -> (a + w b, a - w b) */
static void butterfly(float *a, float *b, double re, double im)
{
	double x = re * b[0] - im * b[1], y = re * b[1] + im * b[0];

	b[0] = a[0] - x;
	b[1] = a[1] - y;
	a[0] += x;
	a[1] += y;
}

int fft_comp(float *data, unsigned int n, unsigned int logn, int sign, bool rev)
{
	if (rev)
		fft_bit_reverse(data, n, logn);
	for (unsigned int half = 1; half < n; half *= 2) {
		for (unsigned int k = 0; k < half; k++) {
			double angle = sign * M_PI * k / half, re = cos(angle), im = sin(angle);

			for (unsigned int i = k; i < n; i += 2 * half)
				butterfly(data + 2 * i, data + 2 * (i + half), re, im);
		}
	}
	return 0;
}
