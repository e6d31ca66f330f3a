// SPDX-License-Identifier: GPL-2.0-only
/* The fast interpreter against the plain one: random programs that share memory, counts and state. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/main.h"
#include "tests/unit/upmem/rig.h"

#define TEXT_SIZE 16384

/*
 * A line of a program: numbers stand for a register (R), an even one (D), a constant (I), an offset into the
 * memory that all tasklets share (O), a place further on (F) and one of the bits (B). r18 counts the
 * rounds, r19 to r21 are addresses, so that R and D are below.
 */
static const char *const lines[] = {
	"add R, R, R", "add R, R, I", "addc R, R, R", "sub R, R, R", "subc R, R, R", "rsub R, R, R",
	"and R, R, R", "or R, R, I", "xor R, R, R", "nor R, R, R", "lsl R, R, 3", "lsr R, R, R",
	"asr R, R, 5", "rol R, R, R", "cao R, R", "clz R, R", "extsb R, R", "mul_ul_ul R, R, R",
	"mul_sh_sh R, R, R", "lsl_add R, R, R, 2", "rol_add R, R, R, 7", "move R, I", "move.s D, I",
	"add.u D, R, R", "sub R, R, R, ltu", "add R, R, R, c, F", "sub R, R, R, xleu, F",
	"and R, R, R, z, F", "jltu R, R, F", "jneq R, I, F", "lsr R, R, 1, so, F", "movd D, D",
	"swapd D, D", "mul_step D, R, D, 4, z, F", "div_step D, R, D, 2, false, F", "cmpb4 R, R, R", "nop",
	"lw R, r20, O", "lbu R, r20, O", "lhs R, r20, O", "ld D, r20, O", "lw.s D, r20, O",
	"sw r20, O, R", "sb r20, O, R", "sh r20, O, R", "sd r20, O, D", "sw r20, O, I", "sw_id r20, O, 64",
	"lw R, r21, O", "sw r21, O, R", "ld D, r21, O", "sd r21, O, D", "lw !big, R, r20, O",
	"ldma r21, r19, 0", "sdma r21, r19, 3", "ldma r20, r19, 1", "sdma r20, r19, 0",
	"acquire zero, B, nz, F", "release zero, B, nz, F", "time R", "read_run zero, 3, z, F",
};

static char *put_operand(char *end, char kind, uint64_t *seed, int line)
{
	uint64_t r = rig_random(seed) >> 20;

	switch (kind) {
	case 'R':
		return end + sprintf(end, "r%d", (int)(r % 16));
	case 'D':
		return end + sprintf(end, "d%d", (int)(r % 8 * 2));
	case 'I':
		return end + sprintf(end, "%d", (int)(r % 100) - 50);
	case 'O':
		return end + sprintf(end, "%d", (int)(r % 8 * 8));
	case 'F':
		return end + sprintf(end, "L%d", line + 1 + (int)(r % 4));
	default:
		return end + sprintf(end, "%d", 200 + (int)(r % 4));
	}
}

static char *put_operands(char *end, const char *p, uint64_t *seed, int line)
{
	end += sprintf(end, "L%d: ", line);
	for (; *p; p++) {
		if (strchr("RDIOFB", *p) && (p[-1] == ' '))
			end = put_operand(end, *p, seed, line);
		else
			*end++ = *p;
	}
	*end++ = '\n';
	*end = '\0';
	return end;
}

static char *put_line(char *end, uint64_t *seed, int line)
{
	const char *p = lines[(rig_random(seed) >> 32) % (sizeof(lines) / sizeof(lines[0]))];

	return put_operands(end, p, seed, line);
}

#define LINES 60

static void write_program(char *text, uint64_t seed)
{
	char *end = text;

	end += sprintf(end, ".section .dpu_host\n.align 8\nshared: .zero 64\nown: .zero 64 * 24\n.text\n"
		       "main: move r18, 20\nmove r20, shared\nlsl r21, id8, 3\nadd r21, r21, own\n"
		       "lsl r19, id, 10\nmove r0, 1 << 1 | 1\ntime_cfg r0\n");
	for (int i = 0; i < 8; i++)
		end += sprintf(end, "lsl r%d, id8, %d\n", i, i + 1);
	for (int i = 0; i < LINES; i++)
		end = put_line(end, &seed, i);
	for (int i = LINES; i < LINES + 4; i++)
		end += sprintf(end, "L%d: ", i);
	strcpy(end, "add r18, r18, -1, nz, L0\njump r23\n");
}

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

/* Every instruction of the list, by 1 to 24 tasklets, whole and in pieces. */
START_TEST(both_interpreters_do_the_same)
{
	static char text[TEXT_SIZE];
	struct rig fast, plain;
	unsigned int tasklets = 1 + _i % 24;

	write_program(text, 1000 + _i);
	pair_new(&fast, &plain, text, tasklets);
	ck_assert(dpu_boot(fast.dpu));
	while (dpu_run(fast.dpu, _i % 3 ? 0 : 97) == DPU_RUNNING)
		;
	pair_end(&fast, &plain);
}
END_TEST

