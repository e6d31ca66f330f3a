/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "hexagon/feed.h"

/* A copy takes microseconds and a transition is a system call, so a few attempts are enough. */
#define ATTEMPTS 100

_Static_assert(HEXAGON_COUNTS <= HEXAGON_FEED_COUNTS, "a counter has no room in the feed");
_Static_assert(HEXAGON_ROW_VALUES <= HEXAGON_FEED_COUNTS, "a value has no room in a row");
_Static_assert(offsetof(struct hexagon_feed, thread) == 64, "the header is one cache line");
_Static_assert(sizeof(struct hexagon_feed_thread) % 64 == 0, "threads do not share cache lines");

const char *hexagon_feed_strerror(enum hexagon_feed_error error)
{
	switch (error) {
	case HEXAGON_FEED_OK:
		return "no error";
	case HEXAGON_FEED_SHORT:
		return "the feed is truncated";
	case HEXAGON_FEED_MAGIC_BAD:
		return "this is not a feed, or the program did not begin";
	case HEXAGON_FEED_VERSION_BAD:
		return "the feed is of another version: plugin and reader must come from one build";
	case HEXAGON_FEED_THREADS_BAD:
		return "the feed is of a core with another number of threads";
	case HEXAGON_FEED_MODEL_BAD:
		return "the feed's model of time contradicts itself";
	case HEXAGON_FEED_BUSY:
		return "the feed changes too fast to be read now";
	}
	return "unknown error";
}

void hexagon_feed_init(struct hexagon_feed *feed, unsigned int threads)
{
	memset(feed, 0, sizeof(*feed));
	feed->version = HEXAGON_FEED_VERSION;
	feed->size = sizeof(*feed);
	feed->threads = threads;
	hexagon_model_init(&feed->model[0], threads);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(feed->magic, HEXAGON_FEED_MAGIC, sizeof(feed->magic));
}

enum hexagon_feed_error hexagon_feed_check(const void *memory, size_t size)
{
	const struct hexagon_feed *feed = memory;

	if (size < offsetof(struct hexagon_feed, thread))
		return HEXAGON_FEED_SHORT;
	if (memcmp(feed->magic, HEXAGON_FEED_MAGIC, sizeof(feed->magic)) != 0)
		return HEXAGON_FEED_MAGIC_BAD;
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (feed->version != HEXAGON_FEED_VERSION || feed->size != sizeof(*feed))
		return HEXAGON_FEED_VERSION_BAD;
	if (size < sizeof(*feed))
		return HEXAGON_FEED_SHORT;
	if (!feed->threads || feed->threads > HEXAGON_MAX_THREADS)
		return HEXAGON_FEED_THREADS_BAD;
	return HEXAGON_FEED_OK;
}

/* The changes that are not pending need not be copied. */
static void copy_model(struct hexagon_model *to, const struct hexagon_model *from)
{
	size_t fixed = offsetof(struct hexagon_model, change);

	memcpy(to, from, fixed);
	if (to->pending <= HEXAGON_MAX_PENDING)
		memcpy(to->change, from->change, to->pending * sizeof(to->change[0]));
}

static bool copy_state(const struct hexagon_feed *feed, struct hexagon_model *model,
		       struct hexagon_totals *totals)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		uint32_t sequence = __atomic_load_n(&feed->sequence, __ATOMIC_ACQUIRE);

		copy_model(model, &feed->model[sequence & 1]);
		for (unsigned int t = 0; t < HEXAGON_MAX_THREADS; t++)
			for (unsigned int c = 0; c < HEXAGON_COUNTS; c++)
				totals->count[t][c] = __atomic_load_n(&feed->thread[t].count[c],
								      __ATOMIC_RELAXED);
		for (unsigned int t = 0; t < HEXAGON_MAX_THREADS; t++)
			for (unsigned int c = 0; c < HEXAGON_STALL_COUNTS; c++)
				totals->stall[t][c] = __atomic_load_n(&feed->thread[t].stall[c],
								      __ATOMIC_RELAXED);
		for (unsigned int c = 0; c < HEXAGON_CONTEXT_COUNTS; c++)
			totals->context_stall[c] = __atomic_load_n(&feed->context_stall[c], __ATOMIC_RELAXED);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&feed->sequence, __ATOMIC_RELAXED) == sequence)
			return true;
	}
	return false;
}

