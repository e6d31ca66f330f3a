/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The article's metrics (mon_hexagon.h): formulas by hand, passes of eight counters, undefined
 * results.
 */
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

/* V69, two million cycles a second: the 2100 cycles below last 1050 us. */
static const struct mon_hexagon_core v69 = { .threads = 6, .cycles = 3, .clock_hz = 2e6 };

/*
 * 1000 us on six threads: cycles 100 200 300 400 500 600 for n = 1..6, total 2100, weighted
 * 100 + 400 + 900 + 1600 + 2500 + 3600 = 9100. Packets 30 120 250 400 500 700, in all 2000.
 */
static struct mon_hexagon_pass whole(void)
{
	static const uint64_t packets[6] = { 30, 120, 250, 400, 500, 700 };
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

	ck_assert_int_eq(mon_hexagon_compute(&v69, metric, n, passes, npasses, &value), 0);
	return value;
}

SUITE("hexagon metrics");

LOOP_TEST(each_formula, 0, 12)
{
	static const struct {
		enum mon_hexagon_metric metric;
		unsigned int n;
		double value;
	} expected[] = {
		{ MON_HEXAGON_CONCURRENCY, 0, 9100.0 / 2100 },
		{ MON_HEXAGON_PCPP, 0, 2100.0 / 2000 },
		{ MON_HEXAGON_NT_PCPP, 1, 100.0 / 30 },
		{ MON_HEXAGON_NT_PCPP, 6, 600.0 / 700 },
		{ MON_HEXAGON_NT_LOAD, 1, 1.5 },
		{ MON_HEXAGON_NT_LOAD, 4, 20.0 },
		{ MON_HEXAGON_IPC, 0, (5000 + 2 * 125) / 2100.0 },
		{ MON_HEXAGON_MIPS, 0, (5000 + 2 * 125) / 1050.0 },
		{ MON_HEXAGON_MPPS, 0, 2000 / 1050.0 },
		{ MON_HEXAGON_MPPS_HVX, 0, 800 / 1050.0 },
		{ MON_HEXAGON_MPPS_HMX, 0, 10 / 1050.0 },
		{ MON_HEXAGON_DENSITY, 0, 2.5 },
	};
	struct mon_hexagon_pass pass = whole();
	struct mon_hexagon_value value = compute(expected[_i].metric, expected[_i].n, &pass, 1);

	ck_assert_double_eq_tol(value.value, expected[_i].value, 1e-12);
	ck_assert_uint_eq(value.unknown, MON_HEXAGON_KNOWN);
	ck_assert_double_eq(value.share, 1);
}

TEST(loads_sum_to_100_percent)
{
	struct mon_hexagon_pass pass = whole();
	double sum = 0;

	for (unsigned int n = 1; n <= 6; n++)
		sum += compute(MON_HEXAGON_NT_LOAD, n, &pass, 1).value;
	ck_assert_double_eq_tol(sum, 100, 1e-9);
}

/* Two runs of a program may differ: a second pass with one of the counters runs longer. */
TEST(all_loads_are_of_one_pass)
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

TEST(nothing_to_divide_by_is_not_known)
{
	struct mon_hexagon_pass pass = { .counters = EVERYTHING, .interval_us = 5, .running_us = 5 };

	for (unsigned int metric = 0; metric < MON_HEXAGON_METRICS; metric++) {
		struct mon_hexagon_value value = compute(metric, 1, &pass, 1);

		ck_assert_double_eq(value.value, 0);
		ck_assert_uint_eq(value.unknown, MON_HEXAGON_UNDEFINED);
	}
}

/* One count each that moves a ratio out of its range; the largest possible value is in range. */
LOOP_TEST(what_cannot_be_is_not_known, 0, 11)
{
	static const struct {
		enum mon_hexagon_metric metric;
		unsigned int n, counter;
		uint64_t possible, impossible;
	} cases[] = {
		/* 2100 cycles in all: half a cycle a packet, 3 cycles for 6 packets, is the least */
		{ MON_HEXAGON_PCPP, 0, MON_HEXAGON_PKT_ANY, 4200, 4201 },
		/* 600 cycles with six threads */
		{ MON_HEXAGON_NT_PCPP, 6, PKT(6), 1200, 1201 },
		/* 100 cycles with one thread: 33 packets and a third */
		{ MON_HEXAGON_NT_PCPP, 1, PKT(1), 33, 34 },
		{ MON_HEXAGON_NT_LOAD, 2, PKT(2), 2000, 2001 },
		/* two packets a cycle, each 4 instructions and an end of loop that counts 2: 25200 */
		{ MON_HEXAGON_IPC, 0, MON_HEXAGON_INSTS, 25200 - 250, 25200 - 249 },
		{ MON_HEXAGON_MIPS, 0, MON_HEXAGON_INSTS, 25200 - 250, 25200 - 249 },
		{ MON_HEXAGON_MPPS, 0, MON_HEXAGON_PKT_ANY, 4200, 4201 },
		{ MON_HEXAGON_MPPS_HVX, 0, MON_HEXAGON_HVX_PKT_THREAD, 2000, 2001 },
		{ MON_HEXAGON_MPPS_HMX, 0, MON_HEXAGON_HMX_PKT_THREAD, 2000, 2001 },
		{ MON_HEXAGON_DENSITY, 0, MON_HEXAGON_INSTS, 8000, 8001 },
		{ MON_HEXAGON_DENSITY, 0, MON_HEXAGON_INSTS, 2000, 1999 },
	};
	struct mon_hexagon_pass pass = whole();
	struct mon_hexagon_value value;

	pass.count[cases[_i].counter] = cases[_i].possible;
	ck_assert_uint_eq(compute(cases[_i].metric, cases[_i].n, &pass, 1).unknown, MON_HEXAGON_KNOWN);
	pass.count[cases[_i].counter] = cases[_i].impossible;
	value = compute(cases[_i].metric, cases[_i].n, &pass, 1);
	ck_assert_uint_eq(value.unknown, MON_HEXAGON_IMPOSSIBLE);
	ck_assert_double_eq(value.value, 0);
}

