/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The feed: shared memory in which the plugin of qemu-hexagon publishes what a program does while it
 * runs, and the reading side of it.
 *
 * Layout, all in the byte order of the host and of fixed size:
 *
 *	struct hexagon_feed	header
 *	  totals[2]		what was counted up to one moment of the model's time; totals[sequence & 1] is
 *				the present state. The writer makes the next one in the other place and
 *				then increments `sequence`.
 *	  row[n]		the same by software thread, in the order of their creation; complete when
 *				the program has ended
 *
 * A reader copies the present state; if `sequence` is still the same, the copy is of one moment. A writer that
 * dies at any point leaves a valid state.
 */
#ifndef HEXAGON_FEED_H
#define HEXAGON_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hexagon/packet.h"

#define HEXAGON_FEED_MAGIC "HEXFEED"
#define HEXAGON_FEED_VERSION 7

#define HEXAGON_MAX_THREADS 8
#define HEXAGON_THREAD_SETS (1 << HEXAGON_MAX_THREADS)

/* Software threads that have a row of their own; the last row is for all that are created later. */
#define HEXAGON_SOFTWARE_ROWS 64

/* In a row: counters, then cycles waited by cause, then those of them that no other thread hid. */
#define HEXAGON_ROW_STALLS HEXAGON_COUNTS
#define HEXAGON_ROW_SHOWN (HEXAGON_ROW_STALLS + HEXAGON_STALLS)
#define HEXAGON_ROW_VALUES (HEXAGON_ROW_SHOWN + HEXAGON_STALLS)
#define HEXAGON_ROW_ROOM 64

/* Divisible by every possible number of threads. */
#define HEXAGON_PARTS 840

/* What was counted up to one moment; sums over several programs are made by adding. Index of a set: a bit a thread. */
struct hexagon_totals {
	/* by hardware thread */
	uint64_t count[HEXAGON_MAX_THREADS][HEXAGON_COUNTS];
	/* cycles in which exactly the threads of a set ran, waiting or not */
	uint64_t cycles[HEXAGON_THREAD_SETS];
	/* the same cycles by those that ran and did not wait */
	uint64_t active[HEXAGON_THREAD_SETS];
	/* of cycles[]: those in which all threads of the set waited */
	uint64_t shown[HEXAGON_THREAD_SETS];
	/* packets of each thread while exactly the threads of a set ran */
	uint64_t packets[HEXAGON_THREAD_SETS][HEXAGON_MAX_THREADS];
	/* cycles in which exactly so many running threads owned a vector context */
	uint64_t contexts[HEXAGON_MAX_THREADS + 1];
	/* cycles that a thread waited while another one did not wait ... */
	uint64_t hidden[HEXAGON_MAX_THREADS][HEXAGON_STALLS];
	/* ... and while all that ran waited: in cycles of the thread, and its share of the core's in 1/HEXAGON_PARTS */
	uint64_t open[HEXAGON_MAX_THREADS][HEXAGON_STALLS];
	uint64_t parts[HEXAGON_MAX_THREADS][HEXAGON_STALLS];
};

struct hexagon_feed {
	char magic[8];		/* HEXAGON_FEED_MAGIC with its terminating zero; written last */
	uint32_t version;	/* HEXAGON_FEED_VERSION */
	uint32_t size;		/* bytes of all this */
	uint32_t threads;	/* hardware threads of the modelled core */
	uint32_t sequence;
	uint32_t began;		/* the program was loaded and its first packets were translated */
	uint32_t exited;	/* one of its threads called exit or exit_group */
	uint32_t slips;		/* times that the host decided when a thread went on: counts may not repeat */
	uint32_t software;	/* rows in use */
	uint64_t spun;		/* packets of threads in loops that wait for another one, after the first rounds of each */
	uint8_t reserved[16];
	struct hexagon_totals totals[2];
	uint64_t row[HEXAGON_SOFTWARE_ROWS][HEXAGON_ROW_ROOM];
};

/* What a program is instrumented for, beside packets. */
#define HEXAGON_FEATURE_MEMORY 1u
#define HEXAGON_FEATURE_TIMING 2u	/* includes the caches */
#define HEXAGON_FEATURE_PROFILE 4u	/* includes them, too; after the feed (profile.h) */

enum hexagon_feed_error {
	HEXAGON_FEED_OK,
	HEXAGON_FEED_SHORT,	/* fewer bytes than the layout has */
	HEXAGON_FEED_MAGIC_BAD,	/* not a feed, or not begun yet */
	HEXAGON_FEED_VERSION_BAD,
	HEXAGON_FEED_THREADS_BAD,
	HEXAGON_FEED_BUSY,	/* it changes faster than it can be read; try again later */
};

/* What is wrong, in words. */
const char *hexagon_feed_strerror(enum hexagon_feed_error error);

/* Makes size bytes, at least sizeof(struct hexagon_feed), a feed of a core with `threads` threads. */
void hexagon_feed_init(struct hexagon_feed *feed, unsigned int threads);

/* Do these `size` bytes hold a feed that this version reads? */
enum hexagon_feed_error hexagon_feed_check(const void *memory, size_t size);

/* Makes this the present state. For the writer. */
void hexagon_feed_publish(struct hexagon_feed *feed, const struct hexagon_totals *totals);

/*
 * Reads the present totals of a feed that passed hexagon_feed_check(). On error totals is unchanged. The memory may
 * change and hold anything at any moment; that leads to wrong numbers only.
 */
enum hexagon_feed_error hexagon_feed_read(const struct hexagon_feed *feed, struct hexagon_totals *totals);

/* to += from */
void hexagon_totals_add(struct hexagon_totals *to, const struct hexagon_totals *from);

#endif
