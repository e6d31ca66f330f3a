/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Multicast (release 2025.1): one accelerator's store goes to as many others as MCAST says. Not
 * compared with the RTL. The tests check
 *
 * - the data: each consumer's copy is the producer's input, also beside other traffic;
 * - flits: a request is 2 of each consumer, an answer is 1 + N of the producer, however many take it;
 *   each consumer's router hands over all of them;
 * - links: without contention the answer occupies each link of the tree of its ways for 1 + N cycles.
 */

#include <stdio.h>
#include "tests/main.h"
#include "tests/unit/esp/bench.h"

#include "esp/internal.h"

#define ROWS		4u
#define COLS		4u
#define TILES		(ROWS * COLS)
#define MEM_TILE	5u
#define P2P_SRC		(1u << 2)
#define P2P_DST		(1u << 3)
#define MAX_DESTS	4u
#define BURST		512u		/* words of DUMMY_STRATUS' local memory */
#define MAX_WORDS	1300u
#define EJECTS		29u		/* of VESPA's registers, a plane each; queues follow at 35 */
#define QUEUES		35u
#define INJECTS		23u
#define PLANE_ANSWERS	3u		/* mode none: plane 4, and requests on plane 6 */
#define PLANE_REQUESTS	5u

static struct bench b;
static uint32_t seed;
static unsigned int tile_of[TILES];	/* of an accelerator */

static uint32_t rnd(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (uint64_t)(seed >> 8) * below >> 24;
}

static void setup(void)
{
	static struct esp_design design;
	struct esp_params params = bench_params();
	char text[4096];
	unsigned int t, n = 0, acc = 0;

	n = snprintf(text, sizeof(text),
		     "CPU_ARCH = ariane\nCONFIG_NOC_ROWS = %u\nCONFIG_NOC_COLS = %u\n"
		     "CONFIG_COH_NOC_WIDTH = 64\nCONFIG_DMA_NOC_WIDTH = 64\n"
		     "CONFIG_MULTICAST_NOC_EN = y\nCONFIG_MAX_MCAST_DESTS = %u\n"
		     "CONFIG_HAS_SG = y\nCONFIG_QUEUE_SIZE = 4\n", ROWS, COLS, MAX_DESTS);
	for (t = 0; t < TILES; t++) {
		const char *what = t == 0 ? "cpu cpu" : t == MEM_TILE ? "mem mem" : t == 10 ? "misc IO" :
				   "acc DUMMY_STRATUS basic_dma64 0 0 sld";

		if (*what == 'a')
			tile_of[acc++] = t;
		n += snprintf(text + n, sizeof(text) - n, "TILE_%u_%u = %u %s\n", t / COLS, t % COLS, t,
			      what);
	}
	bench_design(&design, text);
	params.layout = 65;
	bench_open(&b, &design, &params);
	seed = 2025;
}

static void teardown(void)
{
	bench_close(&b);
}

/* Input and output of an accelerator, 64 KiB each, in one chunk. */
static uint32_t buffer(unsigned int acc)
{
	return MEM_BASE + 0x100000 + acc * 0x20000;
}

#define OUTPUT	0x10000u

static void start(unsigned int acc, uint32_t words, uint32_t p2p, uint32_t mcast)
{
	uint32_t table = MEM_BASE + 0x1000 * (1 + acc);

	put64(&b, table, buffer(acc));
	acc_write(&b, acc, ESP_ACC_PT_ADDRESS, table);
	acc_write(&b, acc, ESP_ACC_PT_NCHUNK, 1);
	acc_write(&b, acc, ESP_ACC_PT_SHIFT, 20);
	acc_write(&b, acc, ESP_ACC_COHERENCE, ESP_COH_NONE);
	acc_write(&b, acc, ESP_ACC_DST_OFFSET, OUTPUT);
	acc_write(&b, acc, ESP_ACC_P2P, p2p);
	acc_write(&b, acc, ESP_ACC_MCAST, mcast);
	acc_write(&b, acc, ESP_DUMMY_TOKENS, words);
	acc_write(&b, acc, ESP_DUMMY_BATCH, 1);
	acc_write(&b, acc, ESP_ACC_CMD, 1);
}

