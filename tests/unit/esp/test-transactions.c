/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Transactions of an accelerator: transfers in any order and of any length, cycles between them,
 * its own state, and the partner of each transfer. Mode none, 64-bit words: a read of n words from
 * memory is 3 flits and 1 + n, a write 3 + n; a read from another accelerator 2 and 1 + n, not
 * through memory (esp_acc_dma.vhd).
 */
#include <stdio.h>

#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include "esp/mon_esp_acc.h"

#define MEM		2	/* tile */
#define YX_1		(1u << 4)	/* row 1, column 0, in an entry of 8 bits */
#define WORDS		4096u	/* 32 KiB, more than a local buffer of ESP's accelerators */
#define CHUNK		(1u << 17)	/* words of 1 MiB */
#define BUFFER		(MEM_BASE + (1u << 20))

/*
 * Design: 3x2 with cpu 0, mem 2, accelerators 1, 3 and 4 and misc 5. Each of them follows a list of
 * steps.
 */
struct step {
	enum mon_esp_acc_what what;
	uint32_t word, words;
	unsigned int user;
	uint64_t cycles;
};

static const struct step *steps;
static unsigned int nexts, chunks;	/* chunks: entries of the page table */

struct list_state {
	uint32_t at;
	uint8_t data[8 * WORDS];
};

static void list_start(struct mon_esp_acc *acc)
{
	((struct list_state *)acc->state)->at = mon_esp_acc_reg(acc, 0x40);
}

static void list_next(struct mon_esp_acc *acc)
{
	struct list_state *s = acc->state;
	const struct step *step = &steps[s->at++];

	nexts++;
	mon_esp_acc_compute(acc, step->cycles);
	if (step->what == MON_ESP_ACC_READ)
		mon_esp_acc_read(acc, s->data, 8 * step->word, 8 * step->words, step->user);
	else if (step->what == MON_ESP_ACC_WRITE)
		mon_esp_acc_write(acc, s->data, 8 * step->word, 8 * step->words, step->user);
	else if (step->what == MON_ESP_ACC_DONE)
		mon_esp_acc_done(acc);
}

static struct esp_acc_row list_row = { .name = "LIST", .device = 0x123, .chunks = 4 };
static const struct mon_esp_acc_type list = {
	.row = &list_row,
	.state_size = sizeof(struct list_state),
	.start = list_start,
	.next = list_next,
};

static struct bench b;

static void open_design(bool multicasts)
{
	static const struct mon_esp_acc_type *const types[] = { &list, NULL };
	static struct esp_design design;
	struct esp_params params = bench_params();
	char text[1024];

	params.accelerators = types;
	snprintf(text, sizeof(text),
		 "CPU_ARCH = ariane\nCONFIG_NOC_ROWS = 3\nCONFIG_NOC_COLS = 2\n"
		 "CONFIG_COH_NOC_WIDTH = 64\nCONFIG_DMA_NOC_WIDTH = 64\nCONFIG_CACHE_EN = y\n"
		 "%sCONFIG_MAX_MCAST_DESTS = 4\n"
		 "CONFIG_HAS_SG = y\nTILE_0_0 = 0 cpu cpu\n"
		 "TILE_0_1 = 1 acc LIST basic_dma64 1 0 sld\nTILE_1_0 = 2 mem mem\n"
		 "TILE_1_1 = 3 acc LIST basic_dma64 0 0 sld\n"
		 "TILE_2_0 = 4 acc LIST basic_dma64 0 0 sld\nTILE_2_1 = 5 misc IO\n",
		 multicasts ? "CONFIG_MULTICAST_NOC_EN = y\n" : "");
	bench_design(&design, text);
	bench_open(&b, &design, &params);
	nexts = 0;
	chunks = 1;
	list_row.load = list_row.store = 0;
}

static void setup(void)
{
	open_design(true);
}

static void teardown(void)
{
	bench_close(&b);
}

