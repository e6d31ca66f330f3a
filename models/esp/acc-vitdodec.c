/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * VITDODEC_STRATUS: Viterbi decoder of 802.11's convolutional code with 7 bits and rate 1/2
 * (vitdodec.xml and vitdodec.cpp of ESP's accelerators).
 *
 * One load, one store, of fixed size:
 *   input    bytes 0..31 and 32..63: the two symbols that the encoder sends from the even states
 *            with a zero; 64..71: the puncture pattern, not used; from 72 on: a byte a symbol, 0,
 *            1, or 2 for a punctured one
 *   output   after the input: a byte a bit
 *
 * Path metrics are bytes and count agreeing symbols. After every 8 bits, the first time after 6,
 * the decoder traces the best state's path NTRACEBACK - 1 blocks back and subtracts the smallest
 * metric from all. Ties go to the upper predecessor and to the lowest state.
 */
#include "esp/kernel.h"
#include "esp/pipeline.h"

#include <stddef.h>
#include <string.h>

#include "events/esp/regs.h"

#define STATES		64
#define SYMBOLS_AT	72
/* bytes, before rounding up to whole words; two symbols a bit, four less in the first block */
#define INPUT		(SYMBOLS_AT + 2 * ESP_VITDODEC_STRATUS_SUM_MOST - 4)
#define OUTPUT		18585

/*
 * Modelled cycles: one for each turn of the loops in vitdodec.cpp, which its directives leave
 * rolled up. Two bits take four times 136 for half of the states and twice 16 for the symbols; a
 * block, two passes over the states for storing and for taking off the least metric, one for
 * finding it, and the way back.
 */
#define PAIR_CYCLES	(4 * 136 + 2 * 16)
#define BLOCK_CYCLES	(3 * STATES)

struct decoder {
	uint8_t metric[STATES];
	uint8_t path[STATES];		/* the last bits that left the state, the newest in bit 0 */
	uint8_t blocks[ESP_VITDODEC_NTRACEBACK_MOST][STATES];
	unsigned int newest;
};

static uint32_t vit_rounded(const struct mon_esp_acc *acc, uint32_t bytes)
{
	uint32_t word = strstr(acc->design_point, "dma32") ? 4 : 8;

	return (bytes + word - 1) / word * word;
}

/* Number of decoded blocks of 8 bits: the wanted ones, and those that the traceback needs. */
static uint32_t blocks_of(const struct mon_esp_acc *acc)
{
	return (mon_esp_acc_reg(acc, ESP_VITDODEC_DATA_BITS) + 7) / 8 +
	       mon_esp_acc_reg(acc, ESP_VITDODEC_NTRACEBACK);
}

static uint32_t vitdodec_count(const struct mon_esp_acc *acc, const char **error)
{
	uint32_t ntraceback = mon_esp_acc_reg(acc, ESP_VITDODEC_NTRACEBACK);

	if (ntraceback < ESP_VITDODEC_NTRACEBACK_LEAST || ntraceback > ESP_VITDODEC_NTRACEBACK_MOST)
		*error = "NTRACEBACK is outside of its limits";
	else if (mon_esp_acc_reg(acc, ESP_VITDODEC_DATA_BITS) > OUTPUT ||
		 8 * blocks_of(acc) > ESP_VITDODEC_STRATUS_SUM_MOST)
		*error = "DATA_BITS is more than its memory has symbols for";
	return *error ? 0 : 1;
}

static void vitdodec_job(const struct mon_esp_acc *acc, uint32_t number, struct esp_job *job)
{
	uint32_t blocks = blocks_of(acc);

	(void)number;
	job->load_offset = 0;
	job->load_bytes = vit_rounded(acc, INPUT);
	job->store_offset = job->load_bytes;
	job->store_bytes = vit_rounded(acc, OUTPUT);
	job->cycles = (uint64_t)blocks * (4 * PAIR_CYCLES + BLOCK_CYCLES +
					  mon_esp_acc_reg(acc, ESP_VITDODEC_NTRACEBACK));
}

/*
 * Decodes one bit, which the encoder sent as two symbols. States k and k + 32 lead to 2k with a 0
 * and to 2k + 1 with a 1. Both generators have their first and last bit, so of the four branches
 * two send the table's symbols and two the opposite. Arithmetic in bytes, as in hardware, also for
 * invalid symbols.
 */
static void vit_step(struct decoder *d, const uint8_t *in, const uint8_t *symbols)
{
	uint8_t metric[STATES], path[STATES];
	unsigned int k, bit;

	for (k = 0; k < STATES / 2; k++) {
		uint8_t first = in[k] ^ symbols[0], second = in[STATES / 2 + k] ^ symbols[1];
		/* agreeing symbols of the opposite branches, and of the table's */
		uint8_t differ = symbols[0] == 2 ? second :
				 symbols[1] == 2 ? first : first + second;
		uint8_t agree = (symbols[0] == 2 || symbols[1] == 2 ? 1 : 2) - differ;

		for (bit = 0; bit < 2; bit++) {
			uint8_t low = d->metric[k] + (bit ? differ : agree);
			uint8_t high = d->metric[k + STATES / 2] + (bit ? agree : differ);

			metric[2 * k + bit] = low > high ? low : high;
			path[2 * k + bit] = low > high ? d->path[k] << 1 :
					    d->path[k + STATES / 2] << 1 | 1;
		}
	}
	memcpy(d->metric, metric, sizeof(metric));
	memcpy(d->path, path, sizeof(path));
}

/* Ends a block: outputs the oldest block's bits on the best path. */
static uint8_t vit_block(struct decoder *d, unsigned int ntraceback)
{
	unsigned int state, best = 0, least = 0, i, at;
	uint8_t taken;

	d->newest = (d->newest + 1) % ntraceback;
	memcpy(d->blocks[d->newest], d->path, sizeof(d->path));
	for (state = 1; state < STATES; state++) {
		if (d->metric[state] > d->metric[best])
			best = state;
		if (d->metric[state] < d->metric[least])
			least = state;
	}
	/* the state before a block is the first six bits that were shifted out during it */
	for (i = 1, at = d->newest; i < ntraceback; i++) {
		best = d->blocks[at][best] >> 2;
		at = (at + ntraceback - 1) % ntraceback;
	}
	taken = d->metric[least];
	for (state = 0; state < STATES; state++)
		d->metric[state] -= taken;
	memset(d->path, 0, sizeof(d->path));
	return d->blocks[at][best];
}

/* Bytes that are not decoded stay 0; the hardware leaves those of an earlier run. */
static void vitdodec_compute(const struct mon_esp_acc *acc, uint32_t number, uint8_t *plm)
{
	uint32_t ntraceback = mon_esp_acc_reg(acc, ESP_VITDODEC_NTRACEBACK), blocks = blocks_of(acc), n, i;
	const uint8_t *symbols = plm + SYMBOLS_AT;
	uint8_t out[OUTPUT + 8] = { 0 };
	struct decoder d = { 0 };

	(void)number;
	for (n = 0; n < blocks; n++) {
		uint8_t bits;

		for (i = n ? 8 : 6; i; i--, symbols += 2)
			vit_step(&d, plm, symbols);
		bits = vit_block(&d, ntraceback);
		/* block 0 is the bits of the state before the first block */
		for (i = 0; i < 8 && n >= ntraceback; i++)
			out[8 * (n - ntraceback) + i] = bits >> (7 - i) & 1;
	}
	memcpy(plm, out, vit_rounded(acc, OUTPUT));
}

const struct mon_esp_acc_type esp_acc_vitdodec_stratus =
	ESP_PIPELINE(VITDODEC_STRATUS, vitdodec_count, vitdodec_job, vitdodec_compute);
