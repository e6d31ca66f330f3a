/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Guest threads on hardware threads, from system calls (numbers of the generic table: read 63, exit
 * 93, futex 98, clone 220; futex operations wait 0, wake 1, cmp_requeue 4, private 128).
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "hexagon/threads.h"
#include "tests/main.h"

#define CLONE 220
#define EXIT 93
#define FUTEX 98
#define READ 63
#define CLEARTID 0x200000

static struct hexagon_feed feed;
static struct hexagon_threads threads;

static void setup(void)
{
	hexagon_feed_init(&feed, 6);
	hexagon_threads_init(&threads, &feed);
	ck_assert_int_eq(hexagon_threads_create(&threads, 0, 0), 0);
}

static void work(unsigned int slot, uint64_t packets)
{
	feed.thread[slot].count[HEXAGON_PACKETS] += packets;
}

static void call(unsigned int cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
		 uint64_t e)
{
	const uint64_t args[5] = { a, b, c, d, e };

	hexagon_threads_syscall(&threads, cpu, number, args);
}

/* The end of a vCPU's current turn. */
static void yield(unsigned int cpu)
{
	hexagon_threads_yield(&threads, cpu, hexagon_threads_turns(&threads, cpu));
}

/* A clone by vCPU `by` that makes vCPU `cpu`. */
static int create(unsigned int by, unsigned int cpu, uint64_t clear_tid)
{
	int slot;

	call(by, CLONE, clear_tid ? CLEARTID : 0, 0x1000, 0, clear_tid, 0);
	slot = hexagon_threads_create(&threads, cpu, by);
	hexagon_threads_return(&threads, by, CLONE, slot < 0 ? -11 : 100 + slot);
	return slot;
}

static struct hexagon_totals totals(bool ended)
{
	struct hexagon_totals now;

	ck_assert_int_eq(hexagon_feed_read(&feed, ended, &now), HEXAGON_FEED_OK);
	return now;
}

static uint64_t rounds(unsigned int n)
{
	struct hexagon_totals now = totals(true);

	return hexagon_rounds(now.rounds, n);
}

START_TEST(a_thread_begins_at_its_creators_clock)
{
	work(0, 100);
	ck_assert_int_eq(create(0, 1, 0), 1);
	work(0, 50);
	work(1, 30);
	/* 100 alone, 30 together, 20 alone */
	ck_assert_uint_eq(rounds(1), 120);
	ck_assert_uint_eq(rounds(2), 30);
}
END_TEST

START_TEST(a_woken_thread_goes_on_at_the_wakers_clock)
{
	create(0, 1, 0);
	work(1, 10);
	call(1, FUTEX, 0x2000, 128 | 0, 0, 0, 0);
	work(0, 40);
	call(0, FUTEX, 0x2000, 128 | 1, 1, 0, 0);
	hexagon_threads_return(&threads, 0, FUTEX, 1);
	/* the host runs the waker on before it runs the waiter at all */
	work(0, 25);
	hexagon_threads_return(&threads, 1, FUTEX, 0);
	work(1, 25);
	/* 0-10 both, 10-40 thread 0, 40-65 both */
	ck_assert_uint_eq(rounds(2), 10 + 25);
	ck_assert_uint_eq(rounds(1), 30);
}
END_TEST

START_TEST(waiters_are_woken_in_order_and_only_as_many_as_asked)
{
	struct hexagon_totals now;

	create(0, 1, 0);
	create(0, 2, 0);
	create(0, 3, 0);
	for (unsigned int i = 3; i >= 1; i--)
		call(i, FUTEX, 0x2000, 0, 0, 0, 0);
	work(0, 10);
	call(0, FUTEX, 0x2000, 1, 2, 0, 0);
	/* 3 and 2 have waited longest; 1 still waits */
	work(0, 5);
	work(2, 5);
	work(3, 5);
	now = totals(false);
	ck_assert_uint_eq(hexagon_rounds(now.rounds, 3), 5);
	ck_assert_uint_eq(now.rounds[1 << 0 | 1 << 2 | 1 << 3], 5);
	/* a wake of another address wakes no thread */
	call(0, FUTEX, 0x3000, 1, 9, 0, 0);
	work(0, 1);
	work(2, 1);
	work(3, 1);
	now = totals(false);
	ck_assert_uint_eq(now.rounds[1 << 0 | 1 << 2 | 1 << 3], 6);
}
END_TEST