/* Steps from number first on; the buffer is one chunk of 1 MiB for each accelerator, and others that it does not use. */
static void start(unsigned int acc, uint32_t first)
{
	uint32_t table = MEM_BASE + 0x1000 * (1 + acc), i;

	for (i = 0; i < chunks; i++)
		put64(&b, table + 8 * i, BUFFER + ((uint32_t)acc << 20));
	acc_write(&b, acc, ESP_ACC_PT_ADDRESS, table);
	acc_write(&b, acc, ESP_ACC_PT_NCHUNK, chunks);
	acc_write(&b, acc, ESP_ACC_PT_SHIFT, 20);
	acc_write(&b, acc, ESP_ACC_USER, first);
	acc_write(&b, acc, ESP_ACC_CMD, 1);
}

static uint64_t run(uint32_t first)
{
	uint64_t from;

	start(0, first);
	from = esp_soc_now(b.soc);
	acc_finish(&b, 0);
	return esp_soc_now(b.soc) - from;
}

SUITE("transactions", .setup = setup, .teardown = teardown);

TEST(transfers_come_in_any_order_and_length)
{
	static const struct step list_of_steps[] = {
		{ MON_ESP_ACC_WRITE, 100, 1, 0, 0 },	/* zeros before the first read */
		{ MON_ESP_ACC_READ, 0, WORDS, 0, 0 },
		{ MON_ESP_ACC_READ, 1, 3, 0, 7 },
		{ MON_ESP_ACC_WRITE, WORDS, 5, 0, 0 },
		{ MON_ESP_ACC_WRITE, WORDS + 5, 2, 0, 0 },
		{ MON_ESP_ACC_READ, WORDS, 7, 0, 0 },
		{ MON_ESP_ACC_DONE, 0, 0, 0, 0 },
	};
	uint32_t i;

	for (i = 0; i < WORDS; i++)
		put64(&b, BUFFER + 8 * i, 1000 + i);
	steps = list_of_steps;
	run(0);
	/*
	 * Reads: page table 1, WORDS, 3, 7; writes 1, 5, 2. Requests 3 * 4 + 3 * 3 + 8 flits, answers
	 * 4 + 1 + WORDS + 3 + 7, and on the DDR bus all words.
	 */
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ), 12 + 9 + 8);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_RSP), 4 + 11 + WORDS);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 11 + WORDS + 8);
	/* words of the second read, followed by the rest of the first */
	ck_assert_uint_eq(get32(&b, BUFFER + 8 * 100), 0);
	ck_assert_uint_eq(get32(&b, BUFFER + 8 * WORDS), 1001);
	ck_assert_uint_eq(get32(&b, BUFFER + 8 * (WORDS + 2)), 1003);
	ck_assert_uint_eq(get32(&b, BUFFER + 8 * (WORDS + 3)), 1003);
	ck_assert_uint_eq(get32(&b, BUFFER + 8 * (WORDS + 5)), 1001);
	ck_assert_uint_eq(b.errors, 0);
}

/* Cycles before a request, and cycles alone, make only the run longer. */
TEST(computation_takes_its_cycles)
{
	static const struct step list_of_steps[] = {
		{ MON_ESP_ACC_READ, 0, 4, 0, 0 }, { MON_ESP_ACC_DONE, 0, 0, 0, 0 },
		{ MON_ESP_ACC_READ, 0, 4, 0, 300 }, { MON_ESP_ACC_NOTHING, 0, 0, 0, 5000 },
		{ MON_ESP_ACC_DONE, 0, 0, 0, 40 },
	};
	uint64_t cycles;

	steps = list_of_steps;
	run(0);			/* the page table is there from now on */
	cycles = run(0);
	ck_assert_uint_eq(run(2), cycles + 300 + 5000 + 40);
	ck_assert_uint_eq(nexts, 2 + 2 + 3);
}

/*
 * Four transfers of an accelerator that takes or gives a beat in so many cycles, beside a simulation of ESP's RTL (DMA
 * proxy, socket, queues, routers of planes 4 and 6): one hop, all links of both planes, a page table of 4 entries.
 * Without stalls a load of n has 3 and 1 + n flits, a store 3 + n.
 *
 * Load: the link is free when beat n - 31 has been taken, because the next FIFO's 4, a register and the socket's 26 are
 * behind it. So it stalls d (n - 32) - n + 13 cycles, with the latencies of the queues both ways. BUSY beats: see
 * the_bus_is_busy_in_phases. Store: d - 1 BUSY beats between two beats.
 */
