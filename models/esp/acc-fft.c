/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * FFT_STRATUS: batches of forward FFTs of 2^LOG_LEN complex points, in place in its local memory.
 *
 * Fixed point, interleaved real and imaginary parts: 32 bits with 20 fraction bits, or 64 with 22
 * if the design point says fx64. Products are rounded half up, sums wrap, results are not scaled
 * (the gain is the length). Iterative radix 2, decimation in time; without DO_BITREV the input must
 * be in bit-reversed order. The HLS source computes the twiddle factors by a recurrence; this model
 * uses the same recurrence with 30 fraction bits. The HLS tool's rounding of it is not published,
 * so results agree with a float FFT but not bit by bit with the hardware. DO_PEAK is read and not
 * used, as in hardware.
 */
#include "esp/kernel.h"
#include "esp/pipeline.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Modelled cycles: a butterfly has two write states and a read, a swap two to four. */
#define BUTTERFLY_CYCLES	3
#define BITREV_CYCLES		3	/* a point */
#define COPY_CYCLES		2	/* a point, to or from the working memory */

static unsigned int number_bytes(const struct mon_esp_acc *acc)
{
	return strstr(acc->design_point, "fx64") ? 8 : 4;
}

static uint32_t fft_count(const struct mon_esp_acc *acc, const char **error)
{
	if (mon_esp_acc_reg(acc, ESP_FFT_LOG_LEN) > ESP_FFT_LOG_LEN_MOST) {
		*error = "LOG_LEN is more than its memory has room for";
		return 0;
	}
	return mon_esp_acc_reg(acc, ESP_FFT_BATCH_SIZE);
}

static void fft_job(const struct mon_esp_acc *acc, uint32_t number, struct esp_job *job)
{
	uint32_t log_len = mon_esp_acc_reg(acc, ESP_FFT_LOG_LEN), len = 1u << log_len;
	uint32_t bytes = 2 * len * number_bytes(acc);

	job->load_offset = job->store_offset = number * bytes;
	job->load_bytes = job->store_bytes = bytes;
	job->cycles = (uint64_t)len / 2 * log_len * BUTTERFLY_CYCLES + COPY_CYCLES * len;
	if (mon_esp_acc_reg(acc, ESP_FFT_DO_BITREV))
		job->cycles += BITREV_CYCLES * len;
}

struct complex_fx { int64_t re, im; };

static void bit_reverse(struct complex_fx *x, unsigned int log_len)
{
	uint32_t i, j, k, len = 1u << log_len;

	for (i = 0; i < len; i++) {
		for (j = 0, k = 0; k < log_len; k++)
			j |= (i >> k & 1) << (log_len - 1 - k);
		if (j > i) {
			struct complex_fx t = x[i];

			x[i] = x[j];
			x[j] = t;
		}
	}
}

static int64_t wrap(uint64_t v, unsigned int bytes)
{
	return bytes == 4 ? (int64_t)(int32_t)(uint32_t)v : (int64_t)v;
}

/* a * b with b in 30 fraction bits, rounded half up */
static int64_t scale(int64_t a, int64_t b)
{
	return (int64_t)(((__int128)a * b + (1 << 29)) >> 30);
}

static void stages(struct complex_fx *x, unsigned int log_len, unsigned int bytes)
{
	uint32_t len = 1u << log_len, half, j, k;

	for (half = 1; half < len; half *= 2) {
		double theta = -M_PI / half, s = sin(0.5 * theta);
		int64_t wpr = llround(-2 * s * s * (1 << 30)),
			wpi = llround(sin(theta) * (1 << 30));
		int64_t wr = 1 << 30, wi = 0, t;

		for (j = 0; j < half; j++) {
			for (k = j; k < len; k += 2 * half) {
				struct complex_fx *a = &x[k], *b = &x[k + half], p;

				p.re = scale(b->re, wr) - scale(b->im, wi);
				p.im = scale(b->re, wi) + scale(b->im, wr);
				b->re = wrap((uint64_t)a->re - (uint64_t)p.re, bytes);
				b->im = wrap((uint64_t)a->im - (uint64_t)p.im, bytes);
				a->re = wrap((uint64_t)a->re + (uint64_t)p.re, bytes);
				a->im = wrap((uint64_t)a->im + (uint64_t)p.im, bytes);
			}
			t = wr;
			wr += scale(wr, wpr) - scale(wi, wpi);
			wi += scale(wi, wpr) + scale(t, wpi);
		}
	}
}

static void fft_compute(const struct mon_esp_acc *acc, uint32_t number, uint8_t *plm)
{
	unsigned int log_len = mon_esp_acc_reg(acc, ESP_FFT_LOG_LEN), bytes = number_bytes(acc);
	struct complex_fx x[1 << ESP_FFT_LOG_LEN_MOST];
	int64_t *v = &x[0].re;
	uint32_t i, n = 2u << log_len;

	(void)number;
	for (i = 0; i < n; i++)
		v[i] = bytes == 4 ? (int32_t)mon_esp_acc_get32(acc, plm + 4 * i) :
		       (int64_t)mon_esp_acc_get64(acc, plm + 8 * i);
	if (mon_esp_acc_reg(acc, ESP_FFT_DO_BITREV))
		bit_reverse(x, log_len);
	stages(x, log_len, bytes);
	for (i = 0; i < n; i++) {
		if (bytes == 4)
			mon_esp_acc_put32(acc, plm + 4 * i, v[i]);
		else
			mon_esp_acc_put64(acc, plm + 8 * i, v[i]);
	}
}

const struct mon_esp_acc_type esp_acc_fft_stratus =
	ESP_PIPELINE(FFT_STRATUS, fft_count, fft_job, fft_compute);
