/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Directory protocol and DMA, row by row: flits, beats and pulses of each request in each state.
 *
 * 64-bit words and a 64-bit coherence NoC: a line of 16 bytes is LW = 2 words and LC = 2 flits.
 * Messages: requests, forwards and acknowledgements 2 flits, with data 2 + LC = 4.
 */
#include "tests/unit/esp/bench.h"

#include "qemu/esp/cache.h"

#define LW	2
#define LC	2
#define MEM	3
#define ACC	5
#define LINE(n)	(MEM_BASE + 0x10000 + 16 * (n))

/* Three processors, one memory, an accelerator with private L2; no scatter-gather: no page tables.
 */
static const char two_rows[] =
	"CPU_ARCH = ariane\n"
	"#CONFIG_HAS_SG is not set\n"
	"CONFIG_NOC_ROWS = 2\n"
	"CONFIG_NOC_COLS = 3\n"
	"CONFIG_CACHE_EN = y\n"
	"CONFIG_CPU_CACHES = 4 2 4 2\n"	/* L2 and LLC of 4 sets with 2 ways */
	"CONFIG_ACC_CACHES = 4 2\n"
	"TILE_0_0 = 0 cpu cpu\n"
	"TILE_0_1 = 1 cpu cpu\n"
	"TILE_0_2 = 2 cpu cpu\n"
	"TILE_1_0 = 3 mem mem\n"
	"TILE_1_1 = 4 misc IO\n"
	"TILE_1_2 = 5 acc DUMMY_STRATUS basic_dma64 1 0 sld\n";

static struct bench b;

static void setup(void)
{
	static struct esp_design design;

	bench_design(&design, two_rows);
	bench_open(&b, &design, NULL);
}

static void teardown(void)
{
	bench_close(&b);
}

static void issue(unsigned int cpu, enum esp_access what, uint32_t addr)
{
	esp_soc_cpu_access(b.soc, cpu, what, addr, 4);
}

static void access(unsigned int cpu, enum esp_access what, uint32_t addr)
{
	issue(cpu, what, addr);
	settle(&b);
}

static enum esp_llc_line_state dir(uint32_t addr)
{
	const struct esp_llc_line *l = esp_llc_lookup(b.soc, 0, addr / 16);

	return l ? l->state : ESP_LLC_I;
}

static void flush_l2(unsigned int cpu)
{
	bench_write(&b, ESP_L2_CTRL + cpu * ESP_CACHE_CTRL_STRIDE,
		    ESP_CACHE_CMD_FLUSH | ESP_CACHE_CMD_FLUSH_I);
	settle(&b);
}

struct counts { unsigned int ddr, req, fwd, rcv, snd, hit, miss, dma_req, dma_rsp; };

static struct counts now(void)
{
	return (struct counts){
		mon(&b, MEM, ESP_MON_DDR),	   mon(&b, MEM, ESP_MON_COH_REQ),
		mon(&b, MEM, ESP_MON_COH_FWD),	   mon(&b, MEM, ESP_MON_COH_RSP_RCV),
		mon(&b, MEM, ESP_MON_COH_RSP_SND), mon(&b, MEM, ESP_MON_LLC_HIT),
		mon(&b, MEM, ESP_MON_LLC_MISS),	   mon(&b, MEM, ESP_MON_COH_DMA_REQ),
		mon(&b, MEM, ESP_MON_COH_DMA_RSP),
	};
}

static bool same(struct counts before, struct counts want)
{
	struct counts c = now();

	return c.ddr - before.ddr == want.ddr && c.req - before.req == want.req &&
	       c.fwd - before.fwd == want.fwd && c.rcv - before.rcv == want.rcv &&
	       c.snd - before.snd == want.snd && c.hit - before.hit == want.hit &&
	       c.miss - before.miss == want.miss && c.dma_req - before.dma_req == want.dma_req &&
	       c.dma_rsp - before.dma_rsp == want.dma_rsp;
}

