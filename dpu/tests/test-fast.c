// SPDX-License-Identifier: GPL-2.0-only
/* The fast interpreter against the plain one: random programs that share memory, counts and state. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/main.h"
#include "dpu/tests/random-program.h"
#include "dpu/tests/rig.h"

/* The profile's sums are the counters. */
static void check_sums(const struct rig *rig)
{
	const struct dpu_cost *cost = dpu_profile(rig->dpu);
	uint64_t instructions = 0, cycles = 0;
	struct dpu_totals t;

	for (unsigned int i = 0; i < DPU_IRAM_WORDS; i++) {
		instructions += cost[i].instructions;
		cycles += cost[i].cycles;
	}
	dpu_totals(rig->dpu, &t);
	ck_assert_uint_eq(instructions, t.instructions);
	ck_assert_uint_eq(cycles, t.cycles);
}

static void compare(const struct rig *fast, const struct rig *plain)
{
	static uint8_t a[DPU_WRAM_SIZE], b[DPU_WRAM_SIZE];
	struct dpu_totals s, t;

	dpu_totals(fast->dpu, &s);
	dpu_totals(plain->dpu, &t);
	ck_assert_mem_eq(&s, &t, sizeof(s));
	ck_assert_mem_eq(dpu_profile(fast->dpu), dpu_profile(plain->dpu),
			 DPU_IRAM_WORDS * sizeof(struct dpu_cost));
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++)
		for (unsigned int reg = 0; reg < 24; reg++)
			ck_assert_msg(dpu_register(fast->dpu, i, reg) == dpu_register(plain->dpu, i, reg),
				      "tasklet %u, r%u", i, reg);
	ck_assert(dpu_read(fast->dpu, DPU_WRAM, 0, a, sizeof(a)));
	ck_assert(dpu_read(plain->dpu, DPU_WRAM, 0, b, sizeof(b)));
	ck_assert_mem_eq(a, b, sizeof(a));
	ck_assert(dpu_read(fast->dpu, DPU_MRAM, 0, a, sizeof(a)));
	ck_assert(dpu_read(plain->dpu, DPU_MRAM, 0, b, sizeof(b)));
	ck_assert_mem_eq(a, b, sizeof(a));
}

/* The same program for both interpreters; the plain one has run it. */
static void pair_new(struct rig *fast, struct rig *plain, const char *text, unsigned int tasklets)
{
	*fast = rig_new(text, tasklets, DPU_ARCH_V1A);
	*plain = rig_new(text, tasklets, DPU_ARCH_V1A);
	dpu_set_reference(plain->dpu, true);
	ck_assert(dpu_set_profile(plain->dpu, true));
	ck_assert(dpu_set_profile(fast->dpu, true));
	rig_run_ok(plain);
}

static void pair_end(struct rig *fast, struct rig *plain)
{
	compare(fast, plain);
	check_sums(fast);
	rig_free(fast);
	rig_free(plain);
}

SUITE("upmem interpreters", .timeout = 120);

/* Every instruction of the list, by 1 to 24 tasklets, whole and in pieces. */
LOOP_TEST(both_interpreters_do_the_same, 0, 96)
{
	static char text[RANDOM_PROGRAM_SIZE];
	struct rig fast, plain;
	unsigned int tasklets = 1 + _i % 24;

	random_program(text, 1000 + _i);
	pair_new(&fast, &plain, text, tasklets);
	ck_assert(dpu_boot(fast.dpu));
	while (dpu_run(fast.dpu, _i % 3 ? 0 : 97) == DPU_RUNNING)
		;
	pair_end(&fast, &plain);
}

LOOP_TEST(going_back_changes_nothing, 0, 96)
{
	static char text[RANDOM_PROGRAM_SIZE];
	unsigned int tasklets = 1 + _i % 24;
	struct rig fast, plain;

	random_private_program(text, 3000 + _i);
	pair_new(&fast, &plain, text, tasklets);
	rig_run_ok(&fast);
	pair_end(&fast, &plain);
}

static void compare_wram(const struct rig *fast, const struct rig *plain)
{
	static uint8_t a[DPU_WRAM_SIZE], b[DPU_WRAM_SIZE];

	ck_assert(dpu_read(fast->dpu, DPU_WRAM, 0, a, sizeof(a)));
	ck_assert(dpu_read(plain->dpu, DPU_WRAM, 0, b, sizeof(b)));
	ck_assert_mem_eq(a, b, sizeof(a));
}

/* A stopped DPU can be saved, and continues. */
static void save_and_restore(struct dpu *dpu)
{
	void *saved = malloc(dpu_save_size());

	ck_assert_ptr_nonnull(saved);
	dpu_save(dpu, saved);
	ck_assert(dpu_restore(dpu, saved));
	free(saved);
}

