// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two SoCs, two PMUs: each counts its own, also while the other is away, and no group has events of
 * both.
 *
 * mon-vm: --device espmon --device espmon
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tests/guest/pmu/pmu.h"
#include "tests/main.h"

#define SECOND "espmon_1"

SUITE("pmu-two", .timeout = 20);

TEST(each_counts_its_own)
{
	int first = event_open(DDR_ACCESSES);
	int second = event_open_on(SECOND, DDR_ACCESSES, -1, PERF_FORMAT_TOTAL_TIME_ENABLED |
				   PERF_FORMAT_TOTAL_TIME_RUNNING);
	/* the accelerators of the first SoC have the numbers 0 to 2 */
	struct fft *fft = fft_new(0), *other = fft_new_on("/dev/contig_alloc.1", 3);

	ck_assert_uint_ne(pmu_type(PMU), pmu_type(SECOND));
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(first), FFT_DDR);
	ck_assert_uint_eq(event_count(second), 0);
	ck_assert_int_eq(fft_run(other), 0);
	ck_assert_int_eq(fft_run(other), 0);
	ck_assert_uint_eq(event_count(first), FFT_DDR);
	ck_assert_uint_eq(event_count(second), 2 * FFT_DDR);
	fft_free(other);
	fft_free(fft);
}

/* Even the same event of two PMUs of one driver: EINVAL, whatever leads. */
TEST(no_group_has_events_of_both)
{
	struct perf_event_attr one = attr_of(PMU, DDR_ACCESSES), two = attr_of(SECOND, DDR_ACCESSES);
	struct perf_event_attr clock = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(clock), .config = PERF_COUNT_SW_CPU_CLOCK,
	};
	int cpu = pmu_cpu(PMU), leader = sys_open(&one, cpu, -1);

	ck_assert_int_ge(leader, 0);
	ck_assert_int_eq(sys_open(&two, cpu, leader), -EINVAL);
	ck_assert_int_ge(sys_open(&one, cpu, leader), 0);
	cpu = pmu_cpu(SECOND);
	leader = sys_open(&clock, cpu, -1);
	ck_assert_int_ge(leader, 0);
	ck_assert_int_ge(sys_open(&two, cpu, leader), 0);
	ck_assert_int_eq(sys_open(&one, cpu, leader), -EINVAL);
	ck_assert_int_ge(sys_open(&two, cpu, leader), 0);
}

static int open_second(void)
{
	return event_open_on(SECOND, DDR_ACCESSES, -1, PERF_FORMAT_TOTAL_TIME_ENABLED |
			     PERF_FORMAT_TOTAL_TIME_RUNNING);
}

static void run_second(void)
{
	struct fft *fft = fft_new_on("/dev/contig_alloc.1", 3);

	ck_assert_int_eq(fft_run(fft), 0);
	fft_free(fft);
}

static void remove_second(void)
{
	file_write("/sys/bus/pci/devices/0000:02:00.0/remove", "1");
}

/* Since Linux 6.16 the second PMU goes with its device, and the next one counts from its begin. */
static void second_goes(int first, int second, struct fft *fft)
{
	run_second();
	remove_second();
	ck_assert_ptr_null(file_text("/sys/bus/event_source/devices/" SECOND "/type"));
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(first), FFT_DDR);
	espmon_find();
	close(second);
	second = open_second();
	run_second();
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(first), 2 * FFT_DDR);
	ck_assert_uint_eq(event_count(second), FFT_DDR);
	fft_free(fft);
}

/* The second SoC is away for a while, and CPU 0 goes offline meanwhile. */
TEST(one_goes_and_the_other_counts_on)
{
	struct perf_event_attr attr = attr_of(SECOND, DDR_ACCESSES);
	int first = event_open(DDR_ACCESSES), second = open_second();
	uint32_t type = pmu_type(SECOND);
	struct fft *fft = fft_new(0);

	if (pmu_goes()) {
		second_goes(first, second, fft);
		return;
	}
	run_second();
	remove_second();
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_int_eq(sys_open(&attr, pmu_cpu(SECOND), -1), -ENODEV);
	if (file_text("/sys/devices/system/cpu/cpu0/online")) {
		file_write("/sys/devices/system/cpu/cpu0/online", "0");
		ck_assert_int_eq(pmu_cpu(PMU), 1);
		ck_assert_int_eq(pmu_cpu(SECOND), 1);
		ck_assert_int_eq(fft_run(fft), 0);
		file_write("/sys/devices/system/cpu/cpu0/online", "1");
	} else {
		ck_assert_int_eq(fft_run(fft), 0);
	}
	ck_assert_uint_eq(event_count(first), 2 * FFT_DDR);
	ck_assert_uint_eq(event_count(second), FFT_DDR);
	espmon_find();
	ck_assert_uint_eq(pmu_type(SECOND), type);
	run_second();
	ck_assert_int_eq(fft_run(fft), 0);
	ck_assert_uint_eq(event_count(first), 3 * FFT_DDR);
	ck_assert_uint_eq(event_count(second), 2 * FFT_DDR);
	close(second);
	/* again, without an event of its own */
	remove_second();
	espmon_find();
	second = open_second();
	run_second();
	ck_assert_uint_eq(event_count(second), FFT_DDR);
	ck_assert_uint_eq(event_count(first), 3 * FFT_DDR);
	fft_free(fft);
}
