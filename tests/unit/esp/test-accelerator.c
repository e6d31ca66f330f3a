/* SPDX-License-Identifier: GPL-2.0-only */
/* Several accelerators: coherence modes of one run, point to point, the streaming accelerator. */
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include "esp/internal.h"
#include "esp/kernel.h"
#include "esp/pipeline.h"

/* Default design: 0 FFT with L2, 1 cpu, 2 mem, 3 FFT, 4 FFT, 5 IO. */
#define MEM	2

static struct bench b;
static struct esp_design design;

static void setup(void)
{
	bench_open(&b, NULL, NULL);
}

static void teardown(void)
{
	bench_close(&b);
}

/* Another design than the default one. */
static void open_design(const char *name)
{
	teardown();
	bench_load(&design, name);
	bench_open(&b, &design, NULL);
}

SUITE("esp accelerator", .timeout = 60, .setup = setup, .teardown = teardown);

/*
 * 128-point FFT, cold caches: page table 1 word in 1 line, 128 words in 64 lines read and written in place, 3x2 design,
 * 64-bit words, 2 words and 2 flits a line, if a row does not say otherwise.
 */
static const struct run {
	const char *name, *design;		/* NULL: the default */
	unsigned int acc, coherence;
	unsigned int dma_noc_width, line_bits;	/* 0: the design's */
	unsigned int mem[ESP_MON_LLC_MISS + 1];	/* counts of the memory tile */
	unsigned int l2_hits, l2_misses;	/* of the accelerator */
} runs[] = {
/*
 * Requests 3 (table), 3 (load), 2 + 128 (store); answers 1 + 1, 1 + 128. One pulse a line: table and load miss, the
 * store hits the lines of the load.
 */
#define THROUGH_LLC { [ESP_MON_COH_DMA_REQ] = 136, [ESP_MON_COH_DMA_RSP] = 131, \
	[ESP_MON_LLC_MISS] = 1 + 64, [ESP_MON_LLC_HIT] = 64, [ESP_MON_DDR] = 65 * 2 }
	{ "llc", NULL, 0, ESP_COH_LLC, .mem = THROUGH_LLC },
	{ "recall", NULL, 1, ESP_COH_RECALL, .mem = THROUGH_LLC },
	{ "full without L2 runs as recall", NULL, 1, ESP_COH_FULL, .mem = THROUGH_LLC },
	/*
	 * One L2 read a line, one L2 write a word. 65 GETS of 2 flits; the flush: 64 PUTM of 2 + 2 and 1 PUTS of 2 for
	 * the page table: 258. Sent: 65 times 2 + 2 with data, 65 PUT_ACK of 2: 130.
	 */
	{ "full", NULL, 0, ESP_COH_FULL, .l2_misses = 1 + 64, .l2_hits = 128,
	  .mem = { [ESP_MON_COH_REQ] = 65 * 2 + 258, [ESP_MON_COH_RSP_SND] = 65 * 4 + 130, [ESP_MON_LLC_MISS] = 65,
		   [ESP_MON_LLC_HIT] = 65, [ESP_MON_DDR] = 65 * 2 } },

