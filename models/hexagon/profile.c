/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "hexagon/profile.h"

/* With more places in use, the search for a free one takes long. */
#define FULL (HEXAGON_PROFILE_PLACES / 4 * 3)

_Static_assert(sizeof(struct hexagon_feed) % _Alignof(struct hexagon_profile) == 0,
	       "the profile follows the feed");

struct hexagon_profile *hexagon_feed_profile(struct hexagon_feed *feed)
{
	return (struct hexagon_profile *)(feed + 1);
}

uint32_t hexagon_profile_place(struct hexagon_profile *profile, uint32_t pc)
{
	/* packets are words; Knuth's factor spreads neighbours */
	uint32_t place = pc / 4 * 2654435761u >> 16;

	for (;; place = (place + 1) % HEXAGON_PROFILE_PLACES) {
		struct hexagon_profile_place *p = &profile->place[place];

		if (!place)
			continue;
		if (p->used && p->pc == pc)
			return place;
		if (p->used)
			continue;
		if (profile->places == FULL)
			return 0;
		p->pc = pc;
		p->used = 1;
		profile->places++;
		return place;
	}
}

/* Each site of a call remembers what it called last, so that this is rare. */
int hexagon_profile_call(struct hexagon_profile *profile, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < profile->calls; i++)
		if (profile->call[i].from == from && profile->call[i].to == to)
			return i;
	if (profile->calls == HEXAGON_PROFILE_CALLS)
		return -1;
	profile->call[profile->calls] = (struct hexagon_profile_call){ .from = from, .to = to };
	return profile->calls++;
}