#define EXPECT(before, ...) do { \
		struct counts c_ = now(), w_ = { __VA_ARGS__ }; \
		ck_assert_msg(same(before, w_), \
			      "got ddr %u req %u fwd %u rcv %u snd %u hit %u miss %u dma %u/%u", \
			      c_.ddr - before.ddr, c_.req - before.req, c_.fwd - before.fwd, \
			      c_.rcv - before.rcv, c_.snd - before.snd, c_.hit - before.hit, \
			      c_.miss - before.miss, c_.dma_req - before.dma_req, \
			      c_.dma_rsp - before.dma_rsp); \
	} while (0)

/* ---- requests of private caches ---- */

START_TEST(gets_data_on_invalid_gives_exclusive)
{
	struct counts c = now();

	access(0, ESP_LOAD, LINE(0));
	EXPECT(c, .ddr = LW, .req = 2, .snd = 2 + LC, .miss = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_E);
}
END_TEST

START_TEST(gets_instruction_on_invalid_gives_shared)
{
	struct counts c = now();

	access(0, ESP_FETCH, LINE(0));
	EXPECT(c, .ddr = LW, .req = 2, .snd = 2 + LC, .miss = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_S);
}
END_TEST

START_TEST(getm_on_invalid)
{
	struct counts c = now();

	access(0, ESP_STORE, LINE(0));
	EXPECT(c, .ddr = LW, .req = 2, .snd = 2 + LC, .miss = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_M);
}
END_TEST

START_TEST(get_on_valid_needs_no_ddr)
{
	static const enum esp_access what[] = { ESP_LOAD, ESP_FETCH, ESP_STORE };
	static const enum esp_llc_line_state state[] = { ESP_LLC_E, ESP_LLC_S, ESP_LLC_M };
	struct counts c;

	access(0, ESP_LOAD, LINE(0));
	flush_l2(0);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
	c = now();
	access(1, what[_i], LINE(0));
	EXPECT(c, .req = 2, .snd = 2 + LC, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), state[_i]);
}
END_TEST

START_TEST(gets_on_shared)
{
	struct counts c;

	access(0, ESP_FETCH, LINE(0));
	c = now();
	access(1, _i ? ESP_LOAD : ESP_FETCH, LINE(0));
	EXPECT(c, .req = 2, .snd = 2 + LC, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_S);
}
END_TEST

START_TEST(gets_on_owned_is_forwarded)
{
	struct counts c;

	access(0, _i ? ESP_STORE : ESP_LOAD, LINE(0));
	c = now();
	access(1, ESP_LOAD, LINE(0));
	/* The owner sends data to the requester and to the LLC; the LLC itself sends none. */
	EXPECT(c, .req = 2, .fwd = 2, .rcv = 2 + LC, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_S);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_NOC_INJECT(2)), 2 * (2 + LC));
}
END_TEST

START_TEST(getm_on_shared_invalidates_the_others)
{
	unsigned int cpu, sharers = _i;
	struct counts c;

	for (cpu = 0; cpu < sharers; cpu++)
		access(cpu, ESP_FETCH, LINE(0));
	c = now();
	access(0, ESP_STORE, LINE(0));
	/* The INV_ACKs go to the requester, not to the LLC. */
	EXPECT(c, .req = 2, .fwd = 2 * (sharers - 1), .snd = 2 + LC, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_M);
	for (cpu = 1; cpu < sharers; cpu++)
		ck_assert_uint_eq(mon(&b, cpu, ESP_MON_NOC_INJECT(2)), 2);
	/* Upgrade: a hit of the L2 although it asked for ownership. */
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_L2_HIT), 1);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_L2_MISS), 1);
}
END_TEST

START_TEST(getm_on_owned_is_forwarded)
{
	struct counts c;

	access(0, _i ? ESP_STORE : ESP_LOAD, LINE(0));
	c = now();
	access(1, ESP_STORE, LINE(0));
	EXPECT(c, .req = 2, .fwd = 2, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_M);
	ck_assert_uint_eq(mon(&b, 0, ESP_MON_NOC_INJECT(2)), 2 + LC);
}
END_TEST

