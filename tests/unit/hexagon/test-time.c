/* SPDX-License-Identifier: GPL-2.0-only */
/* The model of time, with accounts derived on paper. A packet takes 3 cycles; 12 to the L2, 150 to memory, 4 a branch. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "hexagon/time.h"
#include "tests/main.h"

static const struct hexagon_memory_shape small = { { 256, 2, 64 }, { 512, 4, 32 }, { 2048, 4, 64 }, 0, 0 };

static struct hexagon_feed feed;
static struct hexagon_time model;
static struct hexagon_block block[3], *blocks[3];
static const struct hexagon_totals *totals = &model.totals;

static void setup(void)
{
	hexagon_feed_init(&feed, 6);
	ck_assert(hexagon_time_init(&model, &feed, &small, 3, 4));
	model.timing = (struct hexagon_timing){ 12, 150, 4 };
	for (unsigned int i = 0; i < 3; i++) {
		memset(&block[i], 0, sizeof(block[i]));
		block[i].add[HEXAGON_PACKETS] = i;
		block[i].add[HEXAGON_INSTS] = 2 * i;
		blocks[i] = &block[i];
	}
	model.blocks = blocks;
}

static void teardown(void)
{
	hexagon_time_free(&model);
}

/* A thread executes packets up to a number; one of them, if what is given, does something. */
static void add(unsigned int thread, uint64_t known)
{
	hexagon_time_add(&model, thread, NULL, 0, known);
}

static void note(unsigned int thread, unsigned int what, uint64_t packet, uint32_t address)
{
	struct hexagon_time_entry entry = { .what = what, .packet = packet, .address = address };

	hexagon_time_add(&model, thread, &entry, 1, packet + 1);
}

static void stop(unsigned int thread)
{
	ck_assert_int_eq(hexagon_time_run(&model), (int)thread);
	hexagon_time_stop(&model, thread);
}

SUITE("hexagon time", .setup = setup, .teardown = teardown);

/*
 * Thread 0 has 100 packets, thread 1 ten, each a load from memory. While thread 0 runs, for 300 cycles, thread 1 begins a
 * packet at 0 and one at 153; it executes 3 of each and waits the rest: 294 cycles hidden by the other one. Then it
 * is alone until 10 * 153.
 */
TEST(a_wait_moves_the_clock_of_its_thread_only)
{
	hexagon_time_start(&model, 0, 0, false);
	hexagon_time_start(&model, 1, 1, false);
	for (unsigned int i = 0; i < 10; i++)
		note(1, HEXAGON_LOAD, i, 4096 * (i + 1));
	add(0, 100);
	stop(0);
	stop(1);
	ck_assert_uint_eq(totals->cycles[3], 300);
	ck_assert_uint_eq(totals->cycles[2], 10 * 153 - 300);
	ck_assert_uint_eq(totals->packets[3][0], 100);
	ck_assert_uint_eq(totals->packets[3][1], 2);
	ck_assert_uint_eq(totals->packets[2][1], 8);
	ck_assert_uint_eq(totals->hidden[1][HEXAGON_STALL_DATA], 294);
	ck_assert_uint_eq(totals->open[1][HEXAGON_STALL_DATA], 1500 - 294);
	/* thread 0 was the only active one but for two packets */
	ck_assert_uint_eq(totals->active[1], 294);
	ck_assert_uint_eq(totals->active[3], 6);
	ck_assert_uint_eq(feed.row[1][HEXAGON_ROW_STALLS + HEXAGON_STALL_DATA], 1500);
	ck_assert_uint_eq(feed.row[1][HEXAGON_ROW_SHOWN + HEXAGON_STALL_DATA], 1206);
}

/* Three threads miss at the same clock, by 150, 12 and 4 cycles: all wait 4, two hide nothing from 7 on, ... */
TEST(waits_at_the_same_time_are_shared)
{
	for (unsigned int i = 0; i < 3; i++)
		hexagon_time_start(&model, i, i, false);
	note(0, HEXAGON_LOAD, 0, 0);
	note(1, HEXAGON_FETCH, 0, 0);	/* the same line of the L2, which thread 0 has fetched */
	note(2, HEXAGON_TIME_REDIRECT, 0, 0);
	add(0, 1);
	add(1, 1);
	add(2, 1);
	stop(2);
	stop(1);
	stop(0);
	ck_assert_uint_eq(totals->cycles[7], 7);
	ck_assert_uint_eq(totals->cycles[3], 8);
	ck_assert_uint_eq(totals->cycles[1], 138);
	ck_assert_uint_eq(totals->shown[7], 4);
	ck_assert_uint_eq(totals->open[0][HEXAGON_STALL_DATA], 150);
	ck_assert_uint_eq(totals->open[1][HEXAGON_STALL_FETCH], 12);
	ck_assert_uint_eq(totals->open[2][HEXAGON_STALL_REDIRECT], 4);
	/* of the core's cycles a third of 4, half of 8, all of 138 */
	ck_assert_uint_eq(totals->parts[0][HEXAGON_STALL_DATA], 840 / 3 * 4 + 840 / 2 * 8 + 840 * 138);
}

