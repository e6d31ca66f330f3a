/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A profile: the cost of each packet of a program, by software thread. It is in shared memory after the feed (feed.h)
 * if the program was started with HEXAGON_FEATURE_PROFILE.
 */
#ifndef HEXAGON_PROFILE_H
#define HEXAGON_PROFILE_H

#include "hexagon/feed.h"

/* Number of places; packets that find none share the first one. */
#define HEXAGON_PROFILE_PLACES (1 << 16)

enum hexagon_cost {
	HEXAGON_COST_PACKETS,
	HEXAGON_COST_STALL,		/* cycles, one cost for each enum hexagon_stall */
	HEXAGON_COST_OPEN = HEXAGON_COST_STALL + HEXAGON_STALLS,	/* those of them that no other thread hid */
	HEXAGON_COST_L1I_MISSES,
	HEXAGON_COST_L1D_MISSES,
	HEXAGON_COST_L2_MISSES,		/* of what was fetched or read, and of vector stores */
	HEXAGON_COSTS
};

#define HEXAGON_PROFILE_CALLS (1 << 13)

struct hexagon_profile_call {
	uint32_t from, to;	/* the packet with the call, the first one of the function */
};

struct hexagon_profile_place {
	uint32_t pc;
	uint32_t used;
};

/* Of the threads of a row of the feed. */
struct hexagon_profile_row {
	uint64_t place[HEXAGON_PROFILE_PLACES][HEXAGON_COSTS];
	struct hexagon_profile_sum {
		uint64_t times;
		uint64_t cost[HEXAGON_COSTS];	/* all in all, to the return; of a recursive one, only its outermost call */
	} call[HEXAGON_PROFILE_CALLS];
};

/* All zero at first. The writer finds places by hash; number 0 is for packets without a place of their own. */
struct hexagon_profile {
	uint32_t places;	/* in use */
	uint32_t calls;
	uint32_t reserved[14];
	struct hexagon_profile_place place[HEXAGON_PROFILE_PLACES];
	/* from the first one on; further ones are not counted */
	struct hexagon_profile_call call[HEXAGON_PROFILE_CALLS];
	/* large, but only pages that are written take memory */
	struct hexagon_profile_row row[HEXAGON_SOFTWARE_ROWS];
};

#define HEXAGON_FEED_WITH_PROFILE \
	(sizeof(struct hexagon_feed) + sizeof(struct hexagon_profile))

/* The one after a feed of HEXAGON_FEED_WITH_PROFILE bytes. */
struct hexagon_profile *hexagon_feed_profile(struct hexagon_feed *feed);

/* The number of a packet's place. The caller serialises this; what follows needs no lock. */
uint32_t hexagon_profile_place(struct hexagon_profile *profile, uint32_t pc);

/* The number of a call, or -1. */
int hexagon_profile_call(struct hexagon_profile *profile, uint32_t from, uint32_t to);

static inline void hexagon_profile_add(struct hexagon_profile *profile, unsigned int row, uint32_t place,
				       enum hexagon_cost cost, uint64_t n)
{
	__atomic_fetch_add(&profile->row[row].place[place][cost], n, __ATOMIC_RELAXED);
}

#endif
