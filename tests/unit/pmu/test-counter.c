// SPDX-License-Identifier: GPL-2.0-only
/* pmu/core/mon_counter.h: the arithmetic of narrow counters, compiled for the host. */
#include <stdlib.h>

#include "pmu/core/mon_counter.h"
#include "tests/main.h"
#include "tests/unit/pmu/pmu-test.h"

SUITE("counter");

TEST(masks_have_their_width)
{
	unsigned int width;

	ck_assert_uint_eq(mon_counter_mask(1), 1);
	ck_assert_uint_eq(mon_counter_mask(32), 0xffffffff);
	ck_assert_uint_eq(mon_counter_mask(40), 0xffffffffff);
	/* 1 << 64 must not be computed */
	ck_assert_uint_eq(mon_counter_mask(64), 0xffffffffffffffff);
	for (width = 1; width < 64; width++)
		ck_assert_uint_eq(mon_counter_mask(width) + 1, 1ULL << width);
}

TEST(deltas_go_over_the_wrap)
{
	const u64 mask = mon_counter_mask(32);

	ck_assert_uint_eq(mon_counter_delta(5, 5, mask), 0);
	ck_assert_uint_eq(mon_counter_delta(5, 262, mask), 257);
	/* from 0xfffffff0 it is 16 to 0 and 241 more to 241 */
	ck_assert_uint_eq(mon_counter_delta(0xfffffff0, 241, mask), 257);
	/* one less than a wrap is the largest difference that two readings can show */
	ck_assert_uint_eq(mon_counter_delta(7, 6, mask), 0xffffffff);
	ck_assert_uint_eq(mon_counter_delta(0xffffffff, 0, mask), 1);
	ck_assert_uint_eq(mon_counter_delta(~0ULL, 1, mon_counter_mask(64)), 2);
}

/* Counts of random readings add up to the real number, for each width. */
TEST(deltas_add_up)
{
	static const unsigned int widths[] = { 1, 8, 31, 32, 40, 63, 64 };
	unsigned int w, i;

	srandom(1);
	for (w = 0; w < sizeof(widths) / sizeof(widths[0]); w++) {
		u64 mask = mon_counter_mask(widths[w]), truth = (u64)random() << 32, acc = 0;
		u64 start = truth, last = truth & mask;

		for (i = 0; i < 10000; i++) {
			u64 now;

			truth += ((u64)random() << 31 | (u64)random()) & mask;
			now = truth & mask;
			acc += mon_counter_delta(last, now, mask);
			last = now;
		}
		ck_assert_uint_eq(acc, truth - start);
	}
}

TEST(wraps_take_their_time)
{
	/* 2^32 - 1 counts at 1 GHz are as many nanoseconds */
	ck_assert_uint_eq(mon_counter_wrap_ns(0xffffffff, 1000000000), 4294967295ULL);
	/* 4294967295 / 78125000 = 54.9755813760 s */
	ck_assert_uint_eq(mon_counter_wrap_ns(0xffffffff, 78125000), 54975581376ULL);
	/* at 1 Hz one that fits and one that is cut: (2^64 - 1) s is more than 2^63 - 1 ns */
	ck_assert_uint_eq(mon_counter_wrap_ns(100, 1), 100000000000ULL);
	ck_assert_uint_eq(mon_counter_wrap_ns(~0ULL, 1), ~0ULL >> 1);
	/* 255 counts at 400 MHz: 637.5 ns, rounded down so that polls come early */
	ck_assert_uint_eq(mon_counter_wrap_ns(255, 400000000), 637);
	/* 4294967295 at 4 PHz: 1073.7 ns; the rate is rounded down to 2^20 Hz, less than 3 in 10^10 of it */
	ck_assert_uint_eq(mon_counter_wrap_ns(0xffffffff, 4000000000000000ULL), 1073);
}

TEST(polls_come_four_times_a_wrap)
{
	/* 4294967295 / 4, rounded down */
	ck_assert_uint_eq(mon_counter_poll_ns(4294967295ULL), 1073741823);
	/* never more than 10 s apart */
	ck_assert_uint_eq(mon_counter_poll_ns(54975581376ULL), 10000000000ULL);
	ck_assert_uint_eq(mon_counter_poll_ns(~0ULL >> 1), 10000000000ULL);
	/* and never less than 1 ms */
	ck_assert_uint_eq(mon_counter_poll_ns(4000003), 1000000);
	ck_assert_uint_eq(mon_counter_poll_ns(4004000), 1001000);
	ck_assert_uint_eq(mon_counter_poll_ns(0), 1000000);
}

/*
 * A reading is late if more than a wrap has passed, not if the clock is a little behind the last
 * reading.
 */
TEST(late_is_more_than_a_wrap_ago)
{
	static const u64 wraps[] = { 1, 536870912, 55063683776, ~0ULL >> 1 };
	u64 good = 1000000000;
	size_t i;

	for (i = 0; i < sizeof(wraps) / sizeof(wraps[0]); i++) {
		ck_assert(!mon_counter_late(good, good, wraps[i]));
		ck_assert(!mon_counter_late(good, good - 1, wraps[i]));
		ck_assert(!mon_counter_late(good, good - 1000, wraps[i]));
		ck_assert(!mon_counter_late(good, good + wraps[i], wraps[i]));
	}
	for (i = 0; i < 3; i++)
		ck_assert(mon_counter_late(good, good + wraps[i] + 1, wraps[i]));
}

TEST(no_more_is_possible_than_the_clock_makes)
{
	/* 0.2 s at 78.125 MHz, and one count in 12.8 ns */
	ck_assert_uint_eq(mon_counter_most(200000000, 78125000), 15625000);
	ck_assert_uint_eq(mon_counter_most(12, 78125000), 0);
	ck_assert_uint_eq(mon_counter_most(13, 78125000), 1);
	/* the system's clock may step back: that is no time, at a rate at which it would be 2^64 ns and more */
	ck_assert_uint_eq(mon_counter_most(0, 78125000), 0);
	ck_assert_uint_eq(mon_counter_most(-1000, 8000000000), 0);
	/* ten years at 8 GHz */
	ck_assert_uint_eq(mon_counter_most(315360000000000000, 8000000000), 2522880000000000000);
	/* a wrap of 64 bits fits into 64 bits: a processor's division that does not fit is an exception */
	ck_assert(mon_counter_most(mon_counter_wrap_ns(~0ULL, 4294967295000000ULL), 4294967295000000ULL) > ~0ULL / 2);
}
