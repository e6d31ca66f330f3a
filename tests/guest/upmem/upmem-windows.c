// SPDX-License-Identifier: GPL-2.0-only
/* mon-vm: --device upmem-rank --mem 1G
 *
 * 64 DPUs, each measuring a window of its own with time and time_cfg, as perfcounter_config() and
 * perfcounter_get_both() use them, while perf counts all instructions exactly.
 */
#include <check.h>
#include <inttypes.h>
#include <stdlib.h>

#include "libmon/upmem/include/dpu.h"
#include "libmon/include/mon.h"
#include "dpu/as/asm.h"
#include "tests/main.h"

#define DPUS 64
#define RUNS 3

/*
 * COUNT_ENABLE_BOTH with reset; a loop; stop both, and show each in turn. What the window holds,
 * from the first time_cfg to the second: time_cfg, the loop's rounds and one move, with one tasklet
 * 11 cycles each. Around it 13 instructions more, and 520 of start-up code (dpu/tests/rig.h).
 */
static const char program[] =
	".section .dpu_host\n.align 8\n"
	".globl rounds\nrounds: .long 0\n.size rounds, 4\n"
	".globl cycles\ncycles: .long 0\n.size cycles, 4\n"
	".globl instructions\ninstructions: .long 0\n.size instructions, 4\n.text\n"
	"main: lw r8, zero, rounds\n move r0, 7 << 1 | 1\n time_cfg r0\n"
	"1: add r8, r8, -1, nz, 1b\n"
	" move r0, 6 << 1\n time_cfg r0\n move r0, 5 << 1\n time_cfg r0\n time r2\n"
	" move r0, 6 << 1\n time_cfg r0\n time r3\n sw zero, cycles, r2\n sw zero, instructions, r3\n"
	" jump r23\n";
#define WINDOW(rounds) ((rounds) + 2)
#define ALL(rounds) ((rounds) + 14 + 520)

static uint32_t rounds_of(uint32_t dpu)
{
	return 1000 * (dpu + 1) + dpu;
}

static struct dpu_set_t set, dpu;

static void load(void)
{
	const struct dpu_asm_source source = { "window", program };
	const struct dpu_asm_options options = {
		.arch = &dpu_archs[DPU_ARCH_V1B], .tasklets = 1, .stack_size = 64
	};
	char error[DPU_ASM_ERROR_SIZE];
	void *image;
	size_t size;

	ck_assert_msg(dpu_assemble(&source, 1, &options, &image, &size, error), "%s", error);
	ck_assert_msg(dpu_alloc(DPUS, NULL, &set) == DPU_OK, "%s", mon_error());
	ck_assert_msg(dpu_load_from_memory(set, image, size, NULL) == DPU_OK, "%s", mon_error());
	free(image);
}

static void check_window(uint32_t i)
{
	uint32_t cycles, instructions;
	uint64_t window = WINDOW(rounds_of(i));

	ck_assert_int_eq(dpu_copy_from(dpu, "cycles", 0, &cycles, 4), DPU_OK);
	ck_assert_int_eq(dpu_copy_from(dpu, "instructions", 0, &instructions, 4), DPU_OK);
	/* a program sees bits 35 to 4 of a counter */
	ck_assert_uint_le((uint64_t)instructions << 4, window);
	ck_assert_uint_lt(window - ((uint64_t)instructions << 4), 16);
	ck_assert_uint_le((uint64_t)cycles << 4, 11 * window);
	ck_assert_uint_lt(11 * window - ((uint64_t)cycles << 4), 16);
}

SUITE("upmem windows", .timeout = 60);

TEST(every_dpu_measures_its_window_and_perf_counts_everything)
{
	struct mon_group *group = mon_group_new();
	uint64_t values[2], expected = 0;
	uint32_t i, rounds;

	load();
	ck_assert_msg(mon_group_add(group, "upmem/dpu_instructions/") >= 0, "%s", mon_error());
	ck_assert_msg(mon_group_add(group, "upmem/dpu_instructions,bydpu,dpu=63/") >= 0, "%s",
		      mon_error());
	ck_assert_msg(!mon_group_open(group), "%s", mon_error());
	ck_assert_int_eq(mon_group_enable(group), 0);
	for (int run = 1; run <= RUNS; run++) {
		DPU_FOREACH(set, dpu, i) {
			rounds = rounds_of(i);
			ck_assert_int_eq(dpu_copy_to(dpu, "rounds", 0, &rounds, 4), DPU_OK);
			expected += ALL(rounds);
		}
		ck_assert_int_eq(dpu_launch(set, DPU_SYNCHRONOUS), DPU_OK);
		DPU_FOREACH(set, dpu, i) {
			check_window(i);
		}
		ck_assert_uint_eq(i, DPUS);
		ck_assert_int_eq(mon_group_read(group, values, 2, NULL), 0);
		ck_assert_uint_eq(values[0], expected);
		ck_assert_uint_eq(values[1], (uint64_t)run * ALL(rounds_of(63)));
	}
	mon_group_free(group);
	ck_assert_int_eq(dpu_free(set), DPU_OK);
}