/* Without caches the mode is ignored. The store's request has a length, too. */
#define PAST_LLC { [ESP_MON_DMA_REQ] = 137, [ESP_MON_DMA_RSP] = 131, [ESP_MON_DDR] = 257 }
	{ "none without caches", "nocache-fft-3x2-old", 0, ESP_COH_NONE, .mem = PAST_LLC },
	{ "llc without caches", "nocache-fft-3x2-old", 0, ESP_COH_LLC, .mem = PAST_LLC },
	{ "recall without caches", "nocache-fft-3x2-old", 0, ESP_COH_RECALL, .mem = PAST_LLC },
	{ "full without caches", "nocache-fft-3x2-old", 0, ESP_COH_FULL, .mem = PAST_LLC },

	/* leon3's words are 32 bits, big endian: 128 points are 256 words of 4 bytes; 65 lines of 4 words */
	{ "leon3, none", "leon3-2x2", 0, ESP_COH_NONE,
	  .mem = { [ESP_MON_DMA_REQ] = 3 + 3 + 3 + 256, [ESP_MON_DMA_RSP] = 2 + 1 + 256,
		   [ESP_MON_DDR] = 1 + 2 * 256 } },
	{ "leon3, llc", "leon3-2x2", 0, ESP_COH_LLC,
	  .mem = { [ESP_MON_COH_DMA_REQ] = 3 + 3 + 2 + 256, [ESP_MON_COH_DMA_RSP] = 2 + 1 + 256,
		   [ESP_MON_LLC_MISS] = 65, [ESP_MON_LLC_HIT] = 64, [ESP_MON_DDR] = 65 * 4 } },
	/* 64 reads and 256 writes of words; LC = 128 / 32 = 4 flits */
	{ "leon3, full", "leon3-2x2", 0, ESP_COH_FULL, .l2_misses = 65, .l2_hits = 256,
	  .mem = { [ESP_MON_COH_REQ] = 65 * 2 + 64 * (2 + 4) + 2, [ESP_MON_COH_RSP_SND] = 65 * (2 + 4) + 65 * 2,
		   [ESP_MON_LLC_MISS] = 65, [ESP_MON_LLC_HIT] = 65, [ESP_MON_DDR] = 65 * 4 } },

	/* A wide DMA NoC carries four words a flit, and a line has as many: 128 words in 32. DDR still counts words. */
	{ "wide NoC, none", "fft-3x2", 0, ESP_COH_NONE, .dma_noc_width = 256, .line_bits = 256,
	  .mem = { [ESP_MON_DMA_REQ] = 3 + 3 + 3 + 32, [ESP_MON_DMA_RSP] = 2 + 1 + 32, [ESP_MON_DDR] = 257 } },
	{ "wide NoC, llc", "fft-3x2", 0, ESP_COH_LLC, .dma_noc_width = 256, .line_bits = 256,
	  .mem = { [ESP_MON_COH_DMA_REQ] = 3 + 3 + 2 + 32, [ESP_MON_COH_DMA_RSP] = 2 + 1 + 32,
		   [ESP_MON_LLC_MISS] = 33, [ESP_MON_LLC_HIT] = 32, [ESP_MON_DDR] = 33 * 4 } },

	/* 1024 bytes are 16 lines of 8 words, 8 flits each. */
	{ "wide lines, full", "fft-3x2", 0, ESP_COH_FULL, .line_bits = 512, .l2_misses = 1 + 16, .l2_hits = 128,
	  .mem = { [ESP_MON_COH_REQ] = 17 * 2 + 16 * (2 + 8) + 2, [ESP_MON_COH_RSP_SND] = 17 * (2 + 8) + 17 * 2,
		   [ESP_MON_LLC_MISS] = 17, [ESP_MON_LLC_HIT] = 17, [ESP_MON_DDR] = 17 * 8 } },
	{ "wide lines, llc", "fft-3x2", 0, ESP_COH_LLC, .line_bits = 512,
	  .mem = { [ESP_MON_COH_DMA_REQ] = 136, [ESP_MON_COH_DMA_RSP] = 131, [ESP_MON_LLC_MISS] = 17,
		   [ESP_MON_LLC_HIT] = 16, [ESP_MON_DDR] = 17 * 8 } },
};

LOOP_TEST(a_run_has_its_counts, 0, sizeof(runs) / sizeof(*runs))
{
	const struct run *r = &runs[_i];
	struct fft f = fft_default(7);
	unsigned int tile, i;

	teardown();
	if (r->design)
		bench_load(&design, r->design);
	else
		esp_design_default(&design);
	design.dma_noc_width = r->dma_noc_width ? r->dma_noc_width : design.dma_noc_width;
	design.line_bits = r->line_bits ? r->line_bits : design.line_bits;
	bench_open(&b, &design, NULL);
	f.acc = r->acc;
	f.coherence = r->coherence;
	fft_run(&b, &f);
	for (i = 0; i < sizeof(r->mem) / sizeof(*r->mem); i++) {
		unsigned int n = mon(&b, b.soc->mem_tile[0], i);

		ck_assert_msg(n == r->mem[i], "%s: memory's event %u is %u, not %u", r->name, i, n, r->mem[i]);
	}
	tile = b.soc->acc_tile[r->acc];
	ck_assert_uint_eq(mon(&b, tile, ESP_MON_L2_HIT), r->l2_hits);
	ck_assert_uint_eq(mon(&b, tile, ESP_MON_L2_MISS), r->l2_misses);
	/* it sends what arrives, each kind on its plane */
	ck_assert_uint_eq(mon(&b, tile, ESP_MON_NOC_INJECT(3)), r->mem[ESP_MON_COH_DMA_REQ]);
	ck_assert_uint_eq(mon(&b, tile, ESP_MON_NOC_INJECT(5)), r->mem[ESP_MON_DMA_REQ]);
}