#define EARLY	4	/* the RTL's accelerator gave the first of two cycles' beats a cycle late, in each of four stores */

LOOP_TEST(a_slow_accelerator_fills_links_and_queues, 0, 9)
{
	static const struct {
		enum mon_esp_acc_what what;
		unsigned int words, pace, links, ddr, mem;
	} rtl[] = {
		{ MON_ESP_ACC_READ, 64, 2, 332, 260, 716 }, { MON_ESP_ACC_READ, 128, 2, 844, 636, 1228 },
		{ MON_ESP_ACC_READ, 512, 2, 3916, 3708, 4300 }, { MON_ESP_ACC_READ, 512, 3, 5836, 5508, 6344 },
		{ MON_ESP_ACC_READ, 512, 1, 2072, 2052, 4 * (512 + 52) },
		{ MON_ESP_ACC_WRITE, 16, 2, 84, 128, 156 - EARLY }, { MON_ESP_ACC_WRITE, 64, 2, 276, 512, 540 - EARLY },
		{ MON_ESP_ACC_WRITE, 512, 3, 2068, 6140, 6164 }, { MON_ESP_ACC_WRITE, 512, 1, 2068, 2052, 4 * (512 + 7) },
	};
	static struct step four[5];
	unsigned int plane, port, tile, i, links = 0;

	for (i = 0; i < 4; i++)
		four[i] = (struct step) { rtl[_i].what, 512 * i, rtl[_i].words, 0, 17 * i };
	four[4] = (struct step) { .what = MON_ESP_ACC_DONE };
	/* the router for multicasts holds a head up, and so the first data, which are then closer to the second */
	teardown();
	open_design(false);
	list_row.load = list_row.store = rtl[_i].pace;
	steps = four;
	chunks = 4;
	start(1, 0);
	acc_finish(&b, 1);
	for (tile = 0; tile < 6; tile++) {
		for (plane = ESP_NPLANES - 3; plane < ESP_NPLANES; plane += 2)
			for (port = 0; port < 4; port++)
				links += mon(&b, tile, ESP_MON_NOC_QUEUE(plane, port));
	}
	ck_assert_uint_eq(links, rtl[_i].links);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), rtl[_i].ddr);
	ck_assert_uint_eq(mon(&b, 3, ESP_MON_ACC_MEM_LO), rtl[_i].mem);
	/* a page table of n: n + 50; k transfers: k + 3, and what they wait */
	ck_assert_uint_eq(mon(&b, 3, ESP_MON_ACC_TLB), 4 + 50);
	ck_assert_uint_eq(mon(&b, 3, ESP_MON_ACC_TOT_LO), rtl[_i].mem + 4 + 50 + 4 + 3 + 17 * (0 + 1 + 2 + 3));
	/* requests and answers of the page table and the four */
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ) + mon(&b, MEM, ESP_MON_DMA_RSP),
			  3 + 1 + 4 + 4 * (3 + (rtl[_i].what == MON_ESP_ACC_READ) + rtl[_i].words));
	ck_assert_uint_eq(b.errors, 0);
}

/* n transactions of so many words by each accelerator of a mask, the kind and the one after it in turn; one starts with all. */
static void saturate(unsigned int mask, enum mon_esp_acc_what kind, enum mon_esp_acc_what after, uint32_t words, uint32_t n,
		     unsigned int pace)
{
	static struct step all[61];
	unsigned int acc;
	uint32_t i;

	for (i = 0; i < n; i++)
		all[i] = (struct step) { i % 2 ? after : kind, 0, words, 0, 0 };
	all[n] = (struct step) { .what = MON_ESP_ACC_DONE };
	steps = all;
	teardown();
	open_design(false);
	list_row.load = pace;
	for (acc = 0; acc < 3; acc++) {
		if (mask & 1u << acc)
			start(acc, 0);
	}
	settle(&b);
	ck_assert_uint_eq(b.errors, 0);
}

