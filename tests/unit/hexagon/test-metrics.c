/* SPDX-License-Identifier: GPL-2.0-only */
/* The article's metrics (mon_hexagon.h): formulas by hand, passes of eight, what is undefined. */
#include <check.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "mon_hexagon.h"
#include "tests/main.h"

#define ALL_METRICS ((1u << MON_HEXAGON_METRICS) - 1)
#define EVERYTHING ((UINT64_C(1) << MON_HEXAGON_COUNTERS) - 1)
#define CYCLES(n) (MON_HEXAGON_CYCLES_1 + (n) - 1)
#define PKT(n) (MON_HEXAGON_PKT_1 + (n) - 1)

/*
 * 1000 us on six threads: cycles 100 200 300 400 500 600 for n = 1..6, total 2100, weighted
 * 100 + 400 + 900 + 1600 + 2500 + 3600 = 9100. Packets 40 120 240 400 500 700, in all 2000.
 */
static struct mon_hexagon_pass whole(void)
{
	static const uint64_t packets[6] = { 40, 120, 240, 400, 500, 700 };
	struct mon_hexagon_pass pass = {
		.counters = EVERYTHING, .interval_us = 1000, .running_us = 1000,
	};

	for (unsigned int n = 1; n <= 6; n++) {
		pass.count[CYCLES(n)] = 100 * n;
		pass.count[PKT(n)] = packets[n - 1];
	}
	pass.count[MON_HEXAGON_PKT_ANY] = 2000;
	pass.count[MON_HEXAGON_INSTS] = 5000;
	pass.count[MON_HEXAGON_ENDLOOP] = 125;
	pass.count[MON_HEXAGON_HVX_PKT_THREAD] = 800;
	pass.count[MON_HEXAGON_HMX_PKT_THREAD] = 10;
	return pass;
}

static struct mon_hexagon_value compute(enum mon_hexagon_metric metric, unsigned int n,
					const struct mon_hexagon_pass *passes, size_t npasses)
{
	struct mon_hexagon_value value;

	ck_assert_int_eq(mon_hexagon_compute(metric, 6, n, passes, npasses, &value), 0);
	return value;
}

START_TEST(each_formula)
{
	static const struct {
		enum mon_hexagon_metric metric;
		unsigned int n;
		double value;
	} expected[] = {
		{ MON_HEXAGON_CONCURRENCY, 0, 9100.0 / 2100 },
		{ MON_HEXAGON_PCPP, 0, 2100.0 / 2000 },
		{ MON_HEXAGON_NT_PCPP, 1, 100.0 / 40 },
		{ MON_HEXAGON_NT_PCPP, 6, 600.0 / 700 },
		{ MON_HEXAGON_NT_LOAD, 1, 2.0 },
		{ MON_HEXAGON_NT_LOAD, 4, 20.0 },
		{ MON_HEXAGON_IPC, 0, (5000 + 2 * 125) / 2100.0 },
		{ MON_HEXAGON_MIPS, 0, 5.25 },
		{ MON_HEXAGON_MPPS, 0, 2.0 },
		{ MON_HEXAGON_MPPS_HVX, 0, 0.8 },
		{ MON_HEXAGON_MPPS_HMX, 0, 0.01 },
		{ MON_HEXAGON_DENSITY, 0, 2.5 },
	};
	struct mon_hexagon_pass pass = whole();
	struct mon_hexagon_value value = compute(expected[_i].metric, expected[_i].n, &pass, 1);

	ck_assert_double_eq_tol(value.value, expected[_i].value, 1e-12);
	ck_assert_uint_eq(value.flags, 0);
}
END_TEST

START_TEST(loads_sum_to_100_percent)
{
	struct mon_hexagon_pass pass = whole();
	double sum = 0;

	for (unsigned int n = 1; n <= 6; n++)
		sum += compute(MON_HEXAGON_NT_LOAD, n, &pass, 1).value;
	ck_assert_double_eq_tol(sum, 100, 1e-9);
}
END_TEST

/* Two runs of a program need not be equal: a second pass with one of the counters runs longer. */
START_TEST(all_loads_are_of_one_pass)
{
	struct mon_hexagon_pass passes[2] = { whole(), whole() };
	double sum = 0;

	passes[1].counters = UINT64_C(1) << PKT(6) | UINT64_C(1) << MON_HEXAGON_PKT_ANY;
	passes[1].count[PKT(6)] *= 2;
	passes[1].interval_us *= 2;
	passes[1].running_us *= 2;
	for (unsigned int n = 1; n <= 6; n++)
		sum += compute(MON_HEXAGON_NT_LOAD, n, passes, 2).value;
	ck_assert_double_eq_tol(sum, 100, 1e-9);
}
END_TEST