TEST(full_finds_what_the_cpu_has)
{
	struct fft f = fft_default(7);
	unsigned int i;

	/* The CPU has written the input: its L2 holds the 64 lines in M. */
	for (i = 0; i < 64; i++)
		esp_soc_cpu_access(b.soc, 0, ESP_STORE, f.chunks[0] + 16 * i, 8);
	settle(&b);
	f.coherence = ESP_COH_FULL;
	fft_run(&b, &f);
	/* The same L2 numbers; each read is forwarded, the first write of each line is an upgrade.
	 */
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_L2_MISS), 1 + 64);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_L2_HIT), 128);
	/* FWD_GETS and INV to the CPU's L2 for each line. */
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_COH_FWD), 64 * 2 + 64 * 2);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_COH_RSP_RCV), 64 * 4);
}

TEST(uncached_processor)
{
	open_design("nocache-2x2");
	esp_soc_cpu_access(b.soc, 0, ESP_LOAD, MEM_BASE + 64, 8);
	settle(&b);
	/* This model's choice: header, address, length; header and one word back. */
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_COH_REQ), 3);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_COH_RSP_SND), 2);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_DDR), 1);
	esp_soc_cpu_access(b.soc, 0, ESP_STORE, MEM_BASE + 68, 4);
	settle(&b);
	/* Header, address and the word, no answer. */
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_COH_REQ), 3 + 3);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_COH_RSP_SND), 2);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_DDR), 2);
	ck_assert_uint_eq(mon(&b, 1, ESP_MON_L2_HIT) + mon(&b, 1, ESP_MON_L2_MISS), 0);
}

/* ---- point to point ---- */

#define P2P_SRC		(1 << 2)
#define P2P_DST		(1 << 3)
/* One source at column x, row y, four bits each. */
#define P2P_FROM(x, y)	((uint32_t)(x) << 4 | (uint32_t)(y) << 8)

static struct fft stage(unsigned int acc, unsigned int mode)
{
	struct fft f = fft_default(7);

	f.acc = acc;
	f.coherence = mode;
	f.table += 4096 * acc;
	return f;
}

/* fft.0 (0,0) -> fft.1 (1,1) -> fft.2 (2,0), started in this order. */
static void chain(unsigned int mode, const unsigned int *order)
{
	static const uint32_t p2p[] = {
		P2P_DST, P2P_SRC | P2P_DST | P2P_FROM(0, 0), P2P_SRC | P2P_FROM(1, 1),
	};
	unsigned int i;

	for (i = 0; i < 3; i++)
		acc_write(&b, i, ESP_ACC_P2P, p2p[i]);
	for (i = 0; i < 3; i++) {
		struct fft f = stage(order[i], mode);

		fft_start(&b, &f);
	}
	settle(&b);
	for (i = 0; i < 3; i++) {
		ck_assert_uint_eq(b.irqs[i], 1);
		acc_write(&b, i, ESP_ACC_CMD, 0);
		acc_write(&b, i, ESP_ACC_P2P, 0);
	}
	settle(&b);
}

