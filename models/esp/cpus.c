/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The processors of an ESP SoC: L1 caches, filters and requests to the L2. */
#include "esp/cpus.h"

#include <stdio.h>
#include <stdlib.h>

struct cpu_esp_tile {
	struct cpu_cache l1d, l1i;
	/* accesses that the filters passed on */
	uint64_t asked[CPU_ACCESSES];
	uint64_t l1d_misses, l1i_misses;
	/* the tile's virtual CPUs */
	unsigned int nfilters;
	struct cpu_filter *filter[CPU_MAX_VCPUS];
	uint64_t folded[CPU_MAX_VCPUS];	/* hits that are already added to the SoC's monitors */
};

void cpu_esp_params_init(struct cpu_esp_params *params)
{
	*params = (struct cpu_esp_params){
		.l1d_bytes = 32768, .l1d_ways = 8, .l1i_bytes = 16384, .l1i_ways = 4,
	};
}

static void added(struct cpu_sink *sink, unsigned int vcpu)
{
	struct cpu_esp *ce = (struct cpu_esp *)((char *)sink - offsetof(struct cpu_esp, sink));
	struct cpu_esp_tile *t = &ce->tile[vcpu % ce->ntiles];

	t->filter[t->nfilters++] = sink->filter[vcpu];
}

static bool geometry(const char *name, unsigned int bytes, unsigned int ways, unsigned int line,
		     unsigned int *sets, char *err, size_t err_len)
{
	*sets = bytes && ways ? bytes / line / ways : 1;
	if (!bytes || (ways && ways <= 64 && *sets && !(*sets & (*sets - 1)) &&
		       *sets * ways * line == bytes))
		return true;
	snprintf(err, err_len,
		 "%s of %u bytes and %u ways is not possible: with lines of %u bytes the number of sets must be a power of two",
		 name, bytes, ways, line);
	return false;
}

static void cpus_lost(void *opaque, unsigned int cpu, uint32_t line, bool whole)
{
	struct cpu_esp *ce = opaque;
	struct cpu_esp_tile *t = &ce->tile[cpu];
	unsigned int i;

	for (i = 0; i < t->nfilters; i++) {
		cpu_filter_clear(t->filter[i], CPU_STORE, line);
		if (whole)
			cpu_filter_clear(t->filter[i], CPU_LOAD, line);
	}
	if (!whole)
		return;
	cpu_cache_remove(&t->l1d, line);
	/* nothing to clear before the first fetch */
	if (!t->asked[CPU_FETCH])
		return;
	for (i = 0; i < t->nfilters; i++)
		cpu_filter_clear(t->filter[i], CPU_FETCH, line);
	cpu_cache_remove(&t->l1i, line);
}

struct cpu_esp *cpu_esp_new(struct esp_soc *soc, const struct cpu_esp_params *params,
			    char *err, size_t err_len)
{
	const struct esp_design *design = esp_soc_design(soc);
	unsigned int line = design->line_bits / 8, dsets, isets, i;
	struct cpu_esp *ce;

	if (!geometry("l1d", params->l1d_bytes, params->l1d_ways, line, &dsets, err, err_len) ||
	    !geometry("l1i", params->l1i_bytes, params->l1i_ways, line, &isets, err, err_len))
		return NULL;
	ce = calloc(1, sizeof(*ce));
	if (!ce)
		goto no_memory;
	ce->soc = soc;
	ce->sink.line_shift = __builtin_ctz(line);
	ce->sink.size = esp_soc_memory_end(soc);
	ce->sink.added = added;
	ce->ntiles = design->ncpu;
	ce->has_l2 = design->caches;
	ce->tile = calloc(ce->ntiles, sizeof(*ce->tile));
	if (!ce->tile)
		goto no_memory;
	for (i = 0; i < ce->ntiles; i++) {
		if (!cpu_cache_init(&ce->tile[i].l1d, dsets,
				    params->l1d_bytes ? params->l1d_ways : 0) ||
		    !cpu_cache_init(&ce->tile[i].l1i, isets,
				    params->l1i_bytes ? params->l1i_ways : 0))
			goto no_memory;
	}
	esp_soc_on_l2_loss(soc, cpus_lost, ce);
	return ce;

no_memory:
	cpu_esp_free(ce);
	snprintf(err, err_len, "out of memory");
	return NULL;
}

void cpu_esp_free(struct cpu_esp *ce)
{
	unsigned int i;

	if (!ce)
		return;
	esp_soc_on_l2_loss(ce->soc, NULL, NULL);
	for (i = 0; ce->tile && i < ce->ntiles; i++) {
		cpu_cache_free(&ce->tile[i].l1d);
		cpu_cache_free(&ce->tile[i].l1i);
	}
	free(ce->tile);
	cpu_sink_free(&ce->sink);
	free(ce);
}

