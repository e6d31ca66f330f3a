/* SPDX-License-Identifier: GPL-2.0-only */
/* DMA through the LLC or a private cache, row by row: flits, beats and pulses in each state. */
#include "tests/main.h"
#include "tests/unit/esp/coherence-rig.h"

/* One burst of the streaming accelerator from one word to another; its counts. */
static void dma(unsigned int mode, unsigned int words, uint32_t from, uint32_t to)
{
	acc_write(&rig, 0, ESP_ACC_COHERENCE, mode);
	acc_write(&rig, 0, ESP_ACC_SRC_OFFSET, from);
	acc_write(&rig, 0, ESP_ACC_DST_OFFSET, to);
	acc_write(&rig, 0, 0x40, words);
	acc_write(&rig, 0, 0x44, 1);
	acc_write(&rig, 0, ESP_ACC_CMD, 1);
	acc_finish(&rig, 0);
}

/* Makes line 1 V in the LLC, so that an access to it is a hit without traffic. */
static void prepare_other(void)
{
	cpu_access(2, ESP_LOAD, LINE(1));
	flush_l2(2);
	ck_assert_int_eq(directory_state(LINE(1)), ESP_LLC_V);
}

SUITE("esp coherent dma", .timeout = 60, .setup = setup, .teardown = teardown);

TEST(none_bypasses_the_llc)
{
	const unsigned int n = 9;
	unsigned int dma_req, dma_rsp;
	struct counts c;

	prepare_other();
	c = memory_counts();
	dma_req = mon(&rig, MEM, ESP_MON_DMA_REQ);
	dma_rsp = mon(&rig, MEM, ESP_MON_DMA_RSP);
	dma(ESP_COH_NONE, n, LINE(0), LINE(100));
	EXPECT(c, .ddr = n + n);
	ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_DMA_REQ) - dma_req, 3 + 3 + n);
	ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_DMA_RSP) - dma_rsp, 1 + n);
	ck_assert_uint_eq(mon(&rig, ACC, ESP_MON_NOC_INJECT(5)), 3 + 3 + n);
	ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_NOC_INJECT(3)), 1 + n);
}

/* Flits of a coherent run of n words: read 3, answer 1 + n, write 2 + n. */
#define DMA_FLITS(n)	.dma_req = 3 + 2 + (n), .dma_rsp = 1 + (n)

LOOP_TEST(coherent_planes, 0, 2)
{
	prepare_other();
	dma(_i ? ESP_COH_LLC : ESP_COH_RECALL, 2, LINE(0), LINE(1));
	ck_assert_uint_eq(mon(&rig, ACC, ESP_MON_NOC_INJECT(3)), 3 + 2 + 2);
	ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_NOC_INJECT(5)), 1 + 2);
	ck_assert_uint_eq(mon(&rig, ACC, ESP_MON_NOC_INJECT(5)), 0);
	ck_assert_uint_eq(mon(&rig, MEM, ESP_MON_NOC_INJECT(3)), 0);
}

TEST(dma_read_of_invalid_and_of_valid)
{
	struct counts c;

	prepare_other();
	c = memory_counts();
	dma(ESP_COH_LLC, 2, LINE(0), LINE(1));	/* the written line 1 is a hit without DDR */
	EXPECT(c, .ddr = LW, .miss = 1, .hit = 1, DMA_FLITS(2));
	ck_assert_int_eq(directory_state(LINE(0)), ESP_LLC_V);
	c = memory_counts();
	dma(ESP_COH_LLC, 2, LINE(0), LINE(1));
	EXPECT(c, .hit = 2, DMA_FLITS(2));
}

TEST(dma_write_of_a_whole_line_reads_nothing)
{
	struct counts c;

	prepare_other();
	c = memory_counts();
	dma(ESP_COH_LLC, 2, LINE(1), LINE(2));
	EXPECT(c, .miss = 1, .hit = 1, DMA_FLITS(2));
	ck_assert(esp_llc_lookup(rig.soc, 0, LINE(2) / 16)->dirty);
}

LOOP_TEST(dma_write_of_half_a_line_reads_it, 0, 2)
{
	struct counts c;

	prepare_other();
	c = memory_counts();
	dma(ESP_COH_LLC, 1, LINE(1), LINE(2) + (_i ? 8 : 0));
	EXPECT(c, .ddr = LW, .miss = 1, .hit = 1, DMA_FLITS(1));
	ck_assert(esp_llc_lookup(rig.soc, 0, LINE(2) / 16)->dirty);
}

