/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Life cycle of a SoC: creation, reset, time, saving and loading. */
#include "esp/cache.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "esp/kernel.h"
#include "esp/remote.h"

#define STATE_MAGIC	0x45535053u	/* "SPSE" */
#define STATE_VERSION	14

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
	params->tlb_quirk = true;
}

const struct esp_design *esp_soc_design(const struct esp_soc *soc)
{
	return &soc->design;
}

static const struct esp_agent_kind
	plane_kind = { .step = esp_noc_step },
	mem_kind = { .step = esp_mem_step },
	llc_kind = { .step = esp_llc_step, .receive = esp_llc_response },
	request_kind = { .reads = esp_llc_reads, .receive = esp_llc_request },
	l2_kind = { .step = esp_l2_step, .receive = esp_l2_message },
	acc_kind = { .step = esp_acc_step, .takes = esp_dma_takes, .receive = esp_dma_receive,
		     .sent = esp_dma_sent },
	register_kind = { .receive = esp_csr_receive },
	cpu_kind = { .receive = esp_cpu_receive },
	nobody = { .receive = esp_noc_drop };

static void set_agents(struct esp_soc *soc)
{
	struct esp_agent_entry *agent = soc->agenda.agent;
	unsigned int plane, tile;

	for (plane = 0; plane < ESP_NPLANES; plane++)
		agent[plane] = (struct esp_agent_entry){ &plane_kind, plane };
	for (tile = 0; tile < soc->ntiles; tile++) {
		uint16_t id = soc->design.tiles[tile].id;

		agent[ESP_AGENT(tile, ESP_AG_MEM)] = (struct esp_agent_entry){ &mem_kind, id };
		agent[ESP_AGENT(tile, ESP_AG_LLC)] = (struct esp_agent_entry){ &llc_kind, id };
		agent[ESP_AGENT(tile, ESP_AG_L2)] =
			(struct esp_agent_entry){ &l2_kind, soc->tile_cache[tile] };
		agent[ESP_AGENT(tile, ESP_AG_ACC)] = (struct esp_agent_entry){ &acc_kind, id };
	}
}

/*
 * Requests to a memory tile wait in its queues until its engines read them. All other messages are
 * taken as they come, because their receivers wait for them and have room.
 */
static struct esp_receiver receiver_of(const struct esp_soc *soc, unsigned int plane,
				       unsigned int tile)
{
	const struct esp_tile *t = &soc->design.tiles[tile];
	bool mem = t->kind == ESP_TILE_MEM, response = plane == ESP_PL_RSP;
	struct esp_receiver to = { .entry = { &nobody, 0 } };

	if (plane == ESP_PL_REG)
		to.entry = (struct esp_agent_entry){ &register_kind, tile };
	else if (mem && plane == ESP_PL_DMA6)
		to.queue = ESP_AGENT(tile, ESP_AG_MEM);
	else if (mem && plane == ESP_PL_DMA4)
		to.queue = ESP_AGENT(tile, ESP_AG_LLC);
	else if (mem && plane == ESP_PL_REQ)
		to = (struct esp_receiver){ { &request_kind, t->id }, ESP_AGENT(tile, ESP_AG_LLC) };
	else if (plane == ESP_PL_DMA4 || plane == ESP_PL_DMA6) {
		if (t->kind == ESP_TILE_ACC && soc->kernel[t->id])
			to.entry = (struct esp_agent_entry){ &acc_kind, t->id };
	} else if (mem && response)
		to.entry = (struct esp_agent_entry){ &llc_kind, t->id };
	else if (soc->tile_cache[tile] != ESP_NONE && plane != ESP_PL_REQ)
		to.entry = (struct esp_agent_entry){ &l2_kind, soc->tile_cache[tile] };
	else if (t->kind == ESP_TILE_CPU && response)
		to.entry = (struct esp_agent_entry){ &cpu_kind, t->id };
	return to;
}