static void fill(unsigned int acc, uint32_t words)
{
	uint32_t i;

	memset(b.mem + (buffer(acc) - MEM_BASE), 0xee, 0x20000);
	for (i = 0; i < 2 * words; i++)
		put32(&b, buffer(acc) + 4 * i, rnd(1u << 24));
}

static void same_data(unsigned int from, unsigned int to, uint32_t words)
{
	ck_assert_mem_eq(b.mem + (buffer(from) - MEM_BASE), b.mem + (buffer(to) + OUTPUT - MEM_BASE),
			 8 * words);
	/* and nothing after them */
	ck_assert_uint_eq(get32(&b, buffer(to) + OUTPUT + 8 * words), 0xeeeeeeee);
}

/* Source 0 at its row and column. */
static uint32_t from(unsigned int acc)
{
	return P2P_SRC | (tile_of[acc] % COLS) << 4 | (tile_of[acc] / COLS) << 8;
}

/*
 * Links of all routes from a tile to others, each once: first along the row, then along the column.
 */
static unsigned int tree(unsigned int root, const unsigned int *ends, unsigned int n)
{
	bool used[TILES][4] = { { false } };
	unsigned int i, sum = 0;

	for (i = 0; i < n; i++) {
		unsigned int x = root % COLS, y = root / COLS, port;

		while (x != ends[i] % COLS || y != ends[i] / COLS) {
			unsigned int at = y * COLS + x;

			if (x < ends[i] % COLS)
				port = ESP_EAST, x++;
			else if (x > ends[i] % COLS)
				port = ESP_WEST, x--;
			else if (y < ends[i] / COLS)
				port = ESP_SOUTH, y++;
			else
				port = ESP_NORTH, y--;
			sum += !used[at][port];
			used[at][port] = true;
		}
	}
	return sum;
}

/* The links between routers on a plane that hold a flit, in cycles. */
static uint32_t occupied(unsigned int plane)
{
	unsigned int t, port;
	uint32_t sum = 0;

	for (t = 0; t < TILES; t++)
		for (port = 0; port < ESP_LOCAL; port++)
			sum += mon(&b, t, QUEUES + ESP_NPORTS * plane + port);
	return sum;
}

/* n different accelerators. */
static void choose(unsigned int *accs, unsigned int n)
{
	unsigned int i, k;

	for (i = 0; i < n; i++) {
		do {
			accs[i] = rnd(b.design.nacc);
			for (k = 0; k < i && accs[k] != accs[i]; k++)
				;
		} while (k < i);
	}
}

static unsigned int bursts(uint32_t words)
{
	return (words + BURST - 1) / BURST;
}

/* They end in any order. After a reset their next transfers may be anywhere in memory. */
static void finish(const unsigned int *accs, unsigned int n)
{
	unsigned int i;

	settle(&b);
	for (i = 0; i < n; i++) {
		ck_assert_msg(acc_read(&b, accs[i], ESP_ACC_STATUS) == ESP_ACC_STATUS_DONE,
			      "accelerator %u is not done", accs[i]);
		acc_write(&b, accs[i], ESP_ACC_CMD, 0);
	}
	settle(&b);
	for (i = 0; i < n; i++)
		esp_soc_reset_accelerator(b.soc, accs[i]);
}

static void run(unsigned int producer, const unsigned int *consumers, unsigned int n, uint32_t words,
		uint32_t mcast)
{
	unsigned int i;

	fill(producer, words);
	start(producer, words, P2P_DST, mcast | (n - 1));
	for (i = 0; i < n; i++) {
		memset(b.mem + (buffer(consumers[i]) - MEM_BASE), 0xee, 0x20000);
		start(consumers[i], words, from(producer), 0);
	}
	finish(&producer, 1);
	finish(consumers, n);
	for (i = 0; i < n; i++)
		same_data(producer, consumers[i], words);
	ck_assert_uint_eq(b.errors, 0);
}

SUITE("esp multicast", .timeout = 60, .setup = setup, .teardown = teardown);