TEST(dma_off_line_bounds_touches_a_line_more)
{
	struct counts c;

	prepare_other();
	cpu_access(2, ESP_LOAD, LINE(2));
	flush_l2(2);
	c = memory_counts();
	/* Two words from the middle of line 1 to the middle of line 2. */
	dma(ESP_COH_LLC, 2, LINE(1) + 8, LINE(1) + 8);
	EXPECT(c, .hit = 4, DMA_FLITS(2));
}

TEST(dma_eviction_of_a_dirty_line)
{
	struct counts c;

	prepare_other();
	/* Both ways of set 0 dirty and V. */
	cpu_access(0, ESP_STORE, LINE(0));
	cpu_access(0, ESP_STORE, LINE(4));
	flush_l2(0);
	c = memory_counts();
	dma(ESP_COH_LLC, 2, LINE(8), LINE(1));
	EXPECT(c, .ddr = LW + LW, .miss = 1, .hit = 1, DMA_FLITS(2));
}

/*
 * Processor 1 loads the line that DMA takes back from processor 0, at any time: the DMA's line is finished before its
 * request. Afterwards it has the line.
 */
LOOP_TEST(a_recalled_line_goes_before_requests, 0, 2)
{
	unsigned int offset;

	for (offset = 0; offset < 200; offset++) {
		struct counts c;
		uint64_t from;

		teardown();
		setup();
		cpu_access(0, ESP_STORE, LINE(0));
		c = memory_counts();
		acc_write(&rig, 0, ESP_ACC_COHERENCE, ESP_COH_RECALL);
		acc_write(&rig, 0, ESP_ACC_SRC_OFFSET, _i ? LINE(2) : LINE(0));
		acc_write(&rig, 0, ESP_ACC_DST_OFFSET, _i ? LINE(0) : LINE(2));
		acc_write(&rig, 0, 0x40, 2);
		acc_write(&rig, 0, 0x44, 1);
		acc_write(&rig, 0, ESP_ACC_CMD, 1);
		from = esp_soc_now(rig.soc);
		while (esp_soc_now(rig.soc) < from + offset)
			esp_soc_advance(rig.soc, esp_soc_now(rig.soc) + 1);
		issue(1, ESP_LOAD, LINE(0));
		settle(&rig);
		ck_assert_uint_eq(rig.irqs[0], 1);
		/* processor 1 was first: a forward of its load, and one of the DMA to each sharer */
		if (memory_counts().fwd - c.fwd == 3 * 2)
			continue;
		/* one recall; two would be 4 flits */
		ck_assert_uint_eq(memory_counts().fwd - c.fwd, 2);
		expect_l2(1, 0, 1);
		cpu_access(1, ESP_LOAD, LINE(0));
		ck_assert_msg(mon(&rig, 1, ESP_MON_L2_HIT) == 1, "offset %u: it has lost the line", offset);
	}
}

LOOP_TEST(dma_on_shared_line_invalidates_without_waiting, 0, 2)
{
	struct counts c;

	prepare_other();
	cpu_access(0, ESP_FETCH, LINE(0));
	cpu_access(1, ESP_FETCH, LINE(0));
	c = memory_counts();
	if (_i)
		dma(ESP_COH_RECALL, 2, LINE(0), LINE(1));
	else
		dma(ESP_COH_RECALL, 2, LINE(1), LINE(0));
	/* One pulse for each of the two lines. */
	EXPECT(c, .fwd = 2 * 2, .hit = 1 + 1, DMA_FLITS(2));
	ck_assert_int_eq(directory_state(LINE(0)), ESP_LLC_V);
}

LOOP_TEST(dma_on_owned_line_recalls_and_pulses_twice, 0, 4)
{
	bool modified = _i & 1, read = _i & 2;
	struct counts c;

	prepare_other();
	cpu_access(0, modified ? ESP_STORE : ESP_LOAD, LINE(0));
	c = memory_counts();
	if (read)
		dma(ESP_COH_RECALL, 2, LINE(0), LINE(1));
	else
		dma(ESP_COH_RECALL, 2, LINE(1), LINE(0));
	EXPECT(c, .fwd = 2, .rcv = modified ? 2 + LC : 2, .hit = 2 + 1, DMA_FLITS(2));
	ck_assert_int_eq(directory_state(LINE(0)), ESP_LLC_V);
	/* The owner has no copy any more. */
	cpu_access(0, ESP_LOAD, LINE(0));
	expect_l2(0, 0, 2);
}

