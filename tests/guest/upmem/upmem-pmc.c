// SPDX-License-Identifier: GPL-2.0-only
/* mon-vm: --device upmem-rank --mem 1G
 *
 * The bank interface's API and perfcounter.h on an emulated rank.
 */
#include <check.h>
#include <glob.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libmon/upmem/include/dpu.h"
#include "libmon/include/mon.h"
#include "libmon/upmem/include/perfcounter.h"
#include "tests/main.h"

#define KERNEL "examples/upmem/page-kernel.dpu"

static struct dpu_set_t set, dpu;

static void setup(void)
{
	struct dpu_set_t one;

	ck_assert_msg(dpu_alloc(1, NULL, &set) == DPU_OK, "%s", mon_error());
	ck_assert_msg(dpu_load(set, KERNEL, NULL) == DPU_OK, "%s", mon_error());
	DPU_FOREACH(set, one) {
		dpu = one;
	}
}

static void teardown(void)
{
	ck_assert_int_eq(dpu_free(set), DPU_OK);
}

static bank_interface_pmc_config_t config(int mode, int one, int two)
{
	return (bank_interface_pmc_config_t){ mode, one, two };
}

static void run(void)
{
	ck_assert_msg(dpu_launch(set, DPU_SYNCHRONOUS) == DPU_OK, "%s", mon_error());
}

/* Values of the page's kernel: two loads and three stores of one word each, 539 instructions. */
static const struct {
	int event;
	uint32_t count;
} events[] = {
	{ BANK_INTERFACE_PMC_NONE, 0 },
	{ BANK_INTERFACE_PMC_LDMA_INSTRUCTION, 2 },
	{ BANK_INTERFACE_PMC_SDMA_INSTRUCTION, 3 },
	{ BANK_INTERFACE_PMC_READ_64BIT_INSTRUCTION, 2 },
	{ BANK_INTERFACE_PMC_WRITE_64BIT_INSTRUCTION, 3 },
	{ BANK_INTERFACE_PMC_HOST_ACTIVATE_COMMAND, 0 },
	{ BANK_INTERFACE_PMC_ROW_HAMMER_REFRESH_COMMAND, 0 },
};
#define EVENTS (sizeof(events) / sizeof(events[0]))

SUITE("upmem pmc", .timeout = 60, .setup = setup, .teardown = teardown);

LOOP_TEST(every_event_counts_in_both_counters, 0, EVENTS)
{
	int other = (_i + 2) % EVENTS;
	bank_interface_pmc_result_t result;

	ck_assert_msg(dpu_bank_interface_pmc_enable(dpu, config(0, events[_i].event, events[other].event)) ==
		      DPU_OK, "%s", mon_error());
	run();
	ck_assert_int_eq(dpu_bank_interface_pmc_read_counters(dpu, &result), DPU_OK);
	ck_assert_uint_eq(result.two_32bits.counter_1, events[_i].count);
	ck_assert_uint_eq(result.two_32bits.counter_2, events[other].count);
	/* stopped they stay, disabled they are 0 */
	ck_assert_int_eq(dpu_bank_interface_pmc_stop_counters(dpu), DPU_OK);
	run();
	ck_assert_int_eq(dpu_bank_interface_pmc_read_counters(dpu, &result), DPU_OK);
	ck_assert_uint_eq(result.two_32bits.counter_1, events[_i].count);
	ck_assert_int_eq(dpu_bank_interface_pmc_disable(dpu), DPU_OK);
	ck_assert_int_eq(dpu_bank_interface_pmc_read_counters(dpu, &result), DPU_OK);
	ck_assert_uint_eq(result.two_32bits.counter_1, 0);
}

TEST(enabling_again_starts_from_zero)
{
	bank_interface_pmc_result_t result;

	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(dpu_bank_interface_pmc_enable(dpu, config(1, 0x80, 0x80)), DPU_OK);
		run();
		ck_assert_int_eq(dpu_bank_interface_pmc_read_counters(dpu, &result), DPU_OK);
		/* 539 dispatches; five are followed by a transfer's wait instead of 11 cycles */
		ck_assert_uint_ge(result.one_64bits.counter_1, 539 * 11);
		ck_assert_uint_le(result.one_64bits.counter_1, 539 * 11 + 5 * 81);
	}
}

