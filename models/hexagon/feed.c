/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "hexagon/feed.h"

/* A copy takes microseconds, and so does a change, so a few attempts are enough. */
#define ATTEMPTS 100

_Static_assert(HEXAGON_ROW_VALUES <= HEXAGON_ROW_ROOM, "a value has no room in a row");
_Static_assert(offsetof(struct hexagon_feed, totals) == 64, "the header is one cache line");
_Static_assert(sizeof(struct hexagon_totals) % sizeof(uint64_t) == 0, "totals are an array of numbers");

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
	__atomic_thread_fence(__ATOMIC_RELEASE);
	memcpy(feed->magic, HEXAGON_FEED_MAGIC, sizeof(feed->magic));
}

enum hexagon_feed_error hexagon_feed_check(const void *memory, size_t size)
{
	const struct hexagon_feed *feed = memory;

	if (size < offsetof(struct hexagon_feed, totals))
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

void hexagon_feed_publish(struct hexagon_feed *feed, const struct hexagon_totals *totals)
{
	uint32_t next = feed->sequence + 1;

	/* this is written only after the present state was published: a reader may still copy the one before */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	memcpy(&feed->totals[next & 1], totals, sizeof(*totals));
	__atomic_store_n(&feed->sequence, next, __ATOMIC_RELEASE);
}

enum hexagon_feed_error hexagon_feed_read(const struct hexagon_feed *feed, struct hexagon_totals *totals)
{
	struct hexagon_totals now;

	for (int i = 0; i < ATTEMPTS; i++) {
		uint32_t sequence = __atomic_load_n(&feed->sequence, __ATOMIC_ACQUIRE);

		memcpy(&now, &feed->totals[sequence & 1], sizeof(now));
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (__atomic_load_n(&feed->sequence, __ATOMIC_RELAXED) != sequence)
			continue;
		*totals = now;
		return HEXAGON_FEED_OK;
	}
	return HEXAGON_FEED_BUSY;
}

void hexagon_totals_add(struct hexagon_totals *to, const struct hexagon_totals *from)
{
	uint64_t *sum = (uint64_t *)to;
	const uint64_t *add = (const uint64_t *)from;

	for (size_t i = 0; i < sizeof(*to) / sizeof(*sum); i++)
		sum[i] += add[i];
}
