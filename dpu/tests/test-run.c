// SPDX-License-Identifier: GPL-2.0-only
/* Whole programs: tasklets, timing, counters, generations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/include/dpu_log.h"
#include "tests/main.h"
#include "dpu/tests/rig.h"

SUITE("upmem run", .timeout = 120);

TEST(kernel_of_the_page_counts_two_and_three)
{
	struct rig rig = rig_new_file("page-kernel.s", 1);
	struct dpu_totals t = rig_count(&rig);

	ck_assert_uint_eq(rig_get64(&rig, "a", 0), 2);
	ck_assert_uint_eq(rig_get64(&rig, "b", 0), 3);
	ck_assert_uint_eq(t.ldma, 2);
	ck_assert_uint_eq(t.sdma, 3);
	ck_assert_uint_eq(t.read_words, 2);	/* 8 bytes each */
	ck_assert_uint_eq(t.write_words, 3);
	ck_assert_uint_eq(t.instructions, START_UP(1) + 19);
	/* As in the listing: main follows eleven instructions of start-up code. */
	ck_assert_uint_eq(dpu_program_symbol(rig.program, "main")->value, 0x80000058);
	rig_free(&rig);
}

/* 1000 rounds of 3 instructions, move and jump: 3002 a tasklet. */
#define LOOP "main: move r0, 1000\n1: add r1, r1, r0\nxor r2, r1, r0\nadd r0, r0, -1, nz, 1b\njump r23\n"

LOOP_TEST(cycles_are_eleven_a_tasklets_instruction_until_eleven_tasklets, 1, 25)
{
	struct rig rig = rig_new(LOOP, _i, DPU_ARCH_V1A);
	struct dpu_totals t = rig_count(&rig);
	unsigned int rate = _i < 11 ? 11 : _i;
	double loop;

	ck_assert_uint_eq(t.instructions, START_UP(_i) + 3002 * _i);
	/*
	 * Alone, tasklet 0 needs 11 cycles for each of its start-up instructions; then all run side
	 * by side, a round of the tasklets every max(11, tasklets) cycles. Later ones start a few
	 * rounds later.
	 */
	loop = (double)t.cycles - 11 * START_UP(1);
	ck_assert_double_ge(loop, 3002.0 * rate * 0.99);
	ck_assert_double_le(loop, 3002.0 * rate * 1.01 + 11.0 * 7 * _i);
	if (_i == 1)
		ck_assert_uint_eq(t.cycles, 11 * (t.instructions - 1) + 1);
	rig_free(&rig);
}

/* Cycles of main with 100 transfers of a size by each tasklet; subtract those of 100 nops. */
static uint64_t cost_of(const char *insn, const char *arg, unsigned int tasklets, uint32_t refresh_ns,
			uint32_t busy_ns)
{
	struct dpu_timing timing = dpu_timing_default;
	char text[256];
	struct dpu_totals t;
	struct rig rig;

	snprintf(text, sizeof(text), "main: move r2, 100\n move r0, 4096\n move r1, 0\n"
		 "1: %s%s\n add r2, r2, -1, nz, 1b\n jump r23\n", insn, arg);
	rig = rig_new(text, tasklets, DPU_ARCH_V1B);
	timing.refresh_ns = refresh_ns;
	timing.refresh_busy_ns = busy_ns;
	rig_set_timing(&rig, &timing);
	t = rig_count(&rig);
	rig_free(&rig);
	return t.cycles;
}

TEST(dma_costs_latency_half_a_cycle_a_byte_and_rows)
{
	uint64_t nops = cost_of("nop", "", 1, 0, 0);

	/*
	 * A nop holds its tasklet for 11 cycles, a transfer for its own time: 73 + 8 / 2 and so on, and 9
	 * for the second row of 1024 bytes.
	 */
	ck_assert_uint_eq(cost_of("ldma", " r0, r1, 0", 1, 0, 0) - nops, 100 * (73 + 4 - 11));
	ck_assert_uint_eq(cost_of("ldma", " r0, r1, 127", 1, 0, 0) - nops, 100 * (73 + 512 - 11));
	ck_assert_uint_eq(cost_of("ldma", " r0, r1, 255", 1, 0, 0) - nops, 100 * (73 + 1024 + 9 - 11));
	ck_assert_uint_eq(cost_of("sdma", " r0, r1, 0", 1, 0, 0) - nops, 100 * (57 + 4 - 11));
	ck_assert_uint_eq(cost_of("sdma", " r0, r1, 255", 1, 0, 0) - nops, 100 * (57 + 1024 + 9 - 11));
}