enum hexagon_feed_error hexagon_feed_read(const struct hexagon_feed *feed, bool ended,
					  struct hexagon_totals *totals)
{
	struct hexagon_model model;
	struct hexagon_totals now;
	hexagon_packets_t packets;

	if (!copy_state(feed, &model, &now))
		return HEXAGON_FEED_BUSY;
	if (!hexagon_model_sane(&model))
		return HEXAGON_FEED_MODEL_BAD;
	for (unsigned int t = 0; t < HEXAGON_MAX_THREADS; t++)
		packets[t] = now.count[t][HEXAGON_PACKETS];
	if (ended)
		hexagon_model_finish(&model, packets);
	else
		hexagon_model_advance(&model, packets);
	memcpy(now.rounds, model.rounds, sizeof(now.rounds));
	memcpy(now.contexts, model.contexts, sizeof(now.contexts));
	*totals = now;
	return HEXAGON_FEED_OK;
}

static unsigned int part_begin(enum hexagon_part part)
{
	return part == HEXAGON_PART_CODE ? 0 : HEXAGON_MEMORY_COUNTS;
}

static unsigned int part_end(enum hexagon_part part)
{
	return part == HEXAGON_PART_CODE ? HEXAGON_MEMORY_COUNTS : HEXAGON_ROW_VALUES;
}

/* A value of a row, from the counters of a hardware thread. */
static uint64_t thread_value(const struct hexagon_feed_thread *thread, unsigned int value)
{
	uint64_t sum = 0;

	if (value < HEXAGON_COUNTS)
		return thread->count[value];
	for (unsigned int n = 1; n <= HEXAGON_MAX_THREADS; n++)
		sum += thread->stall[HEXAGON_STALL_INDEX(value - HEXAGON_ROW_STALLS, n)];
	return sum;
}

void hexagon_feed_occupy(struct hexagon_feed *feed, enum hexagon_part part, unsigned int thread,
			 unsigned int row)
{
	struct hexagon_feed_occupant *occupant = &feed->occupant[part][thread];

	for (unsigned int v = part_begin(part); v < part_end(part); v++) {
		uint64_t now = thread_value(&feed->thread[thread], v);

		if (occupant->row)
			feed->row[occupant->row - 1][v] += now - occupant->base[v];
		occupant->base[v] = now;
	}
	occupant->row = row < HEXAGON_SOFTWARE_ROWS ? row + 1 : 0;
}

void hexagon_feed_row(const struct hexagon_feed *feed, unsigned int row,
		      uint64_t values[HEXAGON_ROW_VALUES])
{
	memcpy(values, feed->row[row], HEXAGON_ROW_VALUES * sizeof(values[0]));
	for (int part = 0; part < HEXAGON_PARTS; part++)
		for (unsigned int i = 0; i < HEXAGON_MAX_THREADS; i++)
			for (unsigned int v = part_begin(part);
			     feed->occupant[part][i].row == row + 1 && v < part_end(part); v++)
				values[v] += thread_value(&feed->thread[i], v) -
					     feed->occupant[part][i].base[v];
}

void hexagon_totals_add(struct hexagon_totals *to, const struct hexagon_totals *from)
{
	for (unsigned int t = 0; t < HEXAGON_MAX_THREADS; t++)
		for (unsigned int c = 0; c < HEXAGON_COUNTS; c++)
			to->count[t][c] += from->count[t][c];
	for (unsigned int t = 0; t < HEXAGON_MAX_THREADS; t++)
		for (unsigned int c = 0; c < HEXAGON_STALL_COUNTS; c++)
			to->stall[t][c] += from->stall[t][c];
	for (unsigned int set = 0; set < HEXAGON_THREAD_SETS; set++)
		to->rounds[set] += from->rounds[set];
	for (unsigned int n = 0; n <= HEXAGON_MAX_THREADS; n++)
		to->contexts[n] += from->contexts[n];
	for (unsigned int c = 0; c < HEXAGON_CONTEXT_COUNTS; c++)
		to->context_stall[c] += from->context_stall[c];
}