/* Cycles in which a flit is in an output register of planes 4 and 6. */
static uint32_t occupied(void)
{
	unsigned int tile, port;
	uint32_t sum = 0;

	for (tile = 0; tile < 6; tile++) {
		for (port = 0; port < 4; port++)
			sum += mon(&b, tile, ESP_MON_NOC_QUEUE(ESP_NPLANES - 3, port)) +
			       mon(&b, tile, ESP_MON_NOC_QUEUE(ESP_NPLANES - 1, port));
	}
	return sum;
}

/*
 * BUSY beats of a load of n words from a tile one hop away, taken every d cycles. With three places left in its queue the
 * proxy has two words under way and then waits for three again, and two cycles more: three words a phase at d = 2, two
 * from d = 3 on (noc2ahbmst.vhd, dma_send_busy and dma_wait_busy). The formulas are those of counts of the RTL.
 */
LOOP_TEST(the_bus_is_busy_in_phases, 2, 5)
{
	uint32_t n, busy;

	for (n = 99; n < 180; n++) {
		busy = _i == 2 ? (n - 98 + 2) / 3 * 3 : _i == 3 ? (n - 80 + 1) / 2 * 4 : (n - 74 + 1) / 2 * 6 - 1;
		saturate(1 << 1, MON_ESP_ACC_READ, MON_ESP_ACC_READ, n, 1, _i);
		ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 1 + n + busy);
		ck_assert_uint_eq(mon(&b, 3, ESP_MON_ACC_MEM_LO), n + 52 + (n - 1) * (_i - 1));
	}
}

/*
 * A read begins if four of the 26 places of the send queue are free (dma_rd_request), which the proxy knows 5 cycles late
 * (the asynchronous FIFO). An answer to an accelerator that takes a word every fourth cycle fills the queue; behind it
 * another one's request waits with its last flit, the twelfth with those of the two page tables.
 */
TEST(a_read_waits_for_four_free_places)
{
	static const struct step list_of_steps[] = {
		{ MON_ESP_ACC_READ, 0, 200, 0, 0 }, { MON_ESP_ACC_DONE, 0, 0, 0, 0 },
		{ MON_ESP_ACC_READ, 0, 8, 0, 400 }, { MON_ESP_ACC_DONE, 0, 0, 0, 0 },
	};
	static uint32_t given[4000], left[4000];	/* flits that the proxy has given, and that have left the queue */
	unsigned int t, whole = 0;

	teardown();
	open_design(false);
	list_row.load = 4;
	steps = list_of_steps;
	start(1, 0);
	start(0, 2);
	for (t = 6; mon(&b, MEM, ESP_MON_DMA_REQ) < 12; t++) {
		ck_assert_uint_lt(t, 4000);
		esp_soc_advance(b.soc, esp_soc_now(b.soc) + 1);
		given[t] = mon(&b, MEM, ESP_MON_DMA_RSP);
		left[t] = mon(&b, MEM, ESP_MON_NOC_INJECT(ESP_NPLANES - 3));
		/* the page tables' answers, and that to the first */
		if (given[t] == 2 + 2 + 201 && !whole)
			whole = t;
	}
	t--;
	ck_assert_uint_gt(given[whole] - left[whole], 22);
	ck_assert_uint_eq(given[t - 1], given[whole]);
	ck_assert_uint_le(given[t - 1] - left[t - 5], 22);
	ck_assert_uint_gt(given[t - 1] - left[t - 6], 22);
	settle(&b);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_RSP), 2 + 2 + 201 + 9);
	ck_assert_uint_eq(b.errors, 0);
}

/*
 * Accelerators that always ask, 60 transactions each, beside the RTL with the same routers, sockets and proxy; one route has
 * two links, two have one. A load keeps the proxy for 3 flits, dma_rd_request, dma_send_header, 20 cycles of DDR and its n
 * words less one: n + 24. A store does for 3 + n flits, write_last_data and write_complete: n + 5. The RTL's counts are the
 * occupied links of stores; that harness started its accelerators otherwise, so 0.6 % are allowed.
 */