TEST(the_engine_has_one_transfer_at_a_time)
{
	uint64_t one = cost_of("ldma", " r0, r1, 0", 1, 0, 0), many = cost_of("ldma", " r0, r1, 0", 16, 0, 0);

	/*
	 * 33 cycles to set up and 4 to move 8 bytes: 16 tasklets queue for it, 592 cycles a round
	 * instead of 77 + 11. The last ones start some 16 times 7 instructions later and end last.
	 */
	ck_assert_uint_ge(many, one - 100 * (77 + 11) + 100 * 592);
	ck_assert_uint_le(many, one - 100 * (77 + 11) + 100 * 592 + 16 * 7 * 11 + 77 + 11);
}

TEST(transfers_wait_for_a_refresh)
{
	uint64_t without = cost_of("ldma", " r0, r1, 255", 1, 0, 0), with;

	/*
	 * At 400 MHz one refresh of 400 cycles is due at cycle 100000. It waits for a transfer under way, and
	 * the next transfer for it: of 1117 cycles a round the engine is idle for 73 - 33 + 11.
	 */
	ck_assert_uint_gt(without, 100000);
	ck_assert_uint_lt(without, 200000 - 400);
	with = cost_of("ldma", " r0, r1, 255", 1, 250000, 1000);
	ck_assert_uint_ge(with, without + 400 - (73 - 33 + 11));
	ck_assert_uint_le(with, without + 400);
}

TEST(what_ran_before_changes_no_count)
{
	struct rig rig = rig_new("main: move r2, 11\n move r0, 4096\n move r1, 0\n"
				 "1: ldma r0, r1, 255\n add r2, r2, -1, nz, 1b\n jump r23\n", 3, DPU_ARCH_V1B);
	uint64_t first = rig_count(&rig).cycles, second = rig_count(&rig).cycles, third = rig_count(&rig).cycles;

	/* refreshes count from a launch, not from the DPU's beginning: 33 transfers take longer than 20 intervals */
	ck_assert_uint_gt(first, 20 * 1560);
	ck_assert_uint_eq(second, first);
	ck_assert_uint_eq(third, first);
	rig_free(&rig);
}

TEST(dma_moves_up_to_2048_bytes)
{
	/* The length may also come from bits 31..24 of the WRAM address. */
	static const char text[] =
		".section .mram\nfrom: .space 2048\nto: .space 2048\n.bss\n.align 8\nbuf: .space 2048\n.text\n"
		"main: move r1, from\n move r0, buf | 255 << 24\n ldma r0, r1, 0\n move r1, to\n"
		" move r0, buf\n sdma r0, r1, 255\n jump r23\n";
	struct rig rig = rig_new(text, 1, DPU_ARCH_V1B);
	struct dpu_totals t;

	for (unsigned int i = 0; i < 256; i++)
		rig_set64(&rig, "from", i, i * UINT64_C(0x0123456789abcdef));
	t = rig_count(&rig);
	for (unsigned int i = 0; i < 256; i++)
		ck_assert_uint_eq(rig_get64(&rig, "to", i), i * UINT64_C(0x0123456789abcdef));
	ck_assert_uint_eq(t.read_words, 256);
	ck_assert_uint_eq(t.write_words, 256);
	/* from is at 0, 2 KiB: two rows of 1 KiB; to likewise */
	ck_assert_uint_eq(t.ldma_rows, 2);
	ck_assert_uint_eq(t.sdma_rows, 2);
	rig_free(&rig);
}