/* Modes none, llc and recall; test-transactions.c tests mode full. */
LOOP_TEST(p2p_chain, 0, 9)
{
	static const unsigned int orders[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 0, 2 } };
	static uint8_t result[1024];
	struct fft f = stage(0, ESP_COH_NONE);
	unsigned int i, mode = _i % 3, mem = MEM;
	unsigned int req = mode == ESP_COH_NONE ? ESP_MON_DMA_REQ : ESP_MON_COH_DMA_REQ;
	unsigned int rsp = mode == ESP_COH_NONE ? ESP_MON_DMA_RSP : ESP_MON_COH_DMA_RSP;
	bool none = mode == ESP_COH_NONE;

	fft_fill(&b, &f);
	chain(mode, orders[_i / 3]);
	memcpy(result, b.mem + 0x100000, sizeof(result));
	/* Memory sees three page tables, one load and one store: nothing between the stages. */
	ck_assert_uint_eq(mon(&b, mem, req), 3 * 3 + 3 + (none ? 3 : 2) + 128);
	ck_assert_uint_eq(mon(&b, mem, rsp), 3 * 2 + 1 + 128);
	if (none)
		ck_assert_uint_eq(mon(&b, mem, ESP_MON_DDR), 3 + 128 + 128);
	/* Stage 1 asks memory for its table (3) and stage 0 for data (2), and sends 1 + 128. */
	ck_assert_uint_eq(mon(&b, 3, ESP_MON_NOC_INJECT(none ? 5 : 3)), 3 + 2);
	ck_assert_uint_eq(mon(&b, 3, ESP_MON_NOC_INJECT(none ? 3 : 5)), 1 + 128);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_NOC_INJECT(none ? 3 : 5)), 1 + 128);
	ck_assert_uint_eq(b.errors, 0);
	/* The same three transforms through memory. */
	fft_fill(&b, &f);
	for (i = 0; i < 3; i++) {
		f = stage(i, ESP_COH_NONE);
		fft_start(&b, &f);
		acc_finish(&b, i);
	}
	ck_assert_mem_eq(result, b.mem + 0x100000, sizeof(result));
	ck_assert_uint_eq(b.errors, 0);
}

/*
 * In a simulation of ESP's RTL the first load from memory after one from another accelerator, and the first such store,
 * take the address that was translated last (esp_acc_tlb.vhd:244): wrong, unless it is their own. All transfers of the
 * chain are at 0. The TLB has a flag of each direction: stage 0 stored to another accelerator, stage 1 did both, stage
 * 2 loaded. The run after it is right.
 */
LOOP_TEST(memory_after_p2p_takes_a_stale_address, 0, 3)
{
	static const struct { uint32_t buffer, dst; bool fails[3]; } cases[] = {
		{ 0, 0, { false, false, false } },
		{ 0, 0x10000, { true, true, false } },
		{ 0x100000, 0, { false, true, true } },
	};
	struct fft f = stage(0, ESP_COH_NONE);
	unsigned int i, errors = 0;

	fft_fill(&b, &f);
	chain(ESP_COH_NONE, (const unsigned int[]){ 0, 1, 2 });
	for (i = 0; i < 6; i++) {
		bool fails = i < 3 && cases[_i].fails[i];

		f = stage(i % 3, ESP_COH_NONE);
		f.chunks[0] += cases[_i].buffer;
		f.dst = cases[_i].dst;
		fft_start(&b, &f);
		ck_assert_uint_eq(acc_end(&b, i % 3), ESP_ACC_STATUS_DONE | (fails ? ESP_ACC_STATUS_ERR : 0));
		errors += fails;
		ck_assert_uint_eq(b.errors, errors);
		ck_assert_msg(!errors || strstr(b.error, "first transfer with memory"), "%s", b.error);
	}
}

TEST(p2p_requests_are_shorter_than_stores)
{
	struct fft from = stage(0, ESP_COH_NONE), to = stage(1, ESP_COH_NONE);

	/* The producer stores 2 times 128 points, the consumer loads 4 times 64. */
	from.batches = 2;
	to.log_len = 6;
	to.batches = 4;
	to.dst = 0x10000;
	fft_fill(&b, &from);
	acc_write(&b, 0, ESP_ACC_P2P, P2P_DST);
	acc_write(&b, 1, ESP_ACC_P2P, P2P_SRC | P2P_FROM(0, 0));
	fft_start(&b, &from);
	fft_start(&b, &to);
	settle(&b);
	ck_assert_uint_eq(b.irqs[0], 1);
	ck_assert_uint_eq(b.irqs[1], 1);
	/* Four packets of 64 words. Four requests of 2 flits, the page table's 3, and the stores' 4 times 3 + 64. */
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_NOC_INJECT(3)), 4 * (1 + 64));
	ck_assert_uint_eq(mon(&b, 3, ESP_MON_NOC_INJECT(5)), 3 + 4 * 2 + 4 * (3 + 64));
}