LOOP_TEST(a_saturated_proxy_takes_its_states, 0, 10)
{
	static const struct {
		enum mon_esp_acc_what kind, after;
		uint32_t words, mask, occupied;
	} rtl[] = {
		{ MON_ESP_ACC_READ, MON_ESP_ACC_READ, 1, 7, 0 }, { MON_ESP_ACC_READ, MON_ESP_ACC_READ, 16, 7, 0 },
		{ MON_ESP_ACC_READ, MON_ESP_ACC_READ, 64, 7, 0 }, { MON_ESP_ACC_READ, MON_ESP_ACC_READ, 256, 7, 0 },
		{ MON_ESP_ACC_WRITE, MON_ESP_ACC_WRITE, 1, 7, 3887 }, { MON_ESP_ACC_WRITE, MON_ESP_ACC_WRITE, 16, 7, 14860 },
		{ MON_ESP_ACC_WRITE, MON_ESP_ACC_WRITE, 64, 7, 49287 }, { MON_ESP_ACC_WRITE, MON_ESP_ACC_WRITE, 256, 7, 186567 },
		{ MON_ESP_ACC_WRITE, MON_ESP_ACC_WRITE, 1, 3, 1752 }, { MON_ESP_ACC_READ, MON_ESP_ACC_WRITE, 16, 7, 8580 },
	};
	uint32_t first, second;

	saturate(rtl[_i].mask, rtl[_i].kind, rtl[_i].after, rtl[_i].words, 30, 1);
	first = mon(&b, 3, ESP_MON_ACC_TOT_LO);
	saturate(rtl[_i].mask, rtl[_i].kind, rtl[_i].after, rtl[_i].words, 60, 1);
	second = mon(&b, 3, ESP_MON_ACC_TOT_LO);
	if (rtl[_i].mask == 7 && rtl[_i].kind == rtl[_i].after)
		ck_assert_uint_eq(second - first, 3 * 30 * (rtl[_i].words + (rtl[_i].occupied ? 5 : 24)));
	if (!rtl[_i].occupied)
		return;
	ck_assert_uint_gt(1000 * occupied(), 994 * rtl[_i].occupied);
	ck_assert_uint_lt(1000 * occupied(), 1006 * rtl[_i].occupied);
}

/*
 * Loads from another accelerator one hop away, which waits with its stores: n + 31 cycles for the first, and n + 29 for
 * each further one, which is not translated. Counts of the RTL.
 */
LOOP_TEST(point_to_point_takes_its_cycles, 0, 2)
{
	const uint32_t n = _i ? 4 : 1, words = _i ? 256 : 16;
	static struct step both[10];
	uint32_t i;

	for (i = 0; i < 2 * (n + 1); i++)
		both[i] = (struct step) { i <= n ? MON_ESP_ACC_WRITE : MON_ESP_ACC_READ, 0, words, i <= n ? 1 : 2, 0 };
	both[n].what = both[2 * n + 1].what = MON_ESP_ACC_DONE;
	steps = both;
	teardown();
	open_design(false);
	acc_write(&b, 1, ESP_ACC_YX, 1u << 16);
	start(0, 0);
	esp_soc_advance(b.soc, 500);
	start(1, n + 1);
	settle(&b);
	ck_assert_uint_eq(mon(&b, 3, ESP_MON_ACC_MEM_LO), words + 31 + (n - 1) * (words + 29));
	ck_assert_uint_eq(b.errors, 0);
}

/* The registers P2P stay 0: entry 2 of the reader's table of tiles and the writer's user decide. */
TEST(user_names_the_source)
{
	static const struct step list_of_steps[] = {
		{ MON_ESP_ACC_READ, 0, 16, 0, 0 }, { MON_ESP_ACC_WRITE, 0, 16, 1, 0 },
		{ MON_ESP_ACC_DONE, 0, 0, 0, 0 },
		{ MON_ESP_ACC_READ, 0, 16, 2, 0 }, { MON_ESP_ACC_WRITE, 64, 16, 0, 0 },
		{ MON_ESP_ACC_DONE, 0, 0, 0, 0 },
	};
	uint32_t i;

	for (i = 0; i < 16; i++)
		put64(&b, BUFFER + 8 * i, 7 * i);
	steps = list_of_steps;
	/* accelerator 0 is in tile 1: row 0, column 1; entries have y above x, 4 bits each */
	acc_write(&b, 1, ESP_ACC_YX, 1u << 16);
	start(0, 0);
	start(1, 3);
	acc_finish(&b, 0);
	settle(&b);
	acc_write(&b, 1, ESP_ACC_CMD, 0);
	for (i = 0; i < 16; i++)
		ck_assert_uint_eq(get32(&b, BUFFER + (1u << 20) + 8 * (64 + i)), 7 * i);
	/* memory: two page tables, one read, one write of 16 words */
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DDR), 2 + 32);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ), 3 * 3 + 3 + 16);
	ck_assert_uint_eq(b.errors, 0);
}

