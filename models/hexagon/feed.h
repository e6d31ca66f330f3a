/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The feed: shared memory in which the plugin of qemu-hexagon publishes what a program does while it
 * runs, and the reading side of it.
 *
 * Layout, all in the byte order of the host and of fixed size:
 *
 *	struct hexagon_feed	header
 *	  thread[n].count[]	counters of hardware thread n (packet.h); only the host thread that
 *				executes it writes them, plainly, at each block of code
 *	  row[n], occupant	the same by software thread, in the order of their creation: a row has
 *				what was done up to the last change of a hardware thread's occupant
 *	  model[2]		model of time (model.h); model[sequence & 1] is the present one. It
 *				changes only when a thread starts, waits, wakes or ends: the writer
 *				(one at a time) makes the next state in the other one and then
 *				increments `sequence`.
 *
 * A reader copies the present model and then the counters; if `sequence` is still the same, they
 * belong together. A writer that dies at any point leaves a valid state.
 */
#ifndef HEXAGON_FEED_H
#define HEXAGON_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hexagon/model.h"
#include "hexagon/packet.h"

#define HEXAGON_FEED_MAGIC "HEXFEED"
#define HEXAGON_FEED_VERSION 5

/* Room for counters to come; a thread's slot has cache lines of its own. */
#define HEXAGON_FEED_COUNTS 64

/* Cycles that a thread waited, by cause, and by the number of threads that ran. */
#define HEXAGON_STALL_COUNTS (HEXAGON_STALLS * HEXAGON_MAX_THREADS)
#define HEXAGON_STALL_INDEX(cause, running) ((cause) * HEXAGON_MAX_THREADS + (running) - 1)

/* Cycles that threads waited while exactly `running` ran, of which `vectors` had a vector context. */
#define HEXAGON_CONTEXT_COUNTS (HEXAGON_MAX_THREADS * (HEXAGON_MAX_THREADS + 1))
#define HEXAGON_CONTEXT_INDEX(running, vectors) (((running) - 1) * (HEXAGON_MAX_THREADS + 1) + (vectors))

struct hexagon_feed_thread {
	uint64_t count[HEXAGON_FEED_COUNTS];
	uint64_t stall[HEXAGON_STALL_COUNTS];
};

/* Software threads that have a row of their own; the last row is for all that are created later. */
#define HEXAGON_SOFTWARE_ROWS 64

/* In a row: counters, then cycles waited by cause. */
#define HEXAGON_ROW_STALLS HEXAGON_COUNTS
#define HEXAGON_ROW_VALUES (HEXAGON_COUNTS + HEXAGON_STALLS)

/* What is counted at once, and what the caches count, which may be later. */
enum hexagon_part {
	HEXAGON_PART_CODE,	/* values up to HEXAGON_MEMORY_COUNTS */
	HEXAGON_PART_MEMORY,	/* the others */
	HEXAGON_PARTS
};

/* The row to which a hardware thread's counters belong at present, and their values when that began. */
struct hexagon_feed_occupant {
	uint64_t row;		/* + 1; 0: none */
	uint64_t base[HEXAGON_FEED_COUNTS];
};

struct hexagon_feed {
	char magic[8];		/* HEXAGON_FEED_MAGIC with its terminating zero; written last */
	uint32_t version;	/* HEXAGON_FEED_VERSION */
	uint32_t size;		/* bytes of all this */
	uint32_t threads;	/* hardware threads of the modelled core */
	uint32_t sequence;
	uint32_t began;		/* the program was loaded and its first packets were translated */
	uint32_t exited;	/* one of its threads called exit or exit_group */
	uint32_t slips;		/* times that accesses were done out of order, because threads lagged */
	uint32_t software;	/* rows in use */
	uint8_t reserved[24];
	struct hexagon_feed_thread thread[HEXAGON_MAX_THREADS];
	struct hexagon_feed_occupant occupant[HEXAGON_PARTS][HEXAGON_MAX_THREADS];
	uint64_t row[HEXAGON_SOFTWARE_ROWS][HEXAGON_FEED_COUNTS];
	uint64_t context_stall[HEXAGON_CONTEXT_COUNTS];
	struct hexagon_model model[2];
};

/* What a program is instrumented for, beside packets. */
#define HEXAGON_FEATURE_MEMORY 1u
#define HEXAGON_FEATURE_TIMING 2u	/* includes the caches */
#define HEXAGON_FEATURE_PROFILE 4u	/* includes them, too; behind the feed (profile.h) */

/* What was counted up to one moment; sums over several programs are made by adding. */
struct hexagon_totals {
	uint64_t count[HEXAGON_MAX_THREADS][HEXAGON_COUNTS];
	uint64_t rounds[HEXAGON_THREAD_SETS];
	uint64_t stall[HEXAGON_MAX_THREADS][HEXAGON_STALL_COUNTS];
	uint64_t contexts[HEXAGON_MAX_THREADS + 1];
	uint64_t context_stall[HEXAGON_CONTEXT_COUNTS];
};

enum hexagon_feed_error {
	HEXAGON_FEED_OK,
	HEXAGON_FEED_SHORT,	/* fewer bytes than the layout has */
	HEXAGON_FEED_MAGIC_BAD,	/* not a feed, or not begun yet */
	HEXAGON_FEED_VERSION_BAD,
	HEXAGON_FEED_THREADS_BAD,
	HEXAGON_FEED_MODEL_BAD,	/* the model of time contradicts itself */
	HEXAGON_FEED_BUSY,	/* the model changes faster than it can be read; try again later */
};

/* What is wrong, in words. */
const char *hexagon_feed_strerror(enum hexagon_feed_error error);

/* Makes size bytes, at least sizeof(struct hexagon_feed), a feed of a core with `threads` threads. */
void hexagon_feed_init(struct hexagon_feed *feed, unsigned int threads);

/* Do these `size` bytes hold a feed that this version reads? */
enum hexagon_feed_error hexagon_feed_check(const void *memory, size_t size);

/*
 * Reads the present totals of a feed that passed hexagon_feed_check(). With ended, the program is
 * over and everything is charged. On error totals is unchanged. The memory may change and hold
 * anything at any moment; that leads to wrong numbers only.
 */
enum hexagon_feed_error hexagon_feed_read(const struct hexagon_feed *feed, bool ended,
					  struct hexagon_totals *totals);

/*
 * From now on a part of a hardware thread's counters belongs to a row; HEXAGON_SOFTWARE_ROWS: to none.
 * For the writer.
 */
void hexagon_feed_occupy(struct hexagon_feed *feed, enum hexagon_part part, unsigned int thread,
			 unsigned int row);

/* What a software thread did: the sums over all rows are those over all hardware threads. */
void hexagon_feed_row(const struct hexagon_feed *feed, unsigned int row,
		      uint64_t values[HEXAGON_ROW_VALUES]);

/* to += from */
void hexagon_totals_add(struct hexagon_totals *to, const struct hexagon_totals *from);

#endif
