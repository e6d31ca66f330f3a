/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts repeat, also on a host whose threads wait for a processor. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hexagon/packet.h"
#include "tests/main.h"
#include "tests/unit/hexagon/program-rig.h"

/*
 * Sums over hardware threads, over software threads and over numbers of running threads are equal.
 */
static void assert_sums(const struct hexagon_totals *now, unsigned int software)
{
	const struct hexagon_feed *feed = map_feed();
	uint64_t each = 0, all = 0, contexts = 0;

	ck_assert_uint_eq(feed->software, software);
	ck_assert_uint_eq(feed->slips, 0);
	for (unsigned int v = 0; v < HEXAGON_ROW_VALUES; v++) {
		uint64_t rows = 0, waited = 0;

		for (unsigned int i = 0; i < software; i++)
			rows += feed->row[i][v];
		for (unsigned int t = 0; v >= HEXAGON_ROW_STALLS && t < 6; t++)
			waited += v < HEXAGON_ROW_SHOWN ? now->hidden[t][v - HEXAGON_ROW_STALLS] +
				  now->open[t][v - HEXAGON_ROW_STALLS] : now->open[t][v - HEXAGON_ROW_SHOWN];
		ck_assert_uint_eq(rows, v < HEXAGON_ROW_STALLS ? sum(now, v) : waited);
	}
	for (unsigned int n = 1; n <= 6; n++) {
		each += packets(now, n);
		all += cycles(now, n);
	}
	for (unsigned int n = 0; n <= 6; n++)
		contexts += now->contexts[n];
	ck_assert_uint_eq(each, sum(now, HEXAGON_PACKETS));
	ck_assert_uint_eq(contexts, all);
	ck_assert_uint_eq(now->cycles[0], 0);
	munmap((void *)feed, sizeof(*feed));
}

/*
 * Counts repeat to the last packet: equal threads, threads that take turns, threads that run when main ends, a main that
 * looks at a variable, threads that meet at locks, semaphores and barriers (meet.c); also if a host thread gets no processor for long at a clone, futex or exit. REPEATS=N adds N runs and
 * programs with one thread: make check-hexagon-repeats.
 */
/* passes() of meet.c, by 300 rounds. */
#define HANDOVER "tests/unit/hexagon/meet 13"

#define MEET(n, threads) { "tests/unit/hexagon/meet " #n, threads, 0 }
static const struct {
	const char *program;
	unsigned int threads, operations;
} repeated[] = {
	{ "six-threads", 6, 0 }, { "eight-threads", 8, 0 }, { "twelve-threads", 12, 0 }, { "uneven-cut", 3, 0 },
	{ "uneven-ends", 4, 0 }, { "uneven-equal", 5, 0 }, { "uneven-spins", 2, 0 },
#define MEETS 7
	MEET(0, 5), MEET(1, 3), MEET(2, 9), MEET(3, 4), MEET(4, 5), MEET(5, 5), MEET(6, 6), MEET(7, 5), MEET(8, 5), MEET(9, 5),
	MEET(10, 5), MEET(11, 5), MEET(12, 16), MEET(13, 4), MEET(14, 5), MEET(15, 6), MEET(16, 5), MEET(17, 5), MEET(18, 5),
	MEET(19, 5), MEET(20, 4),
#define WITH_THREADS 28
	{ "uneven-hides", 2, 0 }, { "hand", 1, 0 }, { "dot", 1, 0 }, { "fir", 1, 0 }, { "hvx-add", 1, 0 },
	{ "clock", 1, HEXAGON_READS_CLOCK }, { "memory-stream", 1, 0 }, { "memory-sets-9", 1, 0 }, { "memory-zero", 1, 0 },
	{ "memory-chain", 1, 0 }, { "memory-branches", 1, 0 }, { "memory-ahead", 1, HEXAGON_OPERATES_CACHES },
	{ "memory-l2fetch", 1, HEXAGON_OPERATES_CACHES },
};

static void assert_repeats(int row, const struct hexagon_totals *first)
{
	static struct hexagon_totals now;
	char output[64];

	now = run(repeated[row].program, output, sizeof(output));
	assert_sums(&now, repeated[row].threads);
	ck_assert_mem_eq(&now, first, sizeof(now));
}

static void counts_repeat_of(int row)
{
	static const int calls[] = { SYS_CLONE, SYS_FUTEX, SYS_EXIT };
	static struct hexagon_totals first;
	const char *repeats = getenv("REPEATS");
	char output[64];

	operations = repeated[row].operations;
	/* these have hundreds of calls */
	if (row >= MEETS)
		slow_us = 200;
	for (features = 0; features <= HEXAGON_FEATURE_TIMING; features += HEXAGON_FEATURE_TIMING) {
		slow_call = 0;
		first = run(repeated[row].program, output, sizeof(output));
		for (int again = repeats ? atoi(repeats) : 1; again; again--)
			assert_repeats(row, &first);
		for (unsigned int i = 0; i < sizeof(calls) / sizeof(calls[0]) && row < WITH_THREADS; i++) {
			slow_call = calls[i];
			assert_repeats(row, &first);
		}
	}
}

SUITE("counts repeat", .timeout = 60, .setup = rig_setup, .teardown = rig_teardown, .prepare = rig_prepare);

LOOP_TEST(counts_repeat, 0, WITH_THREADS)
{
	counts_repeat_of(_i);
}

/*
 * A word goes 900 times from one of three threads to the next. On a DSP that takes the packet of the load that sees it, three to
 * compare and to add, and the way there: some tens, all three together.
 */
TEST(a_handover_takes_tens_of_packets)
{
	const struct hexagon_feed *feed;
	struct hexagon_totals now;
	char output[64];

	for (features = 0; features <= HEXAGON_FEATURE_TIMING; features += HEXAGON_FEATURE_TIMING) {
		now = run(HANDOVER, output, sizeof(output));
		feed = map_feed();
		/* main starts them and prints */
		ck_assert_uint_le(sum(&now, HEXAGON_PACKETS) - feed->row[0][HEXAGON_PACKETS], 900 * 50);
		ck_assert_uint_gt(feed->spun, 0);
		munmap((void *)feed, sizeof(*feed));
	}
}

static bool has_repeats(void)
{
	if (!getenv("REPEATS"))
		puts("repeats of programs of one thread: not run: make check-hexagon-repeats does");
	return getenv("REPEATS");
}

SUITE("counts of one thread repeat", .timeout = 60, .setup = rig_setup, .teardown = rig_teardown, .applies = has_repeats);

LOOP_TEST(counts_of_one_thread_repeat, WITH_THREADS, sizeof(repeated) / sizeof(repeated[0]))
{
	counts_repeat_of(_i);
}