/* user 2 of a write: it waits for two requests and answers both with one packet of 1 + 16 flits. */
TEST(user_counts_the_consumers)
{
	static const struct step list_of_steps[] = {
		{ MON_ESP_ACC_READ, 0, 16, 0, 0 }, { MON_ESP_ACC_WRITE, 0, 16, 2, 0 },
		{ MON_ESP_ACC_DONE, 0, 0, 0, 0 },
		{ MON_ESP_ACC_READ, 0, 16, 1, 0 }, { MON_ESP_ACC_WRITE, 64, 16, 0, 0 },
		{ MON_ESP_ACC_DONE, 0, 0, 0, 0 },
	};
	unsigned int acc;

	put64(&b, BUFFER, 4711);
	steps = list_of_steps;
	start(0, 0);
	for (acc = 1; acc < 3; acc++) {
		acc_write(&b, acc, ESP_ACC_YX, 1u << 8);	/* entry 1 */
		start(acc, 3);
	}
	acc_finish(&b, 0);
	settle(&b);
	for (acc = 1; acc < 3; acc++)
		ck_assert_uint_eq(get32(&b, BUFFER + ((uint32_t)acc << 20) + 8 * 64), 4711);
	ck_assert_uint_eq(mon(&b, 1, ESP_MON_NOC_INJECT(ESP_NPLANES - 3)), 1 + 16);
	ck_assert_uint_eq(b.errors, 0);
}

/*
 * Stores and requests of other lengths. In a simulation of ESP's RTL 4 x 24 beside 6 x 16, and 6 x 16 beside 4 x 24, hang
 * in the first run, 4 x 8 beside 1 x 32 in the second, 8 x 16 beside 4 x 32 in the 28th; equal ones, and 4 x 32 beside
 * 8 x 16, never. Of the others the consumer would wait for words that are never stored.
 */
LOOP_TEST(lengths_that_hang_in_hardware_fail_both_runs, 0, 8)
{
	static const struct { uint32_t stores, stored, requests, asked, status; } cases[] = {
		{ 4, 24, 6, 16, ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR },
		{ 6, 16, 4, 24, ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR },
		{ 4, 24, 4, 24, ESP_ACC_STATUS_DONE }, { 4, 32, 8, 16, ESP_ACC_STATUS_DONE },
		{ 4, 8, 1, 32, ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR },
		{ 8, 16, 4, 32, ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR },
		{ 1, 8, 1, 16, ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR },
		{ 1, 24, 1, 32, ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR },
	};
	static struct step both[32];
	uint32_t i, n = 0, consumer;

	for (i = 0; i < cases[_i].stores; i++)
		both[n++] = (struct step) { MON_ESP_ACC_WRITE, 0, cases[_i].stored, 1, 0 };
	both[n++] = (struct step) { .what = MON_ESP_ACC_DONE };
	consumer = n;
	for (i = 0; i < cases[_i].requests; i++)
		both[n++] = (struct step) { MON_ESP_ACC_READ, 0, cases[_i].asked, 2, 0 };
	both[n++] = (struct step) { .what = MON_ESP_ACC_DONE };
	steps = both;
	acc_write(&b, 1, ESP_ACC_YX, 1u << 16);
	start(0, 0);
	start(1, consumer);
	ck_assert_uint_eq(acc_end(&b, 0), cases[_i].status);
	settle(&b);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_STATUS), cases[_i].status);
	ck_assert_uint_eq(b.errors, cases[_i].status & ESP_ACC_STATUS_ERR ? 2 : 0);
}

/*
 * Chunks of 1 MiB, one buffer each. The first read from another accelerator is split like memory, and hangs in a
 * simulation of the RTL if it crosses a chunk; the next one does not, whatever it crosses.
 */
