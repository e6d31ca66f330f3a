/* SPDX-License-Identifier: GPL-2.0-only */
/* What the examples share: input for FFT_STRATUS, and a check of what it computed. */
#ifndef FFT_H
#define FFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* FFT_STRATUS computes in signed fixed point with 20 bits of fraction. */
#define FFT_FRACTION 20

/* Fills n complex points, interleaved re, im, with the same pseudo-random numbers every time. */
void fft_input(int32_t *points, size_t n);
/*
 * Outputs of out (2^log_len points) that are more than 5 % off a float FFT of in. bitrev: the
 * accelerator was told to permute its input, as an FFT needs it.
 */
unsigned int fft_errors(const int32_t *in, const int32_t *out, unsigned int log_len, bool bitrev);

#endif
