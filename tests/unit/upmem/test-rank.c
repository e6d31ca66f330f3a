// SPDX-License-Identifier: GPL-2.0-only
/* Registers of the rank: DMA and its bounds, launches on several threads, PMC, saving. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pmu/regs/upmem_regs.h"
#include "qemu/upmem/dpu-internal.h"
#include "qemu/upmem/rank.h"
#include "tests/unit/upmem/rig.h"

/* Guest memory of the tests: 64 KiB from this bus address on. */
#define BUS 0x100000000u
static uint8_t guest[65536];

static bool in_guest(uint64_t address, uint32_t length)
{
	return address >= BUS && length <= sizeof(guest) && address - BUS <= sizeof(guest) - length;
}

static bool bus_read(void *opaque, uint64_t address, void *data, uint32_t length)
{
	(void)opaque;
	if (!in_guest(address, length))
		return false;
	memcpy(data, guest + (address - BUS), length);
	return true;
}

static bool bus_write(void *opaque, uint64_t address, const void *data, uint32_t length)
{
	(void)opaque;
	if (!in_guest(address, length))
		return false;
	memcpy(guest + (address - BUS), data, length);
	return true;
}

static struct upmem_rank *rank_new(unsigned int dpus, unsigned int threads, enum dpu_arch_id arch)
{
	const struct upmem_rank_config config = {
		.arch = &dpu_archs[arch], .dpus = dpus, .threads = threads,
		.timing = dpu_timing_default, .bus_read = bus_read, .bus_write = bus_write,
	};
	struct upmem_rank *rank = upmem_rank_new(&config);

	ck_assert_ptr_nonnull(rank);
	return rank;
}

static uint32_t get(struct upmem_rank *rank, uint32_t offset)
{
	return upmem_rank_read(rank, offset, 4);
}

static void put(struct upmem_rank *rank, uint32_t offset, uint32_t value)
{
	upmem_rank_write(rank, offset, value, 4);
}

static uint32_t dma(struct upmem_rank *rank, unsigned int dpu, uint32_t direction, uint64_t bus,
		    uint32_t address, uint32_t length)
{
	put(rank, UPMEM_DMA_BUS_LO, bus);
	put(rank, UPMEM_DMA_BUS_HI, bus >> 32);
	put(rank, UPMEM_DMA_ADDRESS, address);
	put(rank, UPMEM_DMA_LENGTH, length);
	put(rank, UPMEM_DMA_DPU, dpu);
	put(rank, UPMEM_DMA_CONTROL, direction);
	return get(rank, UPMEM_DMA_CONTROL);
}

/* The words of a program without start-up code, into IRAM. */
static void load_words(struct upmem_rank *rank, unsigned int dpu, const uint64_t *words, unsigned int n)
{
	memcpy(guest, words, n * 8);
	ck_assert_uint_eq(dma(rank, dpu, UPMEM_DMA_TO_DPU, BUS, UPMEM_IRAM_MARK, n * 8), UPMEM_DMA_OK);
}

static uint64_t word(const char *encoding, int32_t rc, int32_t ra, int32_t imm, int32_t cc, int32_t pc)
{
	struct dpu_insn insn = { 0 };
	uint64_t w;
	char name[64];

	for (size_t i = 0; i < dpu_encoding_count; i++) {
		snprintf(name, sizeof(name), "%s:%s", dpu_encodings[i].name,
			 dpu_form_name(dpu_encodings[i].form));
		if (!strcmp(name, encoding))
			insn.encoding = &dpu_encodings[i];
	}
	ck_assert_msg(insn.encoding, "%s", encoding);
	insn.value[DPU_SLOT_RC] = rc;
	insn.value[DPU_SLOT_RA] = ra;
	insn.value[DPU_SLOT_IMM] = imm;
	insn.value[DPU_SLOT_CC] = cc;
	insn.value[DPU_SLOT_PC] = pc;
	ck_assert(dpu_encode(&insn, &w));
	return w;
}