LOOP_TEST(a_first_p2p_transfer_stays_in_a_chunk, 0, 2)
{
	static const uint32_t places[2][2] = { { CHUNK - 8, 0 }, { 0, CHUNK - 8 } };
	const struct step list_of_steps[] = {
		{ MON_ESP_ACC_WRITE, 0, 16, 1, 0 }, { MON_ESP_ACC_WRITE, 0, 16, 1, 0 }, { MON_ESP_ACC_DONE, 0, 0, 0, 0 },
		{ MON_ESP_ACC_READ, places[_i][0], 16, 2, 0 }, { MON_ESP_ACC_READ, places[_i][1], 16, 2, 0 },
		{ MON_ESP_ACC_DONE, 0, 0, 0, 0 },
	};

	steps = list_of_steps;
	chunks = 2;
	acc_write(&b, 1, ESP_ACC_YX, 1u << 16);
	start(0, 0);
	start(1, 3);
	acc_finish(&b, 0);
	settle(&b);
	ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_STATUS), ESP_ACC_STATUS_DONE | (_i ? 0 : ESP_ACC_STATUS_ERR));
	ck_assert_uint_eq(b.errors, !_i);
	ck_assert(_i || strstr(b.error, "crosses a chunk"));
}

/* One packet for two consumers has the length of the last request; one that asked for more would wait for the rest. */
LOOP_TEST(consumers_of_one_packet_ask_for_the_same, 0, 2)
{
	const uint32_t first = _i ? 16 : 32;
	const struct step list_of_steps[] = {
		{ MON_ESP_ACC_WRITE, 0, 32, 2, 0 }, { MON_ESP_ACC_WRITE, 0, 32, 2, 0 }, { MON_ESP_ACC_DONE, 0, 0, 0, 0 },
		{ MON_ESP_ACC_READ, 0, 32, 1, 0 }, { MON_ESP_ACC_READ, 0, first, 1, 0 }, { MON_ESP_ACC_DONE, 0, 0, 0, 0 },
		/* the last request */
		{ MON_ESP_ACC_READ, 0, 32, 1, 0 }, { MON_ESP_ACC_NOTHING, 0, 0, 0, 100 }, { MON_ESP_ACC_READ, 0, 16, 1, 0 },
		{ MON_ESP_ACC_DONE, 0, 0, 0, 0 },
	};
	unsigned int acc;

	steps = list_of_steps;
	start(0, 0);
	for (acc = 1; acc < 3; acc++) {
		acc_write(&b, acc, ESP_ACC_YX, 1u << 8);	/* entry 1 */
		start(acc, 3 * acc);
	}
	settle(&b);
	if (_i) {
		/* half of the second store waits for more requests, as in hardware */
		ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_STATUS), ESP_ACC_STATUS_RUN);
		ck_assert_uint_eq(acc_read(&b, 1, ESP_ACC_STATUS), ESP_ACC_STATUS_DONE);
		ck_assert_uint_eq(acc_read(&b, 2, ESP_ACC_STATUS), ESP_ACC_STATUS_DONE);
		return;
	}
	for (acc = 0; acc < 3; acc++)
		ck_assert_uint_eq(acc_read(&b, acc, ESP_ACC_STATUS), ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR);
	ck_assert_uint_eq(b.errors, 3);
}