START_TEST(requeued_waiters_wait_elsewhere)
{
	struct hexagon_totals now;

	create(0, 1, 0);
	create(0, 2, 0);
	call(1, FUTEX, 0x2000, 0, 0, 0, 0);
	call(2, FUTEX, 0x2000, 0, 0, 0, 0);
	/* wakes 1, moves 1 to 0x3000 */
	call(0, FUTEX, 0x2000, 4, 1, 1, 0x3000);
	work(0, 4);
	work(1, 4);
	now = totals(false);
	ck_assert_uint_eq(now.rounds[1 << 0 | 1 << 1], 4);
	call(0, FUTEX, 0x2000, 1, 1, 0, 0);
	call(0, FUTEX, 0x3000, 1, 1, 0, 0);
	work(0, 3);
	work(1, 3);
	work(2, 3);
	now = totals(false);
	ck_assert_uint_eq(now.rounds[7], 3);
}
END_TEST

START_TEST(an_exit_wakes_who_joins)
{
	create(0, 1, 0x4000);
	work(1, 70);
	work(0, 20);
	call(0, FUTEX, 0x4000, 0, 101, 0, 0);
	call(1, EXIT, 0, 0, 0, 0, 0);
	hexagon_threads_return(&threads, 0, FUTEX, 0);
	work(0, 5);
	/* 20 both, 50 thread 1, 5 thread 0 */
	ck_assert_uint_eq(rounds(2), 20);
	ck_assert_uint_eq(rounds(1), 55);
}
END_TEST

START_TEST(a_free_hardware_thread_is_used_again)
{
	create(0, 1, 0);
	create(0, 2, 0);
	work(1, 5);
	work(2, 3);
	call(1, EXIT, 0, 0, 0, 0, 0);
	call(2, EXIT, 0, 0, 0, 0, 0);
	work(0, 10);
	/* the threads 3, 4 and 5 have been free from the beginning */
	ck_assert_int_eq(create(0, 3, 0), 3);
	ck_assert_int_eq(create(0, 4, 0), 4);
	ck_assert_int_eq(create(0, 5, 0), 5);
	/* then the one that became free first on the model's clock */
	ck_assert_int_eq(create(0, 6, 0), 2);
	ck_assert_int_eq(create(0, 7, 0), 1);
	/* a seventh thread at the same time waits */
	ck_assert_int_eq(create(0, 8, 0), HEXAGON_QUEUED);
	ck_assert_int_eq(hexagon_threads_create(&threads, HEXAGON_MAX_CPUS, 0), -1);
}
END_TEST

START_TEST(more_than_64_threads_are_refused)
{
	for (unsigned int i = 1; i < 64; i++)
		ck_assert_int_ge(create(0, i, 0), 0);
	ck_assert_int_eq(create(0, 64, 0), -1);
}
END_TEST

/*
 * Two hardware threads and three software threads of 30 packets with turns of 10: A and B run from 0 to
 * 10, C and A from 10 to 20, B and C, A and B, C, in the order in which they became ready.
 *
 *	clock	0	10	20	30	40	50
 *	first	A	C	B	A	C
 *	second	B	A	C	B	-
 */
START_TEST(threads_take_turns)
{
	static const struct {
		unsigned int stops[2];	/* vCPUs at the end of a turn */
		bool ends;
		int slot[3];		/* of each afterwards */
	} steps[] = {
		{ { 0, 1 }, false, { 1, -1, 0 } },
		{ { 0, 2 }, false, { -1, 0, 1 } },
		{ { 1, 2 }, false, { 0, 1, -1 } },
		{ { 0, 1 }, true, { -1, -1, 0 } },
		{ { 2, 2 }, true, { -1, -1, -1 } },
	};
	uint64_t row[HEXAGON_ROW_VALUES];
	struct hexagon_totals now;

	hexagon_feed_init(&feed, 2);
	hexagon_threads_init(&threads, &feed);
	hexagon_threads_create(&threads, 0, 0);
	ck_assert_int_eq(create(0, 1, 0), 1);
	ck_assert_int_eq(create(0, 2, 0), HEXAGON_QUEUED);
	for (unsigned int i = 0; i < 5; i++) {
		unsigned int stops = i < 4 ? 2 : 1;

		/* the first packet of a turn is among those of the step before */
		work(0, i ? 9 : 10);
		if (stops == 2)
			work(1, i ? 9 : 10);
		for (unsigned int k = 0; k < stops; k++) {
			if (steps[i].ends)
				call(steps[i].stops[k], EXIT, 0, 0, 0, 0, 0);
			else
				yield(steps[i].stops[k]);
		}
		/* the second place is assigned when the new thread of the first one has advanced */
		hexagon_threads_slot(&threads, 0);
		hexagon_threads_slot(&threads, 1);
		hexagon_threads_slot(&threads, 2);
		work(0, i < 4);
		for (unsigned int cpu = 0; cpu < 3; cpu++)
			hexagon_threads_slot(&threads, cpu);
		work(1, i < 3);
		for (unsigned int cpu = 0; cpu < 3; cpu++)
			ck_assert_int_eq(hexagon_threads_slot(&threads, cpu), steps[i].slot[cpu]);
	}
	now = totals(true);
	ck_assert_uint_eq(hexagon_rounds(now.rounds, 2), 40);
	ck_assert_uint_eq(hexagon_rounds(now.rounds, 1), 10);
	ck_assert_uint_eq(feed.software, 3);
	for (unsigned int i = 0; i < 3; i++) {
		hexagon_feed_row(&feed, i, row);
		ck_assert_uint_eq(row[HEXAGON_PACKETS], 30);
	}
}
END_TEST