START_TEST(get_on_pending_data_stalls_and_pulses_again)
{
	struct counts c;

	access(0, ESP_STORE, LINE(0));
	c = now();
	issue(1, ESP_LOAD, LINE(0));
	issue(2, ESP_LOAD, LINE(0));
	settle(&b);
	/*
	 * The first is forwarded: 1 hit. The second finds SD: a hit, then again when the data are
	 * there, and is answered from S.
	 */
	EXPECT(c, .req = 4, .fwd = 2, .rcv = 2 + LC, .snd = 2 + LC, .hit = 3);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_S);
}
END_TEST

START_TEST(puts_is_acknowledged_and_counts_as_hit)
{
	struct counts c;

	access(0, ESP_LOAD, LINE(0));
	c = now();
	flush_l2(0);
	EXPECT(c, .req = 2, .snd = 2, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
}
END_TEST

START_TEST(puts_of_one_of_two_sharers_leaves_shared)
{
	struct counts c;

	access(0, ESP_FETCH, LINE(0));
	access(1, ESP_FETCH, LINE(0));
	c = now();
	flush_l2(0);
	EXPECT(c, .req = 2, .snd = 2, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_S);
	flush_l2(1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
}
END_TEST

START_TEST(putm_brings_data)
{
	struct counts c;

	access(0, ESP_STORE, LINE(0));
	c = now();
	flush_l2(0);
	EXPECT(c, .req = 2 + LC, .snd = 2, .hit = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
	ck_assert(esp_llc_lookup(b.soc, 0, LINE(0) / 16)->dirty);
}
END_TEST

/* Lines 0, 4, 8 fall in set 0 of the LLC, which has two ways. */
START_TEST(miss_evicts_valid)
{
	bool dirty = _i;
	struct counts c;

	access(0, dirty ? ESP_STORE : ESP_LOAD, LINE(0));
	flush_l2(0);
	access(1, ESP_LOAD, LINE(4));
	c = now();
	access(2, ESP_LOAD, LINE(8));
	/* The V way goes, not the owned one; a dirty one is written first. */
	EXPECT(c, .ddr = LW + (dirty ? LW : 0), .req = 2, .snd = 2 + LC, .miss = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_I);
	ck_assert_int_eq(dir(LINE(4)), ESP_LLC_E);
}
END_TEST

START_TEST(miss_evicts_shared)
{
	struct counts c;

	access(0, ESP_FETCH, LINE(0));
	access(1, ESP_FETCH, LINE(0));
	access(0, ESP_LOAD, LINE(4));
	c = now();
	access(2, ESP_LOAD, LINE(8));
	/* Two sharers are told and not waited for. */
	EXPECT(c, .ddr = LW, .req = 2, .fwd = 2 * 2, .snd = 2 + LC, .miss = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_I);
	/* They lost it: the next fetch misses. */
	c = now();
	access(1, ESP_FETCH, LINE(0));
	ck_assert_uint_eq(mon(&b, 1, ESP_MON_L2_MISS), 2);
}
END_TEST

START_TEST(miss_evicts_owned_by_recall)
{
	bool modified = _i;
	struct counts c;

	access(0, modified ? ESP_STORE : ESP_LOAD, LINE(0));
	access(1, ESP_LOAD, LINE(4));
	c = now();
	access(2, ESP_LOAD, LINE(8));
	/* INV_ACK if it was E, data if it was M, and then a write-back. One miss, counted on
	 * resume. */
	EXPECT(c, .ddr = LW + (modified ? LW : 0), .req = 2, .fwd = 2, .rcv = modified ? 2 + LC : 2,
	       .snd = 2 + LC, .miss = 1);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_I);
}
END_TEST

START_TEST(llc_flush_writes_dirty_lines_and_drops_data)
{
	struct counts c;

	access(0, ESP_STORE, LINE(0));
	access(0, ESP_LOAD, LINE(1));
	flush_l2(0);
	access(1, ESP_FETCH, LINE(2));
	flush_l2(1);
	access(1, ESP_STORE, LINE(3));	/* stays with its owner */
	c = now();
	bench_write(&b, ESP_LLC_CTRL, ESP_CACHE_CMD_FLUSH);
	settle(&b);
	ck_assert_uint_eq(bench_read(&b, ESP_LLC_CTRL + ESP_CACHE_STATUS), 0);	/* takes its time */
	esp_soc_advance(b.soc, esp_soc_now(b.soc) + 100);
	ck_assert_uint_eq(bench_read(&b, ESP_LLC_CTRL + ESP_CACHE_STATUS), ESP_CACHE_STATUS_DONE);
	EXPECT(c, .ddr = LW);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_I);
	ck_assert_int_eq(dir(LINE(1)), ESP_LLC_I);
	ck_assert_int_eq(dir(LINE(2)), ESP_LLC_V);	/* instructions stay */
	ck_assert_int_eq(dir(LINE(3)), ESP_LLC_M);
	bench_write(&b, ESP_LLC_CTRL, 0);
	ck_assert_uint_eq(bench_read(&b, ESP_LLC_CTRL + ESP_CACHE_STATUS), 0);
	bench_write(&b, ESP_LLC_CTRL, ESP_CACHE_CMD_FLUSH | ESP_CACHE_CMD_FLUSH_I);
	settle(&b);
	ck_assert_int_eq(dir(LINE(2)), ESP_LLC_I);
}
END_TEST

START_TEST(reset_keeps_directory_and_caches_together)
{
	access(0, ESP_STORE, LINE(0));
	access(1, ESP_LOAD, LINE(1));
	flush_l2(1);
	bench_write(&b, ESP_LLC_CTRL, ESP_CACHE_CMD_RESET);
	settle(&b);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_M);
	ck_assert_int_eq(dir(LINE(1)), ESP_LLC_I);
	bench_write(&b, ESP_L2_CTRL, ESP_CACHE_CMD_RESET);
	settle(&b);
	ck_assert_uint_eq(bench_read(&b, ESP_L2_CTRL + ESP_CACHE_STATUS), 0);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
	bench_write(&b, ESP_LLC_CTRL, ESP_CACHE_CMD_RESET);
	settle(&b);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_I);
}
END_TEST