static bool set_receivers(struct esp_soc *soc)
{
	unsigned int plane, tile;

	soc->receiver = calloc((size_t)ESP_NPLANES * soc->ntiles, sizeof(*soc->receiver));
	if (!soc->receiver)
		return false;
	for (plane = 0; plane < ESP_NPLANES; plane++) {
		for (tile = 0; tile < soc->ntiles; tile++)
			soc->receiver[plane * soc->ntiles + tile] = receiver_of(soc, plane, tile);
	}
	soc->l2_served = esp_dma_l2_done;
	return true;
}

/* Lays out the arena; called twice, the first time to measure it. */
static void lay_out(struct esp_soc *soc, uint8_t *base)
{
	size_t llc_sets = soc->design.caches ? soc->design.nmem * soc->design.llc_sets : 0;
	size_t at = 0;
	unsigned int acc;

#define CARVE(member, n) do { \
		at = (at + 63) & ~(size_t)63; \
		soc->member = base ? (void *)(base + at) : NULL; \
		at += (size_t)(n) * sizeof(*soc->member); \
	} while (0)

	CARVE(st, 1);
	CARVE(wake, soc->agenda.nagents);
	CARVE(tile, soc->ntiles);
	CARVE(packet, soc->npackets);
	CARVE(router, ESP_NPLANES * soc->ntiles);
	CARVE(fifo, (size_t)ESP_NPLANES * soc->ntiles * ESP_NPORTS * soc->fifo_depth);
	CARVE(mem, soc->design.nmem);
	CARVE(acc, soc->design.nacc);
	CARVE(l2, soc->ncaches);
	CARVE(l2_line, soc->l2_lines);
	CARVE(l2_tag, soc->l2_lines);
	CARVE(l2_turn, soc->l2_sets);
	CARVE(llc, soc->design.nmem);
	CARVE(llc_line, (size_t)llc_sets * soc->design.llc_ways);
	CARVE(llc_tag, (size_t)llc_sets * soc->design.llc_ways);
	CARVE(llc_turn, llc_sets);
	for (acc = 0; acc < soc->design.nacc; acc++)
		CARVE(acc_data[acc], soc->kernel[acc] ? soc->kernel[acc]->state_size : 0);
#undef CARVE
	soc->arena_size = at;
}

