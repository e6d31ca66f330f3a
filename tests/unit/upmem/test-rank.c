// SPDX-License-Identifier: GPL-2.0-only
/* Registers of the rank: DMA and its bounds, launches on several threads, saving. */
#include <sched.h>
#include <stdio.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dpu/sim/dpu-internal.h"
#include "tests/main.h"
#include "tests/unit/upmem/rank-rig.h"

SUITE("upmem rank", .timeout = 120);

TEST(identity_registers_say_what_it_is)
{
	struct upmem_rank *rank = rank_new(64, 1, DPU_ARCH_V1B);

	ck_assert_uint_eq(get(rank, UPMEM_ID), UPMEM_ID_VALUE);
	ck_assert_uint_eq(get(rank, UPMEM_DPUS), 64);
	ck_assert_uint_eq(get(rank, UPMEM_CHIP_ID), 68);	/* vD_asic8_v1_4 */
	ck_assert_uint_eq(get(rank, UPMEM_CLOCK_HZ), 400000000);
	ck_assert_uint_eq(get(rank, UPMEM_THREADS), 16);
	/* after the last DPU, and with the wrong size */
	ck_assert_uint_eq(get(rank, UPMEM_DPU(64)), 0);
	ck_assert_uint_eq(upmem_rank_read(rank, UPMEM_ID, 1), 0);
	ck_assert_uint_eq(upmem_rank_read(rank, UPMEM_BAR_SIZE - 1, 1), 0);
	upmem_rank_free(rank);
}

