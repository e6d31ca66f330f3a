/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The model of time. R(n) below stands for the rounds with exactly n running threads; a round is one
 * packet of every running thread.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "hexagon/model.h"
#include "tests/main.h"

static struct hexagon_model model;
static hexagon_packets_t packets;

static void setup(void)
{
	hexagon_model_init(&model, 6);
	memset(packets, 0, sizeof(packets));
}

/* Checks that hold in every state without uncharged packets. */
static void assert_conserved(void)
{
	for (unsigned int i = 0; i < 6; i++) {
		uint64_t sum = 0;

		for (unsigned int n = 1; n <= 6; n++)
			sum += hexagon_rounds_packets(model.rounds, n, 1u << i);
		ck_assert_uint_eq(sum, packets[i]);
	}
}

START_TEST(one_thread_charges_what_it_commits)
{
	hexagon_model_start(&model, 0, 0, packets);
	packets[0] = 17;
	hexagon_model_advance(&model, packets);
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 1), 17);
	ck_assert_uint_eq(hexagon_model_clock(&model, 0, 17), 17);
	packets[0] = 20;
	hexagon_model_finish(&model, packets);
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 1), 20);
	assert_conserved();
}
END_TEST

START_TEST(only_what_all_running_threads_have_reached_is_charged)
{
	hexagon_model_start(&model, 0, 0, packets);
	hexagon_model_start(&model, 1, 0, packets);
	packets[0] = 100;
	packets[1] = 30;
	hexagon_model_advance(&model, packets);
	/*
	 * both have 30 rounds; the further packets of thread 0 are charged when thread 1 has caught
	 * up
	 */
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 2), 30);
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 1), 0);
	ck_assert_uint_eq(hexagon_rounds_packets(model.rounds, 2, 0x3f), 60);
	ck_assert_uint_eq(hexagon_rounds_packets(model.rounds, 2, 1), 30);
}
END_TEST

START_TEST(threads_that_start_together_give_the_sorted_differences)
{
	/*
	 * p sorted downward 50 40 40 25 10 5: d(1) = 10, d(2) = 0, d(3) = 15, d(4) = 15, d(5) = 5,
	 * d(6) = 5; R(n) = d(n) and packets with n running = n * d(n), in sum 170.
	 */
	static const uint64_t p[6] = { 25, 50, 5, 40, 10, 40 };
	static const uint64_t d[7] = { 0, 10, 0, 15, 15, 5, 5 };

	for (unsigned int i = 0; i < 6; i++)
		hexagon_model_start(&model, i, 0, packets);
	memcpy(packets, p, sizeof(p));
	hexagon_model_finish(&model, packets);
	for (unsigned int n = 1; n <= 6; n++) {
		ck_assert_uint_eq(hexagon_rounds(model.rounds, n), d[n]);
		ck_assert_uint_eq(hexagon_rounds_packets(model.rounds, n, 0x3f), n * d[n]);
	}
	assert_conserved();
}
END_TEST

/* Thread 0 works 10, creates 1, both work; 1 waits after 20 of its own, 0 wakes it at 50, both end. */
static void wait_and_wake(unsigned int how)
{
	hexagon_model_start(&model, 0, 0, packets);
	packets[0] = 10;
	hexagon_model_start(&model, 1, hexagon_model_clock(&model, 0, packets[0]), packets);
	/*
	 * how: which of the two the host serves first, and whether the counters are read in between
	 */
	if (how & 1) {
		packets[0] = 50;
		if (how & 2)
			hexagon_model_advance(&model, packets);
		packets[1] = 20;
	} else {
		packets[1] = 20;
		if (how & 2)
			hexagon_model_advance(&model, packets);
	}
	hexagon_model_stop(&model, 1, packets, HEXAGON_WAITING);
	packets[0] = 50;
	hexagon_model_start(&model, 1, hexagon_model_clock(&model, 0, packets[0]), packets);
	if (how & 4) {
		packets[0] = 60;
		hexagon_model_stop(&model, 0, packets, HEXAGON_OFF);
		packets[1] = 25;
		hexagon_model_stop(&model, 1, packets, HEXAGON_OFF);
	} else {
		packets[1] = 25;
		hexagon_model_stop(&model, 1, packets, HEXAGON_OFF);
		packets[0] = 60;
		hexagon_model_stop(&model, 0, packets, HEXAGON_OFF);
	}
}

