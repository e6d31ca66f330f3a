// SPDX-License-Identifier: LGPL-2.1-or-later
/* utils/fft2_utils.h: FFTs in software, on utils/fft_utils.h. */
#include "utils/fft2_utils.h"
#include "utils/fft_utils.h"

unsigned int fft2_rev(unsigned int v)
{
	return fft_rev(v);
}

void fft2_bit_reverse(float *w, unsigned int offset, unsigned int n, unsigned int bits)
{
	fft_bit_reverse(w + 2 * offset, n, bits);
}

void fft2_do_shift(float *data, unsigned int offset, unsigned int n, unsigned int bits)
{
	float *first = data + 2 * offset, *second = first + 2 * (n / 2);

	(void)bits;
	for (unsigned int i = 0; i < 2 * (n / 2); i++) {
		float t = first[i];

		first[i] = second[i];
		second[i] = t;
	}
}

int fft2_comp(float *data, unsigned int nffts, unsigned int n, unsigned int logn, int do_inverse,
	      int do_shift)
{
	for (unsigned int k = 0; k < nffts; k++) {
		if (do_shift && do_inverse)
			fft2_do_shift(data, k * n, n, logn);
		fft_comp(data + 2 * k * n, n, logn, do_inverse ? 1 : -1, true);
		if (do_shift && !do_inverse)
			fft2_do_shift(data, k * n, n, logn);
	}
	return 0;
}
