/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The caches of a Hexagon core: L1 instruction and data caches and the L2 behind them, shared by all
 * threads of the core. What they do is said in docs/hexagon-model.md, "Modelled: caches".
 *
 * Accesses come one at a time, in the order of the model's clocks (order.h).
 */
#ifndef HEXAGON_MEMORY_H
#define HEXAGON_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hexagon_cache_shape {
	uint32_t size;	/* bytes */
	uint32_t ways;
	uint32_t line;	/* bytes */
};

struct hexagon_memory_shape {
	struct hexagon_cache_shape l1i, l1d, l2;
	/* accesses to this range bypass the caches; size 0: there is no such range */
	uint32_t vtcm, vtcm_size;
};

enum hexagon_access {
	HEXAGON_FETCH,		/* an instruction line */
	HEXAGON_LOAD,
	HEXAGON_STORE,
	HEXAGON_ZERO,		/* dczeroa */
	HEXAGON_VECTOR_LOAD,	/* one line of the L2 */
	HEXAGON_VECTOR_STORE,
	HEXAGON_PREFETCH,	/* dcfetch */
	HEXAGON_L2_PREFETCH,	/* one line of an l2fetch */
	HEXAGON_CLEAN,		/* dccleana */
	HEXAGON_DROP,		/* dccleaninva */
	HEXAGON_DROP_CODE,	/* icinva */
	HEXAGON_ACCESSES
};

/* Where an access was served. */
enum hexagon_level {
	HEXAGON_NEAR,		/* in the first cache that it asked or in none, or where is not asked */
	HEXAGON_L2,
	HEXAGON_FAR,		/* in memory */
};

struct hexagon_cache {
	uint32_t *entry;	/* sets of ways, the latest first: line number << 1 | dirty */
	uint32_t ways;
	uint32_t mask;		/* sets - 1 */
	uint32_t shift;		/* of the line size */
};

struct hexagon_memory {
	struct hexagon_memory_shape shape;
	struct hexagon_cache l1i, l1d, l2;
};

/* The caches of a core version: what is published, else what is chosen (docs/hexagon-model.md). */
void hexagon_memory_usual(struct hexagon_memory_shape *shape, unsigned int version);

/*
 * NULL, or what is wrong with a shape: sizes and lines are powers of two, sets too, lines have 16 to
 * 256 bytes, and a line of an L1 is not longer than one of the L2.
 */
const char *hexagon_memory_check(const struct hexagon_memory_shape *shape);

/* Empty caches. False if there is no memory, or the shape is wrong. */
bool hexagon_memory_init(struct hexagon_memory *memory, const struct hexagon_memory_shape *shape);
void hexagon_memory_free(struct hexagon_memory *memory);

/* One access of a thread with these counters (packet.h). */
enum hexagon_level hexagon_memory_access(struct hexagon_memory *memory, uint64_t *count,
					 enum hexagon_access access, uint32_t address);

#endif