START_TEST(the_host_schedule_does_not_matter)
{
	/*
	 * Clock 0-10: thread 0; 10-30: both; 30-50: thread 0 (1 waits); 50-55: both; 55-60: thread 0.
	 * R(1) = 10 + 20 + 5 = 35, R(2) = 20 + 5 = 25; packets 35 + 2 * 25 = 85 = 60 + 25.
	 */
	wait_and_wake(_i);
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 1), 35);
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 2), 25);
	ck_assert_uint_eq(model.pending, 0);
	ck_assert_uint_eq(model.frontier, 60);
	ck_assert_uint_eq(model.slips, 0);
	assert_conserved();
}
END_TEST

START_TEST(a_change_ahead_of_the_frontier_is_kept)
{
	hexagon_model_start(&model, 0, 0, packets);
	hexagon_model_start(&model, 1, 0, packets);
	hexagon_model_start(&model, 2, 0, packets);
	packets[0] = 100;
	packets[1] = 5;
	packets[2] = 60;
	hexagon_model_stop(&model, 0, packets, HEXAGON_OFF);
	ck_assert_uint_eq(model.frontier, 5);
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 3), 5);
	/* thread 1 passes the others: 3 run until 60, 2 until 100, then 1 */
	packets[1] = 120;
	hexagon_model_stop(&model, 2, packets, HEXAGON_OFF);
	hexagon_model_advance(&model, packets);
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 3), 60);
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 2), 40);
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 1), 20);
	assert_conserved();
}
END_TEST

START_TEST(a_reused_thread_begins_where_the_last_user_ended)
{
	hexagon_model_start(&model, 0, 0, packets);
	hexagon_model_start(&model, 1, 0, packets);
	packets[1] = 40;
	hexagon_model_stop(&model, 1, packets, HEXAGON_OFF);
	packets[0] = 10;
	/* asked for at 10, possible at 40 */
	hexagon_model_start(&model, 1, 10, packets);
	ck_assert_uint_eq(hexagon_model_clock(&model, 1, packets[1]), 40);
	packets[1] = 45;
	packets[0] = 60;
	hexagon_model_finish(&model, packets);
	/* both until 45, then thread 0 */
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 2), 45);
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 1), 15);
	assert_conserved();
}
END_TEST

START_TEST(nobody_runs_while_all_wait)
{
	hexagon_model_start(&model, 0, 0, packets);
	packets[0] = 10;
	hexagon_model_stop(&model, 0, packets, HEXAGON_WAITING);
	ck_assert_uint_eq(model.frontier, 10);
	ck_assert_uint_eq(model.running, 0);
	/* woken from outside, at a clock in the past: it continues at the frontier */
	hexagon_model_start(&model, 0, 3, packets);
	packets[0] = 12;
	hexagon_model_finish(&model, packets);
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 0), 0);
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 1), 12);
}
END_TEST

START_TEST(no_count_ever_decreases)
{
	uint64_t before[7] = { 0 };
	uint32_t seed = 1;

	/* a random sequence of work, wait, wake and end, checked after each step */
	for (int step = 0; step < 4000; step++) {
		unsigned int thread;

		seed = seed * 1664525 + 1013904223;
		thread = (seed >> 24) % 6;
		switch (model.thread[thread].state) {
		case HEXAGON_RUNNING:
			packets[thread] += seed >> 12 & 0xff;
			if ((seed >> 20 & 3) == 0)
				hexagon_model_stop(&model, thread, packets,
						   seed & 0x400 ? HEXAGON_OFF : HEXAGON_WAITING);
			break;
		default:
			hexagon_model_start(&model, thread, model.frontier + (seed >> 12 & 0x1f),
					    packets);
		}
		hexagon_model_advance(&model, packets);
		ck_assert(hexagon_model_sane(&model));
		for (unsigned int n = 0; n <= 6; n++) {
			uint64_t now = hexagon_rounds(model.rounds, n);

			ck_assert_uint_ge(now, before[n]);
			before[n] = now;
		}
	}
	hexagon_model_finish(&model, packets);
	assert_conserved();
	ck_assert_uint_eq(model.slips, 0);
}
END_TEST

START_TEST(a_full_list_slips_and_still_conserves)
{
	hexagon_model_start(&model, 0, 0, packets);
	hexagon_model_start(&model, 1, 0, packets);
	hexagon_model_start(&model, 2, 0, packets);
	packets[2] = 1;	/* the laggard */
	for (unsigned int i = 0; i < HEXAGON_MAX_PENDING; i++) {
		packets[0] += 10;
		packets[1] += 10;
		hexagon_model_stop(&model, 1, packets, HEXAGON_WAITING);
		packets[0] += 1;
		hexagon_model_start(&model, 1, hexagon_model_clock(&model, 0, packets[0]), packets);
		ck_assert(hexagon_model_sane(&model));
	}
	ck_assert_uint_gt(model.slips, 0);
	packets[2] = 5000;
	hexagon_model_finish(&model, packets);
	assert_conserved();
}
END_TEST