START_TEST(nothing_to_divide_by_is_0_and_said)
{
	struct mon_hexagon_pass pass = { .counters = EVERYTHING, .interval_us = 5, .running_us = 5 };
	struct mon_hexagon_value value;

	for (unsigned int metric = 0; metric < MON_HEXAGON_METRICS; metric++) {
		bool rate = metric >= MON_HEXAGON_MIPS && metric <= MON_HEXAGON_MPPS_HMX;

		value = compute(metric, 1, &pass, 1);
		ck_assert_double_eq(value.value, 0);
		/* a rate divides by time, which is not 0 here */
		ck_assert_uint_eq(value.flags, rate ? 0 : MON_HEXAGON_UNDEFINED);
	}
}
END_TEST

START_TEST(what_was_not_counted_is_said)
{
	struct mon_hexagon_pass pass = whole();

	pass.counters &= ~(UINT64_C(1) << MON_HEXAGON_ENDLOOP);
	ck_assert_uint_eq(compute(MON_HEXAGON_IPC, 0, &pass, 1).flags, MON_HEXAGON_NOT_COUNTED);
	ck_assert_uint_eq(compute(MON_HEXAGON_MPPS, 0, &pass, 1).flags, 0);
	pass.running_us = 0;
	ck_assert_uint_eq(compute(MON_HEXAGON_MPPS, 0, &pass, 1).flags, MON_HEXAGON_NOT_COUNTED);
	ck_assert_uint_eq(compute(MON_HEXAGON_MPPS, 0, NULL, 0).flags, MON_HEXAGON_NOT_COUNTED);
}
END_TEST

START_TEST(a_part_of_the_time_is_scaled)
{
	struct mon_hexagon_pass pass = whole();
	struct mon_hexagon_value value;

	/* counted for a quarter of the time: four times as many packets in 1000 us */
	pass.running_us = 250;
	value = compute(MON_HEXAGON_MPPS, 0, &pass, 1);
	ck_assert_double_eq_tol(value.value, 8.0, 1e-12);
	ck_assert_uint_eq(value.flags, MON_HEXAGON_SCALED);
	/* in a ratio the factor cancels */
	value = compute(MON_HEXAGON_DENSITY, 0, &pass, 1);
	ck_assert_double_eq_tol(value.value, 2.5, 1e-12);
}
END_TEST

START_TEST(one_pass_is_preferred_to_a_mixture)
{
	struct mon_hexagon_pass passes[3] = { whole(), whole(), whole() };
	struct mon_hexagon_value value;

	passes[0].counters = UINT64_C(1) << MON_HEXAGON_INSTS;
	passes[0].count[MON_HEXAGON_INSTS] = 9999;
	passes[1].counters = UINT64_C(1) << MON_HEXAGON_PKT_ANY;
	value = compute(MON_HEXAGON_DENSITY, 0, passes, 3);
	ck_assert_double_eq_tol(value.value, 2.5, 1e-12);
	ck_assert_uint_eq(value.flags, 0);
	/* without the third: 9999 instructions of one pass, 2000 packets of another */
	value = compute(MON_HEXAGON_DENSITY, 0, passes, 2);
	ck_assert_double_eq_tol(value.value, 4.9995, 1e-12);
	ck_assert_uint_eq(value.flags, MON_HEXAGON_MIXED);
}
END_TEST

START_TEST(the_longest_of_several_passes_is_taken)
{
	struct mon_hexagon_pass passes[2] = { whole(), whole() };

	passes[0].running_us = 100;
	ck_assert_double_eq_tol(compute(MON_HEXAGON_MPPS, 0, passes, 2).value, 2.0, 1e-12);
}
END_TEST

START_TEST(single_metrics_need_the_passes_of_the_article)
{
	/* the article's counts of events: 7, 7, 12, 7, 8, 2, 1, 2; one pass each but nT_pCPP */
	static const struct {
		enum mon_hexagon_metric metric;
		int counters, passes;
	} expected[] = {
		{ MON_HEXAGON_CONCURRENCY, 6, 1 }, { MON_HEXAGON_PCPP, 7, 1 },
		{ MON_HEXAGON_NT_PCPP, 12, 2 },	   { MON_HEXAGON_NT_LOAD, 7, 1 },
		{ MON_HEXAGON_IPC, 8, 1 },	   { MON_HEXAGON_MIPS, 2, 1 },
		{ MON_HEXAGON_MPPS, 1, 1 },	   { MON_HEXAGON_DENSITY, 2, 1 },
	};
	uint64_t passes[16];
	uint64_t set = mon_hexagon_metric_counters(expected[_i].metric, 6);

	ck_assert_int_eq(__builtin_popcountll(set), expected[_i].counters);
	ck_assert_int_eq(mon_hexagon_plan(1u << expected[_i].metric, 6, EVERYTHING, passes, 16),
			 expected[_i].passes);
}
END_TEST

