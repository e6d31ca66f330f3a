/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "hexagon/order.h"

bool hexagon_order_init(struct hexagon_order *order, struct hexagon_feed *feed,
			const struct hexagon_memory_shape *shape)
{
	memset(order, 0, sizeof(*order));
	order->feed = feed;
	order->hold = UINT64_MAX;
	return hexagon_memory_init(&order->memory, shape);
}

void hexagon_order_free(struct hexagon_order *order)
{
	for (unsigned int i = 0; i < HEXAGON_MAX_THREADS; i++)
		free(order->thread[i].queue);
	hexagon_memory_free(&order->memory);
}

static void queue_add(struct hexagon_order_thread *t, const struct hexagon_order_entry *entries,
		      size_t n)
{
	if (t->begin > t->end / 2) {
		memmove(t->queue, t->queue + t->begin, (t->end - t->begin) * sizeof(t->queue[0]));
		t->end -= t->begin;
		t->begin = 0;
	}
	if (t->end + n > t->room) {
		t->room = 2 * (t->end + n);
		t->queue = realloc(t->queue, t->room * sizeof(t->queue[0]));
		if (!t->queue)
			abort();
	}
	if (n)
		memcpy(t->queue + t->end, entries, n * sizeof(entries[0]));
	t->end += n;
}

void hexagon_order_start(struct hexagon_order *order, unsigned int thread, uint64_t clock,
			 unsigned int row, bool vector)
{
	struct hexagon_order_entry begin = {
		.clock = clock, .address = row, .access = HEXAGON_ORDER_BEGIN, .cost = vector,
	};

	queue_add(&order->thread[thread], &begin, 1);
	hexagon_order_horizon(order, thread, clock);
	order->thread[thread].running = true;
}

/* The earliest horizon of a running thread. */
static uint64_t order_limit(const struct hexagon_order *order)
{
	uint64_t limit = order->hold;

	for (unsigned int i = 0; i < HEXAGON_MAX_THREADS; i++) {
		uint64_t horizon = __atomic_load_n(&order->thread[i].horizon, __ATOMIC_ACQUIRE);

		if (order->thread[i].running && horizon < limit)
			limit = horizon;
	}
	return limit;
}

/* The thread with the earliest access before the limit, or -1; no other thread has one before *until. */
static int order_next(const struct hexagon_order *order, uint64_t limit, uint64_t *until)
{
	int first = -1;

	*until = limit;
	for (unsigned int i = 0; i < HEXAGON_MAX_THREADS; i++) {
		const struct hexagon_order_thread *t = &order->thread[i];
		uint64_t clock;

		if (t->begin == t->end)
			continue;
		clock = t->queue[t->begin].clock;
		if (clock >= limit)
			continue;
		if (first < 0) {
			first = i;
		} else if (clock < order->thread[first].queue[order->thread[first].begin].clock) {
			*until = order->thread[first].queue[order->thread[first].begin].clock;
			first = i;
		} else if (clock < *until) {
			/* at the same clock the lower number comes first */
			*until = clock;
		}
	}
	return first;
}

static void order_cost(struct hexagon_order *order, const struct hexagon_order_entry *entry,
		       enum hexagon_cost cost, uint32_t n)
{
	if (order->profile)
		hexagon_profile_add(order->profile, entry->cost, cost, n);
}

static void order_stall(struct hexagon_order *order, unsigned int thread,
			const struct hexagon_order_entry *entry, enum hexagon_stall cause,
			uint32_t cycles)
{
	unsigned int running = __builtin_popcount(order->active), vectors;

	if (!running || !cycles)
		return;
	order->feed->thread[thread].stall[HEXAGON_STALL_INDEX(cause, running)] += cycles;
	vectors = __builtin_popcount(order->active & order->vector);
	order->feed->context_stall[HEXAGON_CONTEXT_INDEX(running, vectors)] += cycles;
	order_cost(order, entry, HEXAGON_COST_STALL + cause, cycles);
}

