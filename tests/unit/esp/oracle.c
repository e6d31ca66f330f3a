/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/unit/esp/oracle.h"

#include <stdlib.h>

#include "esp/cache.h"

struct way {
	bool valid;
	uint32_t line;
};

struct l1 {
	unsigned int sets, ways;
	struct way *way;	/* [set * ways + way] */
	unsigned int *next;	/* for each set: the way that is replaced when all are in use */
};

struct cpu_oracle {
	struct esp_soc *soc;
	unsigned int ntiles, line_bytes;
	struct l1 *l1d, *l1i;	/* of a CPU tile */
	struct cpu_esp_counts *counts;
};

static bool l1_new(struct l1 *l1, unsigned int bytes, unsigned int ways, unsigned int line_bytes)
{
	*l1 = (struct l1){ 0 };
	if (!bytes)
		return true;
	l1->ways = ways;
	l1->sets = bytes / ways / line_bytes;
	l1->way = calloc((size_t)l1->sets * ways, sizeof(*l1->way));
	l1->next = calloc(l1->sets, sizeof(*l1->next));
	return l1->way && l1->next;
}

static void l1_free(struct l1 *l1)
{
	free(l1->way);
	free(l1->next);
}

static bool l1_has(const struct l1 *l1, uint32_t line)
{
	unsigned int i;

	for (i = 0; i < l1->ways; i++) {
		const struct way *w = &l1->way[line % l1->sets * l1->ways + i];

		if (w->valid && w->line == line)
			return true;
	}
	return false;
}

static void l1_add(struct l1 *l1, uint32_t line)
{
	unsigned int set, i;

	if (!l1->ways)
		return;
	set = line % l1->sets;
	for (i = 0; i < l1->ways && l1->way[set * l1->ways + i].valid; i++)
		;
	if (i == l1->ways) {
		i = l1->next[set];
		l1->next[set] = (i + 1) % l1->ways;
	}
	l1->way[set * l1->ways + i] = (struct way){ true, line };
}

struct cpu_oracle *cpu_oracle_new(struct esp_soc *soc, const struct cpu_esp_params *params)
{
	const struct esp_design *design = esp_soc_design(soc);
	struct cpu_oracle *o = calloc(1, sizeof(*o));
	unsigned int i;

	if (!o)
		return NULL;
	o->soc = soc;
	o->line_bytes = design->line_bits / 8;
	o->l1d = calloc(design->ncpu, sizeof(*o->l1d));
	o->l1i = calloc(design->ncpu, sizeof(*o->l1i));
	o->counts = calloc(design->ncpu, sizeof(*o->counts));
	for (i = 0; o->l1d && o->l1i && o->counts && i < design->ncpu; i++) {
		if (!l1_new(&o->l1d[i], params->l1d_bytes, params->l1d_ways, o->line_bytes) ||
		    !l1_new(&o->l1i[i], params->l1i_bytes, params->l1i_ways, o->line_bytes))
			break;
		o->ntiles++;
	}
	if (o->ntiles == design->ncpu)
		return o;
	cpu_oracle_free(o);
	return NULL;
}

void cpu_oracle_free(struct cpu_oracle *o)
{
	unsigned int i;

	for (i = 0; i < o->ntiles; i++) {
		l1_free(&o->l1d[i]);
		l1_free(&o->l1i[i]);
	}
	free(o->l1d);
	free(o->l1i);
	free(o->counts);
	free(o);
}

static void purge(const struct cpu_oracle *o, struct l1 *l1, unsigned int tile)
{
	unsigned int i;

	for (i = 0; i < l1->sets * l1->ways; i++) {
		if (l1->way[i].valid &&
		    (!o->soc->design.caches || !esp_l2_lookup(o->soc, tile, l1->way[i].line)))
			l1->way[i].valid = false;
	}
}

static void ask_l2(struct cpu_oracle *o, unsigned int tile, enum cpu_access what, uint64_t addr)
{
	static const enum esp_access kind[] = {
		[CPU_LOAD] = ESP_LOAD, [CPU_STORE] = ESP_STORE, [CPU_FETCH] = ESP_FETCH,
	};
	unsigned int i;

	addr -= addr % o->line_bytes;
	o->counts[tile].l2_requests++;
	esp_soc_cpu_access(o->soc, tile, kind[what], addr, what == CPU_STORE ? 1 : o->line_bytes);
	/* a hit sends nothing and evicts nothing */
	if (esp_soc_next_event(o->soc) == UINT64_MAX)
		return;
	while (esp_soc_next_event(o->soc) != UINT64_MAX)
		esp_soc_advance(o->soc, esp_soc_next_event(o->soc));
	if (!esp_soc_design(o->soc)->caches)
		return;
	for (i = 0; i < o->ntiles; i++) {
		purge(o, &o->l1d[i], i);
		purge(o, &o->l1i[i], i);
	}
}

void cpu_oracle_access(struct cpu_oracle *o, unsigned int vcpu, enum cpu_access what,
		       uint64_t addr)
{
	unsigned int tile = vcpu % o->ntiles;
	struct cpu_esp_counts *n = &o->counts[tile];
	uint32_t line = addr / o->line_bytes;

	switch (what) {
	case CPU_STORE:
		n->stores++;
		ask_l2(o, tile, what, addr);
		return;
	case CPU_LOAD:
		n->loads++;
		if (l1_has(&o->l1d[tile], line))
			return;
		n->l1d_misses++;
		ask_l2(o, tile, what, addr);
		l1_add(&o->l1d[tile], line);
		return;
	default:
		n->fetches++;
		if (l1_has(&o->l1i[tile], line))
			return;
		n->l1i_misses++;
		ask_l2(o, tile, what, addr);
		l1_add(&o->l1i[tile], line);
	}
}

void cpu_oracle_counts(const struct cpu_oracle *o, unsigned int tile,
		       struct cpu_esp_counts *counts)
{
	*counts = o->counts[tile];
}

bool cpu_oracle_l1_holds(const struct cpu_oracle *o, unsigned int tile, bool instructions,
			 uint32_t line)
{
	return l1_has(instructions ? &o->l1i[tile] : &o->l1d[tile], line);
}
