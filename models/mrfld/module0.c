/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CPU module 0 of Merrifield: its L2 cache. */
#include "mrfld/module0.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cpu_module0_params_init(struct cpu_module0_params *params)
{
	*params = (struct cpu_module0_params){ .bytes = 1u << 20, .ways = 16 };
}

struct cpu_module0 *cpu_module0_new(const struct cpu_module0_params *params, uint64_t memory,
				    void (*request)(void *opaque, bool write, uint64_t addr),
				    void *opaque, char *err, size_t err_len)
{
	unsigned int ways = params->ways;
	unsigned int sets = ways ? params->bytes / CPU_MODULE0_LINE / ways : 0;
	struct cpu_module0 *m;

	if (!sets || sets & (sets - 1) || ways > 64 ||
	    sets * ways * CPU_MODULE0_LINE != params->bytes) {
		snprintf(err, err_len,
			 "mod0 of %u bytes and %u ways is not possible: with lines of %u bytes the number of sets must be a power of two",
			 params->bytes, ways, CPU_MODULE0_LINE);
		return NULL;
	}
	m = calloc(1, sizeof(*m));
	if (!m || !cpu_cache_init(&m->l2, sets, ways))
		goto no_memory;
	m->dirty = calloc(sets, ways);
	if (!m->dirty)
		goto no_memory;
	m->sink.line_shift = __builtin_ctz(CPU_MODULE0_LINE);
	m->sink.size = memory;
	m->request = request;
	m->opaque = opaque;
	return m;

no_memory:
	cpu_module0_free(m);
	snprintf(err, err_len, "out of memory");
	return NULL;
}

void cpu_module0_free(struct cpu_module0 *m)
{
	if (!m)
		return;
	cpu_sink_free(&m->sink);
	cpu_cache_free(&m->l2);
	free(m->dirty);
	free(m);
}

static void evicted(struct cpu_module0 *m, uint32_t line, bool dirty)
{
	unsigned int i;

	for (i = 0; i < CPU_MAX_VCPUS; i++) {
		if (!m->sink.filter[i])
			continue;
		cpu_filter_clear(m->sink.filter[i], CPU_LOAD, line);
		cpu_filter_clear(m->sink.filter[i], CPU_STORE, line);
		cpu_filter_clear(m->sink.filter[i], CPU_FETCH, line);
	}
	if (!dirty)
		return;
	m->write_backs++;
	m->request(m->opaque, true, (uint64_t)line * CPU_MODULE0_LINE);
}

void cpu_module0_access(struct cpu_module0 *m, unsigned int vcpu, enum cpu_access what,
			uint32_t line)
{
	int at = cpu_cache_find(&m->l2, line);

	m->asked[what]++;
	if (at < 0) {
		uint32_t out;

		at = cpu_cache_insert(&m->l2, line, &out);
		if (out != CPU_NO_LINE)
			evicted(m, out, m->dirty[at]);
		m->dirty[at] = false;
		m->misses++;
		m->request(m->opaque, false, (uint64_t)line * CPU_MODULE0_LINE);
	}
	m->dirty[at] |= what == CPU_STORE;
	cpu_filter_set(m->sink.filter[vcpu], what, line);
}

void cpu_module0_forget(struct cpu_module0 *m)
{
	cpu_sink_forget(&m->sink);
	cpu_cache_clear(&m->l2);
	memset(m->dirty, 0, (size_t)m->l2.sets * m->l2.ways);
}
