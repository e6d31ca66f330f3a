/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The open calls of a software thread, and what each costs all in all (profile.h). */
#ifndef HEXAGON_CALLS_H
#define HEXAGON_CALLS_H

#include "hexagon/profile.h"

#define HEXAGON_CALLS_DEPTH 256

struct hexagon_calls {
	unsigned int row;		/* of the feed */
	uint64_t now[HEXAGON_COSTS];	/* what the thread cost so far */
	unsigned int depth;
	struct {
		uint32_t number;
		uint64_t start[HEXAGON_COSTS];
	} call[HEXAGON_CALLS_DEPTH];
};

/* A call begins; the innermost `n` end. */
void hexagon_calls_begin(struct hexagon_calls *calls, struct hexagon_profile *profile, uint32_t number);
void hexagon_calls_end(struct hexagon_calls *calls, struct hexagon_profile *profile, unsigned int n);

#endif