TEST(hello_world_is_logged_by_every_tasklet)
{
	struct rig rig = rig_new_file("hello.s", 16);
	const struct dpu_program_symbol *buffer;
	uint8_t log[16 * 40];
	char *text = NULL, line[64];
	size_t size, seen = 0;
	FILE *out;

	rig_run_ok(&rig);
	/* "%s%u%s", "hello from tasklet ", a number, "\n" with their NULs: 7 + 20 + 4 + 2, padded */
	ck_assert_uint_eq(rig_get(&rig, "__stdout_buffer_state", 0), 16 * 40);
	buffer = dpu_program_symbol(rig.program, "__stdout_buffer");
	ck_assert(dpu_read(rig.dpu, DPU_MRAM, buffer->value & ~DPU_MRAM_FLAG, log, sizeof(log)));
	out = open_memstream(&text, &size);
	ck_assert(dpu_log_print(log, sizeof(log), out));
	fclose(out);
	for (unsigned int i = 0; i < 16; i++) {
		snprintf(line, sizeof(line), "hello from tasklet %u\n", i);
		seen += strstr(text, line) != NULL;
	}
	ck_assert_uint_eq(seen, 16);
	free(text);
	rig_free(&rig);
}

TEST(log_formats_are_checked)
{
	/* The record of each kind of printf, by the rules in log.h. */
	static const uint8_t good[] =
		"%d%c%lu%x%s\0" "\xfe\xff\xff\xff" "A" "\x01\0\0\0\x01\0\0\0" "\xff\0\0\0" "end\0\0\0";
	static const uint8_t bad[] = "%n\0\0\0\0\0";
	static const uint8_t truncated[] = "%s\0abc";
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert(dpu_log_print(good, sizeof(good) - 1, out));
	fflush(out);
	ck_assert_str_eq(text, "-2A4294967297ffend");
	ck_assert(!dpu_log_print(bad, sizeof(bad), out));
	ck_assert(!dpu_log_print(truncated, 6, out));
	fclose(out);
	free(text);
}

LOOP_TEST(reduction_with_mutex_and_barrier_adds_up, 15, 17)
{
	struct rig rig = rig_new_file("reduction.s", _i);
	uint64_t sum = 0, seed = 11;

	for (unsigned int i = 0; i < 1 << 16; i++) {
		uint64_t n = rig_random(&seed);

		rig_set64(&rig, "input", i, n);
		sum += n;
	}
	rig_run_ok(&rig);
	ck_assert_uint_eq(rig_get64(&rig, "sum", 0), sum);
	/* a second run: the state of the barrier and the mutexes is the initial one */
	rig_set64(&rig, "total", 0, 0);
	rig_run_ok(&rig);
	ck_assert_uint_eq(rig_get64(&rig, "sum", 0), sum);
	rig_free(&rig);
}

/* Two tasklets give 100 times each, two take 100 times each: the count must be the initial one. */
TEST(semaphores_pass_every_unit_on)
{
	static const char text[] =
		".section .atomic\nsem_mutex: .space 1\n"
		".section .dpu_host\n.align 4\nsem: .long 5, sem_mutex\ntaken: .zero 16\n.text\n"
		"main: move r14, r23\n move r15, 100\n and r16, id, 1\n lsl r17, id, 2\n"
		"1: move r0, sem\n jeq r16, 0, 2f\n call r23, sem_take\n"
		" lw r8, r17, taken\n add r8, r8, 1\n sw r17, taken, r8\n jump 3f\n"
		"2: call r23, sem_give\n3: add r15, r15, -1, nz, 1b\n jump r14\n"
		".include \"lib/sync.s\"\n";
	struct rig rig = rig_new(text, 4, DPU_ARCH_V1B);

	rig_run_ok(&rig);
	ck_assert_uint_eq(rig_get(&rig, "sem", 0), 5);
	ck_assert_uint_eq(rig_get(&rig, "taken", 1), 100);
	ck_assert_uint_eq(rig_get(&rig, "taken", 3), 100);
	rig_free(&rig);
}

/* fib(n) = fib(n - 1) + fib(n - 2), with its frames on the stack, in every tasklet. */
TEST(calls_use_their_tasklets_stack)
{
	static const char text[] =
		".section .dpu_host\n.align 4\nout: .zero 64\n.text\n"
		"main: sw r22, 0, r23\n add r22, r22, 8\n move r0, id\n call r23, fib\n"
		" lsl r1, id, 2\n sw r1, out, r0\n add r22, r22, -8\n lw r23, r22, 0\n jump r23\n"
		"fib: jltu r0, 2, 1f\n sw r22, 0, r23\n sw r22, 4, r0\n add r22, r22, 16\n"
		" add r0, r0, -1\n call r23, fib\n sw r22, -8, r0\n lw r0, r22, -12\n add r0, r0, -2\n"
		" call r23, fib\n lw r1, r22, -8\n add r0, r0, r1\n add r22, r22, -16\n lw r23, r22, 0\n"
		"1: jump r23\n";
	struct rig rig = rig_new(text, 12, DPU_ARCH_V1B);
	uint32_t fib[12] = { 0, 1 };

	rig_run_ok(&rig);
	for (int i = 0; i < 12; i++) {
		if (i > 1)
			fib[i] = fib[i - 1] + fib[i - 2];
		ck_assert_uint_eq(rig_get(&rig, "out", i), fib[i]);
	}
	rig_free(&rig);
}

