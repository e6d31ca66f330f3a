/* SPDX-License-Identifier: GPL-2.0-only */
#include "tests/unit/esp/traffic.h"

#include "esp/cache.h"
#include "esp/probe.h"

#define PAGE_TABLES	(MEM_BASE + 8 * 1024 * 1024)	/* outside the lines that are checked */

/* The model calls the functions of probe.h with its SoC only. */
static struct traffic *probed;

static bool known(const struct traffic *t, uint32_t line, uint32_t *index)
{
	*index = line - (MEM_BASE >> t->bench.soc->line_shift);
	return *index < t->nlines;
}

static void saw(struct traffic *t, unsigned int who, uint32_t line, uint64_t stamp)
{
	uint32_t i;

	if (!known(t, line, &i))
		return;
	if (t->strict)
		ck_assert_msg(stamp == t->latest[i], "line %u: stamp %lu read, %lu written last", i,
			      (unsigned long)stamp, (unsigned long)t->latest[i]);
	ck_assert_msg(stamp <= t->latest[i], "line %u: a stamp from nowhere", i);
	ck_assert_msg(stamp >= t->seen[who * t->nlines + i], "line %u: cache %u went back in time",
		      i, who);
	t->seen[who * t->nlines + i] = stamp;
}

static void wrote(struct traffic *t, uint32_t line, uint64_t old, uint64_t stamp)
{
	uint32_t i;

	if (!known(t, line, &i))
		return;
	/* A write to a part of a line needs the last data of the rest. */
	ck_assert_msg(old == ESP_WHOLE_LINE || old == t->latest[i], "line %u: a write was lost", i);
	ck_assert_uint_gt(stamp, t->latest[i]);
	t->latest[i] = stamp;
}

void esp_probe_load(struct esp_soc *soc, unsigned int cache, uint32_t line, uint64_t stamp)
{
	(void)soc;
	probed->loads++;
	saw(probed, cache, line, stamp);
}

void esp_probe_store(struct esp_soc *soc, unsigned int cache, uint32_t line, uint64_t old,
		     uint64_t stamp)
{
	uint32_t i;

	(void)soc;
	probed->stores++;
	wrote(probed, line, old, stamp);
	if (known(probed, line, &i))
		probed->seen[cache * probed->nlines + i] = stamp;
}

void esp_probe_dma_read(struct esp_soc *soc, unsigned int tile, uint32_t line, uint64_t stamp)
{
	(void)soc;
	(void)tile;
	probed->dma_reads++;
	saw(probed, ESP_MAX_CACHES, line, stamp);
}

void esp_probe_dma_write(struct esp_soc *soc, unsigned int tile, uint32_t line, uint64_t old,
			 uint64_t stamp)
{
	(void)soc;
	(void)tile;
	probed->dma_writes++;
	wrote(probed, line, old, stamp);
}

uint64_t esp_probe_ddr_read(struct esp_soc *soc, uint32_t line)
{
	uint32_t i;

	(void)soc;
	return known(probed, line, &i) ? probed->ddr[i] : 0;
}

void esp_probe_ddr_write(struct esp_soc *soc, uint32_t line, uint64_t stamp)
{
	uint32_t i;

	(void)soc;
	if (known(probed, line, &i))
		probed->ddr[i] = stamp;
}

void esp_probe_request(struct esp_soc *soc, unsigned int mem)
{
	(void)soc;
	probed->requests[mem]++;
}

void esp_probe_reply(struct esp_soc *soc, unsigned int mem)
{
	(void)soc;
	probed->replies[mem]++;
}

void traffic_open(struct traffic *t, const struct esp_design *design,
		  const struct esp_params *params)
{
	memset(t, 0, sizeof(*t));
	bench_open(&t->bench, design, params);
	/* A multiple of what the private caches hold, spread over all memory tiles. */
	t->nlines = 16384;
	t->latest = calloc(t->nlines, sizeof(*t->latest));
	t->ddr = calloc(t->nlines, sizeof(*t->ddr));
	t->seen = calloc((size_t)t->nlines * (ESP_MAX_CACHES + 1), sizeof(*t->seen));
	t->random = 1;
	probed = t;
}

void traffic_close(struct traffic *t)
{
	bench_close(&t->bench);
	free(t->latest);
	free(t->ddr);
	free(t->seen);
}

uint32_t traffic_random(struct traffic *t, uint32_t below)
{
	t->random ^= t->random << 13;
	t->random ^= t->random >> 17;
	t->random ^= t->random << 5;
	return t->random % below;
}

/*
 * A third each goes to very few lines, which caches share, to few lines that share sets, and to any
 * line.
 */
