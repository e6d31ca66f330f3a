/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * utils/fft_utils.h - an FFT in software, with the names that ESP's programs use (-lutils).
 *
 * Complex numbers are pairs of floats.
 */
#ifndef FFT_UTILS_H
#define FFT_UTILS_H

#include <limits.h>
#include <math.h>
#include <stdbool.h>

#include "fixed_point.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The bits of v in reverse order. */
unsigned int fft_rev(unsigned int v);
/* Swaps element i of n = 2^bits with the element of the bit-reversed number. */
void fft_bit_reverse(float *w, unsigned int n, unsigned int bits);
/*
 * Transforms n = 2^logn points in place, not scaled; sign -1 is forward. rev: bit-reverse the order first, which
 * the algorithm needs if the input is in natural order. Returns 0.
 */
int fft_comp(float *data, unsigned int n, unsigned int logn, int sign, bool rev);

#ifdef __cplusplus
}
#endif
#endif