/* ---- private cache ---- */

static void expect_l2(unsigned int cpu, unsigned int hits, unsigned int misses)
{
	ck_assert_uint_eq(mon(&b, cpu, ESP_MON_L2_HIT), hits);
	ck_assert_uint_eq(mon(&b, cpu, ESP_MON_L2_MISS), misses);
}

START_TEST(l2_hits)
{
	struct counts c;

	access(0, ESP_LOAD, LINE(0));
	expect_l2(0, 0, 1);
	c = now();
	access(0, ESP_LOAD, LINE(0));	/* E */
	access(0, ESP_STORE, LINE(0));	/* E to M, silently */
	access(0, ESP_STORE, LINE(0));	/* M */
	access(0, ESP_FETCH, LINE(0));
	expect_l2(0, 4, 1);
	EXPECT(c, 0);
}
END_TEST

START_TEST(l2_miss_with_full_set_gives_back_first)
{
	bool dirty = _i;
	struct counts c;

	/* Lines 0, 4 and 8 share set 0 of the L2. The LLC has as few ways: use lines that it
	 * spreads. */
	access(0, dirty ? ESP_STORE : ESP_LOAD, LINE(0));
	access(0, ESP_LOAD, LINE(4));
	c = now();
	access(0, ESP_LOAD, LINE(8));
	/*
	 * One miss. PUTM 2 + LC or PUTS 2, acknowledged with 2 and a hit pulse; then GETS 2, which
	 * evicts the V line 0 from the LLC (written if dirty) and is answered with 2 + LC.
	 */
	expect_l2(0, 0, 3);
	EXPECT(c, .ddr = LW + (dirty ? LW : 0), .req = (dirty ? 2 + LC : 2) + 2, .snd = 2 + 2 + LC,
	       .hit = 1, .miss = 1);
}
END_TEST

