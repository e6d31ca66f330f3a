// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two SoCs, two PMUs: each counts its own, and no group has events of both.
 *
 * mon-vm: --device espmon --device espmon
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "tests/guest/pmu.h"

#define SECOND "espmon_1"

START_TEST(each_counts_its_own)
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
END_TEST

/* Even the same event of two PMUs of one driver: EINVAL, whatever leads. */
START_TEST(no_group_has_events_of_both)
{
	struct perf_event_attr one = attr_of(PMU, DDR_ACCESSES), two = attr_of(SECOND, DDR_ACCESSES);
	struct perf_event_attr clock = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(clock), .config = PERF_COUNT_SW_CPU_CLOCK,
	};
	int cpu = pmu_cpu(PMU), leader = sys_open(&one, cpu, -1);

	ck_assert_int_eq(pmu_cpu(SECOND), cpu);
	ck_assert_int_ge(leader, 0);
	ck_assert_int_eq(sys_open(&two, cpu, leader), -EINVAL);
	ck_assert_int_ge(sys_open(&one, cpu, leader), 0);
	leader = sys_open(&clock, cpu, -1);
	ck_assert_int_ge(leader, 0);
	ck_assert_int_ge(sys_open(&two, cpu, leader), 0);
	ck_assert_int_eq(sys_open(&one, cpu, leader), -EINVAL);
	ck_assert_int_ge(sys_open(&two, cpu, leader), 0);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("pmu-two");
	TCase *tc = tcase_create("two");

	tcase_set_timeout(tc, 20);
	tcase_add_test(tc, each_counts_its_own);
	tcase_add_test(tc, no_group_has_events_of_both);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return run_suite(suite());
}