/* A run that stops after some turns has the registers and WRAM of these turns. */
LOOP_TEST(a_stop_shows_no_later_turn, 0, 24)
{
	static char text[RANDOM_PROGRAM_SIZE];
	struct rig fast, plain;
	enum dpu_state state;

	random_private_program(text, 4000 + _i);
	fast = rig_new(text, 16, DPU_ARCH_V1A);
	plain = rig_new(text, 16, DPU_ARCH_V1A);
	dpu_set_reference(plain.dpu, true);
	ck_assert(dpu_boot(plain.dpu) && dpu_boot(fast.dpu));
	for (int pieces = 0; pieces < 40; pieces++) {
		state = dpu_run(plain.dpu, 331);
		ck_assert_int_eq(dpu_run(fast.dpu, 331), state);
		ck_assert_uint_eq(dpu_cycle(fast.dpu), dpu_cycle(plain.dpu));
		save_and_restore(fast.dpu);
		for (unsigned int i = 0; i < 16; i++)
			for (unsigned int reg = 0; reg < 24; reg++)
				ck_assert_uint_eq(dpu_register(fast.dpu, i, reg),
						  dpu_register(plain.dpu, i, reg));
		/* From the first such access on no tasklet runs ahead in memory. */
		if (pieces >= _i)
			compare_wram(&fast, &plain);
	}
	rig_free(&fast);
	rig_free(&plain);
}

struct host {
	struct dpu *dpu;
	uint32_t address;	/* of a tasklet's words; the second one is the host's */
	bool lost;
};

static void *write_and_look(void *opaque)
{
	struct host *host = opaque;
	uint32_t n = 0, word;

	while (dpu_state(host->dpu) == DPU_RUNNING) {
		n++;
		host->lost |= !dpu_write(host->dpu, DPU_WRAM, host->address + 4, &n, sizeof(n));
		for (int i = 0; i < 100; i++) {
			host->lost |= !dpu_read(host->dpu, DPU_WRAM, host->address + 4, &word, sizeof(word));
			host->lost |= word != n;
		}
	}
	return NULL;
}

/*
 * The host writes next to words that tasklets write while they run ahead: no write is lost, counts
 * are the same.
 */
LOOP_TEST(the_host_may_write, 0, 16)
{
	static const char text[] =
		".section .dpu_host\n.align 8\n.globl own\nown: .zero 8 * 16\n.text\n"
		"main: move r18, 20000\n add r1, id8, own\n"
		"1: sw r1, 0, r18\n lw r2, r1, 0\n add r18, r18, -1, nz, 1b\n jump r23\n";
	struct rig fast = rig_new(text, 16, DPU_ARCH_V1A), plain = rig_new(text, 16, DPU_ARCH_V1A);
	const struct dpu_program_symbol *own = dpu_program_symbol(fast.program, "own");
	struct host host = { .dpu = fast.dpu, .address = own->value + 8 * _i };
	struct dpu_totals s, t = rig_count(&plain);
	pthread_t thread;

	ck_assert(dpu_boot(fast.dpu));
	ck_assert_int_eq(pthread_create(&thread, NULL, write_and_look, &host), 0);
	while (dpu_run(fast.dpu, 1000) == DPU_RUNNING)
		;
	pthread_join(thread, NULL);
	ck_assert(!host.lost);
	dpu_totals(fast.dpu, &s);
	ck_assert_mem_eq(&s, &t, sizeof(s));
	rig_free(&fast);
	rig_free(&plain);
}

/* Without a profile other functions run: the same counts. */
LOOP_TEST(a_profile_changes_nothing, 0, 16)
{
	static char text[RANDOM_PROGRAM_SIZE];
	struct dpu_totals s, t;
	struct rig with, without;

	random_program(text, 2000 + _i);
	with = rig_new(text, 16, DPU_ARCH_V1B);
	without = rig_new(text, 16, DPU_ARCH_V1B);
	ck_assert(dpu_set_profile(with.dpu, true));
	s = rig_count(&with);
	t = rig_count(&without);
	ck_assert_mem_eq(&s, &t, sizeof(s));
	ck_assert_ptr_null(dpu_profile(without.dpu));
	rig_free(&with);
	rig_free(&without);
}

/* Only arithmetic runs ahead; then all tasklets use one word. */
LOOP_TEST(running_ahead_changes_nothing, 1, 25)
{
	static const char text[] =
		".section .dpu_host\n.align 8\nsum: .quad 0\n.text\n"
		"main: move r18, 50\n move r1, id8\n"
		"1: lsl r2, id, 4\n add r2, r2, 5\n"
		"2: add r1, r1, r2\n xor r3, r1, r18\n add r2, r2, -1, nz, 2b\n"
		" lw r4, zero, sum\n add r4, r4, r3\n sw zero, sum, r4\n"
		" add r18, r18, -1, nz, 1b\n jump r23\n";
	struct rig fast, plain;

	pair_new(&fast, &plain, text, _i);
	rig_run_ok(&fast);
	pair_end(&fast, &plain);
}
