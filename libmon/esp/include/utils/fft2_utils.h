/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * utils/fft2_utils.h - sequences of FFTs in software, with the names that programs for ESP's FFT2
 * use (-lutils).
 *
 * Complex numbers are pairs of floats.
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
/* Swaps each of n = 2^bits elements from offset on with the element of the bit-reversed number. */
void fft2_bit_reverse(float *w, unsigned int offset, unsigned int n, unsigned int bits);
/* Swaps the halves of the n elements from offset on; ignores bits. */
void fft2_do_shift(float *data, unsigned int offset, unsigned int n, unsigned int bits);
/*
 * nffts transforms of n = 2^logn points in place, not scaled. do_shift swaps the halves, before an
 * inverse transform and after a forward one. Returns 0.
 */
int fft2_comp(float *data, unsigned int nffts, unsigned int n, unsigned int logn, int do_inverse,
	      int do_shift);

#ifdef __cplusplus
}
#endif
#endif