TEST(counts_do_not_depend_on_how_the_work_is_cut)
{
	struct dpu_totals whole, cut;
	struct rig rig = rig_new_file("reduction.s", 16);

	whole = rig_count(&rig);
	rig_free(&rig);
	rig = rig_new_file("reduction.s", 16);
	ck_assert(dpu_boot(rig.dpu));
	while (dpu_run(rig.dpu, 7) == DPU_RUNNING)
		;
	dpu_totals(rig.dpu, &cut);
	ck_assert_uint_eq(cut.instructions, whole.instructions);
	ck_assert_uint_eq(cut.cycles, whole.cycles);
	rig_free(&rig);
}

static void ignore(void *opaque, const struct dpu *dpu, unsigned int thread, unsigned int pc)
{
	(void)dpu;
	(void)thread;
	(void)pc;
	(*(uint64_t *)opaque)++;
}

TEST(running_ahead_changes_nothing)
{
	struct rig rig = rig_new_file("reduction.s", 16);
	struct dpu_totals fast = rig_count(&rig), slow;
	uint64_t traced = 0;

	rig_free(&rig);
	/* with a trace every instruction is executed in its turn */
	rig = rig_new_file("reduction.s", 16);
	dpu_set_trace(rig.dpu, ignore, &traced);
	slow = rig_count(&rig);
	ck_assert_uint_eq(slow.instructions, fast.instructions);
	ck_assert_uint_eq(slow.cycles, fast.cycles);
	ck_assert_uint_eq(traced, fast.instructions);
	rig_free(&rig);
}

TEST(vector_addition_executes_the_derived_instructions)
{
	/* 64 blocks of 1 KiB: see vecadd.s. A tasklet: 4 before, 2 after; a block: 8, 256 * 6, 4. */
	struct rig rig = rig_new_file("vecadd.s", 16);
	struct dpu_totals t;

	rig_set(&rig, "size", 0, 65536);
	t = rig_count(&rig);
	ck_assert_uint_eq(t.instructions, START_UP(16) + 16 * 6 + 64 * (8 + 256 * 6 + 4));
	ck_assert_uint_eq(t.ldma, 128);
	ck_assert_uint_eq(t.sdma, 64);
	rig_free(&rig);
}

/* time and time_cfg as perfcounter_config(COUNT_CYCLES, true), perfcounter_get() use them. */
TEST(timer_shows_cycles_or_instructions_in_steps_of_16)
{
	static const char text[] =
		".section .dpu_host\n.align 4\nmode: .long 0\nold: .long 0\nnow: .long 0\n.text\n"
		"main: lw r0, zero, mode\n time_cfg r1, r0\n sw zero, old, r1\n move r2, 1000\n"
		"1: add r2, r2, -1, nz, 1b\n time r1\n sw zero, now, r1\n jump r23\n";
	struct rig rig = rig_new(text, 1, DPU_ARCH_V1A);

	/* From time_cfg to time: store, move, 1000 rounds and time itself: 1003 instructions. */
	rig_set(&rig, "mode", 0, 2 << 1 | 1);
	rig_run_ok(&rig);
	ck_assert_uint_eq(rig_get(&rig, "now", 0), 1003 >> 4);
	rig_set(&rig, "mode", 0, 1 << 1 | 1);
	rig_run_ok(&rig);
	ck_assert_uint_eq(rig_get(&rig, "now", 0), 1003 * 11 >> 4);
	/* without the reset it continues: at least the value that was read last */
	rig_set(&rig, "mode", 0, 1 << 1);
	rig_run_ok(&rig);
	ck_assert_uint_ge(rig_get(&rig, "old", 0), 1003 * 11 >> 4);
	ck_assert_uint_ge(rig_get(&rig, "now", 0), rig_get(&rig, "old", 0) + (1003 * 11 >> 4));
	rig_free(&rig);
}