/* Random counts: each known value is in its range. */
TEST(random_counts_never_make_an_impossible_value)
{
	unsigned int known = 0;

	srand(1);
	for (unsigned int round = 0; round < 20000; round++) {
		struct mon_hexagon_pass pass = whole();
		struct mon_hexagon_value value;

		for (unsigned int i = 0; i < MON_HEXAGON_COUNTERS; i++)
			pass.count[i] = rand() >> rand() % 31;
		for (unsigned int metric = 0; metric < MON_HEXAGON_METRICS; metric++) {
			/* instructions a cycle times MHz; packets a cycle times MHz */
			static const double high[] = { 6, 1e300, 1e300, 100, 12, 24, 4, 4, 4, 4 };

			value = compute(metric, 1 + round % 6, &pass, 1);
			ck_assert_double_ge(value.value, 0);
			ck_assert_double_le(value.value, high[metric] * (1 + 1e-8));
			known += value.unknown == MON_HEXAGON_KNOWN;
		}
	}
	ck_assert_uint_gt(known, 1000);
}

TEST(what_was_not_counted_is_said)
{
	struct mon_hexagon_pass pass = whole();

	pass.counters &= ~(UINT64_C(1) << MON_HEXAGON_ENDLOOP);
	ck_assert_uint_eq(compute(MON_HEXAGON_IPC, 0, &pass, 1).unknown, MON_HEXAGON_NOT_COUNTED);
	ck_assert_uint_eq(compute(MON_HEXAGON_MPPS, 0, &pass, 1).unknown, MON_HEXAGON_KNOWN);
	pass.running_us = 0;
	ck_assert_uint_eq(compute(MON_HEXAGON_MPPS, 0, &pass, 1).unknown, MON_HEXAGON_NOT_COUNTED);
	ck_assert_uint_eq(compute(MON_HEXAGON_MPPS, 0, NULL, 0).unknown, MON_HEXAGON_NOT_COUNTED);
}

TEST(a_part_of_the_time_is_said_and_cancels)
{
	struct mon_hexagon_pass pass = whole();
	struct mon_hexagon_value value;

	pass.running_us = 250;
	value = compute(MON_HEXAGON_MPPS, 0, &pass, 1);
	ck_assert_double_eq_tol(value.value, 2000 / 1050.0, 1e-12);
	ck_assert_double_eq(value.share, 0.25);
}

TEST(no_value_is_from_two_passes)
{
	struct mon_hexagon_pass passes[2] = { whole(), whole() };

	passes[0].counters = UINT64_C(1) << MON_HEXAGON_INSTS;
	passes[1].counters = UINT64_C(1) << MON_HEXAGON_PKT_ANY;
	ck_assert_uint_eq(compute(MON_HEXAGON_DENSITY, 0, passes, 2).unknown,
			  MON_HEXAGON_NOT_COUNTED);
}

TEST(the_longest_of_several_passes_is_taken)
{
	struct mon_hexagon_pass passes[2] = { whole(), whole() };

	passes[0].running_us = 100;
	passes[0].count[MON_HEXAGON_PKT_ANY] = 1999;
	ck_assert_double_eq_tol(compute(MON_HEXAGON_MPPS, 0, passes, 2).value, 2000 / 1050.0, 1e-12);
}