static uint32_t random_line(struct traffic *t)
{
	switch (traffic_random(t, 3)) {
	case 0:
		return traffic_random(t, 8) * 37;
	case 1:
		return traffic_random(t, 64) * 256 % t->nlines;
	default:
		return traffic_random(t, t->nlines);
	}
}

/* tokens words between two places; p2p: its register of that name. */
static void start_accelerator(struct traffic *t, unsigned int acc, uint32_t tokens, uint32_t p2p)
{
	struct bench *b = &t->bench;
	uint32_t line_bytes = 1u << b->soc->line_shift;
	uint32_t from = traffic_random(t, t->nlines - 64), to = traffic_random(t, t->nlines - 64);
	uint32_t table = PAGE_TABLES + acc * 4096;
	uint32_t odd = traffic_random(t, 2) * 8;

	/* Some at the few lines that the processors share. */
	if (!traffic_random(t, 4))
		from = to = traffic_random(t, 8) * 37;
	if (b->design.arch == ESP_ARCH_ARIANE)
		put64(b, table, MEM_BASE);
	else
		put32(b, table, MEM_BASE);
	acc_write(b, acc, ESP_ACC_PT_ADDRESS, table);
	acc_write(b, acc, ESP_ACC_PT_NCHUNK, 1);
	acc_write(b, acc, ESP_ACC_PT_SHIFT, 23);
	/* No non-coherent DMA: it reads what DRAM holds, by design. */
	/* In mode full an accelerator serves no requests of others: they would wait for ever. */
	acc_write(b, acc, ESP_ACC_COHERENCE, 1 + traffic_random(t, p2p ? 2 : 3));
	acc_write(b, acc, ESP_ACC_P2P, p2p);
	acc_write(b, acc, ESP_ACC_SRC_OFFSET, from * line_bytes + odd);
	acc_write(b, acc, ESP_ACC_DST_OFFSET, to * line_bytes + odd);
	acc_write(b, acc, 0x40, tokens);
	acc_write(b, acc, 0x44, 1);				/* BATCH */
	acc_write(b, acc, ESP_ACC_CMD, 1);
}

/* True if an accelerator is idle. Acknowledges one that is done. */
static bool rests(struct traffic *t, unsigned int acc)
{
	struct bench *b = &t->bench;
	uint32_t status;

	if (!b->soc->kernel[acc])
		return false;
	status = acc_read(b, acc, ESP_ACC_STATUS);
	if (status == ESP_ACC_STATUS_DONE)
		acc_write(b, acc, ESP_ACC_CMD, 0);
	return !status && !(acc_read(b, acc, ESP_ACC_CMD) & 1);
}

/* One accelerator alone, or one that sends its data to another one. */
static void accelerators(struct traffic *t)
{
	struct bench *b = &t->bench;
	uint32_t tokens = (1 + traffic_random(t, 64)) * (1u << b->soc->line_shift) / 8;
	unsigned int acc, to, tile, bits = esp_yx_width(b->soc);

	if (!b->design.nacc)
		return;
	acc = traffic_random(t, b->design.nacc);
	to = traffic_random(t, b->design.nacc);
	if (!rests(t, acc))
		return;
	if (acc == to || !rests(t, to) || traffic_random(t, 2)) {
		start_accelerator(t, acc, tokens, 0);
		return;
	}
	tile = b->soc->acc_tile[acc];
	start_accelerator(t, acc, tokens, 1 << 3);
	start_accelerator(t, to, tokens,
			  1 << 2 | tile % b->design.cols << 4 |
			  tile / b->design.cols << (4 + bits));
}

void traffic_run(struct traffic *t, uint64_t operations)
{
	struct bench *b = &t->bench;
	uint64_t n = 0;

	while (t->loads + t->stores + t->dma_reads + t->dma_writes < operations) {
		unsigned int cpu = traffic_random(t, b->design.ncpu), kind = traffic_random(t, 8);
		uint64_t addr = MEM_BASE + ((uint64_t)random_line(t) << b->soc->line_shift);

		esp_soc_cpu_access(b->soc, cpu,
				   kind < 4 ? ESP_LOAD
				   : kind < 7 ? ESP_STORE
					      : ESP_FETCH,
				   addr, 4);
		if (t->strict) {
			settle(b);
			continue;
		}
		if (!traffic_random(t, 256))
			accelerators(t);
		/* Sometimes flush the caches that software can flush. */
		if (!traffic_random(t, 20000)) {
			cpu = traffic_random(t, b->design.ncpu);
			bench_write(b, ESP_L2_CTRL + ESP_CACHE_CTRL_STRIDE * cpu,
				    ESP_CACHE_CMD_FLUSH |
				    (traffic_random(t, 2) ? ESP_CACHE_CMD_FLUSH_I : 0));
		}
		if (!traffic_random(t, 20000))
			bench_write(b, ESP_LLC_CTRL +
				    ESP_CACHE_CTRL_STRIDE * traffic_random(t, b->design.nmem),
				    ESP_CACHE_CMD_FLUSH);
		/* A burst of accesses in one cycle, then some cycles. */
		if (!traffic_random(t, 4))
			esp_soc_advance(b->soc, esp_soc_now(b->soc) + traffic_random(t, 64));
		ck_assert_msg(++n < 100 * operations + 1000, "no progress");
	}
}

