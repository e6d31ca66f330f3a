// SPDX-License-Identifier: GPL-2.0-only
/* Counters of the bank interface: the SDK's sequence, the rules of the events, their rate. */
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "dpu/isa/dpu_isa.h"
#include "tests/main.h"
#include "tests/unit/upmem/rank-rig.h"

SUITE("upmem counters", .timeout = 120);

TEST(counters_follow_the_sdks_sequence)
{
	struct upmem_rank *rank = rank_new(1, 1, DPU_ARCH_V1B);
	uint64_t words[8];

	load_words(rank, 0, words, count_down(words, 5));
	pmc_set(rank, 0, 0x01, 0x08, 0);
	put(rank, UPMEM_LAUNCH_LO, 1);
	wait_idle(rank);
	ck_assert_uint_eq(pmc(rank, 0, 0, 4, 0), 1);	/* one ldma */
	ck_assert_uint_eq(pmc(rank, 0, 4, 4, 0), 1);	/* one word written */
	/* stopped, they keep their values */
	upmem_rank_write(rank, UPMEM_DPU(0) + UPMEM_PMC_STOP, 1, 1);
	put(rank, UPMEM_LAUNCH_LO, 1);
	wait_idle(rank);
	ck_assert_uint_eq(pmc(rank, 0, 0, 4, 0), 1);
	ck_assert_uint_eq(pmc(rank, 0, 4, 4, 0), 2);
	/* selecting an event clears; one of 64 bits; cycles: 8 dispatches 11 apart and two DMAs */
	pmc_set(rank, 0, 0x80, 0x80, UPMEM_PMC_CHAIN);
	put(rank, UPMEM_LAUNCH_LO, 1);
	wait_idle(rank);
	ck_assert_uint_eq(pmc(rank, 0, 0, 8, UPMEM_PMC_CHAIN), 1 + 6 * 11 + (73 + 4) + (57 + 4));
	/* disabled it shows nothing, as documented in upmem-pmu(7) */
	upmem_rank_write(rank, UPMEM_DPU(0) + UPMEM_PMC_ENABLE, 0, 1);
	ck_assert_uint_eq(pmc(rank, 0, 0, 8, UPMEM_PMC_CHAIN), 0);
	upmem_rank_free(rank);
}

TEST(host_events_follow_their_documented_rules)
{
	struct upmem_rank *rank = rank_new(1, 1, DPU_ARCH_V1B);

	pmc_set(rank, 0, 0x10, 0x40, 0);
	/* rows of 1 KiB: 4096 bytes from 8 on touch five */
	ck_assert_uint_eq(rank_dma(rank, 0, UPMEM_DMA_TO_DPU, BUS, UPMEM_MRAM_MARK + 8, 4096), UPMEM_DMA_OK);
	ck_assert_uint_eq(pmc(rank, 0, 0, 4, 0), 5);
	/* a protecting refresh for 4096 activations: 4092 more make 4097 */
	for (int i = 0; i < 1023; i++)
		rank_dma(rank, 0, UPMEM_DMA_FROM_DPU, BUS, UPMEM_MRAM_MARK, 4096);
	ck_assert_uint_eq(pmc(rank, 0, 0, 4, 0), 5 + 4 * 1023);
	ck_assert_uint_eq(pmc(rank, 0, 4, 4, 0), 1);
	upmem_rank_free(rank);
}

/* The count of an event of a program with other parameters. */
static uint32_t count_with(const struct dpu_timing *timing, uint8_t event, const uint64_t *words,
			   unsigned int n)
{
	struct upmem_rank *rank = rank_new_timed(timing);
	uint32_t value;

	load_words(rank, 0, words, n);
	pmc_set(rank, 0, event, 0, 0);
	put(rank, UPMEM_LAUNCH_LO, 1);
	wait_idle(rank);
	ck_assert_uint_eq(get(rank, UPMEM_FAULT_LO), 0);
	value = pmc(rank, 0, 0, 4, 0);
	upmem_rank_free(rank);
	return value;
}

