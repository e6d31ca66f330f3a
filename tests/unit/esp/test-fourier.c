/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One FFT in C, SystemC and Verilog (fourier.*, examples/esp/accelerators/fourier.c): the same results, bit for bit,
 * words and flits. Mode none. With 64-bit words a read of n points is 3 flits and 1 + n, a write 3 + n;
 * with 32-bit words (Ibex) a point is two words, and two beats of a 32-bit channel.
 */
#include <math.h>
#include <stdio.h>

#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include "esp/internal.h"

#define MEM		2	/* tile */
#define MOST_LOG	8
#define SILENCE_MS	10000
#define BATCH_SIZE	0x40
#define LOG_LEN		0x44
#define P2P_SRC		(1u << 2)
#define P2P_DST		(1u << 3)

static const struct variant {
	const char *name, *file;
	unsigned int word;	/* bytes, of the SoC and of a beat */
} variants[] = {
	{ "FOURIER_C", "tests/unit/esp/fourier_c.acc", 8 },
	{ "FOURIER_SC", "tests/unit/esp/fourier_sc.acc", 8 },
	{ "FOURIER_V", "tests/unit/esp/fourier_v.acc", 8 },
	{ "FOURIER_C32", "tests/unit/esp/fourier_c32.acc", 4 },
	{ "FOURIER_SC32", "tests/unit/esp/fourier_sc32.acc", 4 },
};
#define NVARIANTS	5
#define NWIDE		3	/* those of 64 bits */

static struct bench b;
static struct mon_esp_acc_type *types[3];
static unsigned int word;

/* Accelerator 0 is in tile 0, at (0, 0), and 1 in tile 3, at (1, 0). */
static void open_pair(unsigned int first, unsigned int second)
{
	const unsigned int which[] = { first, second };
	const struct mon_esp_acc_type *list[] = { NULL, NULL, NULL };
	struct esp_params params = bench_params();
	static struct esp_design design;
	char err[256] = "", text[1024];
	unsigned int i;

	word = variants[first].word;
	for (i = 0; i < 2; i++) {
		const struct variant *v = &variants[which[i]];

		types[i] = esp_remote_type(v->name, v->file, false, SILENCE_MS, err, sizeof(err));
		ck_assert_msg(types[i] != NULL, "%s", err);
		list[i] = types[i];
	}
	params.accelerators = list;
	snprintf(text, sizeof(text),
		 "CPU_ARCH = %s\nCONFIG_NOC_ROWS = 2\nCONFIG_NOC_COLS = 3\n"
		 "CONFIG_COH_NOC_WIDTH = %u\nCONFIG_DMA_NOC_WIDTH = %u\nCONFIG_HAS_SG = y\n"
		 "TILE_0_0 = 0 acc %s basic_dma%u 0 0 sld\nTILE_0_1 = 1 cpu cpu\nTILE_0_2 = 2 mem mem\n"
		 "TILE_1_0 = 3 acc %s basic_dma%u 0 0 sld\nTILE_1_1 = 4 empty empty\nTILE_1_2 = 5 misc IO\n",
		 word == 8 ? "ariane" : "ibex", 8 * word, 8 * word, variants[first].name, 8 * word,
		 variants[second].name, 8 * word);
	bench_design(&design, text);
	bench_open(&b, &design, &params);
}

static void teardown(void)
{
	bench_close(&b);
	esp_remote_type_free(types[0]);
	esp_remote_type_free(types[1]);
}

static uint32_t buffer(unsigned int acc)
{
	return MEM_BASE + ((1 + acc) << 20);
}

static int32_t signal_at(uint32_t i)
{
	/* below 1/16 of the range: no sum of 256 overflows 12.20 */
	return (int32_t)(i * 2654435761u) >> 13;
}

static void fill(unsigned int acc, uint32_t points)
{
	uint32_t i;

	for (i = 0; i < 2 * points; i++)
		put32(&b, buffer(acc) + 4 * i, (uint32_t)signal_at(i));
}

static void start(unsigned int acc, uint32_t batches, uint32_t log_len, uint32_t p2p)
{
	uint32_t table = MEM_BASE + 0x1000 * (1 + acc);

	if (word == 8)
		put64(&b, table, buffer(acc));
	else
		put32(&b, table, buffer(acc));
	acc_write(&b, acc, ESP_ACC_PT_ADDRESS, table);
	acc_write(&b, acc, ESP_ACC_PT_NCHUNK, 1);
	acc_write(&b, acc, ESP_ACC_PT_SHIFT, 20);
	acc_write(&b, acc, ESP_ACC_P2P, p2p);
	acc_write(&b, acc, BATCH_SIZE, batches);
	acc_write(&b, acc, LOG_LEN, log_len);
	acc_write(&b, acc, ESP_ACC_CMD, 1);
}

/*
 * Output k of the transform of a batch of n points by its definition, and the error that rounding
 * may cause.
 */