/* The host starts vCPU 2 after the model has given its thread a hardware thread: that turn is still its first one. */
START_TEST(a_thread_that_starts_late_keeps_its_turn)
{
	hexagon_feed_init(&feed, 2);
	hexagon_threads_init(&threads, &feed);
	hexagon_threads_create(&threads, 0, 0);
	create(0, 1, 0);
	ck_assert_int_eq(create(0, 2, 0), HEXAGON_QUEUED);
	work(0, 10);
	yield(0);
	/* another thread gets its turn when vCPU 1 has passed clock 10 */
	work(1, 11);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 0), -1);
	ck_assert_uint_eq(hexagon_threads_turns(&threads, 2), 1);
	/* vCPU 2 knows of no turn yet */
	hexagon_threads_yield(&threads, 2, 0);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 2), 0);
	ck_assert_uint_eq(hexagon_threads_turns(&threads, 2), 1);
}
END_TEST

START_TEST(a_vector_context_goes_with_its_thread)
{
	struct hexagon_totals now;

	hexagon_feed_init(&feed, 1);
	hexagon_threads_init(&threads, &feed);
	ck_assert_int_eq(hexagon_threads_create(&threads, 0, 0), 0);
	work(0, 3);
	hexagon_threads_vector(&threads, 0, 2);
	work(0, 12);
	ck_assert_int_eq(create(0, 1, 0), HEXAGON_QUEUED);
	yield(0);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 1), 0);
	work(0, 20);
	yield(1);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 0), 0);
	work(0, 3);
	now = totals(true);
	/* the first thread has none for 5 packets and one for 10 and 3, the second one none */
	ck_assert_uint_eq(now.contexts[0], 5 + 20);
	ck_assert_uint_eq(now.contexts[1], 10 + 3);
}
END_TEST

/* A hardware thread is not assigned at a clock while another thread is behind that clock. */
START_TEST(a_turn_waits_for_those_that_are_behind)
{
	hexagon_feed_init(&feed, 2);
	hexagon_threads_init(&threads, &feed);
	hexagon_threads_create(&threads, 0, 0);
	create(0, 1, 0);
	create(0, 2, 0);
	create(0, 3, 0);
	/* the host has let vCPU 1 run first; 0 is at clock 0 and may stop before it */
	work(1, 50);
	yield(1);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 2), -1);
	work(0, 20);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 2), -1);
	/* it does, at 20: vCPU 2, which is ready since 0, gets that place, and 3 the other one, at 50 */
	call(0, READ, 0, 0, 0, 0, 0);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 2), 0);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 3), -1);
	work(0, 30);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 3), -1);
	work(0, 1);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 3), 1);
	ck_assert_uint_eq(hexagon_model_clock(&feed.model[feed.sequence & 1], 1, 50), 50);
	/* nothing was charged twice: 0-20 two ran, 20-50 vCPU 2 and 1, 50-51 vCPU 2 and 3 */
	ck_assert_uint_eq(totals(false).rounds[3], 50);
}
END_TEST

/* A thread that stays in an unknown system call does not block the others for ever. */
START_TEST(a_call_that_lasts_is_a_wait)
{
	hexagon_feed_init(&feed, 2);
	hexagon_threads_init(&threads, &feed);
	hexagon_threads_create(&threads, 0, 0);
	create(0, 1, 0);
	create(0, 2, 0);
	call(0, 64, 0, 0, 0, 0, 0);	/* write, to a pipe that is full */
	work(1, 10);
	yield(1);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 2), -1);
	ck_assert(hexagon_threads_unblock(&threads));
	ck_assert_int_eq(hexagon_threads_slot(&threads, 2), 0);
	work(0, 11);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 1), 1);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 0), -1);
	/* it returns and is ready: the next one */
	hexagon_threads_return(&threads, 0, 64, 0);
	work(0, 100);
	work(1, 100);
	yield(1);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 0), 1);
}
END_TEST

START_TEST(a_clone_that_fails_leaves_no_thread)
{
	call(0, CLONE, 0, 0, 0, 0, 0);
	ck_assert_int_eq(hexagon_threads_create(&threads, 1, 0), 1);
	hexagon_threads_return(&threads, 0, CLONE, -11);
	work(0, 10);
	ck_assert_uint_eq(rounds(1), 10);
	ck_assert_uint_eq(rounds(2), 0);
	ck_assert_int_eq(create(0, 1, 0), 1);
}
END_TEST