TEST(p2p_sources_take_turns)
{
	struct fft f = stage(2, ESP_COH_NONE);
	unsigned int i;

	/* Two producers of two batches each, one consumer of four. */
	f.batches = 4;
	acc_write(&b, 0, ESP_ACC_P2P, P2P_DST);
	acc_write(&b, 1, ESP_ACC_P2P, P2P_DST);
	/* First source (0,0), second at column 1, row 1. */
	acc_write(&b, 2, ESP_ACC_P2P, 1 | P2P_SRC | P2P_FROM(0, 0) | 1u << 12 | 1u << 16);
	for (i = 0; i < 2; i++) {
		struct fft p = stage(i, ESP_COH_NONE);

		p.batches = 2;
		fft_start(&b, &p);
	}
	fft_start(&b, &f);
	settle(&b);
	for (i = 0; i < 3; i++)
		ck_assert_uint_eq(b.irqs[i], 1);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_NOC_INJECT(3)), 2 * 129);
	ck_assert_uint_eq(mon(&b, 3, ESP_MON_NOC_INJECT(3)), 2 * 129);
}

TEST(p2p_waits_for_ever_and_a_reset_ends_it)
{
	struct fft from = stage(0, ESP_COH_NONE), to = stage(1, ESP_COH_NONE);

	/* A consumer without a producer waits and ignores CMD. */
	acc_write(&b, 1, ESP_ACC_P2P, P2P_SRC | P2P_FROM(0, 0));
	fft_start(&b, &to);
	settle(&b);
	acc_write(&b, 1, ESP_ACC_CMD, 0);
	settle(&b);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_STATUS), ESP_ACC_STATUS_RUN);
	ck_assert_uint_eq(b.errors, 0);
	esp_soc_reset_accelerator(b.soc, 1);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_STATUS), 0);
	/* the transfer that the run waited in: 128 words of 8 bytes, none of which came to tile 3 */
	ck_assert_uint_eq(b.errors, 1);
	ck_assert_ptr_nonnull(strstr(b.error, "tile 3: its read of 1024 bytes at 0x"));
	ck_assert_ptr_nonnull(strstr(b.error, "had moved 0: it waited for data of another accelerator"));
	esp_soc_reset_accelerator(b.soc, 1);	/* of none there is nothing to say */
	ck_assert_uint_eq(b.errors, 1);
	/* A producer then finds the request of a run that was stopped, and must not serve it. */
	acc_write(&b, 0, ESP_ACC_P2P, P2P_DST);
	fft_start(&b, &from);
	settle(&b);
	ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_STATUS), ESP_ACC_STATUS_RUN);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_NOC_INJECT(3)), 0);
	esp_soc_reset_accelerator(b.soc, 0);
	ck_assert_ptr_nonnull(strstr(b.error, "tile 0: its write of 1024 bytes at 0x"));
	ck_assert_ptr_nonnull(strstr(b.error, "had moved 0: it waited for another accelerator to ask for its data"));
	ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_P2P), 0);
	/* After a reset both work again. */
	fft_fill(&b, &from);
	chain(ESP_COH_NONE, (const unsigned int[]){ 0, 1, 2 });
}

LOOP_TEST(p2p_from_nowhere, 0, 2)
{
	struct fft f = stage(1, ESP_COH_NONE);

	acc_write(&b, 1, ESP_ACC_P2P, P2P_SRC | (_i ? P2P_FROM(15, 15) : P2P_FROM(1, 0)));
	fft_start(&b, &f);
	acc_finish(&b, 1);
	ck_assert_uint_eq(b.errors, 1);
	ck_assert_uint_eq(get32(&b, fft_addr(&f, 0)), 0);	/* the transform of zeros */
}

/* ---- the second accelerator ---- */