START_TEST(l2_takes_victims_in_turn)
{
	access(0, ESP_LOAD, LINE(0));
	access(0, ESP_LOAD, LINE(4));
	access(0, ESP_LOAD, LINE(8));	/* way 0: line 0 */
	access(0, ESP_LOAD, LINE(12));	/* way 1: line 4 */
	expect_l2(0, 0, 4);
	access(0, ESP_LOAD, LINE(8));
	access(0, ESP_LOAD, LINE(12));
	expect_l2(0, 2, 4);
	access(0, ESP_LOAD, LINE(0));	/* way 0 again */
	access(0, ESP_LOAD, LINE(12));
	expect_l2(0, 3, 5);
}
END_TEST

START_TEST(l2_set_conflict_counts_once)
{
	issue(0, ESP_LOAD, LINE(0));
	issue(0, ESP_LOAD, LINE(4));	/* same set, waits */
	issue(0, ESP_LOAD, LINE(0));	/* waits behind it, then hits */
	settle(&b);
	expect_l2(0, 1, 2);
}
END_TEST

START_TEST(l2_has_four_requests_outstanding)
{
	unsigned int i, busy = 0;

	for (i = 0; i < 4; i++)
		issue(0, ESP_LOAD, LINE(i));
	for (i = 0; i < ESP_MSHRS; i++)
		busy += b.soc->l2[0].mshr[i].phase != ESP_MSHR_FREE;
	ck_assert_uint_eq(busy, 4);
	expect_l2(0, 0, 4);
	settle(&b);
	expect_l2(0, 0, 4);
}
END_TEST

START_TEST(l2_flush_counts_nothing_in_the_l2)
{
	access(0, ESP_LOAD, LINE(0));
	access(0, ESP_STORE, LINE(1));
	access(0, ESP_FETCH, LINE(2));
	expect_l2(0, 0, 3);
	bench_write(&b, ESP_L2_CTRL, ESP_CACHE_CMD_FLUSH);
	settle(&b);
	ck_assert_uint_eq(bench_read(&b, ESP_L2_CTRL + ESP_CACHE_STATUS), ESP_CACHE_STATUS_DONE);
	expect_l2(0, 0, 3);
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
	ck_assert_int_eq(dir(LINE(1)), ESP_LLC_V);
	ck_assert_int_eq(dir(LINE(2)), ESP_LLC_S);	/* instructions stay */
	bench_write(&b, ESP_L2_CTRL, 0);
	ck_assert_uint_eq(bench_read(&b, ESP_L2_CTRL + ESP_CACHE_STATUS), 0);
	ck_assert_uint_eq(bench_read(&b, ESP_L2_CTRL + 0x200 + ESP_CACHE_STATUS), 2u << 28);
}
END_TEST

/* ---- DMA ---- */

/* One burst of the streaming accelerator: words from and to, its counts since before. */
static void dma(unsigned int mode, unsigned int words, uint32_t from, uint32_t to)
{
	acc_write(&b, 0, ESP_ACC_COHERENCE, mode);
	acc_write(&b, 0, ESP_ACC_SRC_OFFSET, from);
	acc_write(&b, 0, ESP_ACC_DST_OFFSET, to);
	acc_write(&b, 0, 0x40, words);
	acc_write(&b, 0, 0x44, 1);
	acc_write(&b, 0, ESP_ACC_CMD, 1);
	acc_finish(&b, 0);
}

/* Makes line 1 V in the LLC, so that an access to it is a hit without traffic. */
static void prepare_other(void)
{
	access(2, ESP_LOAD, LINE(1));
	flush_l2(2);
	ck_assert_int_eq(dir(LINE(1)), ESP_LLC_V);
}