/* 33 loads of 2^31 cycles each: the counter has wrapped once. */
TEST(timer_is_36_bits_wide)
{
	static const char text[] =
		".section .dpu_host\n.align 4\nnow: .long 0\n.text\n"
		"main: move r0, 1 << 1 | 1\n move r1, 4096\n time_cfg r0\n move r2, 33\n"
		"1: ldma r1, r5, 0\n add r2, r2, -1, nz, 1b\n time r3\n sw zero, now, r3\n jump r23\n";
	struct rig rig = rig_new(text, 1, DPU_ARCH_V1A);
	struct dpu_timing timing = dpu_timing_default;

	timing.read_latency = UINT32_C(1) << 31;
	timing.refresh_ns = 0;
	rig_set_timing(&rig, &timing);
	rig_run_ok(&rig);
	/* time_cfg, move, and 33 times a load of 8 bytes and add */
	ck_assert_uint_eq(rig_get(&rig, "now", 0),
			  ((33 * ((UINT64_C(1) << 31) + 4 + 11) + 22) & ((UINT64_C(1) << 36) - 1)) >> 4);
	rig_free(&rig);
}

TEST(both_counters_of_v1b_agree_with_the_pipeline)
{
	struct rig rig = rig_new_file("both.s", 1);

	rig_run_ok(&rig);
	for (unsigned int i = 0; i < 5; i++) {
		uint64_t cycles = rig_get64(&rig, "results", 2 * i);
		uint64_t instructions = rig_get64(&rig, "results", 2 * i + 1);

		/*
		 * From the counters' start to their stop: in the first round two moves and 100000
		 * rounds and move, time_cfg; later add, jneq and one move more or less: 100004 to
		 * 100006, of 11 cycles each.
		 */
		ck_assert_uint_ge(instructions, 100004 / 16 * 16);
		ck_assert_uint_le(instructions, 100006);
		ck_assert_uint_ge(cycles, (100004 * 11) / 16 * 16);
		ck_assert_uint_le(cycles, 100006 * 11);
	}
	rig_free(&rig);
}

TEST(generations_differ_as_documented)
{
	const struct dpu_arch *a = dpu_arch_find("v1A"), *b = dpu_arch_find("v1B");
	struct dpu *dpu = dpu_new(b, NULL, 0, NULL);
	uint64_t word = 0;

	ck_assert_uint_eq(a->threads, 24);
	ck_assert_uint_eq(b->threads, 16);
	ck_assert_uint_eq(a->clock, 350000000);
	ck_assert_uint_eq(b->clock, 400000000);
	ck_assert_uint_eq(a->wram_size, 65536);
	ck_assert_uint_eq(b->wram_size, 63488);
	ck_assert_ptr_null(dpu_arch_find("v2"));
	/* IRAM of v1B: 3968 instructions */
	ck_assert(dpu_write(dpu, DPU_IRAM, 3967 * 8, &word, 8));
	ck_assert(!dpu_write(dpu, DPU_IRAM, 3968 * 8, &word, 8));
	dpu_destroy(dpu);
}

TEST(host_access_is_checked)
{
	struct dpu *dpu = dpu_new(&dpu_archs[DPU_ARCH_V1A], NULL, 0, NULL);
	uint64_t word = 1;

	ck_assert(!dpu_write(dpu, DPU_WRAM, 2, &word, 4));
	ck_assert(!dpu_write(dpu, DPU_WRAM, 65536, &word, 4));
	ck_assert(!dpu_write(dpu, DPU_WRAM, 65532, &word, 8));
	ck_assert(!dpu_write(dpu, DPU_MRAM, 4, &word, 8));
	ck_assert(!dpu_write(dpu, DPU_MRAM, DPU_MRAM_SIZE - 8, &word, 16));
	ck_assert(!dpu_range_ok(dpu, DPU_MRAM, 0xfffffff8, 16));
	ck_assert(dpu_write(dpu, DPU_MRAM, DPU_MRAM_SIZE - 8, &word, 8));
	dpu_destroy(dpu);
}
