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
static struct hexagon_time model;
static struct hexagon_threads threads;

static void begin(unsigned int slots)
{
	hexagon_feed_init(&feed, slots);
	ck_assert(hexagon_time_init(&model, &feed, NULL, 3, 4));
	hexagon_threads_init(&threads, &model);
	ck_assert_int_eq(hexagon_threads_create(&threads, 0, 0), 0);
}

static void setup(void)
{
	begin(6);
}

/* The thread of a vCPU executes so many packets; that is the thread that the model says runs next. */
static void work(unsigned int cpu, uint64_t packets)
{
	int slot = hexagon_threads_slot(&threads, cpu);

	ck_assert_int_ge(slot, 0);
	hexagon_time_add(&model, slot, NULL, 0, model.thread[slot].known + packets);
	hexagon_time_run(&model);
}

/* It executes packets until it has so many since its start. */
static void reach(unsigned int cpu, uint64_t packets)
{
	int slot = hexagon_threads_slot(&threads, cpu);

	work(cpu, packets - model.thread[slot].known);
}

/* Threads that are behind a vCPU's clock execute packets until they have reached it. */
static void catch_up(unsigned int cpu)
{
	int slot = hexagon_threads_slot(&threads, cpu), next;

	while ((next = hexagon_time_run(&model)) != slot) {
		ck_assert_int_ge(next, 0);
		hexagon_time_add(&model, next, NULL, 0, model.thread[next].known + 1);
	}
}

static void call(unsigned int cpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
		 uint64_t e)
{
	const uint64_t args[5] = { a, b, c, d, e };

	if (hexagon_threads_slot(&threads, cpu) >= 0)
		catch_up(cpu);
	hexagon_threads_syscall(&threads, cpu, number, args, false);
}