START_TEST(none_bypasses_the_llc)
{
	const unsigned int n = 9;
	unsigned int dma_req, dma_rsp;
	struct counts c;

	prepare_other();
	c = now();
	dma_req = mon(&b, MEM, ESP_MON_DMA_REQ);
	dma_rsp = mon(&b, MEM, ESP_MON_DMA_RSP);
	dma(ESP_COH_NONE, n, LINE(0), LINE(100));
	EXPECT(c, .ddr = n + n);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_REQ) - dma_req, 3 + 3 + n);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_DMA_RSP) - dma_rsp, 1 + n);
	ck_assert_uint_eq(mon(&b, ACC, ESP_MON_NOC_INJECT(5)), 3 + 3 + n);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_NOC_INJECT(3)), 1 + n);
}
END_TEST

/* Flits of a coherent run of n words: read 3, answer 1 + n, write 2 + n. */
#define DMA_FLITS(n)	.dma_req = 3 + 2 + (n), .dma_rsp = 1 + (n)

START_TEST(coherent_planes)
{
	prepare_other();
	dma(_i ? ESP_COH_LLC : ESP_COH_RECALL, 2, LINE(0), LINE(1));
	ck_assert_uint_eq(mon(&b, ACC, ESP_MON_NOC_INJECT(3)), 3 + 2 + 2);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_NOC_INJECT(5)), 1 + 2);
	ck_assert_uint_eq(mon(&b, ACC, ESP_MON_NOC_INJECT(5)), 0);
	ck_assert_uint_eq(mon(&b, MEM, ESP_MON_NOC_INJECT(3)), 0);
}
END_TEST

START_TEST(dma_read_of_invalid_and_of_valid)
{
	struct counts c;

	prepare_other();
	c = now();
	dma(ESP_COH_LLC, 2, LINE(0), LINE(1));	/* the written line 1 is a hit without DDR */
	EXPECT(c, .ddr = LW, .miss = 1, .hit = 1, DMA_FLITS(2));
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
	c = now();
	dma(ESP_COH_LLC, 2, LINE(0), LINE(1));
	EXPECT(c, .hit = 2, DMA_FLITS(2));
}
END_TEST

START_TEST(dma_write_of_a_whole_line_reads_nothing)
{
	struct counts c;

	prepare_other();
	c = now();
	dma(ESP_COH_LLC, 2, LINE(1), LINE(2));
	EXPECT(c, .miss = 1, .hit = 1, DMA_FLITS(2));
	ck_assert(esp_llc_lookup(b.soc, 0, LINE(2) / 16)->dirty);
}
END_TEST

START_TEST(dma_write_of_half_a_line_reads_it)
{
	struct counts c;

	prepare_other();
	c = now();
	dma(ESP_COH_LLC, 1, LINE(1), LINE(2) + (_i ? 8 : 0));
	EXPECT(c, .ddr = LW, .miss = 1, .hit = 1, DMA_FLITS(1));
	ck_assert(esp_llc_lookup(b.soc, 0, LINE(2) / 16)->dirty);
}
END_TEST

START_TEST(dma_off_line_bounds_touches_a_line_more)
{
	struct counts c;

	prepare_other();
	access(2, ESP_LOAD, LINE(2));
	flush_l2(2);
	c = now();
	/* Two words from the middle of line 1 to the middle of line 2. */
	dma(ESP_COH_LLC, 2, LINE(1) + 8, LINE(1) + 8);
	EXPECT(c, .hit = 4, DMA_FLITS(2));
}
END_TEST

START_TEST(dma_eviction_of_a_dirty_line)
{
	struct counts c;

	prepare_other();
	/* Both ways of set 0 dirty and V. */
	access(0, ESP_STORE, LINE(0));
	access(0, ESP_STORE, LINE(4));
	flush_l2(0);
	c = now();
	dma(ESP_COH_LLC, 2, LINE(8), LINE(1));
	EXPECT(c, .ddr = LW + LW, .miss = 1, .hit = 1, DMA_FLITS(2));
}
END_TEST

START_TEST(dma_on_shared_line_invalidates_without_waiting)
{
	struct counts c;

	prepare_other();
	access(0, ESP_FETCH, LINE(0));
	access(1, ESP_FETCH, LINE(0));
	c = now();
	if (_i)
		dma(ESP_COH_RECALL, 2, LINE(0), LINE(1));
	else
		dma(ESP_COH_RECALL, 2, LINE(1), LINE(0));
	/* One pulse for this line, one for the other. */
	EXPECT(c, .fwd = 2 * 2, .hit = 1 + 1, DMA_FLITS(2));
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
}
END_TEST