static bool soc_refuse(char *err, size_t err_len, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static bool soc_refuse(char *err, size_t err_len, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (err_len)
		vsnprintf(err, err_len, fmt, ap);
	va_end(ap);
	return false;
}

static bool soc_check(const struct esp_design *d, const struct esp_params *p, char *err,
		      size_t err_len)
{
	const char *refusal = esp_design_refusal(d);

	if (refusal)
		return soc_refuse(err, err_len, "%s", refusal);
	if (espmon_register_of(p->layout, ESPMON_coh_reqs) < 0)
		return soc_refuse(err, err_len, "layout %u is none of 2021, 2023, 2026 and %u (vespa)",
				  p->layout, ESPMON_LAYOUT_VESPA);
	if (p->mem_size < (uint64_t)4096 * d->nmem || p->mem_size % 4096 || p->mem_base % 4096)
		return soc_refuse(err, err_len,
				  "memory of %llu bytes at 0x%llx is not made of whole pages",
				  (unsigned long long)p->mem_size, (unsigned long long)p->mem_base);
	if (p->mem_base + p->mem_size > (uint64_t)1 << 32)
		return soc_refuse(err, err_len,
				  "memory ends above 4 GiB, ESP's addresses have 32 bits");
	return true;
}

static void add_cache(struct esp_soc *soc, unsigned int tile, unsigned int sets, unsigned int ways)
{
	soc->l2_geometry[soc->ncaches] = (struct esp_l2_geometry){
		.sets = sets, .ways = ways, .first = soc->l2_lines, .first_set = soc->l2_sets,
	};
	soc->l2_lines += sets * ways;
	soc->l2_sets += sets;
	soc->tile_cache[tile] = soc->ncaches;
	soc->cache_tile[soc->ncaches++] = tile;
}

/* Numbers of caches: those of the CPUs in their order, then those of the accelerators. */
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

static bool add_remotes(struct esp_soc *soc, char *err, size_t err_len)
{
	unsigned int acc, beat = soc->design.dma_noc_width / 8;

	soc->least_horizon = ESP_NEVER;
	soc->listen = esp_remotes_listen;
	for (acc = 0; acc < soc->design.nacc; acc++) {
		const struct mon_esp_acc_type *type = soc->kernel[acc];

		soc->horizon[acc] = ESP_NEVER;
		if (type && type->row->beat && type->row->beat != beat)
			return soc_refuse(err, err_len,
					  "accelerator %s has DMA channels of %u bits, the design of %u",
					  type->row->name, 8 * type->row->beat, 8 * beat);
		if (!esp_remote_is(type))
			continue;
		soc->remote[acc] = esp_remote_new(type);
		if (!soc->remote[acc])
			return soc_refuse(err, err_len, "out of memory");
	}
	return true;
}

struct esp_soc *esp_soc_new(const struct esp_design *design, const struct esp_params *params,
			    const struct esp_soc_ops *ops, void *opaque, char *err, size_t err_len)
{
	struct esp_soc *soc;
	unsigned int t;

	if (!soc_check(design, params, err, err_len))
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
			soc->kernel[tile->id] = esp_kernel_find(tile, params->accelerators);
		}
	}
	if (!add_remotes(soc, err, err_len))
		goto refused;
	add_caches(soc);
	soc->bitmap_words = (soc->ntiles + 63) / 64;
	if (!esp_agents_new(soc, ESP_NPLANES + soc->ntiles * ESP_AGENTS))
		goto no_memory;
	set_agents(soc);
	lay_out(soc, NULL);
	soc->arena = calloc(1, soc->arena_size);
	if (!soc->arena)
		goto no_memory;
	lay_out(soc, soc->arena);
	if (!set_receivers(soc) || !esp_noc_new(soc) || !esp_fast_new(soc))
		goto no_memory;
	esp_soc_reset(soc);
	return soc;

no_memory:
	soc_refuse(err, err_len, "out of memory");
refused:
	esp_soc_free(soc);
	return NULL;
}

void esp_soc_free(struct esp_soc *soc)
{
	unsigned int acc;

	if (!soc)
		return;
	for (acc = 0; acc < soc->design.nacc; acc++)
		esp_remote_free(soc->remote[acc]);
	esp_fast_free(soc);
	free(soc->route);
	free(soc->receiver);
	esp_agents_free(soc);
	free(soc->arena);
	free(soc);
}

void esp_soc_reset(struct esp_soc *soc)
{
	uint64_t now = soc->st->now;
	unsigned int a;

	/* Time continues through a reset. */
	memset(soc->arena, 0, soc->arena_size);
	soc->st->now = soc->st->reset_at = now;
	for (a = 0; a < soc->agenda.nagents; a++)
		soc->wake[a] = ESP_NEVER;
	esp_agents_rebuild(soc);
	if (soc->design.caches)
		memset(soc->llc_tag, 0xff, (size_t)soc->design.nmem * soc->design.llc_sets *
		       soc->design.llc_ways * sizeof(*soc->llc_tag));
	memset(soc->l2_tag, 0xff, soc->l2_lines * sizeof(*soc->l2_tag));
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
		d->arch, d->rows, d->cols, d->scatter_gather, d->caches,
		d->coh_noc_width, d->dma_noc_width, d->queue_size,
		d->l2_sets, d->l2_ways, d->llc_sets, d->llc_ways, d->acc_l2_sets, d->acc_l2_ways, d->line_bits,
		soc->params.layout, soc->params.tlb_quirk,
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
	esp_flights_end((struct esp_soc *)soc);	/* all changing state is in the arena */
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
	esp_agents_rebuild(soc);
	return true;
}