TEST(loads_and_stores_count_rows_when_asked_to)
{
	const uint64_t words[] = {
		word("or", DPU_FORM_rri, 1, DPU_REG_ZERO, 1016, 0, 0),	/* move r1, 1016 */
		UINT64_C(0x706001020000),			/* ldma zero, r1, 1: 16 bytes */
		UINT64_C(0x706001020002),			/* sdma zero, r1, 1 */
		UINT64_C(0x706000020002),			/* sdma zero, r1, 0: 8 bytes */
		word("stop", DPU_FORM_ci, 0, 0, 0, 1 /* true */, 4),
	};
	struct dpu_timing timing = dpu_timing_default;

	ck_assert_uint_eq(count_with(&timing, 0x01, words, 5), 1);
	ck_assert_uint_eq(count_with(&timing, 0x02, words, 5), 2);
	/* 1016 to 1032 is in two rows of 1024 bytes, 1016 to 1024 in one */
	timing.dma_counts_rows = 1;
	ck_assert_uint_eq(count_with(&timing, 0x01, words, 5), 2);
	ck_assert_uint_eq(count_with(&timing, 0x02, words, 5), 3);
	timing.row_size = 8;
	ck_assert_uint_eq(count_with(&timing, 0x02, words, 5), 3);
	ck_assert_uint_eq(count_with(&timing, 0x40, words, 5), 0);
	/* 5 rows of 8 bytes in total: a protecting refresh for every two, or never */
	timing.row_hammer_threshold = 2;
	ck_assert_uint_eq(count_with(&timing, 0x40, words, 5), 2);
	timing.row_hammer_threshold = 0;
	ck_assert_uint_eq(count_with(&timing, 0x40, words, 5), 0);
}

TEST(refreshes_follow_the_running_time)
{
	struct dpu_timing timing = dpu_timing_default;
	uint64_t words[8];
	unsigned int n = count_down(words, 100000);
	/* move, rounds, and two transfers: see counters_follow_the_sdks_sequence */
	const uint32_t cycles = 1 + 100001 * 11 + (73 + 4) + (57 + 4);

	ck_assert_uint_eq(count_with(&timing, 0x80, words, n), cycles);
	/* 3.9 us at 400 MHz: one for 1560 cycles */
	ck_assert_uint_eq(count_with(&timing, 0x20, words, n), cycles / 1560);
	timing.refresh_ns = 1000;
	ck_assert_uint_eq(count_with(&timing, 0x20, words, n), cycles / 400);
	timing.refresh_ns = 0;
	ck_assert_uint_eq(count_with(&timing, 0x20, words, n), 0);
}

TEST(v1a_has_no_bank_interface_counters)
{
	struct upmem_rank *rank = rank_new(1, 1, DPU_ARCH_V1A);

	pmc_set(rank, 0, 0x10, 0x10, 0);
	ck_assert_uint_eq(rank_dma(rank, 0, UPMEM_DMA_TO_DPU, BUS, UPMEM_MRAM_MARK, 4096), UPMEM_DMA_OK);
	ck_assert_uint_eq(pmc(rank, 0, 0, 8, 0), 0);
	upmem_rank_free(rank);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

/*
 * 1 << 24 transfers of 2048 bytes with the longest latencies, 24576 cycles each: without a limit
 * some 10^11 cycles a second. The model must wait, so that no counter wraps faster than at the rate
 * that the device names.
 */
TEST(counters_keep_to_the_rate_that_the_device_names)
{
	struct dpu_timing timing = dpu_timing_default;
	const uint64_t wrap = UINT64_C(1) << 32;
	uint64_t words[3], begin, elapsed, count, hz;
	struct upmem_rank *rank;

	timing.read_latency = 12288;
	timing.half_cycles_per_byte = 12;
	rank = rank_new_timed(&timing);
	hz = get(rank, UPMEM_MAX_MHZ) * UINT64_C(1000000);
	words[0] = word("or", DPU_FORM_rri, 0, DPU_REG_ZERO, 1 << 24, 0, 0);
	words[1] = UINT64_C(0x7060ff020000);	/* ldma zero, r1, 255 */
	words[2] = word("add", DPU_FORM_rrici, 0, 0, -1, 3 /* nz */, 1);
	load_words(rank, 0, words, 3);
	/* the model waits only for counters that run */
	pmc_set(rank, 0, 0x80, 0x80, 0);
	begin = now_ns();
	put(rank, UPMEM_LAUNCH_LO, 1);
	do {
		sched_yield();
		count = cycles(rank, 0);
		elapsed = now_ns() - begin;
		if (elapsed / 1e9 >= (double)wrap / hz)
			ck_assert_double_le(count, elapsed / 1e9 * hz);
		else
			ck_assert_uint_le(count, wrap);
	} while (count < wrap + wrap / 4);
	upmem_rank_free(rank);
}