START_TEST(dma_on_owned_line_recalls_and_pulses_twice)
{
	bool modified = _i & 1, read = _i & 2;
	struct counts c;

	prepare_other();
	access(0, modified ? ESP_STORE : ESP_LOAD, LINE(0));
	c = now();
	if (read)
		dma(ESP_COH_RECALL, 2, LINE(0), LINE(1));
	else
		dma(ESP_COH_RECALL, 2, LINE(1), LINE(0));
	EXPECT(c, .fwd = 2, .rcv = modified ? 2 + LC : 2, .hit = 2 + 1, DMA_FLITS(2));
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
	/* The owner lost it. */
	access(0, ESP_LOAD, LINE(0));
	expect_l2(0, 0, 2);
}
END_TEST

START_TEST(dma_on_pending_data_waits_and_pulses_twice)
{
	unsigned int delay, seen = 0;

	/* The window of SD is short: try all distances between the load and the start of the DMA.
	 */
	for (delay = 0; delay < 60; delay++) {
		struct counts c;

		teardown();
		setup();
		prepare_other();
		access(0, ESP_STORE, LINE(0));
		c = now();
		acc_write(&b, 0, ESP_ACC_COHERENCE, ESP_COH_RECALL);
		acc_write(&b, 0, ESP_ACC_SRC_OFFSET, LINE(0));
		acc_write(&b, 0, ESP_ACC_DST_OFFSET, LINE(1));
		acc_write(&b, 0, 0x40, 2);
		acc_write(&b, 0, 0x44, 1);
		acc_write(&b, 0, ESP_ACC_CMD, 1);
		esp_soc_advance(b.soc, esp_soc_now(b.soc) + delay);
		issue(1, ESP_LOAD, LINE(0));
		settle(&b);
		ck_assert_uint_eq(b.irqs[0], 1);
		/*
		 * The load: GETS 2, a hit, forward 2, data 2 + LC to the LLC. The DMA line: INV_LLC
		 * to owner and requester, two hits. The written line: a hit.
		 */
		seen += same(c, (struct counts) { .req = 2, .fwd = 2 + 2 * 2, .rcv = 2 + LC,
						  .hit = 1 + 2 + 1, DMA_FLITS(2) });
		ck_assert_int_ne(dir(LINE(0)), ESP_LLC_SD);
	}
	ck_assert_uint_gt(seen, 0);
}
END_TEST

START_TEST(full_reads_lines_and_writes_words)
{
	const unsigned int n = 8;	/* words: 4 lines */
	struct counts c = now();

	dma(ESP_COH_FULL, n, LINE(0), LINE(0));
	/* 4 reads miss; 8 writes hit. */
	ck_assert_uint_eq(mon(&b, ACC, ESP_MON_L2_MISS), 4);
	ck_assert_uint_eq(mon(&b, ACC, ESP_MON_L2_HIT), 8);
	/*
	 * 4 GETS with 2 + LC back; at the end 4 PUTM of 2 + LC with 2 back, which count as hits. No
	 * DMA.
	 */
	EXPECT(c, .ddr = 4 * LW, .req = 4 * 2 + 4 * (2 + LC), .snd = 4 * (2 + LC) + 4 * 2,
	       .miss = 4, .hit = 4);
	ck_assert_uint_eq(mon(&b, ACC, ESP_MON_NOC_INJECT(3)), 0);
	ck_assert_uint_eq(mon(&b, ACC, ESP_MON_NOC_INJECT(5)), 0);
	ck_assert_uint_eq(mon(&b, ACC, ESP_MON_NOC_INJECT(0)), 4 * 2 + 4 * (2 + LC));
	ck_assert_int_eq(dir(LINE(0)), ESP_LLC_V);
}
END_TEST