TEST(threads_that_start_together_give_the_sorted_differences)
{
	/*
	 * p sorted downward 50 40 40 25 10 5: d(1) = 10, d(2) = 0, d(3) = 15, d(4) = 15, d(5) = 5, d(6) = 5: cycles
	 * with n running = 3 * d(n), packets n * d(n), in sum 170.
	 */
	static const uint64_t p[6] = { 25, 50, 5, 40, 10, 40 }, d[7] = { 0, 10, 0, 15, 15, 5, 5 };
	static const unsigned int order[6] = { 2, 4, 0, 3, 5, 1 };
	uint64_t cycles[7] = { 0 }, packets[7] = { 0 };

	for (unsigned int i = 0; i < 6; i++)
		hexagon_time_start(&model, i, i, false);
	for (unsigned int i = 0; i < 6; i++)
		add(i, p[i]);
	for (unsigned int i = 0; i < 6; i++)
		stop(order[i]);
	for (unsigned int set = 1; set < 64; set++) {
		cycles[__builtin_popcount(set)] += totals->cycles[set];
		for (unsigned int t = 0; t < 6; t++)
			packets[__builtin_popcount(set)] += totals->packets[set][t];
	}
	for (unsigned int n = 1; n <= 6; n++) {
		ck_assert_uint_eq(cycles[n], 3 * d[n]);
		ck_assert_uint_eq(packets[n], n * d[n]);
	}
}

/*
 * Five threads need a context from packet 2, 3, 4, 5 and 6 on, of which there are four. Thread 4 waits for one from 18 to
 * 60, when thread 1 stops.
 */
TEST(a_fifth_vector_thread_waits_for_a_context)
{
	for (unsigned int i = 0; i < 5; i++) {
		hexagon_time_start(&model, i, i, false);
		note(i, HEXAGON_TIME_VECTOR, i + 2, 0);
		add(i, i == 1 ? 20 : 30);
	}
	stop(1);
	ck_assert_uint_eq(totals->hidden[4][HEXAGON_STALL_CONTEXT], 60 - 18);
	ck_assert_uint_eq(totals->contexts[4], 60 - 15);
	for (unsigned int i = 0; i < 4; i++)
		if (i != 1)
			stop(i);
	ck_assert_uint_eq(totals->contexts[4], 90 - 15);
	stop(4);
	/* 24 packets are left */
	ck_assert_uint_eq(model.now, 60 + 3 * 24);
	/* before, from 6 to 9, thread 0 alone had one */
	ck_assert_uint_eq(totals->contexts[1], 60 + 3 * 24 - 90 + 3);
	ck_assert_uint_eq(totals->contexts[5], 0);
}

/*
 * The program ends at 30. Thread 1 is ahead by executions of a block of two packets, ten in a row: it has begun ten
 * packets, so five executions count. Thread 0 comes first at that clock, and begins one more packet.
 */
TEST(the_end_cuts_others_at_the_end_of_a_block)
{
	struct hexagon_time_entry run = {
		.what = HEXAGON_TIME_BLOCK, .packet = 20, .address = 2, .cost = HEXAGON_TIME_RUN(10, 0),
	};

	for (unsigned int i = 0; i < 3; i++)
		hexagon_time_start(&model, i, i, false);
	hexagon_time_add(&model, 0, &run, 1, 20);
	hexagon_time_add(&model, 2, &run, 1, 20);
	add(1, 10);
	stop(1);
	hexagon_time_finish(&model, 1);
	ck_assert_uint_eq(totals->count[2][HEXAGON_PACKETS], 10);
	ck_assert_uint_eq(totals->count[2][HEXAGON_INSTS], 5 * 4);
	ck_assert_uint_eq(totals->count[0][HEXAGON_PACKETS], 12);
	ck_assert_uint_eq(totals->count[0][HEXAGON_INSTS], 6 * 4);
	ck_assert_uint_eq(feed.totals[feed.sequence & 1].count[0][HEXAGON_INSTS], 6 * 4);
}

/* At every moment the packets of a read are those of its cycles. */
TEST(packets_and_cycles_fit_in_every_read)
{
	struct hexagon_totals now;
	int next;

	srand(1);
	for (unsigned int i = 0; i < 3; i++)
		hexagon_time_start(&model, i, i, false);
	for (unsigned int n = 0; n < 2000; n++) {
		uint64_t cycles = 0, packets = 0;

		next = hexagon_time_run(&model);
		hexagon_time_publish(&model);
		ck_assert_int_eq(hexagon_feed_read(&feed, &now), HEXAGON_FEED_OK);
		for (unsigned int set = 1; set < 8; set++)
			cycles += now.active[set] * __builtin_popcount(set);
		for (unsigned int t = 0; t < 3; t++)
			packets += now.count[t][HEXAGON_PACKETS];
		/* of each thread the present packet may have begun only */
		ck_assert_uint_ge(3 * packets, cycles);
		ck_assert_uint_le(3 * packets, cycles + 3 * 2);
		note(next, HEXAGON_LOAD, model.thread[next].known + rand() % 50, rand() % 8192);
	}
}