static void yield(unsigned int cpu)
{
	catch_up(cpu);
	hexagon_threads_yield(&threads, cpu);
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

/* Rounds of three cycles in which exactly the threads of a set ran. */
static uint64_t rounds(uint32_t set)
{
	struct hexagon_totals now;

	hexagon_time_publish(&model);
	ck_assert_int_eq(hexagon_feed_read(&feed, &now), HEXAGON_FEED_OK);
	ck_assert_uint_eq(now.cycles[set] % 3, 0);
	return now.cycles[set] / 3;
}

SUITE("hexagon threads and feed", .setup = setup);

TEST(a_thread_begins_at_its_creators_clock)
{
	work(0, 100);
	ck_assert_int_eq(create(0, 1, 0), 1);
	work(0, 50);
	work(1, 30);
	call(1, EXIT, 0, 0, 0, 0, 0);
	hexagon_time_run(&model);
	/* 100 alone, 30 together, 20 alone */
	ck_assert_uint_eq(rounds(1), 120);
	ck_assert_uint_eq(rounds(3), 30);
}

TEST(a_woken_thread_goes_on_at_the_wakers_clock)
{
	create(0, 1, 0);
	work(1, 10);
	/* at its clock thread 0 comes first, and executes its eleventh packet */
	call(1, FUTEX, 0x2000, 128 | 0, 0, 0, 0);
	ck_assert(hexagon_threads_waits(&threads, 1));
	work(0, 29);
	call(0, FUTEX, 0x2000, 128 | 1, 1, 0, 0);
	hexagon_threads_return(&threads, 0, FUTEX, 1);
	ck_assert(!hexagon_threads_waits(&threads, 1));
	/* the host runs the waker on before it runs the waiter at all */
	work(0, 25);
	hexagon_threads_return(&threads, 1, FUTEX, 0);
	work(1, 25);
	/* 0-10 both, 10-40 thread 0, 40-65 both */
	ck_assert_uint_eq(rounds(3), 10 + 25);
	ck_assert_uint_eq(rounds(1), 30);
}

/* The kernel looks at the word first: if it has another value the call returns at once, and the thread never stops. */
TEST(a_futex_whose_word_has_changed_is_no_wait)
{
	const uint64_t args[5] = { 0x2000, 128 | 0 };

	create(0, 1, 0);
	catch_up(1);
	hexagon_threads_syscall(&threads, 1, FUTEX, args, true);
	ck_assert(!hexagon_threads_waits(&threads, 1));
	ck_assert_int_eq(hexagon_threads_slot(&threads, 1), 1);
}

TEST(waiters_are_woken_in_order_and_only_as_many_as_asked)
{
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
	ck_assert_uint_eq(rounds(1 << 0 | 1 << 2 | 1 << 3), 5);
	/* a wake of another address wakes no thread */
	call(0, FUTEX, 0x3000, 1, 9, 0, 0);
	work(0, 1);
	work(2, 1);
	work(3, 1);
	ck_assert_uint_eq(rounds(1 << 0 | 1 << 2 | 1 << 3), 6);
}

TEST(requeued_waiters_wait_elsewhere)
{
	create(0, 1, 0);
	create(0, 2, 0);
	call(1, FUTEX, 0x2000, 0, 0, 0, 0);
	call(2, FUTEX, 0x2000, 0, 0, 0, 0);
	/* wakes 1, moves 1 to 0x3000 */
	call(0, FUTEX, 0x2000, 4, 1, 1, 0x3000);
	work(0, 4);
	work(1, 4);
	ck_assert_uint_eq(rounds(1 << 0 | 1 << 1), 4);
	call(0, FUTEX, 0x2000, 1, 1, 0, 0);
	call(0, FUTEX, 0x3000, 1, 1, 0, 0);
	work(0, 3);
	work(1, 3);
	work(2, 3);
	ck_assert_uint_eq(rounds(7), 3);
}

/* The kernel woke vCPU 2, the model 1: that one goes on, and 1 waits again. */
TEST(the_kernel_decides_who_is_woken)
{
	create(0, 1, 0);
	create(0, 2, 0);
	call(1, FUTEX, 0x2000, 0, 0, 0, 0);
	call(2, FUTEX, 0x2000, 0, 0, 0, 0);
	/* before the others waited, thread 0 executed one */
	work(0, 6);
	call(0, FUTEX, 0x2000, 1, 1, 0, 0);
	ck_assert(hexagon_threads_waits(&threads, 2));
	hexagon_threads_return(&threads, 2, FUTEX, 0);
	ck_assert(hexagon_threads_waits(&threads, 1));
	ck_assert_int_ge(hexagon_threads_slot(&threads, 2), 0);
	ck_assert_uint_eq(model.now, 3 * 7);
}

TEST(an_exit_wakes_who_joins)
{
	create(0, 1, 0x4000);
	work(1, 70);
	work(0, 20);
	call(0, FUTEX, 0x4000, 0, 101, 0, 0);
	call(1, EXIT, 0, 0, 0, 0, 0);
	hexagon_threads_return(&threads, 0, FUTEX, 0);
	work(0, 5);
	/* 20 both, 50 thread 1, 5 thread 0 */
	ck_assert_uint_eq(rounds(3), 20);
	ck_assert_uint_eq(rounds(2), 50);
	ck_assert_uint_eq(rounds(1), 5);
}

TEST(a_free_hardware_thread_is_used_again)
{
	create(0, 1, 0);
	create(0, 2, 0);
	work(2, 3);
	work(1, 5);
	call(2, EXIT, 0, 0, 0, 0, 0);
	call(1, EXIT, 0, 0, 0, 0, 0);
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

TEST(more_than_64_threads_are_refused)
{
	for (unsigned int i = 1; i < 64; i++)
		ck_assert_int_ge(create(0, i, 0), 0);
	ck_assert_int_eq(create(0, 64, 0), -1);
}

/*
 * Two hardware threads and three software threads of 30 packets with turns of 10, in the order in which they became
 * ready:
 *
 *	clock	0	10	20	30	40	50
 *	first	A	C	B	A	C
 *	second	B	A	C	B	-
 */
TEST(threads_take_turns)
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

	begin(2);
	ck_assert_int_eq(create(0, 1, 0), 1);
	ck_assert_int_eq(create(0, 2, 0), HEXAGON_QUEUED);
	for (unsigned int i = 0; i < 5; i++) {
		/* of the same clock the lower hardware thread comes first */
		unsigned int first = steps[i].stops[0], second = steps[i].stops[1];

		if (hexagon_threads_slot(&threads, first) > hexagon_threads_slot(&threads, second)) {
			first = second;
			second = steps[i].stops[0];
		}
		/* one may have executed a packet of its turn already */
		reach(first, 10);
		reach(second, 10);
		for (unsigned int k = 0; k < (second == first ? 1 : 2); k++) {
			if (steps[i].ends)
				call(k ? second : first, EXIT, 0, 0, 0, 0, 0);
			else
				yield(k ? second : first);
			if (i == 0 && k == 0)
				ck_assert_int_eq(hexagon_threads_slot(&threads, 2), 0);
		}
		for (unsigned int cpu = 0; cpu < 3; cpu++)
			ck_assert_int_eq(hexagon_threads_slot(&threads, cpu) >= 0, steps[i].slot[cpu] >= 0);
	}
	hexagon_time_run(&model);
	ck_assert_uint_eq(rounds(3), 40);
	ck_assert_uint_eq(rounds(1) + rounds(2), 10);
	ck_assert_uint_eq(feed.software, 3);
	for (unsigned int i = 0; i < 3; i++)
		ck_assert_uint_eq(feed.row[i][HEXAGON_PACKETS], 30);
}

TEST(a_turn_of_the_only_one_goes_on)
{
	work(0, 10);
	yield(0);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 0), 0);
	ck_assert_uint_eq(hexagon_threads_turns(&threads, 0), 1);
}