START_TEST(full_write_to_a_line_that_the_cpu_shares_is_an_upgrade)
{
	struct counts c;

	access(0, ESP_STORE, LINE(0));
	c = now();
	dma(ESP_COH_FULL, 2, LINE(0), LINE(0));
	/*
	 * GETS, forwarded (2), data to the LLC 2 + LC; first write: GETM in S, hit, INV to the CPU
	 * 2, data 2 + LC; the second write hits; PUTM, 2 + LC and 2 back. Pulses of the LLC: GETS,
	 * GETM, PUTM.
	 */
	EXPECT(c, .req = 2 + 2 + 2 + LC, .fwd = 2 + 2, .rcv = 2 + LC, .snd = 2 + LC + 2, .hit = 3);
	ck_assert_uint_eq(mon(&b, ACC, ESP_MON_L2_MISS), 1);
	ck_assert_uint_eq(mon(&b, ACC, ESP_MON_L2_HIT), 2);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("esp coherence");
	TCase *tc = tcase_create("rows");

	tcase_set_timeout(tc, 60);	/* for busy machines */
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, gets_data_on_invalid_gives_exclusive);
	tcase_add_test(tc, gets_instruction_on_invalid_gives_shared);
	tcase_add_test(tc, getm_on_invalid);
	tcase_add_loop_test(tc, get_on_valid_needs_no_ddr, 0, 3);
	tcase_add_loop_test(tc, gets_on_shared, 0, 2);
	tcase_add_loop_test(tc, gets_on_owned_is_forwarded, 0, 2);
	tcase_add_loop_test(tc, getm_on_shared_invalidates_the_others, 1, 4);
	tcase_add_loop_test(tc, getm_on_owned_is_forwarded, 0, 2);
	tcase_add_test(tc, get_on_pending_data_stalls_and_pulses_again);
	tcase_add_test(tc, puts_is_acknowledged_and_counts_as_hit);
	tcase_add_test(tc, puts_of_one_of_two_sharers_leaves_shared);
	tcase_add_test(tc, putm_brings_data);
	tcase_add_loop_test(tc, miss_evicts_valid, 0, 2);
	tcase_add_test(tc, miss_evicts_shared);
	tcase_add_loop_test(tc, miss_evicts_owned_by_recall, 0, 2);
	tcase_add_test(tc, llc_flush_writes_dirty_lines_and_drops_data);
	tcase_add_test(tc, reset_keeps_directory_and_caches_together);
	tcase_add_test(tc, l2_hits);
	tcase_add_loop_test(tc, l2_miss_with_full_set_gives_back_first, 0, 2);
	tcase_add_test(tc, l2_takes_victims_in_turn);
	tcase_add_test(tc, l2_set_conflict_counts_once);
	tcase_add_test(tc, l2_has_four_requests_outstanding);
	tcase_add_test(tc, l2_flush_counts_nothing_in_the_l2);
	tcase_add_test(tc, none_bypasses_the_llc);
	tcase_add_loop_test(tc, coherent_planes, 0, 2);
	tcase_add_test(tc, dma_read_of_invalid_and_of_valid);
	tcase_add_test(tc, dma_write_of_a_whole_line_reads_nothing);
	tcase_add_loop_test(tc, dma_write_of_half_a_line_reads_it, 0, 2);
	tcase_add_test(tc, dma_off_line_bounds_touches_a_line_more);
	tcase_add_test(tc, dma_eviction_of_a_dirty_line);
	tcase_add_loop_test(tc, dma_on_shared_line_invalidates_without_waiting, 0, 2);
	tcase_add_loop_test(tc, dma_on_owned_line_recalls_and_pulses_twice, 0, 4);
	tcase_add_test(tc, dma_on_pending_data_waits_and_pulses_twice);
	tcase_add_test(tc, full_reads_lines_and_writes_words);
	tcase_add_test(tc, full_write_to_a_line_that_the_cpu_shares_is_an_upgrade);
	suite_add_tcase(s, tc);
	return bench_main(s);
}