static void check_copy(struct traffic *t, unsigned int cache, const struct esp_l2_line *l)
{
	const struct esp_soc *soc = t->bench.soc;
	const struct esp_llc_line *d = esp_llc_lookup(soc, esp_line_home(soc, l->line), l->line);
	uint32_t i;

	ck_assert_msg(d != NULL, "cache %u holds line %x, its directory does not", cache, l->line);
	if (l->state == ESP_L2_S)
		ck_assert_msg(d->state == ESP_LLC_S && d->sharers & 1u << cache,
			      "cache %u shares line %x, the directory has state %u, sharers %x",
			      cache, l->line, d->state, d->sharers);
	else
		ck_assert_msg((d->state == ESP_LLC_E || d->state == ESP_LLC_M) && d->owner == cache,
			      "cache %u owns line %x, the directory has state %u, owner %u", cache,
			      l->line, d->state, d->owner);
	if (known(t, l->line, &i))
		ck_assert_msg(l->stamp == t->latest[i], "cache %u has a stale copy of line %u",
			      cache, i);
}

static void check_directory(struct traffic *t, unsigned int mem, const struct esp_llc_line *d)
{
	const struct esp_soc *soc = t->bench.soc;
	uint32_t i;

	ck_assert_uint_ne(d->state, ESP_LLC_SD);
	ck_assert_uint_eq(esp_line_home(soc, d->line), mem);
	ck_assert_ptr_eq(esp_llc_lookup(soc, mem, d->line), d);
	if (!known(t, d->line, &i))
		return;
	if (d->state == ESP_LLC_V || d->state == ESP_LLC_S) {
		ck_assert_msg(d->stamp == t->latest[i], "the LLC has a stale copy of line %u", i);
		if (!d->dirty)
			ck_assert_msg(t->ddr[i] == t->latest[i], "line %u is clean and DRAM is old",
				      i);
	} else {
		const struct esp_l2_geometry *g = &soc->l2_geometry[d->owner];
		const struct esp_l2_line *l =
			&soc->l2_line[g->first + (size_t)(d->line & (g->sets - 1)) * g->ways];
		unsigned int way;

		for (way = 0; way < g->ways; way++) {
			if (l[way].state > ESP_L2_S && l[way].line == d->line)
				return;
		}
		ck_abort_msg("line %u: the directory's owner %u does not have it", i, d->owner);
	}
}

static void check_conservation(const struct traffic *t)
{
	const struct esp_soc *soc = t->bench.soc;
	unsigned int plane, mem, why;

	for (plane = 0; plane < ESP_NPLANES; plane++)
		ck_assert_uint_eq(soc->st->plane[plane].injected, soc->st->plane[plane].delivered);
	ck_assert_uint_eq(soc->st->packets_used, 0);
	for (mem = 0; mem < soc->design.nmem; mem++) {
		uint64_t beats = 0;

		ck_assert_uint_eq(t->requests[mem], t->replies[mem]);
		for (why = 0; why < ESP_BEATS; why++)
			beats += soc->mem[mem].beats[why];
		ck_assert_uint_eq(soc->tile[soc->mem_tile[mem]].mon[ESP_MON_DDR], (uint32_t)beats);
	}
}

void traffic_check(struct traffic *t)
{
	const struct esp_soc *soc = t->bench.soc;
	size_t lines = (size_t)soc->design.llc_sets * soc->design.llc_ways, i;
	unsigned int cache, mem, acc;

	for (acc = 0; acc < soc->design.nacc; acc++)
		settle(&t->bench);
	settle(&t->bench);
	check_conservation(t);
	if (!soc->design.caches)
		return;
	for (cache = 0; cache < soc->ncaches; cache++) {
		const struct esp_l2_geometry *g = &soc->l2_geometry[cache];

		for (i = 0; i < (size_t)g->sets * g->ways; i++) {
			if (soc->l2_line[g->first + i].state != ESP_L2_I)
				check_copy(t, cache, &soc->l2_line[g->first + i]);
		}
	}
	for (mem = 0; mem < soc->design.nmem; mem++) {
		for (i = 0; i < lines; i++) {
			if (soc->llc_line[mem * lines + i].state != ESP_LLC_I)
				check_directory(t, mem, &soc->llc_line[mem * lines + i]);
		}
	}
}