/* r0 = rounds; do r0 += -1 while r0; ldma; sdma; stop: 2 * rounds... 1 + rounds + 3 instructions. */
static unsigned int count_down(uint64_t *words, uint32_t rounds)
{
	words[0] = word("or:rri", 0, DPU_REG_ZERO, rounds, 0, 0);
	words[1] = word("add:rrici", 0, 0, -1, 3 /* nz */, 1);
	words[2] = UINT64_C(0x700000000000);	/* ldma r0, r0, 0: r0 is 0 now */
	words[3] = UINT64_C(0x700000000002);	/* sdma r0, r0, 0 */
	words[4] = word("stop:ci", 0, 0, 0, 1 /* true */, 4);
	return 5;
}

static void wait_idle(struct upmem_rank *rank)
{
	while (get(rank, UPMEM_RUNNING_LO) || get(rank, UPMEM_RUNNING_HI))
		usleep(100);
}

START_TEST(identity_registers_say_what_it_is)
{
	struct upmem_rank *rank = rank_new(64, 1, DPU_ARCH_V1B);

	ck_assert_uint_eq(get(rank, UPMEM_ID), UPMEM_ID_VALUE);
	ck_assert_uint_eq(get(rank, UPMEM_DPUS), 64);
	ck_assert_uint_eq(get(rank, UPMEM_CHIP_ID), 68);	/* vD_asic8_v1_4 */
	ck_assert_uint_eq(get(rank, UPMEM_CLOCK_HZ), 400000000);
	ck_assert_uint_eq(get(rank, UPMEM_THREADS), 16);
	/* behind the last DPU, and with the wrong size */
	ck_assert_uint_eq(get(rank, UPMEM_DPU(64)), 0);
	ck_assert_uint_eq(upmem_rank_read(rank, UPMEM_ID, 1), 0);
	ck_assert_uint_eq(upmem_rank_read(rank, UPMEM_BAR_SIZE - 1, 1), 0);
	upmem_rank_free(rank);
}
END_TEST