/*
 * Tasklets that work on memory of their own and now and then on words that all of them use, which is what
 * runs ahead and has to go back. Part of the words are only read.
 */
static void write_private_program(char *text, uint64_t seed)
{
	static const char *const accesses[] = {
		"lw R, r21, O", "sw r21, O, R", "lbu R, r21, O", "sb r21, O, R", "ld D, r21, O",
		"sd r21, O, D",
		"lhs R, r21, O", "lw R, r17, O", "ld D, r17, O", "sh r21, O, R", "ldma r21, r19, 3",
		"sdma r21, r19, 2", "lw R, r20, O", "sw r20, O, R", "add R, R, R", "xor R, R, R",
		"sub R, R, R", "jltu R, R, F",
	};
	unsigned int count = sizeof(accesses) / sizeof(accesses[0]);
	char *end = text;

	end += sprintf(end, ".section .dpu_host\n.align 8\nshared: .zero 64\ntable: .zero 64\n"
		       "own: .zero 64 * 24\n.text\n"
		       "main: move r18, 60\nmove r20, shared\nmove r17, table\nlsl r21, id8, 3\n"
		       "add r21, r21, own\nlsl r19, id, 10\n");
	for (int i = 0; i < 16; i++)
		end += sprintf(end, "lsl r%d, id8, %d\n", i, i % 16 + 1);
	for (int i = 0; i < LINES; i++) {
		unsigned int n = rig_random(&seed) >> 32;

		/* One in 32 accesses is to the words of all. */
		n = n % 32 ? n / 32 % (count - 6) : count - 6 + n / 32 % 6;
		if (rig_random(&seed) >> 40 & 1)
			n = count - 4 + n % 4;
		end = put_operands(end, accesses[n], &seed, i);
	}
	for (int i = LINES; i < LINES + 4; i++)
		end += sprintf(end, "L%d: ", i);
	strcpy(end, "add r18, r18, -1, nz, L0\njump r23\n");
}

START_TEST(going_back_changes_nothing)
{
	static char text[TEXT_SIZE];
	unsigned int tasklets = 1 + _i % 24;
	struct rig fast, plain;

	write_private_program(text, 3000 + _i);
	pair_new(&fast, &plain, text, tasklets);
	rig_run_ok(&fast);
	pair_end(&fast, &plain);
}
END_TEST

static void compare_wram(const struct rig *fast, const struct rig *plain)
{
	static uint8_t a[DPU_WRAM_SIZE], b[DPU_WRAM_SIZE];

	ck_assert(dpu_read(fast->dpu, DPU_WRAM, 0, a, sizeof(a)));
	ck_assert(dpu_read(plain->dpu, DPU_WRAM, 0, b, sizeof(b)));
	ck_assert_mem_eq(a, b, sizeof(a));
}

/* A DPU that stopped can be saved, and goes on from there. */
static void save_and_restore(struct dpu *dpu)
{
	void *saved = malloc(dpu_save_size());

	ck_assert_ptr_nonnull(saved);
	dpu_save(dpu, saved);
	ck_assert(dpu_restore(dpu, saved));
	free(saved);
}

/* After so many turns, registers and WRAM are what these turns have made them. */
START_TEST(a_stop_shows_no_later_turn)
{
	static char text[TEXT_SIZE];
	struct rig fast, plain;
	enum dpu_state state;

	write_private_program(text, 4000 + _i);
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
		/* From the first look on nothing in memory runs ahead. */
		if (pieces >= _i)
			compare_wram(&fast, &plain);
	}
	rig_free(&fast);
	rig_free(&plain);
}
END_TEST

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

/* The host writes beside what tasklets write and run ahead with: nothing is lost, counts are the same. */
START_TEST(the_host_may_write)
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
END_TEST

/* Without a profile other functions run: the same counts. */
START_TEST(a_profile_changes_nothing)
{
	static char text[TEXT_SIZE];
	struct dpu_totals s, t;
	struct rig with, without;

	write_program(text, 2000 + _i);
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
END_TEST

/* Arithmetic alone runs ahead; then all tasklets meet at one word. */
START_TEST(running_ahead_changes_nothing)
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
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("upmem interpreters");
	TCase *tcase = tcase_create("fast");

	tcase_set_timeout(tcase, 120);
	tcase_add_loop_test(tcase, both_interpreters_do_the_same, 0, 96);
	tcase_add_loop_test(tcase, going_back_changes_nothing, 0, 96);
	tcase_add_loop_test(tcase, a_stop_shows_no_later_turn, 0, 24);
	tcase_add_loop_test(tcase, the_host_may_write, 0, 16);
	tcase_add_loop_test(tcase, a_profile_changes_nothing, 0, 16);
	tcase_add_loop_test(tcase, running_ahead_changes_nothing, 1, 25);
	suite_add_tcase(suite, tcase);
	return suite;
}
