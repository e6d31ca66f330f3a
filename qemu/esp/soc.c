/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Life of a SoC: creation, reset, time, saving and loading.
 */
#include "esp/cache.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "esp/kernel.h"

#define STATE_MAGIC	0x45535053u	/* "SPSE" */
#define STATE_VERSION	3

struct state_header {
	uint32_t magic, version;
	uint64_t size;
	uint64_t design;	/* hash of design and parameters */
	uint64_t sum;		/* hash of the arena */
};

void esp_params_init(struct esp_params *params)
{
	memset(params, 0, sizeof(*params));
	params->mem_base = 0x80000000;
	params->mem_size = 0x20000000;
	params->layout = 2023;
}

const struct esp_design *esp_soc_design(const struct esp_soc *soc)
{
	return &soc->design;
}

/* Agents in a binary heap; heap_pos is the place + 1, 0 for those without wake-up. */

static bool before(const struct esp_soc *soc, unsigned int a, unsigned int b)
{
	return soc->wake[a] < soc->wake[b] || (soc->wake[a] == soc->wake[b] && a < b);
}

static void put(struct esp_soc *soc, unsigned int at, unsigned int agent)
{
	soc->heap[at] = agent;
	soc->heap_pos[agent] = at + 1;
}

static void sift_up(struct esp_soc *soc, unsigned int at, unsigned int agent)
{
	while (at) {
		unsigned int parent = (at - 1) / 2;

		if (!before(soc, agent, soc->heap[parent]))
			break;
		put(soc, at, soc->heap[parent]);
		at = parent;
	}
	put(soc, at, agent);
}

static void sift_down(struct esp_soc *soc, unsigned int at, unsigned int agent)
{
	for (;;) {
		unsigned int child = 2 * at + 1;

		if (child >= soc->heap_len)
			break;
		if (child + 1 < soc->heap_len &&
		    before(soc, soc->heap[child + 1], soc->heap[child]))
			child++;
		if (!before(soc, soc->heap[child], agent))
			break;
		put(soc, at, soc->heap[child]);
		at = child;
	}
	put(soc, at, agent);
}

void esp_wake(struct esp_soc *soc, unsigned int agent, uint64_t cycle)
{
	if (cycle >= soc->wake[agent])
		return;
	soc->wake[agent] = cycle;
	sift_up(soc, soc->heap_pos[agent] ? soc->heap_pos[agent] - 1u : soc->heap_len++, agent);
}

static unsigned int pop(struct esp_soc *soc)
{
	unsigned int agent = soc->heap[0];

	soc->heap_len--;
	if (soc->heap_len)
		sift_down(soc, 0, soc->heap[soc->heap_len]);
	soc->heap_pos[agent] = 0;
	soc->wake[agent] = ESP_NEVER;
	return agent;
}

static void rebuild_heap(struct esp_soc *soc)
{
	unsigned int a;

	soc->heap_len = 0;
	memset(soc->heap_pos, 0, soc->nagents * sizeof(*soc->heap_pos));
	for (a = 0; a < soc->nagents; a++) {
		if (soc->wake[a] != ESP_NEVER)
			sift_up(soc, soc->heap_len++, a);
	}
}

static void run(struct esp_soc *soc, unsigned int agent)
{
	unsigned int tile;

	if (agent < ESP_NPLANES) {
		esp_noc_step(soc, agent);
		return;
	}
	tile = (agent - ESP_NPLANES) / ESP_AGENTS;
	switch ((agent - ESP_NPLANES) % ESP_AGENTS) {
	case ESP_AG_MEM:
		esp_mem_step(soc, soc->design.tiles[tile].id);
		break;
	case ESP_AG_LLC:
		esp_llc_step(soc, soc->design.tiles[tile].id);
		break;
	case ESP_AG_L2:
		esp_l2_step(soc, soc->tile_cache[tile]);
		break;
	case ESP_AG_ACC:
		esp_acc_step(soc, soc->design.tiles[tile].id);
		break;
	}
}

uint64_t esp_soc_now(const struct esp_soc *soc)
{
	return soc->st->now;
}

uint64_t esp_soc_next_event(const struct esp_soc *soc)
{
	return soc->heap_len ? soc->wake[soc->heap[0]] : ESP_NEVER;
}

void esp_soc_advance(struct esp_soc *soc, uint64_t cycle)
{
	while (soc->heap_len && soc->wake[soc->heap[0]] <= cycle) {
		uint64_t at = soc->wake[soc->heap[0]];

		if (at > soc->st->now)
			soc->st->now = at;
		run(soc, pop(soc));
	}
	if (cycle > soc->st->now)
		soc->st->now = cycle;
}

