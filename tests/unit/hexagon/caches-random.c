/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prints the counts of the caches for random accesses, for slow-caches.py:
 * 	caches-random ACCESSES SPREAD SIZE:WAYS:LINE SIZE:WAYS:LINE SIZE:WAYS:LINE
 * SPREAD is the range of addresses in bytes; the shapes are L1I, L1D, L2.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "hexagon/memory.h"
#include "hexagon/packet.h"

static bool parse(const char *text, struct hexagon_cache_shape *shape)
{
	return sscanf(text, "%u:%u:%u", &shape->size, &shape->ways, &shape->line) == 3;
}

int main(int argc, char **argv)
{
	struct hexagon_memory_shape shape = { 0 };
	uint64_t count[HEXAGON_COUNTS] = { 0 };
	struct hexagon_memory memory;
	uint64_t state = 1;

	if (argc != 6 || !parse(argv[3], &shape.l1i) || !parse(argv[4], &shape.l1d) ||
	    !parse(argv[5], &shape.l2) || !hexagon_memory_init(&memory, &shape))
		return 2;
	for (long i = atol(argv[1]); i; i--) {
		/* Knuth's MMIX generator: its upper bits are good */
		state = state * 6364136223846793005u + 1442695040888963407u;
		hexagon_memory_access(&memory, count, (state >> 58) % HEXAGON_ACCESSES, (state >> 24) % atol(argv[2]));
	}
	for (int c = HEXAGON_FETCHES; c < HEXAGON_COUNTS; c++)
		printf("%" PRIu64 "%c", count[c], c + 1 < HEXAGON_COUNTS ? ' ' : '\n');
	hexagon_memory_free(&memory);
	return 0;
}