static void order_miss(struct hexagon_order *order, unsigned int thread,
		       const struct hexagon_order_entry *entry, enum hexagon_level level)
{
	const struct hexagon_timing *timing = &order->timing;
	uint32_t cycles = level == HEXAGON_L2 ? timing->l2 : timing->memory;

	if (level == HEXAGON_FAR)
		order_cost(order, entry, HEXAGON_COST_L2_MISSES, 1);
	switch (entry->access) {
	case HEXAGON_FETCH:
		order_cost(order, entry, HEXAGON_COST_L1I_MISSES, 1);
		order_stall(order, thread, entry, HEXAGON_STALL_FETCH, cycles);
		break;
	case HEXAGON_LOAD:
	case HEXAGON_ZERO:
		order_cost(order, entry, HEXAGON_COST_L1D_MISSES, 1);
		order_stall(order, thread, entry, HEXAGON_STALL_DATA, cycles);
		break;
	case HEXAGON_STORE:
		/* a store does not make its thread wait */
		order_cost(order, entry, HEXAGON_COST_L1D_MISSES, 1);
		break;
	case HEXAGON_VECTOR_LOAD:
		order_stall(order, thread, entry, HEXAGON_STALL_VECTOR, cycles);
		break;
	}
}

static void order_access(struct hexagon_order *order, unsigned int thread,
			 const struct hexagon_order_entry *entry)
{
	enum hexagon_level level;

	switch (entry->access) {
	case HEXAGON_ORDER_BEGIN:
		order->active |= 1u << thread;
		order->vector &= ~(1u << thread);
		order->vector |= (uint32_t)entry->cost << thread;
		hexagon_feed_occupy(order->feed, HEXAGON_PART_MEMORY, thread, entry->address);
		return;
	case HEXAGON_ORDER_END:
		order->active &= ~(1u << thread);
		hexagon_feed_occupy(order->feed, HEXAGON_PART_MEMORY, thread, HEXAGON_SOFTWARE_ROWS);
		return;
	case HEXAGON_ORDER_VECTOR:
		order->vector |= 1u << thread;
		return;
	case HEXAGON_ORDER_REDIRECT:
		order_stall(order, thread, entry, HEXAGON_STALL_REDIRECT, order->timing.redirect);
		return;
	case HEXAGON_ORDER_L2FETCH:
		order->feed->thread[thread].count[HEXAGON_L2FETCHES]++;
		return;
	}
	level = hexagon_memory_access(&order->memory, order->feed->thread[thread].count, entry->access,
				      entry->address);
	if (level != HEXAGON_NEAR)
		order_miss(order, thread, entry, level);
}

static void order_do(struct hexagon_order *order, uint64_t limit)
{
	uint64_t until;
	int next;

	while ((next = order_next(order, limit, &until)) >= 0) {
		struct hexagon_order_thread *t = &order->thread[next];
		uint64_t clock = t->queue[t->begin].clock;

		/* all accesses of this clock, and those before the next one of any other thread */
		do {
			order_access(order, next, &t->queue[t->begin++]);
		} while (t->begin < t->end && (t->queue[t->begin].clock < until ||
					       t->queue[t->begin].clock == clock));
	}
}

void hexagon_order_stop(struct hexagon_order *order, unsigned int thread)
{
	struct hexagon_order_entry end = {
		.clock = order->thread[thread].horizon, .access = HEXAGON_ORDER_END,
	};

	queue_add(&order->thread[thread], &end, 1);
	order->thread[thread].running = false;
}

void hexagon_order_run(struct hexagon_order *order)
{
	order_do(order, order_limit(order));
}

size_t hexagon_order_add(struct hexagon_order *order, unsigned int thread,
			 const struct hexagon_order_entry *entries, size_t n, uint64_t horizon)
{
	struct hexagon_order_thread *t = &order->thread[thread];

	queue_add(t, entries, n);
	hexagon_order_horizon(order, thread, horizon);
	hexagon_order_run(order);
	return t->end - t->begin;
}

void hexagon_order_finish(struct hexagon_order *order)
{
	order_do(order, UINT64_MAX);
}