TEST(dma_moves_and_stays_in_bounds)
{
	struct upmem_rank *rank = rank_new(2, 1, DPU_ARCH_V1B);
	const uint32_t to = UPMEM_DMA_TO_DPU, from = UPMEM_DMA_FROM_DPU, mram = UPMEM_MRAM_MARK;

	memset(guest, 0x5a, 4096);
	ck_assert_uint_eq(rank_dma(rank, 1, to, BUS, mram + 8, 4096), UPMEM_DMA_OK);
	ck_assert_uint_eq(rank_dma(rank, 1, from, BUS + 8192, mram + 8, 4096), UPMEM_DMA_OK);
	ck_assert_mem_eq(guest + 8192, guest, 4096);
	/* no such DPU, no such command */
	ck_assert_uint_eq(rank_dma(rank, 2, to, BUS, mram, 8), UPMEM_DMA_COMMAND);
	ck_assert_uint_eq(rank_dma(rank, 0xffffffff, to, BUS, mram, 8), UPMEM_DMA_COMMAND);
	ck_assert_uint_eq(rank_dma(rank, 0, 3, BUS, mram, 8), UPMEM_DMA_COMMAND);
	/* ends of the memories, alignment, overflow of offset + length */
	ck_assert_uint_eq(rank_dma(rank, 0, to, BUS, mram + 0x3fffff8, 8), UPMEM_DMA_OK);
	ck_assert_uint_eq(rank_dma(rank, 0, to, BUS, mram + 0x3fffff8, 16), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(rank_dma(rank, 0, to, BUS, mram + 0x4000000, 8), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(rank_dma(rank, 0, to, BUS, mram + 4, 8), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(rank_dma(rank, 0, to, BUS, 63488 - 4, 4), UPMEM_DMA_OK);
	ck_assert_uint_eq(rank_dma(rank, 0, to, BUS, 63488, 4), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(rank_dma(rank, 0, to, BUS, 2, 4), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(rank_dma(rank, 0, to, BUS, UPMEM_IRAM_MARK + 3968 * 8, 8), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(rank_dma(rank, 0, to, BUS, 0x7ffffff8, 8), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(rank_dma(rank, 0, to, BUS, mram, 0xfffffff8), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(rank_dma(rank, 0, to, BUS, mram, UPMEM_DMA_MAX + 8), UPMEM_DMA_RANGE);
	/* guest memory that does not exist */
	ck_assert_uint_eq(rank_dma(rank, 0, to, BUS + sizeof(guest) - 8, mram, 16), UPMEM_DMA_BUS);
	ck_assert_uint_eq(rank_dma(rank, 0, from, UINT64_MAX - 7, mram, 16), UPMEM_DMA_BUS);
	upmem_rank_free(rank);
}

TEST(debuggers_read_the_state_of_a_dpu_that_stopped)
{
	struct upmem_rank *rank = rank_new(2, 1, DPU_ARCH_V1B);
	uint32_t size = get(rank, UPMEM_STATE_SIZE), piece = sizeof(guest);
	struct dpu *copy = dpu_new(&dpu_archs[DPU_ARCH_V1B], &dpu_timing_default, 0, NULL);
	uint8_t *state = calloc(1, size);
	struct dpu_totals totals;
	uint64_t words[8], endless = word("add", DPU_FORM_rrici, 0, DPU_REG_ZERO + 1, 0, 3 /* nz */, 0);

	ck_assert(state && copy);
	load_words(rank, 1, words, count_down(words, 1000));
	put(rank, UPMEM_LAUNCH_LO, 2);
	wait_idle(rank);
	for (uint32_t at = 0; at < size; at += piece) {
		uint32_t n = size - at < piece ? size - at : piece;

		ck_assert_uint_eq(rank_dma(rank, 1, UPMEM_DMA_FROM_DPU, BUS, UPMEM_STATE_MARK + at, n), UPMEM_DMA_OK);
		memcpy(state + at, guest, n);
	}
	/* move, the rounds, ldma, sdma, stop */
	ck_assert(dpu_restore(copy, state));
	ck_assert_uint_eq(dpu_register(copy, 0, 0), 0);
	dpu_totals(copy, &totals);
	ck_assert_uint_eq(totals.instructions, 1004);
	/* beyond its end, and written */
	ck_assert_uint_eq(rank_dma(rank, 1, UPMEM_DMA_FROM_DPU, BUS, UPMEM_STATE_MARK + size, 8), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(rank_dma(rank, 1, UPMEM_DMA_FROM_DPU, BUS, UPMEM_STATE_MARK + size - 8, 16), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(rank_dma(rank, 1, UPMEM_DMA_FROM_DPU, BUS, UPMEM_STATE_MARK + 8, 0xfffffff8), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(rank_dma(rank, 1, UPMEM_DMA_TO_DPU, BUS, UPMEM_STATE_MARK, 8), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(rank_dma(rank, 1, UPMEM_DMA_FROM_DPU, BUS + sizeof(guest) - 8, UPMEM_STATE_MARK, 16),
			  UPMEM_DMA_BUS);
	/* while it runs */
	load_words(rank, 0, &endless, 1);
	put(rank, UPMEM_LAUNCH_LO, 1);
	ck_assert_uint_eq(rank_dma(rank, 0, UPMEM_DMA_FROM_DPU, BUS, UPMEM_STATE_MARK, 8), UPMEM_DMA_BUSY);
	put(rank, UPMEM_HALT_LO, 1);
	wait_idle(rank);
	free(state);
	dpu_destroy(copy);
	upmem_rank_free(rank);
}

LOOP_TEST(counts_are_the_same_at_any_number_of_threads, 1, 5)
{
	struct upmem_rank *rank = rank_new(16, _i, DPU_ARCH_V1B);
	uint64_t words[8];

	for (unsigned int d = 0; d < 16; d++)
		load_words(rank, d, words, count_down(words, 1000 * (d + 1)));
	put(rank, UPMEM_LAUNCH_LO, 0xffff);
	wait_idle(rank);
	/* move, the rounds, ldma, sdma, stop */
	for (unsigned int d = 0; d < 16; d++)
		ck_assert_uint_eq(instructions(rank, d), 1000 * (d + 1) + 4);
	ck_assert_uint_eq(get(rank, UPMEM_IRQ), UPMEM_IRQ_IDLE);
	put(rank, UPMEM_IRQ, UPMEM_IRQ_IDLE);
	ck_assert(!upmem_rank_irq(rank));
	upmem_rank_free(rank);
}

TEST(running_dpus_can_be_halted_but_not_copied_with)
{
	struct upmem_rank *rank = rank_new(2, 2, DPU_ARCH_V1B);
	uint64_t words[8];

	words[0] = word("add", DPU_FORM_rrici, 0, DPU_REG_ZERO + 1, 0, 3 /* nz */, 0);	/* for ever */
	load_words(rank, 0, words, 1);
	put(rank, UPMEM_LAUNCH_LO, 1);
	ck_assert_uint_eq(rank_dma(rank, 0, UPMEM_DMA_TO_DPU, BUS, UPMEM_MRAM_MARK, 8), UPMEM_DMA_BUSY);
	ck_assert_uint_eq(rank_dma(rank, 1, UPMEM_DMA_TO_DPU, BUS, UPMEM_MRAM_MARK, 8), UPMEM_DMA_OK);
	ck_assert_uint_eq(get(rank, UPMEM_DPU(0) + UPMEM_DPU_STATE), UPMEM_DPU_RUNNING);
	put(rank, UPMEM_HALT_LO, 3);
	wait_idle(rank);
	ck_assert_uint_eq(get(rank, UPMEM_DPU(0) + UPMEM_DPU_STATE), UPMEM_DPU_IDLE);
	/* a fault is reported, with its address */
	words[0] = 0;
	load_words(rank, 0, words, 1);
	put(rank, UPMEM_LAUNCH_LO, 1);
	wait_idle(rank);
	ck_assert_uint_eq(get(rank, UPMEM_FAULT_LO), 1);
	ck_assert_uint_eq(get(rank, UPMEM_DPU(0) + UPMEM_DPU_FAULT_KIND), DPU_FAULT_ILLEGAL);
	ck_assert_uint_eq(get(rank, UPMEM_DPU(0) + UPMEM_DPU_FAULT_PC), 0);
	upmem_rank_free(rank);
}

/*
 * Runs a loop on DPU 0 and pauses it in between. A host may run the program to its end before this
 * thread runs again: then the test takes a program of twice the length. Returns the rounds.
 */
static uint32_t pause_in_the_middle(struct upmem_rank *rank, uint64_t *before)
{
	uint64_t words[8];

	for (uint32_t rounds = 1 << 20; rounds <= 1 << 28; rounds *= 2) {
		load_words(rank, 0, words, count_down(words, rounds));
		pmc_set(rank, 0, 0x01, 0x02, 0);
		*before = instructions(rank, 0);
		put(rank, UPMEM_LAUNCH_LO, 1);
		while (get(rank, UPMEM_RUNNING_LO) && instructions(rank, 0) == *before)
			sched_yield();
		upmem_rank_pause(rank);
		if (get(rank, UPMEM_RUNNING_LO))
			return rounds;
		upmem_rank_resume(rank);
	}
	ck_abort_msg("every program ended before it was paused");
}

TEST(state_survives_saving_in_the_middle)
{
	struct upmem_rank *rank = rank_new(2, 1, DPU_ARCH_V1B), *other = rank_new(2, 1, DPU_ARCH_V1B);
	size_t size = upmem_rank_save_size(rank);
	uint8_t *state = malloc(size);
	uint64_t before, at_end;

	at_end = pause_in_the_middle(rank, &before) + 4;	/* move, ldma, sdma, stop */
	at_end += before;
	ck_assert_uint_gt(instructions(rank, 0), before);
	ck_assert_uint_lt(instructions(rank, 0), at_end);
	upmem_rank_save(rank, state);
	upmem_rank_pause(other);
	ck_assert(upmem_rank_load(other, state, size));
	upmem_rank_resume(other);
	wait_idle(other);
	ck_assert_uint_eq(instructions(other, 0), at_end);
	ck_assert_uint_eq(pmc(other, 0, 0, 4, 0), 1);
	upmem_rank_resume(rank);
	wait_idle(rank);
	ck_assert_uint_eq(instructions(rank, 0), at_end);
	/* a state that no rank has saved is refused */
	memset(state + size / 2, 0xff, 4096);
	memset(state, 0xff, 4);
	upmem_rank_pause(other);
	ck_assert(!upmem_rank_load(other, state, size));
	ck_assert(!upmem_rank_load(other, state, size - 1));
	free(state);
	upmem_rank_free(other);
	upmem_rank_free(rank);
}

/* Times that overflow: the DPU would neither end nor stop. */
TEST(states_whose_cycles_overflow_are_refused)
{
#define OFFSET(member) (offsetof(struct dpu, member) - offsetof(struct dpu, threads))
	static const size_t changed[] = {
		OFFSET(cycle), OFFSET(engine_free), OFFSET(threads[0].ready),
	};
	struct dpu *dpu = dpu_new(&dpu_archs[DPU_ARCH_V1B], NULL, 0, NULL);
	uint8_t *saved = malloc(dpu_save_size()), *bad = malloc(dpu_save_size());
	const uint64_t never = UINT64_MAX, late = UINT64_C(1) << 40;

	ck_assert(dpu_boot(dpu));
	dpu_save(dpu, saved);
	ck_assert(dpu_restore(dpu, saved));
	for (size_t i = 0; i < sizeof(changed) / sizeof(changed[0]); i++) {
		memcpy(bad, saved, dpu_save_size());
		memcpy(bad + changed[i], &late, sizeof(late));
		ck_assert(dpu_restore(dpu, bad));
		memcpy(bad + changed[i], &never, sizeof(never));
		ck_assert(!dpu_restore(dpu, bad));
		ck_assert_int_eq(dpu_state(dpu), DPU_IDLE);
	}
	free(bad);
	free(saved);
	dpu_destroy(dpu);
}

/* Resident pages of this process, KiB. */
static long resident(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long total, pages = 0;

	ck_assert_int_eq(fscanf(file, "%ld %ld", &total, &pages), 2);
	fclose(file);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

TEST(idle_rank_costs_less_than_64_mib)
{
	long before = resident();
	struct upmem_rank *rank = rank_new(64, 2, DPU_ARCH_V1B);

	ck_assert_int_lt(resident() - before, 64 * 1024);
	upmem_rank_free(rank);
}

/* The sums of instructions and cycles in a file of a profile, and its lines. */
static void read_profile(const char *prefix, unsigned int number, unsigned int lines, uint64_t instructions,
			 uint64_t cycles)
{
	uint64_t word, n, c, dma, dispatch, sum_n = 0, sum_c = 0;
	unsigned int index, count = 0;
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s-%u.profile", prefix, number);
	file = fopen(path, "r");
	ck_assert_msg(file, "%s", path);
	while (fscanf(file, "%u %" SCNx64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &index, &word, &n, &c,
		      &dma, &dispatch) == 6) {
		count++;
		sum_n += n;
		sum_c += c;
	}
	fclose(file);
	unlink(path);
	ck_assert_uint_eq(count, lines);
	ck_assert_uint_eq(sum_n, instructions);
	ck_assert_uint_eq(sum_c, cycles);
}

TEST(a_rank_has_a_profile_for_each_program)
{
	struct upmem_rank *rank = rank_new_profiled();
	char prefix[] = "/tmp/upmem-rank-XXXXXX";
	struct dpu_totals t[2], u;
	uint64_t words[8];

	ck_assert_int_ge(mkstemp(prefix), 0);
	/* both DPUs run the same program, one of them twice, and then another one */
	load_words(rank, 0, words, count_down(words, 5));
	load_words(rank, 1, words, count_down(words, 5));
	put(rank, UPMEM_LAUNCH_LO, 3);
	wait_idle(rank);
	put(rank, UPMEM_LAUNCH_LO, 1);
	wait_idle(rank);
	dpu_totals(upmem_rank_dpu(rank, 0), &t[0]);
	dpu_totals(upmem_rank_dpu(rank, 1), &t[1]);
	load_words(rank, 0, words, count_down(words, 9));
	put(rank, UPMEM_LAUNCH_LO, 1);
	wait_idle(rank);
	dpu_totals(upmem_rank_dpu(rank, 0), &u);
	upmem_rank_pause(rank);
	ck_assert(upmem_rank_profile_write(rank, prefix));
	/* move, as many rounds, two transfers, stop: five words */
	read_profile(prefix, 0, 5, 3 * (1 + 5 + 3), t[0].cycles + t[1].cycles);
	read_profile(prefix, 1, 5, 1 + 9 + 3, u.cycles - t[0].cycles);
	ck_assert(!upmem_rank_profile_write(rank, "/nowhere/at/all"));
	unlink(prefix);
	upmem_rank_free(rank);
}