TEST(one_packet_reaches_all)
{
	unsigned int accs[1 + MAX_DESTS], ends[MAX_DESTS], n, i, round;

	for (round = 0; round < 12; round++) {
		uint32_t words = 1 + rnd(MAX_WORDS), loads, answers, wanted;

		/* a fresh SoC: counts of this round alone */
		teardown();
		setup();
		seed += round * 7919;
		n = 1 + round % MAX_DESTS;
		choose(accs, 1 + n);
		run(accs[0], accs + 1, n, words, 0);
		answers = bursts(words) + words;
		ck_assert_uint_eq(mon(&b, tile_of[accs[0]], INJECTS + PLANE_ANSWERS), answers);
		/* of memory: a table of one word each, and what the producer loads */
		loads = bursts(words) + words;
		ck_assert_uint_eq(mon(&b, MEM_TILE, INJECTS + PLANE_ANSWERS), (1 + n) * 2 + loads);
		ck_assert_uint_eq(mon(&b, MEM_TILE, ESP_MON_DDR), (1 + n) + words + n * words);
		wanted = (2 + loads) * tree(MEM_TILE, &tile_of[accs[0]], 1);
		for (i = 0; i < n; i++) {
			ends[i] = tile_of[accs[1 + i]];
			ck_assert_uint_eq(mon(&b, ends[i], EJECTS + PLANE_ANSWERS), 2 + answers);
			/* table, requests, stores */
			ck_assert_uint_eq(mon(&b, ends[i], INJECTS + PLANE_REQUESTS),
					  3 + 2 * bursts(words) + 3 * bursts(words) + words);
			wanted += 2 * tree(MEM_TILE, &ends[i], 1);
		}
		wanted += answers * tree(tile_of[accs[0]], ends, n);
		/* stalls behind memory's answers can only add to it */
		ck_assert_uint_ge(occupied(PLANE_ANSWERS), wanted);
		ck_assert_uint_le(occupied(PLANE_ANSWERS), wanted + wanted / 8);
	}
}

/*
 * The model's accelerator names no partners: a program that expects that gets a message, once a
 * run, and the run fails.
 */
TEST(an_unused_table_is_told)
{
	unsigned int acc = 7;

	fill(acc, 10);
	start(acc, 10, 0, 0);
	finish(&acc, 1);
	ck_assert_uint_eq(b.errors, 0);
	acc_write(&b, acc, ESP_ACC_YX + 4, 0x11);
	start(acc, 10, 0, 0);
	ck_assert_uint_eq(acc_end(&b, acc), ESP_ACC_STATUS_DONE | ESP_ACC_STATUS_ERR);
	ck_assert_uint_eq(b.errors, 1);
}

/* With bit PACKET an answer has a header each SIZE + 1 flits of data. */
LOOP_TEST(packets_of_some_flits, 0, 3)
{
	static const unsigned int sizes[] = { 0, 3, 15 };
	unsigned int accs[3] = { 2, 7, 11 }, size = sizes[_i];
	uint32_t words = 100, cycles, packets = (words + size) / (size + 1);

	run(accs[0], accs + 1, 2, words, 0);
	cycles = mon(&b, tile_of[accs[0]], ESP_MON_ACC_TOT_LO);
	teardown();
	setup();
	run(accs[0], accs + 1, 2, words, ESP_ACC_MCAST_PACKET | size << 6);
	ck_assert_uint_eq(mon(&b, tile_of[accs[0]], INJECTS + PLANE_ANSWERS),
			  words + packets);
	/* a packet follows the one before without a gap, and the router has two cycles for a head */
	cycles = mon(&b, tile_of[accs[0]], ESP_MON_ACC_TOT_LO) - cycles;
	ck_assert_uint_ge(cycles, packets - 1);
	ck_assert_uint_le(cycles, 2 * (packets - 1));
	ck_assert_uint_eq(mon(&b, tile_of[accs[1]], INJECTS + PLANE_REQUESTS), 3 + 2 + 3 + words);
}