TEST(dummy_copies)
{
	struct fft f = fft_default(0);
	unsigned int i, words = 1300, batches = 2;

	open_design("dummy-3x2");
	for (i = 0; i < words * batches * 2; i++)
		put32(&b, fft_addr(&f, 4 * i), i * 77);
	put64(&b, f.table, f.chunks[0]);
	acc_write(&b, 1, ESP_ACC_PT_ADDRESS, f.table);
	acc_write(&b, 1, ESP_ACC_PT_NCHUNK, 1);
	acc_write(&b, 1, ESP_ACC_PT_SHIFT, 20);
	acc_write(&b, 1, ESP_ACC_DST_OFFSET, 0x80000);
	acc_write(&b, 1, 0x40, words);
	acc_write(&b, 1, 0x44, batches);
	acc_write(&b, 1, ESP_ACC_CMD, 1);
	acc_finish(&b, 1);
	for (i = 0; i < words * batches * 2; i++)
		ck_assert_uint_eq(get32(&b, fft_addr(&f, 0x80000 + 4 * i)), i * 77);
	/* A batch of 1300 words is bursts of 512, 512 and 276: 3 reads and 3 writes, twice. */
	ck_assert_uint_eq(mon(&b, 2, ESP_MON_DMA_REQ), 3 + 6 * 3 + 6 * 3 + 2600);
	ck_assert_uint_eq(mon(&b, 2, ESP_MON_DMA_RSP), 2 + 6 + 2600);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_DEVID), 0x00eb0042);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_PT_NCHUNK_MAX), 4);
}

/* Two vectors of 64 floats, each sorted by itself: fractions of both signs, a zero and an infinity. */
TEST(sort_sorts)
{
	struct fft f = fft_default(0);
	unsigned int i, k, len = 64, batches = 2;
	union {
		float number;
		uint32_t bits;
	} last, now;

	open_design("sort-3x2");
	for (i = 0; i < len * batches; i++) {
		/* 37 and 64 have no common divisor, so all steps of a vector differ */
		now.number = ((int)(i * 37 % len) - 32) / 4.0f + (i >= len ? 100 : 0);
		if (i == 7)
			now.bits = 0x7f800000;
		put32(&b, fft_addr(&f, 4 * i), now.bits);
	}
	put64(&b, f.table, f.chunks[0]);
	acc_write(&b, 1, ESP_ACC_PT_ADDRESS, f.table);
	acc_write(&b, 1, ESP_ACC_PT_NCHUNK, 1);
	acc_write(&b, 1, ESP_ACC_PT_SHIFT, 20);
	acc_write(&b, 1, ESP_SORT_LEN, len);
	acc_write(&b, 1, ESP_SORT_BATCH, batches);
	acc_write(&b, 1, ESP_ACC_CMD, 1);
	acc_finish(&b, 1);
	for (k = 0; k < batches; k++) {
		last.bits = get32(&b, fft_addr(&f, 4 * k * len));
		/* i = 0 is the smallest of each vector: -8, and -8 + 100 */
		ck_assert_float_eq(last.number, k ? 92 : -8);
		for (i = 1; i < len; i++, last = now) {
			now.bits = get32(&b, fft_addr(&f, 4 * (k * len + i)));
			ck_assert_float_lt(last.number, now.number);
		}
	}
	/* the infinity, which replaced another number, is the last of its vector */
	ck_assert_uint_eq(get32(&b, fft_addr(&f, 4 * (len - 1))), 0x7f800000);
	/* of 32 words a vector: page table 3 + 2, reads 3 + 33, writes 3 + 32 */
	ck_assert_uint_eq(mon(&b, 2, ESP_MON_DMA_REQ), 3 + 2 * 3 + 2 * (3 + 32));
	ck_assert_uint_eq(mon(&b, 2, ESP_MON_DMA_RSP), 2 + 2 * (1 + 32));
	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_DEVID), 0x00eb000b);
	acc_write(&b, 1, ESP_SORT_LEN_MAX, 5);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_SORT_LEN_MIN), ESP_SORT_LEN_LEAST);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_SORT_LEN_MAX), ESP_SORT_LEN_MOST);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_SORT_BATCH_MAX), ESP_SORT_BATCH_MOST);
}

/* Cycles of computation, as docs/esp-model.md has them. */
static const struct {
	const struct mon_esp_acc_type *type;
	struct {
		unsigned int reg;
		uint32_t value;
	} set[2];
	uint64_t cycles;
} computed[] = {
	/* 64 butterflies of three states in each of 7 stages, 128 points of two; then three more a point */
	{ &esp_acc_fft_stratus, { { ESP_FFT_LOG_LEN, 7 } }, 64 * 7 * 3 + 2 * 128 },
	{ &esp_acc_fft_stratus, { { ESP_FFT_LOG_LEN, 7 }, { ESP_FFT_DO_BITREV, 1 } }, 64 * 7 * 3 + 5 * 128 },
	{ &esp_acc_fft_stratus, { { ESP_FFT_LOG_LEN, 0 } }, 2 },
	{ &esp_acc_sort_stratus, { { ESP_SORT_LEN, 32 } }, 2 * 32 },
	{ &esp_acc_sort_stratus, { { ESP_SORT_LEN, 1024 } }, 2 * 1024 },
};

