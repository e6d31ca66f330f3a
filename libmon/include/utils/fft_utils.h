/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * utils/fft_utils.h - the FFT in software that ESP's programs compare with, under the names that they
 * use (-lutils). Complex numbers are pairs of floats.
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
/* Exchanges element i of n = 2^bits with the element of the reversed number. */
void fft_bit_reverse(float *w, unsigned int n, unsigned int bits);
/*
 * In place, n = 2^logn points, not scaled; sign -1 is the forward transform. rev: reverse the order first,
 * as the algorithm wants it. Returns 0.
 */
int fft_comp(float *data, unsigned int n, unsigned int logn, int sign, bool rev);

#ifdef __cplusplus
}
#endif
#endif
