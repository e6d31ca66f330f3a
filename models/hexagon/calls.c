/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "hexagon/calls.h"

void hexagon_calls_begin(struct hexagon_calls *calls, struct hexagon_profile *profile, uint32_t number)
{
	if (calls->depth == HEXAGON_CALLS_DEPTH)
		return;
	profile->row[calls->row].call[number].times++;
	calls->call[calls->depth].number = number;
	memcpy(calls->call[calls->depth++].start, calls->now, sizeof(calls->now));
}

static bool is_open(const struct hexagon_calls *calls, uint32_t number)
{
	for (unsigned int i = 0; i < calls->depth; i++)
		if (calls->call[i].number == number)
			return true;
	return false;
}

void hexagon_calls_end(struct hexagon_calls *calls, struct hexagon_profile *profile, unsigned int n)
{
	for (; n && calls->depth; n--) {
		uint32_t number = calls->call[--calls->depth].number;

		if (is_open(calls, number))
			continue;
		for (unsigned int c = 0; c < HEXAGON_COSTS; c++)
			profile->row[calls->row].call[number].cost[c] += calls->now[c] - calls->call[calls->depth].start[c];
	}
}
