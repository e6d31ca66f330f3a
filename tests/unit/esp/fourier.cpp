/* SPDX-License-Identifier: MIT */
#include "fourier.hpp"

#include <cmath>

#define WORD_SIZE	2	/* of a transfer's numbers: 32 bits */

conf_info_t fourier::configuration()
{
	while (!conf_done.read())
		wait();
	return conf_info.read();
}

dma_info_t fourier::batch(const conf_info_t &conf, uint32_t number)
{
	dma_info_t info;

	info.length = BEATS << conf.log_len;
	info.index = number * info.length;
	info.size = WORD_SIZE;
	return info;
}

/* A number of 32 bits more; the first is in the low bits of the first beat. */
static void put_number(point &p, unsigned int i, int32_t value)
{
	(i ? p.im : p.re) = value;
}

void fourier::load()
{
	dma_read_ctrl.reset_put();
	dma_read_chnl.reset_get();
	loaded_put.reset_put();
	wait();
	const conf_info_t conf = configuration();

	for (uint32_t b = 0; b < conf.batch_size; b++) {
		const dma_info_t info = batch(conf, b);

		dma_read_ctrl.put(info);
		for (uint32_t i = 0; i < info.length; i++) {
			const sc_dt::sc_bv<DMA_WIDTH> beat = dma_read_chnl.get();

			for (uint32_t n = 0; n < 2 / BEATS; n++)
				put_number(in[b & 1][i / BEATS], i % BEATS + n,
					   beat.range(32 * n + 31, 32 * n).to_uint());
		}
		loaded_put.put(true);	/* ends when the other memory is no more in use */
	}
	for (;;)
		wait();
}

static unsigned int reversed(unsigned int i, unsigned int bits)
{
	unsigned int r = 0;

	for (; bits--; i >>= 1)
		r = r << 1 | (i & 1);
	return r;
}

static void butterfly(point &a, point &b, unsigned int k)
{
	const double unit = 1 << 30, angle = 2 * std::acos(-1) * k / MOST;
	const int64_t re = std::lround(std::cos(angle) * unit), im = std::lround(-std::sin(angle) * unit);
	const uint32_t x = (re * b.re - im * b.im) >> 30, y = (re * b.im + im * b.re) >> 30;
	const uint32_t a_re = a.re, a_im = a.im;

	a.re = a_re + x;
	a.im = a_im + y;
	b.re = a_re - x;
	b.im = a_im - y;
}

void fourier::compute()
{
	loaded_get.reset_get();
	computed_put.reset_put();
	wait();
	const conf_info_t conf = configuration();

	for (uint32_t b = 0; b < conf.batch_size; b++) {
		point *const p = out[b & 1];
		const uint32_t n = 1u << conf.log_len;

		loaded_get.get();
		for (uint32_t i = 0; i < n; i++)
			p[i] = in[b & 1][reversed(i, conf.log_len)];
		for (uint32_t half = 1; half < n; half *= 2) {
			for (uint32_t i = 0; i < n / 2; i++) {
				const uint32_t at = i / half * 2 * half + i % half;

				butterfly(p[at], p[at + half], i % half * (MOST / 2 / half));
				wait();
			}
		}
		computed_put.put(true);
	}
	for (;;)
		wait();
}

void fourier::store()
{
	dma_write_ctrl.reset_put();
	dma_write_chnl.reset_put();
	computed_get.reset_get();
	acc_done.write(false);
	wait();
	const conf_info_t conf = configuration();

	for (uint32_t b = 0; b < conf.batch_size; b++) {
		const dma_info_t info = batch(conf, b);

		computed_get.get();
		dma_write_ctrl.put(info);
		for (uint32_t i = 0; i < info.length; i++) {
			const point &p = out[b & 1][i / BEATS];
			sc_dt::sc_bv<DMA_WIDTH> beat;

			for (uint32_t n = 0; n < 2 / BEATS; n++)
				beat.range(32 * n + 31, 32 * n) = i % BEATS + n ? p.im : p.re;
			dma_write_chnl.put(beat);
		}
	}
	acc_done.write(true);
	wait();
	acc_done.write(false);
	for (;;)
		wait();
}