/* A thread that stays in an unknown system call does not block the others for ever. */
TEST(a_call_that_lasts_is_a_wait)
{
	begin(2);
	create(0, 1, 0);
	create(0, 2, 0);
	call(0, 64, 0, 0, 0, 0, 0);	/* write, to a pipe that is full */
	ck_assert_int_eq(hexagon_threads_slot(&threads, 2), -1);
	ck_assert(!hexagon_threads_unblock(&threads, 1));
	ck_assert(hexagon_threads_unblock(&threads, 0));
	ck_assert_int_eq(hexagon_threads_slot(&threads, 2), 0);
	work(2, 100);
	work(1, 100);
	/* it returns and is ready: the next one */
	hexagon_threads_return(&threads, 0, 64, 0);
	yield(2);
	ck_assert_int_eq(hexagon_threads_slot(&threads, 0), 0);
}

TEST(a_clone_that_fails_leaves_no_thread)
{
	call(0, CLONE, 0, 0, 0, 0, 0);
	ck_assert_int_eq(hexagon_threads_create(&threads, 1, 0), 1);
	hexagon_threads_return(&threads, 0, CLONE, -11);
	work(0, 10);
	ck_assert_uint_eq(rounds(1), 10);
	ck_assert_uint_eq(rounds(3), 0);
	ck_assert_int_eq(create(0, 1, 0), 1);
}

TEST(a_blocking_call_is_no_running_time)
{
	create(0, 1, 0);
	work(1, 10);
	call(1, READ, 0, 0, 0, 0, 0);
	work(0, 19);
	hexagon_threads_return(&threads, 1, READ, 1);
	work(1, 5);
	work(0, 5);
	/* 10 both, 20 thread 0, then woken from outside: on at the frontier, 5 both */
	ck_assert_uint_eq(rounds(3), 15);
	ck_assert_uint_eq(rounds(1), 20);
	/* how far thread 0 got until then was the host's choice */
	ck_assert_uint_eq(feed.slips, 1);
}

TEST(a_call_that_all_wait_for_repeats)
{
	create(0, 1, 0);
	call(1, FUTEX, 100, 0, 0, 0, 0);
	call(0, READ, 0, 0, 0, 0, 0);
	hexagon_threads_return(&threads, 0, READ, 1);
	ck_assert_uint_eq(feed.slips, 0);
}

TEST(an_unknown_vcpu_is_ignored)
{
	call(77, FUTEX, 0x2000, 0, 0, 0, 0);
	call(HEXAGON_MAX_CPUS + 1, EXIT, 0, 0, 0, 0, 0);
	hexagon_threads_return(&threads, 77, FUTEX, 0);
	ck_assert_uint_eq(model.running, 1);
}

TEST(the_reader_refuses_what_is_not_a_feed)
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

TEST(a_writer_that_dies_in_a_change_leaves_the_state_before)
{
	work(0, 10);
	hexagon_time_publish(&model);
	/* the next state was begun and not published */
	memset(&feed.totals[(feed.sequence + 1) & 1], 0xff, sizeof(feed.totals[0]));
	model.totals.cycles[1] = 5;
	ck_assert_uint_eq(feed.totals[feed.sequence & 1].cycles[1], 30);
}