START_TEST(a_blocking_call_is_no_running_time)
{
	create(0, 1, 0);
	work(1, 10);
	call(1, READ, 0, 0, 0, 0, 0);
	work(0, 30);
	hexagon_threads_return(&threads, 1, READ, 1);
	work(1, 5);
	work(0, 5);
	/* 10 both, 20 thread 0, then woken from outside: on at the frontier, 5 both */
	ck_assert_uint_eq(rounds(2), 15);
	ck_assert_uint_eq(rounds(1), 20);
}
END_TEST

START_TEST(an_unknown_vcpu_is_ignored)
{
	uint32_t sequence = feed.sequence;

	call(77, FUTEX, 0x2000, 0, 0, 0, 0);
	call(HEXAGON_MAX_CPUS + 1, EXIT, 0, 0, 0, 0, 0);
	hexagon_threads_return(&threads, 77, FUTEX, 0);
	ck_assert_uint_eq(feed.sequence, sequence);
}
END_TEST

START_TEST(the_reader_refuses_what_is_not_a_feed)
{
	ck_assert_int_eq(hexagon_feed_check(&feed, sizeof(feed)), HEXAGON_FEED_OK);
	ck_assert_int_eq(hexagon_feed_check(&feed, sizeof(feed) - 1), HEXAGON_FEED_SHORT);
	ck_assert_int_eq(hexagon_feed_check(&feed, 63), HEXAGON_FEED_SHORT);
	feed.version++;
	ck_assert_int_eq(hexagon_feed_check(&feed, sizeof(feed)), HEXAGON_FEED_VERSION_BAD);
	feed.version--;
	feed.threads = 9;
	ck_assert_int_eq(hexagon_feed_check(&feed, sizeof(feed)), HEXAGON_FEED_THREADS_BAD);
	feed.threads = 6;
	feed.magic[0] = 'h';
	ck_assert_int_eq(hexagon_feed_check(&feed, sizeof(feed)), HEXAGON_FEED_MAGIC_BAD);
}
END_TEST

START_TEST(a_model_that_contradicts_itself_gives_an_error_and_no_numbers)
{
	struct hexagon_totals now;

	memset(&now, 0x5a, sizeof(now));
	feed.model[feed.sequence & 1].pending = HEXAGON_MAX_PENDING + 1;
	ck_assert_int_eq(hexagon_feed_read(&feed, false, &now), HEXAGON_FEED_MODEL_BAD);
	ck_assert_uint_eq(now.count[0][0], 0x5a5a5a5a5a5a5a5a);
}
END_TEST

START_TEST(a_writer_that_dies_in_a_change_leaves_the_state_before)
{
	work(0, 10);
	/* the next state was begun and not published */
	memset(&feed.model[(feed.sequence + 1) & 1], 0xff, sizeof(feed.model[0]));
	ck_assert_uint_eq(rounds(1), 10);
}
END_TEST

Suite *test_suite(void)
{
	Suite *suite = suite_create("hexagon threads and feed");
	TCase *tc = tcase_create("threads");

	suite_add_tcase(suite, tc);
	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, a_thread_begins_at_its_creators_clock);
	tcase_add_test(tc, a_woken_thread_goes_on_at_the_wakers_clock);
	tcase_add_test(tc, waiters_are_woken_in_order_and_only_as_many_as_asked);
	tcase_add_test(tc, requeued_waiters_wait_elsewhere);
	tcase_add_test(tc, an_exit_wakes_who_joins);
	tcase_add_test(tc, a_free_hardware_thread_is_used_again);
	tcase_add_test(tc, more_than_64_threads_are_refused);
	tcase_add_test(tc, threads_take_turns);
	tcase_add_test(tc, a_thread_that_starts_late_keeps_its_turn);
	tcase_add_test(tc, a_vector_context_goes_with_its_thread);
	tcase_add_test(tc, a_turn_waits_for_those_that_are_behind);
	tcase_add_test(tc, a_call_that_lasts_is_a_wait);
	tcase_add_test(tc, a_clone_that_fails_leaves_no_thread);
	tcase_add_test(tc, a_blocking_call_is_no_running_time);
	tcase_add_test(tc, an_unknown_vcpu_is_ignored);
	tcase_add_test(tc, the_reader_refuses_what_is_not_a_feed);
	tcase_add_test(tc, a_model_that_contradicts_itself_gives_an_error_and_no_numbers);
	tcase_add_test(tc, a_writer_that_dies_in_a_change_leaves_the_state_before);
	return suite;
}