/* A read over the border of two chunks of 1 MiB, which are the same memory, and one that another accelerator's store answers. */
TEST(transactions_are_told)
{
	static const struct step list_of_steps[] = {
		{ MON_ESP_ACC_READ, CHUNK - 8, 16, 0, 0 }, { MON_ESP_ACC_WRITE, 0, 16, 1, 0 }, { MON_ESP_ACC_DONE, 0, 0, 0, 0 },
		{ MON_ESP_ACC_READ, 0, 16, 2, 0 }, { MON_ESP_ACC_DONE, 0, 0, 0, 0 },
	};
	static const struct esp_transaction expected[] = {
		{ 0, 0, 1, "table", 0, MEM_BASE + 0x1000, 16, MEM },
		{ 0, 0, 1, "load", 8 * (CHUNK - 8), BUFFER + 8 * (CHUNK - 8), 64, MEM },
		{ 0, 0, 1, "load", 8 * CHUNK, BUFFER, 64, MEM },
		{ 0, 1, 3, "table", 0, MEM_BASE + 0x2000, 16, MEM },
		{ 0, 1, 3, "load", 0, 0, 128, 1 },
		{ 0, 0, 1, "store", 0, 0, 128, 3 },
	};
	uint64_t before = 0;
	unsigned int i;

	steps = list_of_steps;
	chunks = 2;
	acc_write(&b, 1, ESP_ACC_YX, 1u << 16);
	start(0, 0);
	settle(&b);
	start(1, 3);
	settle(&b);
	ck_assert_uint_eq(b.transactions, 6);
	for (i = 0; i < 6; i++) {
		const struct esp_transaction *t = &b.transaction[i], *e = &expected[i];

		ck_assert_str_eq(t->what, e->what);
		ck_assert_uint_eq(t->acc, e->acc);
		ck_assert_uint_eq(t->tile, e->tile);
		ck_assert_uint_eq(t->offset, e->offset);
		ck_assert_uint_eq(t->address, e->address);
		ck_assert_uint_eq(t->bytes, e->bytes);
		ck_assert_uint_eq(t->partner, e->partner);
		ck_assert_uint_gt(t->cycle, before);
		before = t->cycle;
	}
}

/* Mode FULL: the socket asks its L2 instead of the other accelerator; the run never ends. */
LOOP_TEST(p2p_hangs_in_mode_full, 0, 2)
{
	static const struct step list_of_steps[] = {
		{ MON_ESP_ACC_READ, 0, 16, 1, 0 }, { MON_ESP_ACC_DONE, 0, 0, 0, 0 },
		{ MON_ESP_ACC_WRITE, 0, 16, 1, 0 }, { MON_ESP_ACC_DONE, 0, 0, 0, 0 },
	};

	steps = list_of_steps;
	acc_write(&b, 0, ESP_ACC_YX, (YX_1 | 1) << 8);
	acc_write(&b, 0, ESP_ACC_COHERENCE, ESP_COH_FULL);
	start(0, 2 * _i);
	settle(&b);
	ck_assert_uint_eq(acc_read(&b, 0, ESP_ACC_STATUS), ESP_ACC_STATUS_RUN);
	ck_assert_uint_eq(b.errors, 1);
	ck_assert_ptr_nonnull(strstr(b.error, "mode FULL"));
	ck_assert_uint_eq(mon(&b, 1, ESP_MON_NOC_INJECT(5)), 0);
}

/* An impossible request ends the run with an error that says why. */
LOOP_TEST(an_impossible_request_ends_the_run, 0, 2)
{
	static const struct step list_of_steps[] = {
		{ MON_ESP_ACC_READ, 0, WORDS + 1, 0, 0 }, { MON_ESP_ACC_NOTHING, 0, 0, 0, 0 },
	};
	static const char *const why[] = { "larger than its state", "asks for nothing" };

	steps = list_of_steps;
	run(_i);
	ck_assert_uint_eq(b.errors, 1);
	ck_assert_msg(strstr(b.error, why[_i]) != NULL, "%s", b.error);
}

/* A run that is saved and loaded in the middle of a computation ends like one that is not. */
TEST(a_run_survives_a_snapshot)
{
	static const struct step list_of_steps[] = {
		{ MON_ESP_ACC_READ, 0, 8, 0, 0 }, { MON_ESP_ACC_WRITE, 8, 8, 0, 1000 },
		{ MON_ESP_ACC_DONE, 0, 0, 0, 0 },
	};
	size_t size = esp_soc_save_size(b.soc);
	void *state = malloc(size);

	steps = list_of_steps;
	put64(&b, BUFFER, 99);
	start(0, 0);
	esp_soc_advance(b.soc, esp_soc_now(b.soc) + 500);
	esp_soc_save(b.soc, state);
	esp_soc_reset(b.soc);
	ck_assert(esp_soc_load(b.soc, state, size));
	acc_finish(&b, 0);
	ck_assert_uint_eq(get32(&b, BUFFER + 64), 99);
	free(state);
}