void esp_guest_error(struct esp_soc *soc, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (!soc->ops.guest_error)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	soc->ops.guest_error(soc->opaque, text);
}

/* Of all private caches together. */
static size_t l2_lines(const struct esp_soc *soc)
{
	const struct esp_l2_geometry *last = &soc->l2_geometry[soc->ncaches ? soc->ncaches - 1 : 0];

	return soc->ncaches ? last->first + (size_t)last->sets * last->ways : 0;
}

/* Hands out the arena; called twice, the first time to measure. */
static void lay_out(struct esp_soc *soc, uint8_t *base)
{
	const struct esp_l2_geometry *last = &soc->l2_geometry[soc->ncaches ? soc->ncaches - 1 : 0];
	size_t llc_sets = soc->design.caches ? soc->design.nmem * soc->design.llc_sets : 0;
	size_t at = 0;

#define CARVE(member, n) do { \
		at = (at + 63) & ~(size_t)63; \
		soc->member = base ? (void *)(base + at) : NULL; \
		at += (size_t)(n) * sizeof(*soc->member); \
	} while (0)

	CARVE(st, 1);
	CARVE(wake, soc->nagents);
	CARVE(tile, soc->ntiles);
	CARVE(packet, soc->npackets);
	CARVE(router, ESP_NPLANES * soc->ntiles);
	CARVE(fifo, (size_t)ESP_NPLANES * soc->ntiles * ESP_NPORTS * soc->fifo_depth);
	CARVE(mem, soc->design.nmem);
	CARVE(acc, soc->design.nacc);
	CARVE(l2, soc->ncaches);
	CARVE(l2_line, l2_lines(soc));
	CARVE(l2_tag, l2_lines(soc));
	CARVE(l2_turn, soc->ncaches ? last->first_set + last->sets : 0);
	CARVE(llc, soc->design.nmem);
	CARVE(llc_line, (size_t)llc_sets * soc->design.llc_ways);
	CARVE(llc_tag, (size_t)llc_sets * soc->design.llc_ways);
	CARVE(llc_turn, llc_sets);
	CARVE(plm, (size_t)soc->design.nacc * 2 * ESP_PLM_BYTES);
#undef CARVE
	soc->arena_size = at;
}

