/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tags of a set-associative cache with FIFO replacement.
 *
 * A hit changes nothing, so a caller that knows a line to be present need not look it up again
 * until it is evicted.
 */
#ifndef CPU_CACHE_H
#define CPU_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/tags.h"

#define CPU_NO_LINE	UINT32_MAX

struct cpu_cache {
	unsigned int sets, ways;	/* sets: a power of two; 0 ways: there is no cache */
	uint32_t *tag;			/* [set * ways + way], CPU_NO_LINE if free */
	uint8_t *turn;			/* of each set: the way that is replaced next */
};

/* False if there is no memory for it. */
bool cpu_cache_init(struct cpu_cache *c, unsigned int sets, unsigned int ways);
void cpu_cache_free(struct cpu_cache *c);
/* Empties the cache and resets the replacement order. */
void cpu_cache_clear(struct cpu_cache *c);

static inline uint32_t *cpu_cache_set(const struct cpu_cache *c, uint32_t line)
{
	return &c->tag[(line & (c->sets - 1)) * c->ways];
}

/* Index of the line in tag[], or -1. */
static inline int cpu_cache_find(const struct cpu_cache *c, uint32_t line)
{
	const uint32_t *set = cpu_cache_set(c, line);
	int way = cpu_tags_find(set, c->ways, line);

	return way < 0 ? -1 : set - c->tag + way;
}

/*
 * Inserts a line that is not present: into the lowest free way, else into the oldest. Returns its
 * index in tag[]; *out is the evicted line, or CPU_NO_LINE.
 */
static inline unsigned int cpu_cache_insert(struct cpu_cache *c, uint32_t line, uint32_t *out)
{
	uint32_t *set = cpu_cache_set(c, line);
	int free_way = cpu_tags_find(set, c->ways, CPU_NO_LINE);
	uint8_t *turn = &c->turn[line & (c->sets - 1)];
	unsigned int way = *turn;

	*out = CPU_NO_LINE;
	if (free_way >= 0) {
		way = free_way;
	} else {
		*out = set[way];
		*turn = way + 1 == c->ways ? 0 : way + 1;
	}
	set[way] = line;
	return set - c->tag + way;
}

static inline void cpu_cache_remove(struct cpu_cache *c, uint32_t line)
{
	uint32_t *set = cpu_cache_set(c, line);
	int way = cpu_tags_find(set, c->ways, line);

	if (way >= 0)
		set[way] = CPU_NO_LINE;
}

#endif
