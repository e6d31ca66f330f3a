/* SPDX-License-Identifier: MIT */
#include "vadd.hpp"

#define WORD_SIZE	2	/* of a transfer's numbers: 32 bits */

static uint32_t burst_at(const conf_info_t &conf, uint32_t at)
{
	return conf.words - at < BURST ? conf.words - at : BURST;
}

void vadd::load()
{
	dma_read_ctrl.reset_put();
	dma_read_chnl.reset_get();
	loaded_put.reset_put();
	stored_get.reset_get();
	wait();
	while (!conf_done.read())
		wait();
	const conf_info_t conf = conf_info.read();

	for (uint32_t at = 0; at < (uint32_t)conf.words; at += BURST) {
		dma_info_t info;

		info.index = at;
		info.length = burst_at(conf, at);
		info.size = WORD_SIZE;
		dma_read_ctrl.put(info);
		for (uint32_t i = 0; i < info.length; i++) {
			sc_dt::sc_bv<DMA_WIDTH> word = dma_read_chnl.get();

			plm[2 * i] = word.range(31, 0).to_uint();
			plm[2 * i + 1] = word.range(63, 32).to_uint();
		}
		loaded_put.put(true);
		stored_get.get();	/* one local memory: a read and a write in turn */
	}
	for (;;)
		wait();
}

void vadd::compute()
{
	loaded_get.reset_get();
	computed_put.reset_put();
	wait();
	while (!conf_done.read())
		wait();
	const conf_info_t conf = conf_info.read();

	for (uint32_t at = 0; at < (uint32_t)conf.words; at += BURST) {
		loaded_get.get();
		for (uint32_t i = 0; i < 2 * burst_at(conf, at); i++) {
			HLS_CONSTRAIN_LATENCY(1, HLS_ACHIEVABLE, "add");
			plm[i] += conf.addend;
			wait();
		}
		computed_put.put(true);
	}
	for (;;)
		wait();
}

void vadd::store()
{
	dma_write_ctrl.reset_put();
	dma_write_chnl.reset_put();
	computed_get.reset_get();
	stored_put.reset_put();
	acc_done.write(false);
	wait();
	while (!conf_done.read())
		wait();
	const conf_info_t conf = conf_info.read();

	for (uint32_t at = 0; at < (uint32_t)conf.words; at += BURST) {
		dma_info_t info;

		info.index = conf.output + at;
		info.length = burst_at(conf, at);
		info.size = WORD_SIZE;
		computed_get.get();
		dma_write_ctrl.put(info);
		for (uint32_t i = 0; i < info.length; i++) {
			sc_dt::sc_bv<DMA_WIDTH> word;

			word.range(31, 0) = plm[2 * i];
			word.range(63, 32) = plm[2 * i + 1];
			dma_write_chnl.put(word);
		}
		stored_put.put(true);
	}
	acc_done.write(true);
	wait();
	acc_done.write(false);
	for (;;)
		wait();
}