static void is_transform(const int32_t *in, unsigned int acc, uint32_t first, uint32_t n)
{
	uint32_t i, k;

	for (k = 0; k < n; k++) {
		const uint32_t at = buffer(acc) + 8 * (first + k);
		double re = 0, im = 0;

		for (i = 0; i < n; i++) {
			double angle = -2 * acos(-1) * ((uint64_t)i * k % n) / n;

			re += in[2 * i] * cos(angle) - in[2 * i + 1] * sin(angle);
			im += in[2 * i] * sin(angle) + in[2 * i + 1] * cos(angle);
		}
		/* each of the log2 stages cuts off less than one, and roots are off by 2^-31 */
		ck_assert_double_eq_tol((int32_t)get32(&b, at), re, 2.0 * n);
		ck_assert_double_eq_tol((int32_t)get32(&b, at + 4), im, 2.0 * n);
	}
}

static uint64_t hash(unsigned int acc, uint32_t points)
{
	uint64_t h = 1469598103934665603u;
	uint32_t i;

	for (i = 0; i < 2 * points; i++)
		h = (h ^ get32(&b, buffer(acc) + 4 * i)) * 1099511628211u;
	return h;
}

SUITE("fourier", .timeout = 120);

TEST(results_words_and_flits_are_equal)
{
	static const uint32_t sizes[][2] = { { 1, 1 }, { 3, 4 }, { 1, 8 }, { 5, 6 } };
	uint64_t first[4];
	unsigned int v, s;
	uint32_t i;

	for (v = 0; v < NVARIANTS; v++) {
		open_pair(v, v);
		for (s = 0; s < 4; s++) {
			const uint32_t batches = sizes[s][0], n = 1u << sizes[s][1];
			/* words of a batch, one a beat and one a flit */
			const uint32_t words = n * 8 / word;
			int32_t in[2 << MOST_LOG];

			esp_soc_reset(b.soc);
			b.irqs[0] = 0;
			fill(0, batches * n);
			start(0, batches, sizes[s][1], 0);
			acc_finish(&b, 0);
			ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 1 + 2 * batches * words);
			ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ), 3 + batches * (3 + 3 + words));
			ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_RSP), 1 + 1 + batches * (1 + words));
			for (i = 0; i < 2 * n; i++)
				in[i] = signal_at(2 * n * (batches - 1) + i);
			is_transform(in, 0, n * (batches - 1), n);
			if (!v)
				first[s] = hash(0, batches * n);
			ck_assert_msg(hash(0, batches * n) == first[s], "%s differs from %s at size %u",
				      variants[v].name, variants[0].name, s);
		}
		ck_assert_uint_eq(b.errors, 0);
		teardown();
	}
}

/*
 * Each variant sends to each other one: memory sees the reads of the first and the writes of the
 * second.
 */
LOOP_TEST(one_feeds_another, 0, NWIDE * NWIDE)
{
	const uint32_t batches = 3, log_len = 5, n = 1u << log_len;
	uint64_t direct;

	/* the same two transforms, one after the other through memory */
	open_pair(0, 0);
	fill(0, batches * n);
	start(0, batches, log_len, 0);
	acc_finish(&b, 0);
	start(0, batches, log_len, 0);
	acc_finish(&b, 0);
	direct = hash(0, batches * n);
	teardown();

	open_pair(_i / NWIDE, _i % NWIDE);
	fill(0, batches * n);
	start(0, batches, log_len, P2P_DST);
	start(1, batches, log_len, P2P_SRC | 0 << 4 | 0 << 8);
	while (!b.irqs[0] || !b.irqs[1]) {
		ck_assert_uint_ne(esp_soc_next_event(b.soc), UINT64_MAX);
		esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
	}
	settle(&b);
	ck_assert(hash(1, batches * n) == direct);
	/* two page tables; no word goes from one to the other through memory */
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 2 + 2 * batches * n);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ), 2 * 3 + batches * (3 + 3 + n));
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_RSP), 2 * 2 + batches * (1 + n));
	/* a header and the words on the plane of answers; requests of 2 flits */
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_NOC_INJECT(3)), batches * (1 + n));
	ck_assert_uint_eq(mon(&b, 3, ESP_MON_NOC_INJECT(5)), 3 + batches * (2 + 3 + n));
	ck_assert_uint_eq(b.errors, 0);
	teardown();
}

/* A transform that the accelerator refuses ends the run with an error that says why. */
TEST(wrong_sizes_are_refused)
{
	open_pair(0, 0);
	start(0, 1, 9, 0);
	while (!b.irqs[0])
		esp_soc_advance(b.soc, esp_soc_next_event(b.soc));
	ck_assert_ptr_nonnull(strstr(b.error, "log_len is 1 to 8"));
	ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_STATUS) & ESP_ACC_STATUS_ERR, ESP_ACC_STATUS_ERR);
	teardown();
}