static bool refuse(char *err, size_t err_len, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static bool refuse(char *err, size_t err_len, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (err_len)
		vsnprintf(err, err_len, fmt, ap);
	va_end(ap);
	return false;
}

static bool power_of_two(unsigned int n)
{
	return n && !(n & (n - 1));
}

static bool check(const struct esp_design *d, const struct esp_params *p, char *err, size_t err_len)
{
	unsigned int t, io = 0, caches = d->ncpu;

	if (!d->rows || !d->cols || d->rows * d->cols > ESP_MAX_TILES)
		return refuse(err, err_len, "%ux%u tiles are not possible", d->rows, d->cols);
	for (t = 0; t < d->rows * d->cols; t++) {
		io += d->tiles[t].kind == ESP_TILE_IO;
		caches += d->tiles[t].kind == ESP_TILE_ACC && d->tiles[t].has_l2 &&
			  !strcmp(d->tiles[t].vendor, "sld");
	}
	if (!d->ncpu || d->ncpu > ESP_MAX_CPUS)
		return refuse(err, err_len, "%u cpu tiles, 1 to %u are possible", d->ncpu,
			      ESP_MAX_CPUS);
	if (!d->nmem || d->nmem > ESP_MAX_MEMS)
		return refuse(err, err_len, "%u mem tiles, 1 to %u are possible", d->nmem,
			      ESP_MAX_MEMS);
	if (io != 1)
		return refuse(err, err_len, "%u misc tiles, 1 is needed", io);
	if (d->caches && caches > 16)
		return refuse(err, err_len, "%u private caches, at most 16 are possible", caches);
	if (d->caches &&
	    !(power_of_two(d->l2_sets) && power_of_two(d->llc_sets) &&
	      power_of_two(d->acc_l2_sets) && d->l2_ways && d->llc_ways && d->acc_l2_ways))
		return refuse(err, err_len,
			      "the sets of a cache are not a power of two, or it has no ways");
	if (d->dma_noc_width < esp_design_arch_bits(d))
		return refuse(err, err_len, "the DMA NoC is narrower (%u bits) than a word (%u)",
			      d->dma_noc_width, esp_design_arch_bits(d));
	if (p->layout != 2021 && p->layout != 2023)
		return refuse(err, err_len, "layout %u is neither 2021 nor 2023", p->layout);
	if (p->mem_size < (uint64_t)4096 * d->nmem || p->mem_size % 4096 || p->mem_base % 4096)
		return refuse(err, err_len,
			      "memory of %llu bytes at 0x%llx is not made of whole pages",
			      (unsigned long long)p->mem_size, (unsigned long long)p->mem_base);
	if (p->mem_base + p->mem_size > (uint64_t)1 << 32)
		return refuse(err, err_len,
			      "memory ends above 4 GiB, ESP's addresses have 32 bits");
	return true;
}

static void add_cache(struct esp_soc *soc, unsigned int tile, unsigned int sets, unsigned int ways)
{
	struct esp_l2_geometry *g = &soc->l2_geometry[soc->ncaches];

	g->sets = sets;
	g->ways = ways;
	if (soc->ncaches) {
		g->first = g[-1].first + g[-1].sets * g[-1].ways;
		g->first_set = g[-1].first_set + g[-1].sets;
	}
	soc->tile_cache[tile] = soc->ncaches;
	soc->cache_tile[soc->ncaches++] = tile;
}

/* Caches are numbered: those of the CPUs in their order, then those of the accelerators. */
static void add_caches(struct esp_soc *soc)
{
	const struct esp_design *d = &soc->design;
	unsigned int i;

	for (i = 0; i < ESP_MAX_TILES; i++)
		soc->tile_cache[i] = ESP_NONE;
	if (!d->caches)
		return;
	for (i = 0; i < d->ncpu; i++)
		add_cache(soc, soc->cpu_tile[i], d->l2_sets, d->l2_ways);
	for (i = 0; i < d->nacc; i++) {
		if (d->tiles[soc->acc_tile[i]].has_l2 && soc->kernel[i])
			add_cache(soc, soc->acc_tile[i], d->acc_l2_sets, d->acc_l2_ways);
	}
}

struct esp_soc *esp_soc_new(const struct esp_design *design, const struct esp_params *params,
			    const struct esp_soc_ops *ops, void *opaque, char *err, size_t err_len)
{
	struct esp_soc *soc;
	unsigned int t;

	if (!check(design, params, err, err_len))
		return NULL;
	soc = calloc(1, sizeof(*soc));
	if (!soc)
		goto no_memory;
	soc->design = *design;
	soc->params = *params;
	soc->ops = *ops;
	soc->opaque = opaque;
	soc->ntiles = design->rows * design->cols;
	soc->word = esp_design_arch_bits(design) / 8;
	soc->line_shift = __builtin_ctz(design->line_bits / 8);
	soc->line_words = design->line_bits / 8 / soc->word;
	soc->line_flits = design->line_bits > design->coh_noc_width ?
			  design->line_bits / design->coh_noc_width : 1;
	soc->words_per_flit = design->dma_noc_width / 8 / soc->word;
	soc->fifo_depth = design->queue_size > 4 ? design->queue_size : 4;
	soc->npackets = 4096 + 256 * design->ncpu + 64 * design->nacc;
	soc->mem_per_tile = (params->mem_size / design->nmem + 4095) & ~(uint64_t)4095;
	for (t = 0; t < soc->ntiles; t++) {
		const struct esp_tile *tile = &design->tiles[t];

		if (tile->kind == ESP_TILE_CPU)
			soc->cpu_tile[tile->id] = t;
		else if (tile->kind == ESP_TILE_MEM)
			soc->mem_tile[tile->id] = t;
		else if (tile->kind == ESP_TILE_IO)
			soc->io_tile = t;
		else if (tile->kind == ESP_TILE_ACC) {
			soc->acc_tile[tile->id] = t;
			soc->kernel[tile->id] = esp_kernel_find(tile);
		}
	}
	add_caches(soc);
	soc->nagents = ESP_NPLANES + soc->ntiles * ESP_AGENTS;
	lay_out(soc, NULL);
	soc->arena = calloc(1, soc->arena_size);
	soc->heap = calloc(soc->nagents, sizeof(*soc->heap));
	soc->heap_pos = calloc(soc->nagents, sizeof(*soc->heap_pos));
	if (!soc->arena || !soc->heap || !soc->heap_pos)
		goto no_memory;
	lay_out(soc, soc->arena);
	if (!esp_fast_new(soc))
		goto no_memory;
	esp_soc_reset(soc);
	return soc;

no_memory:
	esp_soc_free(soc);
	refuse(err, err_len, "out of memory");
	return NULL;
}

void esp_soc_free(struct esp_soc *soc)
{
	if (!soc)
		return;
	esp_fast_free(soc);
	free(soc->heap_pos);
	free(soc->heap);
	free(soc->arena);
	free(soc);
}

void esp_soc_reset(struct esp_soc *soc)
{
	uint64_t now = soc->st->now;
	unsigned int a;

	/* Time goes on through a reset. */
	memset(soc->arena, 0, soc->arena_size);
	soc->st->now = soc->st->reset_at = now;
	for (a = 0; a < soc->nagents; a++)
		soc->wake[a] = ESP_NEVER;
	rebuild_heap(soc);
	if (soc->design.caches)
		memset(soc->llc_tag, 0xff, (size_t)soc->design.nmem * soc->design.llc_sets *
		       soc->design.llc_ways * sizeof(*soc->llc_tag));
	memset(soc->l2_tag, 0xff, l2_lines(soc) * sizeof(*soc->l2_tag));
	esp_fast_reset(soc);
	esp_noc_reset(soc);
	esp_monitor_reset(soc);
	esp_csr_reset(soc);
	esp_acc_reset(soc);
}

static uint64_t hash(uint64_t h, const void *data, size_t len)
{
	const uint8_t *p = data;
	uint64_t word;

	for (; len >= 8; len -= 8, p += 8) {
		memcpy(&word, p, 8);
		h = (h ^ word) * 0x100000001b3u;
		h ^= h >> 29;
	}
	while (len--)
		h = (h ^ *p++) * 0x100000001b3u;
	return h;
}

static uint64_t design_hash(const struct esp_soc *soc)
{
	const struct esp_design *d = &soc->design;
	uint32_t shape[] = {
		d->arch,
		d->rows,
		d->cols,
		d->scatter_gather,
		d->caches,
		d->coh_noc_width,
		d->dma_noc_width,
		d->queue_size,
		d->l2_sets,
		d->l2_ways,
		d->llc_sets,
		d->llc_ways,
		d->acc_l2_sets,
		d->acc_l2_ways,
		d->line_bits,
		soc->params.layout,
		soc->params.tlb_quirk,
	};
	uint64_t h = hash(0xcbf29ce484222325u, shape, sizeof(shape));
	unsigned int t;

	h = hash(h, &soc->params.mem_base, sizeof(soc->params.mem_base));
	h = hash(h, &soc->params.mem_size, sizeof(soc->params.mem_size));
	for (t = 0; t < soc->ntiles; t++) {
		uint32_t kind[] = { d->tiles[t].kind, d->tiles[t].has_l2, d->tiles[t].has_ddr };

		h = hash(h, kind, sizeof(kind));
		h = hash(h, d->tiles[t].name, strlen(d->tiles[t].name));
		h = hash(h, d->tiles[t].design_point, strlen(d->tiles[t].design_point));
		h = hash(h, d->tiles[t].vendor, strlen(d->tiles[t].vendor));
	}
	return h;
}

size_t esp_soc_save_size(const struct esp_soc *soc)
{
	return sizeof(struct state_header) + soc->arena_size;
}

void esp_soc_save(const struct esp_soc *soc, void *buf)
{
	struct state_header h = {
		.magic = STATE_MAGIC,
		.version = STATE_VERSION,
		.size = soc->arena_size,
		.design = design_hash(soc),
	};

	esp_fast_fold(soc);
	h.sum = hash(0, soc->arena, soc->arena_size);
	memcpy(buf, &h, sizeof(h));
	memcpy((uint8_t *)buf + sizeof(h), soc->arena, soc->arena_size);
}

bool esp_soc_load(struct esp_soc *soc, const void *buf, size_t len)
{
	const uint8_t *arena = (const uint8_t *)buf + sizeof(struct state_header);
	struct state_header h;

	if (len != esp_soc_save_size(soc))
		return false;
	memcpy(&h, buf, sizeof(h));
	if (h.magic != STATE_MAGIC || h.version != STATE_VERSION || h.size != soc->arena_size ||
	    h.design != design_hash(soc) || h.sum != hash(0, arena, soc->arena_size))
		return false;
	memcpy(soc->arena, arena, soc->arena_size);
	esp_fast_reset(soc);
	rebuild_heap(soc);
	return true;
}
