/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * utils/fft2_utils.h - FFTs one after the other in software, which programs for ESP's FFT2 compare
 * with, under the names that they use (-lutils). Complex numbers are pairs of floats.
 */
#ifndef FFT2_UTILS_H
#define FFT2_UTILS_H

#include <limits.h>
#include <math.h>
#include <stdbool.h>

#include "fixed_point.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bits of v in reverse order. */
unsigned int fft2_rev(unsigned int v);
/* Of the n = 2^bits elements from offset on, exchanges each with that of the reversed number. */
void fft2_bit_reverse(float *w, unsigned int offset, unsigned int n, unsigned int bits);
/* Exchanges the halves of the n elements from offset on; bits is not used. */
void fft2_do_shift(float *data, unsigned int offset, unsigned int n, unsigned int bits);
/*
 * nffts transforms of n = 2^logn points in place, not scaled. do_shift exchanges the halves, before
 * an inverse transform and after a forward one. Returns 0.
 */
int fft2_comp(float *data, unsigned int nffts, unsigned int n, unsigned int logn, int do_inverse,
	      int do_shift);

#ifdef __cplusplus
}
#endif
#endif