LOOP_TEST(a_job_computes_for_the_documented_cycles, 0, sizeof(computed) / sizeof(computed[0]))
{
	uint32_t regs[64] = { 0 };
	const struct mon_esp_acc acc = { .type = computed[_i].type, .regs = regs, .design_point = "basic_fx32_dma64" };
	const struct esp_jobs *jobs = acc.type->data;
	struct esp_job job;
	unsigned int k;

	for (k = 0; k < 2; k++)
		if (computed[_i].set[k].reg)
			regs[computed[_i].set[k].reg / 4] = computed[_i].set[k].value;
	jobs->job(&acc, 0, &job);
	ck_assert_uint_eq(job.cycles, computed[_i].cycles);
}

TEST(unknown_accelerator_fails_with_a_word)
{
	open_design("nine-3x3");
	acc_write(&b, 1, ESP_ACC_PT_ADDRESS, MEM_BASE);
	acc_write(&b, 1, ESP_ACC_CMD, 1);
	settle(&b);
	ck_assert_uint_eq(b.irqs[1], 1);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_STATUS), ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR);
	ck_assert_uint_eq(b.errors, 1);
}

/* ---- other widths ---- */

/* The counts of runs[] add up when the modes follow each other, each in memory of its own. */
TEST(leon3_runs_in_all_modes)
{
	struct fft f = fft_default(7);

	open_design("leon3-2x2");
	/* Coordinates have 3 bits when a NoC has 32: tile 2 is row 1, column 0. */
	ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_YX), 1 << 3);
	for (f.coherence = 0; f.coherence < 4; f.coherence++, f.chunks[0] += 0x100000, f.table += 4096)
		fft_run(&b, &f);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_DMA_REQ), 3 + 3 + 3 + 256);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_COH_DMA_REQ), 2 * (3 + 3 + 2 + 256));
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_COH_REQ), 65 * 2 + 64 * (2 + 4) + 2);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_DDR), 1 + 2 * 256 + 3 * 65 * 4);
	ck_assert_uint_eq(mon(&b, 2, ESP_MON_L2_HIT), 256);
	ck_assert_uint_eq(mon(&b, 2, ESP_MON_L2_MISS), 65);
}

LOOP_TEST(memory_tiles_share_the_range, 0, 4)
{
	static const unsigned int mems[] = { 7, 11, 13, 14 };
	struct fft f = fft_default(7);
	unsigned int i;

	open_design("sixteen-4x4");
	f.acc = 3;	/* the first FFT after three third-party accelerators */
	/* The table in the first quarter of memory, the data in quarter _i. */
	f.chunks[0] = MEM_BASE + MEM_SIZE / 4 * _i + 0x100000;
	fft_run(&b, &f);
	for (i = 0; i < 4; i++) {
		unsigned int table = i == 0, data = i == (unsigned int)_i;

		ck_assert_uint_eq(mon(&b, mems[i], ESP_MON_DMA_REQ), 3 * table + (3 + 131) * data);
		ck_assert_uint_eq(mon(&b, mems[i], ESP_MON_DDR), table + 256 * data);
	}
}

TEST(fx64_numbers)
{
	struct fft f = fft_default(3);
	unsigned int i;

	teardown();
	bench_load(&design, "fft-3x2");
	strcpy(design.tiles[0].design_point, "basic_fx64_dma64");
	bench_open(&b, &design, NULL);
	/* A unit impulse of 2^22 (22 fraction bits): all outputs are 1 + 0i. */
	put64(&b, fft_addr(&f, 0), 1 << 22);
	fft_start(&b, &f);
	acc_finish(&b, 0);
	for (i = 0; i < 8; i++) {
		ck_assert_uint_eq(get32(&b, fft_addr(&f, 16 * i)), 1 << 22);
		ck_assert_uint_eq(get32(&b, fft_addr(&f, 16 * i + 8)), 0);
	}
	/* 8 points of two 64-bit numbers. */
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 1 + 16 + 16);
}