_Static_assert(CPU_LOAD == (int)ESP_LOAD && CPU_STORE == (int)ESP_STORE && CPU_FETCH == (int)ESP_FETCH,
	       "both kinds of access are the same numbers");

static inline bool cpus_request(struct cpu_esp *ce, unsigned int cpu, enum cpu_access what,
				uint32_t line, bool events)
{
	enum esp_access kind = (enum esp_access)what;
	unsigned int size;
	uint64_t addr;

	if (ce->has_l2 && esp_soc_cpu_line_at_once(ce->soc, cpu, kind, line))
		return true;
	addr = (uint64_t)line << ce->sink.line_shift;
	/* without caches an L1 reads its whole line, and a store writes one word */
	size = what == CPU_STORE ? 1 : 1u << ce->sink.line_shift;
	if (!ce->has_l2 && esp_soc_cpu_access_at_once(ce->soc, cpu, kind, addr, size))
		return true;
	if (events)
		esp_soc_cpu_access(ce->soc, cpu, kind, addr, size);
	return events;
}

/* Inserts a line into an L1. The evicted line is no hit any more, so the filters forget it. */
static void insert_line(struct cpu_esp_tile *t, struct cpu_cache *l1, enum cpu_access what,
			uint32_t line)
{
	unsigned int i;
	uint32_t out;

	cpu_cache_insert(l1, line, &out);
	if (out == CPU_NO_LINE)
		return;
	for (i = 0; i < t->nfilters; i++)
		cpu_filter_clear(t->filter[i], what, out);
}

bool cpu_esp_access(struct cpu_esp *ce, unsigned int vcpu, enum cpu_access what, uint32_t line,
		    bool events)
{
	/* usually vcpu < ntiles, which saves the division */
	unsigned int cpu = vcpu < ce->ntiles ? vcpu : vcpu % ce->ntiles;
	struct cpu_esp_tile *t = &ce->tile[cpu];
	struct cpu_cache *l1 = what == CPU_FETCH ? &t->l1i : &t->l1d;
	bool hit = what != CPU_STORE && l1->ways && cpu_cache_find(l1, line) >= 0;

	if (!hit && !cpus_request(ce, cpu, what, line, events))
		return false;
	t->asked[what]++;
	if (what == CPU_STORE) {
		/* without events the access was a hit in the L2, which then holds the line */
		if (events ? esp_soc_l2_owns(ce->soc, cpu, line) : ce->has_l2)
			cpu_filter_set(ce->sink.filter[vcpu], what, line);
		return true;
	}
	if (!hit) {
		*(what == CPU_FETCH ? &t->l1i_misses : &t->l1d_misses) += 1;
		if (!l1->ways)
			return true;
		insert_line(t, l1, what, line);
	}
	cpu_filter_set(ce->sink.filter[vcpu], what, line);
	return true;
}

/* Only stores: loads and fetches hit in an L1, which has no monitor; stores are requests to the L2. */
static uint64_t not_folded(struct cpu_esp_tile *t)
{
	uint64_t n = 0;
	unsigned int i;

	for (i = 0; i < t->nfilters; i++) {
		uint64_t hits = cpu_filter_hits(t->filter[i], CPU_STORE);

		n += hits - t->folded[i];
		t->folded[i] = hits;
	}
	return n;
}

void cpu_esp_fold(struct cpu_esp *ce)
{
	unsigned int cpu;

	for (cpu = 0; cpu < ce->ntiles; cpu++)
		esp_soc_l2_hits(ce->soc, cpu, not_folded(&ce->tile[cpu]));
}

void cpu_esp_forget(struct cpu_esp *ce)
{
	unsigned int cpu;

	cpu_sink_forget(&ce->sink);
	for (cpu = 0; cpu < ce->ntiles; cpu++) {
		cpu_cache_clear(&ce->tile[cpu].l1d);
		cpu_cache_clear(&ce->tile[cpu].l1i);
		not_folded(&ce->tile[cpu]);
	}
}

void cpu_esp_counts(const struct cpu_esp *ce, unsigned int tile, struct cpu_esp_counts *counts)
{
	const struct cpu_esp_tile *t = &ce->tile[tile];
	uint64_t n[CPU_ACCESSES] = { 0 };
	unsigned int i, k;

	for (i = 0; i < CPU_ACCESSES; i++) {
		n[i] = t->asked[i];
		for (k = 0; k < t->nfilters; k++)
			n[i] += cpu_filter_hits(t->filter[k], i);
	}
	*counts = (struct cpu_esp_counts){
		.loads = n[CPU_LOAD], .stores = n[CPU_STORE], .fetches = n[CPU_FETCH],
		.l1d_misses = t->l1d_misses, .l1i_misses = t->l1i_misses,
		.l2_requests = n[CPU_STORE] + t->l1d_misses + t->l1i_misses,
	};
}
