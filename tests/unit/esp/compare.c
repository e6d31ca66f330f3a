/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/unit/esp/compare.h"

#include <stdio.h>
#include <string.h>

/* Accesses between two comparisons of all monitors. */
#define ALL_EVERY	65536

static bool no_memory(void *opaque, uint64_t addr, void *buf, size_t len)
{
	(void)opaque;
	(void)addr;
	memset(buf, 0, len);
	return true;
}

static bool no_store(void *opaque, uint64_t addr, const void *buf, size_t len)
{
	(void)opaque;
	(void)addr;
	(void)buf;
	(void)len;
	return true;
}

bool compare_open(struct compare *c, const struct esp_design *design,
		  const struct esp_params *params, const struct cpu_esp_params *l1,
		  unsigned int vcpus)
{
	static const struct esp_soc_ops ops = { .mem_read = no_memory, .mem_write = no_store };
	unsigned int i;

	memset(c, 0, sizeof(*c));
	c->vcpus = vcpus;
	c->fast_soc = esp_soc_new(design, params, &ops, NULL, c->why, sizeof(c->why));
	c->plain_soc = esp_soc_new(design, params, &ops, NULL, c->why, sizeof(c->why));
	if (!c->fast_soc || !c->plain_soc)
		return false;
	c->fast = cpu_esp_new(c->fast_soc, l1, c->why, sizeof(c->why));
	c->plain = cpu_oracle_new(c->plain_soc, l1);
	for (i = 0; c->fast && i < vcpus; i++) {
		if (!cpu_sink_add(&c->fast->sink, i))
			return false;
	}
	return c->fast && c->plain;
}

void compare_close(struct compare *c)
{
	cpu_esp_free(c->fast);
	cpu_oracle_free(c->plain);
	esp_soc_free(c->fast_soc);
	esp_soc_free(c->plain_soc);
}

static bool same(struct compare *c, unsigned int tile, unsigned int monitor)
{
	uint32_t fast = esp_soc_monitor(c->fast_soc, tile, monitor);
	uint32_t plain = esp_soc_monitor(c->plain_soc, tile, monitor);

	if (fast == plain)
		return true;
	snprintf(c->why, sizeof(c->why),
		 "access %llu: monitor %u of tile %u is %u, the reference says %u",
		 (unsigned long long)c->n, monitor, tile, fast, plain);
	return false;
}

bool compare_all(struct compare *c)
{
	const struct esp_design *d = esp_soc_design(c->fast_soc);
	unsigned int tile, i;

	cpu_esp_fold(c->fast);
	for (tile = 0; tile < d->rows * d->cols; tile++) {
		for (i = 0; i < ESP_NMON; i++) {
			if ((i < ESP_MON_DVFS(0) || i > ESP_MON_DVFS(3)) && !same(c, tile, i))
				return false;
		}
	}
	return true;
}

bool compare_access(struct compare *c, unsigned int vcpu, enum cpu_access what, uint64_t addr)
{
	const struct esp_design *d = esp_soc_design(c->fast_soc);
	uint32_t line = addr >> c->fast->sink.line_shift;
	struct cpu_esp_counts fast, plain;
	unsigned int tile, kind;

	c->n++;
	if (!cpu_filter_hit(c->fast->sink.filter[vcpu], what, line) &&
	    !cpu_esp_access(c->fast, vcpu, what, line, false)) {
		snprintf(c->why, sizeof(c->why), "access %llu: the SoC is not at rest",
			 (unsigned long long)c->n);
		return false;
	}
	cpu_oracle_access(c->plain, vcpu, what, addr);
	cpu_esp_counts(c->fast, vcpu % d->ncpu, &fast);
	cpu_oracle_counts(c->plain, vcpu % d->ncpu, &plain);
	if (memcmp(&fast, &plain, sizeof(fast))) {
		snprintf(c->why, sizeof(c->why),
			 "access %llu: L1 misses %llu and %llu, the reference says %llu and %llu",
			 (unsigned long long)c->n, (unsigned long long)fast.l1d_misses,
			 (unsigned long long)fast.l1i_misses, (unsigned long long)plain.l1d_misses,
			 (unsigned long long)plain.l1i_misses);
		return false;
	}
	if (c->n % ALL_EVERY == 0 && !compare_all(c))
		return false;
	cpu_esp_fold(c->fast);
	for (tile = 0; tile < d->rows * d->cols; tile++) {
		kind = d->tiles[tile].kind;
		if (kind == ESP_TILE_CPU &&
		    (!same(c, tile, ESP_MON_L2_HIT) || !same(c, tile, ESP_MON_L2_MISS)))
			return false;
		if (kind == ESP_TILE_MEM &&
		    (!same(c, tile, ESP_MON_LLC_HIT) || !same(c, tile, ESP_MON_LLC_MISS) ||
		     !same(c, tile, ESP_MON_DDR)))
			return false;
	}
	return true;
}