START_TEST(packets_are_split_by_cluster)
{
	/* clusters 0-2 and 3-5; threads 0, 1, 3 run together for 7 rounds, then 0 and 3 for 2 */
	hexagon_model_start(&model, 0, 0, packets);
	hexagon_model_start(&model, 1, 0, packets);
	hexagon_model_start(&model, 3, 0, packets);
	packets[0] = 9;
	packets[1] = 7;
	packets[3] = 9;
	hexagon_model_finish(&model, packets);
	ck_assert_uint_eq(hexagon_rounds_split(model.rounds, 3, 2, 3, 0x3f), 21);
	ck_assert_uint_eq(hexagon_rounds_split(model.rounds, 3, 3, 3, 0x3f), 0);
	ck_assert_uint_eq(hexagon_rounds_split(model.rounds, 2, 1, 3, 0x3f), 4);
	ck_assert_uint_eq(hexagon_rounds_split(model.rounds, 2, 2, 3, 0x3f), 0);
	ck_assert_uint_eq(hexagon_rounds_split(model.rounds, 3, 2, 3, 1 << 1), 7);
}
END_TEST

START_TEST(rounds_are_told_by_vector_contexts)
{
	hexagon_model_start(&model, 0, 0, packets);
	hexagon_model_start(&model, 1, 0, packets);
	/* thread 0 has one from its clock 10 on, thread 1 from 20 on, which comes first on the host */
	packets[1] = 20;
	hexagon_model_vector(&model, 1, packets, true);
	packets[0] = 10;
	hexagon_model_vector(&model, 0, packets, true);
	packets[0] = packets[1] = 50;
	hexagon_model_stop(&model, 1, packets, HEXAGON_WAITING);
	packets[0] = 70;
	hexagon_model_advance(&model, packets);
	/* none up to 10, one up to 20, two up to 50, one up to 70 */
	ck_assert_uint_eq(model.contexts[0], 10);
	ck_assert_uint_eq(model.contexts[1], 10 + 20);
	ck_assert_uint_eq(model.contexts[2], 30);
	ck_assert_uint_eq(hexagon_rounds(model.rounds, 2), 50);
	/* hardware thread 0 runs another thread of the program, which has none */
	hexagon_model_vector(&model, 0, packets, false);
	packets[0] = 75;
	hexagon_model_finish(&model, packets);
	ck_assert_uint_eq(model.contexts[0], 15);
	ck_assert_uint_eq(model.contexts[1], 30);
	assert_conserved();
}
END_TEST

START_TEST(a_foreign_model_is_checked)
{
	ck_assert(hexagon_model_sane(&model));
	model.threads = 9;
	ck_assert(!hexagon_model_sane(&model));
	setup();
	model.pending = HEXAGON_MAX_PENDING + 1;
	ck_assert(!hexagon_model_sane(&model));
	setup();
	model.running = 0x40;
	ck_assert(!hexagon_model_sane(&model));
	setup();
	model.pending = 1;
	model.change[0].thread = 6;
	ck_assert(!hexagon_model_sane(&model));
	setup();
	model.pending = 2;
	model.change[0].at = 5;
	model.change[1].at = 4;
	ck_assert(!hexagon_model_sane(&model));
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hexagon model");
	TCase *tc = tcase_create("model");

	suite_add_tcase(suite, tc);
	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, one_thread_charges_what_it_commits);
	tcase_add_test(tc, only_what_all_running_threads_have_reached_is_charged);
	tcase_add_test(tc, threads_that_start_together_give_the_sorted_differences);
	tcase_add_loop_test(tc, the_host_schedule_does_not_matter, 0, 8);
	tcase_add_test(tc, a_change_ahead_of_the_frontier_is_kept);
	tcase_add_test(tc, a_reused_thread_begins_where_the_last_user_ended);
	tcase_add_test(tc, nobody_runs_while_all_wait);
	tcase_add_test(tc, no_count_ever_decreases);
	tcase_add_test(tc, a_full_list_slips_and_still_conserves);
	tcase_add_test(tc, packets_are_split_by_cluster);
	tcase_add_test(tc, rounds_are_told_by_vector_contexts);
	tcase_add_test(tc, a_foreign_model_is_checked);
	return suite;
}