/* Two groups and some that copy in memory, all at once. */
TEST(beside_other_traffic)
{
	unsigned int accs[13], round, i, k;
	uint32_t words[13];

	for (round = 0; round < 10; round++) {
		unsigned int first = 1 + rnd(MAX_DESTS), second = 1 + rnd(MAX_DESTS), n;

		n = 2 + first + second;
		choose(accs, 13);
		for (i = 0; i < 13; i++) {
			words[i] = 1 + rnd(MAX_WORDS);
			fill(accs[i], words[i]);
		}
		for (i = 13; i-- > 0;) {
			unsigned int head = i <= first ? 0 : first + 1;

			if (i == 0 || i == first + 1)
				start(accs[i], words[i], P2P_DST, (i ? second : first) - 1);
			else if (i < n)
				start(accs[i], words[head], from(accs[head]), 0);
			else
				start(accs[i], words[i], 0, 0);
			for (k = rnd(4); k; k--)
				esp_soc_advance(b.soc, esp_soc_now(b.soc) + rnd(200));
		}
		finish(accs, 13);
		for (i = 0; i < 13; i++) {
			unsigned int head = i >= n ? i : i <= first ? 0 : first + 1;

			if (i != 0 && i != first + 1)
				same_data(accs[head], accs[i], words[head]);
		}
		ck_assert_uint_eq(b.errors, 0);
	}
	/* what enters the network leaves it, on the plane of multicasts more than once */
	for (k = 0; k < ESP_NPLANES; k++) {
		uint32_t in = 0, out = 0;

		for (i = 0; i < TILES; i++) {
			in += mon(&b, i, INJECTS + k);
			out += mon(&b, i, EJECTS + k);
		}
		if (k == PLANE_ANSWERS)
			ck_assert_uint_gt(out, in);
		else
			ck_assert_uint_eq(out, in);
	}
}

/*
 * Two inputs of a router with streams of forks to the same outputs: they take turns, so both have always sent the same
 * number of packets, but for the one under way and what fits into the FIFOs.
 */
TEST(competing_forks_take_turns)
{
	const unsigned int sources[] = { 4, 5 }, flits = 8, packets = 20;
	unsigned int i, k;

	for (i = 0; i < packets; i++) {
		for (k = 0; k < 2; k++) {
			struct esp_packet *p = esp_noc_packet(b.soc, PLANE_ANSWERS, ESP_MSG_P2P_DATA, sources[k], 6, flits);

			p->dsts[0] = 9;
			p->more = p->left = 1;
			esp_noc_send(b.soc, p, flits, 0);
		}
	}
	for (i = 0; i < packets * flits; i++) {
		uint32_t west, local;

		esp_soc_advance(b.soc, esp_soc_now(b.soc) + 1);
		west = mon(&b, 4, INJECTS + PLANE_ANSWERS);
		local = mon(&b, 5, INJECTS + PLANE_ANSWERS);
		ck_assert_msg(west <= local + 3 * flits && local <= west + 3 * flits, "cycle %u: %u and %u flits", i, west,
			      local);
	}
	settle(&b);
	ck_assert_uint_eq(mon(&b, 6, EJECTS + PLANE_ANSWERS), 2 * packets * flits);
	ck_assert_uint_eq(mon(&b, 9, EJECTS + PLANE_ANSWERS), 2 * packets * flits);
}

/* A consumer that does not ask blocks the others; a reset of one leaves the others intact. */
TEST(a_consumer_that_does_not_ask_blocks_the_others)
{
	unsigned int accs[4] = { 0, 4, 8, 12 };

	fill(0, 64);
	start(0, 64, P2P_DST, 2);
	start(4, 64, from(0), 0);
	start(8, 64, from(0), 0);
	settle(&b);
	ck_assert_uint_eq(mon(&b, tile_of[0], INJECTS + PLANE_ANSWERS), 0);
	esp_soc_reset_accelerator(b.soc, 8);
	settle(&b);
	ck_assert_uint_eq(mon(&b, tile_of[0], INJECTS + PLANE_ANSWERS), 0);
	esp_soc_reset_accelerator(b.soc, 4);
	esp_soc_reset_accelerator(b.soc, 0);
	ck_assert_uint_eq(b.errors, 3);		/* each says what it waited for */
	b.errors = 0;
	run(accs[0], accs + 1, 3, 64, 0);
}
