/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tags of a set-associative cache. */
#include "cpu/cache.h"

#include <stdlib.h>
#include <string.h>

bool cpu_cache_init(struct cpu_cache *c, unsigned int sets, unsigned int ways)
{
	*c = (struct cpu_cache){ .sets = sets, .ways = ways };
	if (!ways)
		return true;
	c->tag = malloc((size_t)sets * ways * sizeof(*c->tag));
	c->turn = malloc(sets);
	if (!c->tag || !c->turn) {
		cpu_cache_free(c);
		return false;
	}
	cpu_cache_clear(c);
	return true;
}

void cpu_cache_free(struct cpu_cache *c)
{
	free(c->tag);
	free(c->turn);
	*c = (struct cpu_cache){ 0 };
}

void cpu_cache_clear(struct cpu_cache *c)
{
	if (!c->ways)
		return;
	memset(c->tag, 0xff, (size_t)c->sets * c->ways * sizeof(*c->tag));
	memset(c->turn, 0, c->sets);
}
