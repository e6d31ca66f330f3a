/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Puts the memory accesses of a program's threads into the order of the model's clocks (model.h),
 * however the host schedules them, and gives them to the caches.
 *
 * Each hardware thread hands over its accesses with their clocks, and a horizon: it will hand over
 * none with an earlier clock. What lies before the horizons of all running threads is done, by clock,
 * then by number of the thread. A waiting thread does not delay the others: the thread that wakes it is not behind.
 *
 * With timing, what a thread waits for an access or a mispredicted branch is added to its stalls.
 *
 * The caller serialises all functions but hexagon_order_horizon().
 */
#ifndef HEXAGON_ORDER_H
#define HEXAGON_ORDER_H

#include "hexagon/feed.h"
#include "hexagon/memory.h"
#include "hexagon/profile.h"

/* Cycles that a thread waits, beside those from one packet to the next. */
struct hexagon_timing {
	uint32_t l2;		/* for a line from the L2 */
	uint32_t memory;	/* for one from memory */
	uint32_t redirect;	/* after a mispredicted branch */
};

/* docs/hexagon-model.md, "Modelled: stalls" */
#define HEXAGON_L2_CYCLES 12
#define HEXAGON_MEMORY_CYCLES 150
#define HEXAGON_REDIRECT_CYCLES 4

/* Entries of a queue that are no enum hexagon_access. */
enum {
	HEXAGON_ORDER_REDIRECT = HEXAGON_ACCESSES,	/* a mispredicted branch */
	HEXAGON_ORDER_L2FETCH,	/* an l2fetch, before its lines */
	HEXAGON_ORDER_VECTOR,		/* the thread has a vector context from here on */
	HEXAGON_ORDER_BEGIN,		/* the thread runs from here on; cost: has it such a context? */
	HEXAGON_ORDER_END,
};

struct hexagon_order_entry {
	uint64_t clock;
	uint32_t address;
	uint16_t access;	/* enum hexagon_access, or one of the above */
	uint16_t cost;		/* place in the profile */
};

struct hexagon_order_thread {
	struct hexagon_order_entry *queue;
	size_t begin, end, room;
	uint64_t horizon;
	bool running;
};

struct hexagon_order {
	struct hexagon_feed *feed;	/* counters */
	struct hexagon_memory memory;
	struct hexagon_timing timing;	/* all 0: none */
	struct hexagon_profile *profile;	/* or NULL */
	uint64_t hold;		/* a thread may still start from this clock on; UINT64_MAX: none */
	uint32_t active;	/* bit n: thread n runs at the clock of what is done now */
	uint32_t vector;	/* bit n: and has a vector context, if it runs */
	struct hexagon_order_thread thread[HEXAGON_MAX_THREADS];
};

bool hexagon_order_init(struct hexagon_order *order, struct hexagon_feed *feed,
			const struct hexagon_memory_shape *shape);
void hexagon_order_free(struct hexagon_order *order);

/* A hardware thread starts to run a software thread's row at a clock, with a vector context or without; or stops. */
void hexagon_order_start(struct hexagon_order *order, unsigned int thread, uint64_t clock,
			 unsigned int row, bool vector);
void hexagon_order_stop(struct hexagon_order *order, unsigned int thread);

/* A running thread reaches a clock and has nothing to hand over. */
static inline void hexagon_order_horizon(struct hexagon_order *order, unsigned int thread,
					 uint64_t clock)
{
	__atomic_store_n(&order->thread[thread].horizon, clock, __ATOMIC_RELEASE);
}

/*
 * Takes over n accesses, by clock, and the new horizon; does what can be done. Returns the number of
 * this thread's accesses that have to wait for other threads.
 */
size_t hexagon_order_add(struct hexagon_order *order, unsigned int thread,
			 const struct hexagon_order_entry *entries, size_t n, uint64_t horizon);

/* Does what can be done. */
void hexagon_order_run(struct hexagon_order *order);

/* Does all that was handed over, whatever the horizons. */
void hexagon_order_finish(struct hexagon_order *order);

#endif