TEST(passes_that_differ_are_found)
{
	struct mon_hexagon_pass a = whole(), b = whole();

	ck_assert_double_eq(mon_hexagon_difference(&a, &b, 6), 0);
	b.count[MON_HEXAGON_PKT_ANY] = 1900;
	ck_assert_double_eq_tol(mon_hexagon_difference(&a, &b, 6), 0.05, 1e-12);
	ck_assert_double_eq_tol(mon_hexagon_difference(&b, &a, 6), 0.05, 1e-12);
	/* not comparable, but the cycles are: one of 2100 */
	b.counters &= ~(UINT64_C(1) << MON_HEXAGON_PKT_ANY);
	b.count[CYCLES(2)]--;
	ck_assert_double_eq_tol(mon_hexagon_difference(&a, &b, 6), 1 / 2100.0, 1e-12);
	b.counters = 0;
	ck_assert_double_eq(mon_hexagon_difference(&a, &b, 6), 0);
}

LOOP_TEST(single_metrics_need_the_passes_of_the_article, 0, 8)
{
	/*
	 * The article's counts of events: 7, 7, 12, 7, 8, 2; one pass each but nT_pCPP. For rates the
	 * six of total_cycles, of which it makes the time, are added to its 2 and 1.
	 */
	static const struct {
		enum mon_hexagon_metric metric;
		int counters, passes;
	} expected[] = {
		{ MON_HEXAGON_CONCURRENCY, 6, 1 }, { MON_HEXAGON_PCPP, 7, 1 },
		{ MON_HEXAGON_NT_PCPP, 12, 2 }, { MON_HEXAGON_NT_LOAD, 7, 1 },
		{ MON_HEXAGON_IPC, 8, 1 }, { MON_HEXAGON_MIPS, 8, 1 },
		{ MON_HEXAGON_MPPS, 7, 1 }, { MON_HEXAGON_DENSITY, 2, 1 },
	};
	uint64_t passes[16];
	uint64_t set = mon_hexagon_metric_counters(expected[_i].metric, 6);

	ck_assert_int_eq(__builtin_popcountll(set), expected[_i].counters);
	ck_assert_int_eq(mon_hexagon_plan(1u << expected[_i].metric, 6, EVERYTHING, passes, 16),
			 expected[_i].passes);
}

TEST(a_plan_holds_every_value_in_one_pass_of_eight)
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
			ck_assert_uint_eq(compute(metric, k, counted, n).unknown, MON_HEXAGON_KNOWN);
	/* all but ipc, whose pass is full, count the packets, too */
	for (int i = 0; i < n; i++)
		ck_assert(passes[i] & UINT64_C(1) << MON_HEXAGON_PKT_ANY ||
			  passes[i] == mon_hexagon_metric_counters(MON_HEXAGON_IPC, 6));
	/* 12 of nT_pCPP, 5 others: fewer than three passes cannot hold them */
	ck_assert_int_ge(n, 3);
}

TEST(a_metric_without_its_counter_is_left_out)
{
	uint64_t passes[16];

	ck_assert_int_eq(mon_hexagon_plan(1u << MON_HEXAGON_MPPS_HMX, 6,
					  EVERYTHING & ~(UINT64_C(1) << MON_HEXAGON_HMX_PKT_THREAD),
					  passes, 16), 0);
}

TEST(bad_arguments_are_refused)
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
	ck_assert_int_eq(mon_hexagon_compute(&v69, MON_HEXAGON_NT_LOAD, 7, &pass, 1, &value), -1);
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_int_eq(mon_hexagon_compute(&v69, MON_HEXAGON_NT_LOAD, 0, &pass, 1, &value), -1);
	ck_assert_int_eq(mon_hexagon_compute(&v69, MON_HEXAGON_METRICS, 1, &pass, 1, &value), -1);
	ck_assert_uint_eq(mon_hexagon_metric_counters(MON_HEXAGON_METRICS, 6), 0);
}

TEST(names_are_complete)
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

TEST(what_a_large_core_cannot_count_at_once_is_left_out)
{
	const struct mon_hexagon_core large = { .threads = 8, .cycles = 3, .clock_hz = 1e9 };
	struct mon_hexagon_pass counted[16];
	struct mon_hexagon_value value;
	uint64_t passes[16];
	int n = mon_hexagon_plan(ALL_METRICS, 8, EVERYTHING, passes, 16);

	ck_assert_int_gt(n, 0);
	for (int i = 0; i < n; i++) {
		ck_assert_int_le(__builtin_popcountll(passes[i]), MON_HEXAGON_PASS_MAX);
		counted[i] = whole();
		counted[i].counters = passes[i];
	}
	for (unsigned int metric = 0; metric < MON_HEXAGON_METRICS; metric++) {
		/* eight counters of cycles and one more */
		bool nine = metric == MON_HEXAGON_PCPP || (metric >= MON_HEXAGON_IPC &&
							   metric <= MON_HEXAGON_MPPS_HMX);

		ck_assert_int_eq(mon_hexagon_compute(&large, metric, 5, counted, n, &value), 0);
		ck_assert_int_eq(value.unknown == MON_HEXAGON_NOT_COUNTED, nine);
	}
}