START_TEST(a_plan_holds_every_value_in_one_pass_of_eight)
{
	uint64_t passes[16];
	struct mon_hexagon_pass counted[16];
	int n = mon_hexagon_plan(ALL_METRICS, 6, EVERYTHING, passes, 16);

	ck_assert_int_gt(n, 0);
	for (int i = 0; i < n; i++) {
		ck_assert_int_le(__builtin_popcountll(passes[i]), MON_HEXAGON_PASS_MAX);
		counted[i] = whole();
		counted[i].counters = passes[i];
	}
	for (unsigned int metric = 0; metric < MON_HEXAGON_METRICS; metric++)
		for (unsigned int k = 1; k <= 6; k++)
			ck_assert_uint_eq(compute(metric, k, counted, n).flags, 0);
	/* 12 of nT_pCPP, 5 others: fewer than three passes cannot hold them */
	ck_assert_int_ge(n, 3);
}
END_TEST

START_TEST(a_metric_without_its_counter_is_left_out)
{
	uint64_t passes[16];

	ck_assert_int_eq(mon_hexagon_plan(1u << MON_HEXAGON_MPPS_HMX, 6,
					  EVERYTHING & ~(UINT64_C(1) << MON_HEXAGON_HMX_PKT_THREAD),
					  passes, 16), 0);
}
END_TEST

START_TEST(bad_arguments_are_refused)
{
	struct mon_hexagon_pass pass = whole();
	struct mon_hexagon_value value;
	uint64_t passes[16];

	errno = 0;
	ck_assert_int_eq(mon_hexagon_plan(ALL_METRICS, 0, EVERYTHING, passes, 16), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(mon_hexagon_plan(ALL_METRICS, 9, EVERYTHING, passes, 16), -1);
	ck_assert_int_eq(mon_hexagon_plan(ALL_METRICS, 6, EVERYTHING, passes, 1), -1);
	ck_assert_int_eq(errno, ENOSPC);
	ck_assert_int_eq(mon_hexagon_compute(MON_HEXAGON_NT_LOAD, 6, 7, &pass, 1, &value), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(mon_hexagon_compute(MON_HEXAGON_NT_LOAD, 6, 0, &pass, 1, &value), -1);
	ck_assert_int_eq(mon_hexagon_compute(MON_HEXAGON_METRICS, 6, 1, &pass, 1, &value), -1);
	ck_assert_uint_eq(mon_hexagon_metric_counters(MON_HEXAGON_METRICS, 6), 0);
}
END_TEST

START_TEST(names_are_complete)
{
	for (unsigned int i = 0; i < MON_HEXAGON_COUNTERS; i++)
		ck_assert_ptr_nonnull(mon_hexagon_counter_event(i));
	ck_assert_ptr_null(mon_hexagon_counter_event(MON_HEXAGON_COUNTERS));
	ck_assert_str_eq(mon_hexagon_counter_event(CYCLES(6)), "cycles_6_thread_running");
	ck_assert_str_eq(mon_hexagon_counter_event(PKT(5)), "committed_pkt_5_thread_running");
	for (unsigned int i = 0; i < MON_HEXAGON_METRICS; i++) {
		ck_assert_ptr_nonnull(mon_hexagon_metric_name(i));
		ck_assert_ptr_nonnull(mon_hexagon_metric_unit(i));
	}
	ck_assert_ptr_null(mon_hexagon_metric_name(MON_HEXAGON_METRICS));
	ck_assert_ptr_null(mon_hexagon_metric_unit(MON_HEXAGON_METRICS));
}
END_TEST

START_TEST(large_cores_are_planned_too)
{
	uint64_t passes[16];
	uint64_t all = 0;
	int n = mon_hexagon_plan(ALL_METRICS, 8, EVERYTHING, passes, 16);

	ck_assert_int_gt(n, 0);
	for (int i = 0; i < n; i++) {
		ck_assert_int_le(__builtin_popcountll(passes[i]), MON_HEXAGON_PASS_MAX);
		all |= passes[i];
	}
	/* every counter of every metric is in some pass */
	ck_assert(all == EVERYTHING);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hexagon metrics");
	TCase *tc = tcase_create("metrics");

	suite_add_tcase(suite, tc);
	tcase_add_loop_test(tc, each_formula, 0, 12);
	tcase_add_test(tc, loads_sum_to_100_percent);
	tcase_add_test(tc, all_loads_are_of_one_pass);
	tcase_add_test(tc, nothing_to_divide_by_is_0_and_said);
	tcase_add_test(tc, what_was_not_counted_is_said);
	tcase_add_test(tc, a_part_of_the_time_is_scaled);
	tcase_add_test(tc, one_pass_is_preferred_to_a_mixture);
	tcase_add_test(tc, the_longest_of_several_passes_is_taken);
	tcase_add_loop_test(tc, single_metrics_need_the_passes_of_the_article, 0, 8);
	tcase_add_test(tc, a_plan_holds_every_value_in_one_pass_of_eight);
	tcase_add_test(tc, a_metric_without_its_counter_is_left_out);
	tcase_add_test(tc, bad_arguments_are_refused);
	tcase_add_test(tc, names_are_complete);
	tcase_add_test(tc, large_cores_are_planned_too);
	return suite;
}