START_TEST(dma_moves_and_stays_in_bounds)
{
	struct upmem_rank *rank = rank_new(2, 1, DPU_ARCH_V1B);
	const uint32_t to = UPMEM_DMA_TO_DPU, from = UPMEM_DMA_FROM_DPU, mram = UPMEM_MRAM_MARK;

	memset(guest, 0x5a, 4096);
	ck_assert_uint_eq(dma(rank, 1, to, BUS, mram + 8, 4096), UPMEM_DMA_OK);
	ck_assert_uint_eq(dma(rank, 1, from, BUS + 8192, mram + 8, 4096), UPMEM_DMA_OK);
	ck_assert_mem_eq(guest + 8192, guest, 4096);
	/* no such DPU, no such command */
	ck_assert_uint_eq(dma(rank, 2, to, BUS, mram, 8), UPMEM_DMA_COMMAND);
	ck_assert_uint_eq(dma(rank, 0xffffffff, to, BUS, mram, 8), UPMEM_DMA_COMMAND);
	ck_assert_uint_eq(dma(rank, 0, 3, BUS, mram, 8), UPMEM_DMA_COMMAND);
	/* ends of the memories, alignment, overflow of offset + length */
	ck_assert_uint_eq(dma(rank, 0, to, BUS, mram + 0x3fffff8, 8), UPMEM_DMA_OK);
	ck_assert_uint_eq(dma(rank, 0, to, BUS, mram + 0x3fffff8, 16), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(dma(rank, 0, to, BUS, mram + 0x4000000, 8), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(dma(rank, 0, to, BUS, mram + 4, 8), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(dma(rank, 0, to, BUS, 63488 - 4, 4), UPMEM_DMA_OK);
	ck_assert_uint_eq(dma(rank, 0, to, BUS, 63488, 4), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(dma(rank, 0, to, BUS, 2, 4), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(dma(rank, 0, to, BUS, UPMEM_IRAM_MARK + 3968 * 8, 8), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(dma(rank, 0, to, BUS, 0x7ffffff8, 8), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(dma(rank, 0, to, BUS, mram, 0xfffffff8), UPMEM_DMA_RANGE);
	ck_assert_uint_eq(dma(rank, 0, to, BUS, mram, UPMEM_DMA_MAX + 8), UPMEM_DMA_RANGE);
	/* guest memory that is not there */
	ck_assert_uint_eq(dma(rank, 0, to, BUS + sizeof(guest) - 8, mram, 16), UPMEM_DMA_BUS);
	ck_assert_uint_eq(dma(rank, 0, from, UINT64_MAX - 7, mram, 16), UPMEM_DMA_BUS);
	upmem_rank_free(rank);
}
END_TEST

/* Byte registers: one counter's four bytes, or eight. */
static uint64_t pmc(struct upmem_rank *rank, unsigned int dpu, unsigned int first, unsigned int n,
		    uint8_t chain)
{
	uint32_t page = UPMEM_DPU(dpu);
	uint64_t value = 0;

	upmem_rank_write(rank, page + UPMEM_PMC_READ, UPMEM_PMC_READ_SELECT, 1);
	upmem_rank_write(rank, page + UPMEM_PMC_CONTROL, chain, 1);
	for (unsigned int i = 0; i < n; i++) {
		if (first + i)
			upmem_rank_write(rank, page + UPMEM_PMC_CONTROL, chain | (first + i), 1);
		value |= (uint64_t)(uint8_t)upmem_rank_read(rank, page + UPMEM_PMC_READ, 1) << (8 * i);
	}
	return value;
}

static void pmc_set(struct upmem_rank *rank, unsigned int dpu, uint8_t event1, uint8_t event2,
		    uint8_t chain)
{
	uint32_t page = UPMEM_DPU(dpu);

	upmem_rank_write(rank, page + UPMEM_PMC_ENABLE, 1, 1);
	upmem_rank_write(rank, page + UPMEM_PMC_STOP, 3, 1);
	upmem_rank_write(rank, page + UPMEM_PMC_CONTROL, chain, 1);
	upmem_rank_write(rank, page + UPMEM_PMC_EVENT1, event1, 1);
	upmem_rank_write(rank, page + UPMEM_PMC_EVENT2, event2, 1);
}

START_TEST(counters_follow_the_sdks_sequence)
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
	ck_assert_uint_eq(pmc(rank, 0, 0, 8, UPMEM_PMC_CHAIN), 1 + 6 * 11 + (77 + 4) + (61 + 4));
	/* disabled it shows nothing, as documented in upmem-pmu(7) */
	upmem_rank_write(rank, UPMEM_DPU(0) + UPMEM_PMC_ENABLE, 0, 1);
	ck_assert_uint_eq(pmc(rank, 0, 0, 8, UPMEM_PMC_CHAIN), 0);
	upmem_rank_free(rank);
}
END_TEST

START_TEST(host_events_follow_their_documented_rules)
{
	struct upmem_rank *rank = rank_new(1, 1, DPU_ARCH_V1B);

	pmc_set(rank, 0, 0x10, 0x40, 0);
	/* rows of 1 KiB: 4096 bytes from 8 on touch five */
	ck_assert_uint_eq(dma(rank, 0, UPMEM_DMA_TO_DPU, BUS, UPMEM_MRAM_MARK + 8, 4096), UPMEM_DMA_OK);
	ck_assert_uint_eq(pmc(rank, 0, 0, 4, 0), 5);
	/* a protecting refresh for 4096 activations: 4092 more make 4097 */
	for (int i = 0; i < 1023; i++)
		dma(rank, 0, UPMEM_DMA_FROM_DPU, BUS, UPMEM_MRAM_MARK, 4096);
	ck_assert_uint_eq(pmc(rank, 0, 0, 4, 0), 5 + 4 * 1023);
	ck_assert_uint_eq(pmc(rank, 0, 4, 4, 0), 1);
	upmem_rank_free(rank);
}
END_TEST

START_TEST(v1a_has_no_bank_interface_counters)
{
	struct upmem_rank *rank = rank_new(1, 1, DPU_ARCH_V1A);

	pmc_set(rank, 0, 0x10, 0x10, 0);
	ck_assert_uint_eq(dma(rank, 0, UPMEM_DMA_TO_DPU, BUS, UPMEM_MRAM_MARK, 4096), UPMEM_DMA_OK);
	ck_assert_uint_eq(pmc(rank, 0, 0, 8, 0), 0);
	upmem_rank_free(rank);
}
END_TEST

static uint64_t instructions(struct upmem_rank *rank, unsigned int dpu)
{
	uint32_t low = get(rank, UPMEM_DPU(dpu) + UPMEM_DPU_INSTRUCTIONS_LO);

	return (uint64_t)get(rank, UPMEM_DPU(dpu) + UPMEM_DPU_INSTRUCTIONS_HI) << 32 | low;
}

START_TEST(counts_are_the_same_at_any_number_of_threads)
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
END_TEST

START_TEST(running_dpus_can_be_halted_but_not_copied_with)
{
	struct upmem_rank *rank = rank_new(2, 2, DPU_ARCH_V1B);
	uint64_t words[8];

	words[0] = word("add:rrici", 0, DPU_REG_ZERO + 1, 0, 3 /* nz */, 0);	/* for ever */
	load_words(rank, 0, words, 1);
	put(rank, UPMEM_LAUNCH_LO, 1);
	ck_assert_uint_eq(dma(rank, 0, UPMEM_DMA_TO_DPU, BUS, UPMEM_MRAM_MARK, 8), UPMEM_DMA_BUSY);
	ck_assert_uint_eq(dma(rank, 1, UPMEM_DMA_TO_DPU, BUS, UPMEM_MRAM_MARK, 8), UPMEM_DMA_OK);
	ck_assert_uint_eq(get(rank, UPMEM_DPU(0) + UPMEM_DPU_STATE), UPMEM_DPU_RUNNING);
	put(rank, UPMEM_HALT_LO, 3);
	wait_idle(rank);
	ck_assert_uint_eq(get(rank, UPMEM_DPU(0) + UPMEM_DPU_STATE), UPMEM_DPU_IDLE);
	/* a fault is told, with its place */
	words[0] = 0;
	load_words(rank, 0, words, 1);
	put(rank, UPMEM_LAUNCH_LO, 1);
	wait_idle(rank);
	ck_assert_uint_eq(get(rank, UPMEM_FAULT_LO), 1);
	ck_assert_uint_eq(get(rank, UPMEM_DPU(0) + UPMEM_DPU_FAULT_KIND), DPU_FAULT_ILLEGAL);
	ck_assert_uint_eq(get(rank, UPMEM_DPU(0) + UPMEM_DPU_FAULT_PC), 0);
	upmem_rank_free(rank);
}
END_TEST

/*
 * Counts DPU 0 down and pauses it in between. A host may run the program to its end before this
 * thread has its turn again: then it runs another one, twice as long. Returns the rounds.
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

START_TEST(state_survives_saving_in_the_middle)
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
	/* what no rank has saved is refused */
	memset(state + size / 2, 0xff, 4096);
	memset(state, 0xff, 4);
	upmem_rank_pause(other);
	ck_assert(!upmem_rank_load(other, state, size));
	ck_assert(!upmem_rank_load(other, state, size - 1));
	free(state);
	upmem_rank_free(other);
	upmem_rank_free(rank);
}
END_TEST

/* Times so late that they overflow: the DPU would never come to an end, nor stand still. */
START_TEST(states_whose_cycles_overflow_are_refused)
{
#define OFFSET(member) (offsetof(struct dpu, member) - offsetof(struct dpu, threads))
	static const struct {
		size_t first, second;
	} changed[] = {
		{ OFFSET(cycle), OFFSET(cycle) },
		{ OFFSET(engine_free), OFFSET(engine_free) },
		{ OFFSET(threads[0].ready), OFFSET(wake) },	/* these two agree */
	};
	struct dpu *dpu = dpu_new(&dpu_archs[DPU_ARCH_V1B], NULL, 0, NULL);
	uint8_t *saved = malloc(dpu_save_size()), *bad = malloc(dpu_save_size());
	const uint64_t never = UINT64_MAX, late = UINT64_C(1) << 40;

	ck_assert(dpu_boot(dpu));
	dpu_save(dpu, saved);
	ck_assert(dpu_restore(dpu, saved));
	for (size_t i = 0; i < sizeof(changed) / sizeof(changed[0]); i++) {
		memcpy(bad, saved, dpu_save_size());
		memcpy(bad + changed[i].first, &late, sizeof(late));
		memcpy(bad + changed[i].second, &late, sizeof(late));
		ck_assert(dpu_restore(dpu, bad));
		memcpy(bad + changed[i].first, &never, sizeof(never));
		memcpy(bad + changed[i].second, &never, sizeof(never));
		ck_assert(!dpu_restore(dpu, bad));
		ck_assert_int_eq(dpu_state(dpu), DPU_IDLE);
	}
	free(bad);
	free(saved);
	dpu_destroy(dpu);
}
END_TEST

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * UINT64_C(1000000000) + t.tv_nsec;
}

/*
 * 1 << 24 transfers of 2048 bytes with the longest latencies, 24576 cycles each: without a bound some
 * hundred thousand million cycles a second. In no time in which a counter could wrap at the rate that
 * the device names has one wrapped.
 */
START_TEST(counters_keep_to_the_rate_that_the_device_names)
{
	struct upmem_rank_config config = {
		.arch = &dpu_archs[DPU_ARCH_V1B], .dpus = 1, .threads = 1,
		.timing = dpu_timing_default, .bus_read = bus_read, .bus_write = bus_write,
	};
	const uint64_t wrap = UINT64_C(1) << 32;
	uint64_t words[3], begin, elapsed, cycles, hz;
	struct upmem_rank *rank;

	config.timing.read_latency = DPU_MAX_LATENCY;
	config.timing.half_cycles_per_byte = DPU_MAX_HALF_CYCLES_PER_BYTE;
	rank = upmem_rank_new(&config);
	ck_assert_ptr_nonnull(rank);
	hz = get(rank, UPMEM_MAX_MHZ) * UINT64_C(1000000);
	words[0] = word("or:rri", 0, DPU_REG_ZERO, 1 << 24, 0, 0);
	words[1] = UINT64_C(0x7060ff020000);	/* ldma zero, r1, 255 */
	words[2] = word("add:rrici", 0, 0, -1, 3 /* nz */, 1);
	load_words(rank, 0, words, 3);
	begin = now_ns();
	put(rank, UPMEM_LAUNCH_LO, 1);
	do {
		sched_yield();
		cycles = get(rank, UPMEM_DPU(0) + UPMEM_DPU_CYCLES_LO);
		cycles |= (uint64_t)get(rank, UPMEM_DPU(0) + UPMEM_DPU_CYCLES_HI) << 32;
		elapsed = now_ns() - begin;
		if (elapsed / 1e9 >= (double)wrap / hz)
			ck_assert_double_le(cycles, elapsed / 1e9 * hz);
		else
			ck_assert_uint_le(cycles, wrap);
	} while (cycles < 2 * wrap);
	upmem_rank_free(rank);
}
END_TEST

/* Resident pages of this process, KiB. */
static long resident(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long total, pages = 0;

	ck_assert_int_eq(fscanf(file, "%ld %ld", &total, &pages), 2);
	fclose(file);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

START_TEST(idle_rank_costs_less_than_64_mib)
{
	long before = resident();
	struct upmem_rank *rank = rank_new(64, 2, DPU_ARCH_V1B);

	ck_assert_int_lt(resident() - before, 64 * 1024);
	upmem_rank_free(rank);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("upmem rank");
	TCase *tcase = tcase_create("rank");
	SRunner *runner;
	int failed;

	tcase_set_timeout(tcase, 120);
	tcase_add_test(tcase, identity_registers_say_what_it_is);
	tcase_add_test(tcase, dma_moves_and_stays_in_bounds);
	tcase_add_test(tcase, counters_follow_the_sdks_sequence);
	tcase_add_test(tcase, host_events_follow_their_documented_rules);
	tcase_add_test(tcase, v1a_has_no_bank_interface_counters);
	tcase_add_loop_test(tcase, counts_are_the_same_at_any_number_of_threads, 1, 5);
	tcase_add_test(tcase, running_dpus_can_be_halted_but_not_copied_with);
	tcase_add_test(tcase, state_survives_saving_in_the_middle);
	tcase_add_test(tcase, states_whose_cycles_overflow_are_refused);
	tcase_add_test(tcase, counters_keep_to_the_rate_that_the_device_names);
	tcase_add_test(tcase, idle_rank_costs_less_than_64_mib);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