TEST(dma_on_pending_data_waits_and_pulses_twice)
{
	unsigned int delay, seen = 0;

	/* State SD is short: try all distances between the load and the start of the DMA. */
	for (delay = 0; delay < 60; delay++) {
		struct counts c;

		teardown();
		setup();
		prepare_other();
		cpu_access(0, ESP_STORE, LINE(0));
		c = memory_counts();
		acc_write(&rig, 0, ESP_ACC_COHERENCE, ESP_COH_RECALL);
		acc_write(&rig, 0, ESP_ACC_SRC_OFFSET, LINE(0));
		acc_write(&rig, 0, ESP_ACC_DST_OFFSET, LINE(1));
		acc_write(&rig, 0, 0x40, 2);
		acc_write(&rig, 0, 0x44, 1);
		acc_write(&rig, 0, ESP_ACC_CMD, 1);
		esp_soc_advance(rig.soc, esp_soc_now(rig.soc) + delay);
		issue(1, ESP_LOAD, LINE(0));
		settle(&rig);
		ck_assert_uint_eq(rig.irqs[0], 1);
		/*
		 * The load: GETS 2, a hit, forward 2, data 2 + LC to the LLC. The DMA line: INV_LLC
		 * to owner and requester, two hits. The written line: a hit.
		 */
		seen += counts_rose_by(c, (struct counts) { .req = 2, .fwd = 2 + 2 * 2, .rcv = 2 + LC,
							    .hit = 1 + 2 + 1, DMA_FLITS(2) });
		ck_assert_int_ne(directory_state(LINE(0)), ESP_LLC_SD);
	}
	ck_assert_uint_gt(seen, 0);
}

TEST(full_reads_lines_and_writes_words)
{
	const unsigned int n = 8;	/* words: 4 lines */
	struct counts c = memory_counts();

	dma(ESP_COH_FULL, n, LINE(0), LINE(0));
	/* 4 reads miss; 8 writes hit. */
	ck_assert_uint_eq(mon(&rig, ACC, ESP_MON_L2_MISS), 4);
	ck_assert_uint_eq(mon(&rig, ACC, ESP_MON_L2_HIT), 8);
	/*
	 * 4 GETS with 2 + LC back; at the end 4 PUTM of 2 + LC with 2 back, which count as hits. No
	 * DMA.
	 */
	EXPECT(c, .ddr = 4 * LW, .req = 4 * 2 + 4 * (2 + LC), .snd = 4 * (2 + LC) + 4 * 2,
	       .miss = 4, .hit = 4);
	ck_assert_uint_eq(mon(&rig, ACC, ESP_MON_NOC_INJECT(3)), 0);
	ck_assert_uint_eq(mon(&rig, ACC, ESP_MON_NOC_INJECT(5)), 0);
	ck_assert_uint_eq(mon(&rig, ACC, ESP_MON_NOC_INJECT(0)), 4 * 2 + 4 * (2 + LC));
	ck_assert_int_eq(directory_state(LINE(0)), ESP_LLC_V);
}

TEST(full_write_to_a_line_that_the_cpu_shares_is_an_upgrade)
{
	struct counts c;

	cpu_access(0, ESP_STORE, LINE(0));
	c = memory_counts();
	dma(ESP_COH_FULL, 2, LINE(0), LINE(0));
	/*
	 * GETS, forwarded (2), data to the LLC 2 + LC; first write: GETM in S, hit, INV to the CPU
	 * 2, data 2 + LC; the second write hits; PUTM, 2 + LC and 2 back. Pulses of the LLC: GETS,
	 * GETM, PUTM.
	 */
	EXPECT(c, .req = 2 + 2 + 2 + LC, .fwd = 2 + 2, .rcv = 2 + LC, .snd = 2 + LC + 2, .hit = 3);
	ck_assert_uint_eq(mon(&rig, ACC, ESP_MON_L2_MISS), 1);
	ck_assert_uint_eq(mon(&rig, ACC, ESP_MON_L2_HIT), 2);
}