TEST(invalid_configurations_are_internal_errors)
{
	bank_interface_pmc_result_t result;

	ck_assert_int_eq(dpu_bank_interface_pmc_enable(set, config(0, 1, 2)), DPU_ERR_INTERNAL);
	ck_assert_int_eq(dpu_bank_interface_pmc_enable(dpu, config(2, 1, 2)), DPU_ERR_INTERNAL);
	ck_assert_int_eq(dpu_bank_interface_pmc_enable(dpu, config(0, 0x81, 2)), DPU_ERR_INTERNAL);
	ck_assert_int_eq(dpu_bank_interface_pmc_enable(dpu, config(1, 1, 2)), DPU_ERR_INTERNAL);
	ck_assert_int_eq(dpu_bank_interface_pmc_read_counters(dpu, &result), DPU_ERR_INTERNAL);
	ck_assert_ptr_nonnull(strstr(mon_error(), "never enabled"));
}

static int open_pinned(uint64_t config_value)
{
	struct mon_pmu *pmu = mon_pmu_new("upmem");
	struct perf_event_attr attr = { .size = sizeof(attr), .pinned = 1 };
	int fd;

	ck_assert_ptr_nonnull(pmu);
	attr.type = mon_pmu_get_type(pmu);
	attr.config = config_value;
	fd = syscall(SYS_perf_event_open, &attr, -1, mon_pmu_get_cpu(pmu), -1, 0);
	mon_pmu_free(pmu);
	ck_assert_int_ge(fd, 0);
	return fd;
}

TEST(counters_that_others_have_are_an_internal_error)
{
	/* another program counts refreshes and activations of DPU 0 */
	int one = open_pinned(0x20 | 1 << 20), two = open_pinned(0x10 | 1 << 20);

	ck_assert_int_eq(dpu_bank_interface_pmc_enable(dpu, config(0, 1, 2)), DPU_ERR_INTERNAL);
	ck_assert_ptr_nonnull(strstr(mon_error(), "taken by other events"));
	close(two);
	ck_assert_int_eq(dpu_bank_interface_pmc_enable(dpu, config(0, 1, 0)), DPU_OK);
	close(one);
	ck_assert_int_eq(dpu_bank_interface_pmc_enable(dpu, config(0, 1, 2)), DPU_OK);
}

static void reset_device(void)
{
	glob_t found;
	FILE *file;

	ck_assert_int_eq(glob("/sys/bus/pci/drivers/upmem/0000:*/reset", 0, NULL, &found), 0);
	file = fopen(found.gl_pathv[0], "w");
	ck_assert_ptr_nonnull(file);
	fputs("1", file);
	ck_assert_int_eq(fclose(file), 0);
	globfree(&found);
}

/* A function reset clears the counters, their selectors and enable bits, and the program. */
TEST(counts_survive_a_device_reset)
{
	int fd = open_pinned(BANK_INTERFACE_PMC_LDMA_INSTRUCTION | 1 << 20);
	uint64_t count;

	run();
	reset_device();
	ck_assert_int_eq(read(fd, &count, sizeof(count)), sizeof(count));
	ck_assert_uint_eq(count, 2);
	/* the memories are lost, so the rank is unusable until it is allocated again */
	ck_assert_int_ne(dpu_launch(set, DPU_SYNCHRONOUS), DPU_OK);
	teardown();
	setup();
	run();
	ck_assert_int_eq(read(fd, &count, sizeof(count)), sizeof(count));
	ck_assert_uint_eq(count, 4);
	close(fd);
}

TEST(perfcounter_agrees_within_its_precision)
{
	perfcounter_pair_t pair;

	ck_assert_int_eq(perfcounter_bind(set), DPU_ERR_INTERNAL);
	ck_assert_msg(perfcounter_bind(dpu) == DPU_OK, "%s", mon_error());
	ck_assert_uint_eq(perfcounter_get(), 0);	/* nothing configured */
	perfcounter_config(COUNT_INSTRUCTIONS, true);
	run();
	ck_assert_uint_eq(perfcounter_get(), 539 / 16 * 16);
	/* the value before, and not reset */
	ck_assert_uint_eq(perfcounter_config(COUNT_SAME, false), 539 / 16 * 16);
	run();
	ck_assert_uint_eq(perfcounter_get(), 2 * 539 / 16 * 16);
	perfcounter_config(COUNT_ENABLE_BOTH, true);
	run();
	pair = perfcounter_get_both(true);
	ck_assert_uint_eq(pair.instr, 539 / 16 * 16);
	ck_assert_uint_ge(pair.cycles, 539 * 11 / 16 * 16);
	pair = perfcounter_get_both(false);
	ck_assert_uint_eq(pair.instr, 0);
	perfcounter_config(COUNT_DISABLE_BOTH, true);
	run();
	ck_assert_uint_eq(perfcounter_get(), 0);
	perfcounter_unbind();
}
