// SPDX-License-Identifier: LGPL-2.1-or-later
/* The nodes of an ESP SoC's device tree. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/esp/config.h"
#include "models/esp/esp_tree.h"

struct writer {
	const struct esp_design *design;
	const struct esp_tree *tree;
	const struct esp_tree_ops *ops;
	void *opaque;
};

static void put_cell(const struct writer *w, const char *property, uint32_t value)
{
	w->ops->cells(w->opaque, property, &value, 1);
}

static void put_string(const struct writer *w, const char *property, const char *text)
{
	w->ops->strings(w->opaque, property, text, strlen(text) + 1);
}

/* A node with its compatible string, address and size. */
static void put_node(const struct writer *w, const char *name, const char *compatible,
		     uint64_t at, uint64_t size)
{
	const uint32_t cells[] = { at >> 32, at, size >> 32, size };

	w->ops->node(w->opaque, name, at);
	put_string(w, "compatible", compatible);
	w->ops->cells(w->opaque, "reg", cells, 4);
}

static void lower(char *to, const char *from)
{
	while ((*to++ = tolower((unsigned char)*from++)))
		;
}

static const struct esp_tile *acc_tile(const struct esp_design *design, unsigned int acc)
{
	const struct esp_tile *tile = design->tiles;

	while (tile->kind != ESP_TILE_ACC || tile->id != acc)
		tile++;
	return tile;
}

static uint32_t acc_irq(const struct writer *w, unsigned int acc)
{
	/* socmap_gen.py: lines 5 to 10, then from 13 on; the PLIC counts lines from 1 */
	if (!w->tree->irqs)
		return acc < 6 ? 6 + acc : 8 + acc;
	return w->tree->irq + acc % w->tree->irqs;
}

static uint64_t acc_at(const struct writer *w, unsigned int acc)
{
	return w->tree->apb + ESP_ACC_BASE + acc * ESP_ACC_STRIDE;
}

static void put_accelerator(const struct writer *w, unsigned int acc)
{
	const struct esp_tile *tile = acc_tile(w->design, acc);
	char name[sizeof(tile->name)], compatible[sizeof(tile->vendor) + sizeof(tile->name)];
	uint32_t irq = acc_irq(w, acc);

	lower(name, tile->name);
	snprintf(compatible, sizeof(compatible), "%s,%s", tile->vendor, name);
	put_node(w, name, compatible, acc_at(w, acc), ESP_ACC_STRIDE);
	w->ops->interrupts(w->opaque, &irq, 1);
}

static void put_cache(const struct writer *w, const char *name, const char *compatible, uint64_t at)
{
	put_node(w, name, compatible, w->tree->apb + at, ESP_CACHE_CTRL_STRIDE);
}

/* Numbers of the tiles of a kind, or only of those that have a private L2. */
static void put_tiles(const struct writer *w, const char *property, enum esp_tile_kind kind, bool l2)
{
	const struct esp_design *d = w->design;
	uint32_t cells[ESP_MAX_TILES];
	unsigned int t, n = 0;

	for (t = 0; t < d->rows * d->cols; t++)
		if (d->tiles[t].kind == kind && (!l2 || (d->tiles[t].has_l2 && d->caches)))
			cells[n++] = t;
	if (n)
		w->ops->cells(w->opaque, property, cells, n);
}

/* The accelerators' nodes, tiles, and which of these have a private L2. */
static void put_accelerator_tiles(const struct writer *w)
{
	const struct esp_design *d = w->design;
	char list[ESP_MAX_ACCS * (sizeof(d->tiles[0].name) + 1 + 16)];
	size_t size = 0;
	unsigned int i;

	for (i = 0; i < d->nacc; i++) {
		lower(list + size, acc_tile(d, i)->name);
		size += strlen(list + size);
		size += sprintf(list + size, "@%" PRIx64, acc_at(w, i)) + 1;
	}
	if (size)
		w->ops->phandles(w->opaque, "sld,accelerators", list, size);
	put_tiles(w, "sld,accelerator-tiles", ESP_TILE_ACC, false);
	put_tiles(w, "sld,l2-tiles", ESP_TILE_ACC, true);
}

uint32_t esp_layout_of(const char *name)
{
	char *end;
	unsigned long number = strtoul(name, &end, 10);

	if (!strcmp(name, "vespa"))
		return ESPMON_LAYOUT_VESPA;
	return *end ? 0 : number;
}

static const char *monitors_compatible(uint32_t layout)
{
	switch (layout) {
#define LAYOUT(number, name, compatible) \
	case number: \
		return compatible;
		ESPMON_LAYOUTS(LAYOUT)
#undef LAYOUT
	}
	return "";
}

static void put_monitors(const struct writer *w)
{
	const struct esp_design *d = w->design;

	put_node(w, "pmu", monitors_compatible(w->tree->layout), w->tree->apb + ESP_CSR_BASE,
		 d->rows * d->cols * ESP_CSR_STRIDE);
	w->ops->clock(w->opaque, w->tree->clock_hz);
	put_cell(w, "sld,columns", d->cols);
	put_accelerator_tiles(w);
	put_tiles(w, "sld,cpu-tiles", ESP_TILE_CPU, false);
	put_tiles(w, "sld,io-tiles", ESP_TILE_IO, false);
	put_tiles(w, "sld,mem-tiles", ESP_TILE_MEM, false);
	put_tiles(w, "sld,slm-tiles", ESP_TILE_SLM, false);
}

/* The node that describes all accelerators to one driver, with the caches and networks between them. */
static void put_accelerators(const struct writer *w)
{
	const struct esp_design *d = w->design;
	const uint32_t memory[] = {
		w->tree->mem_base >> 32, w->tree->mem_base, w->tree->mem_size >> 32, w->tree->mem_size,
	};
	const uint32_t llc[] = { d->llc_sets, d->llc_ways };
	const uint32_t acc_l2[] = { d->acc_l2_sets, d->acc_l2_ways };
	const uint32_t widths[] = { d->coh_noc_width, d->dma_noc_width };
	bool has_own = false;	/* ESP's tree reserves memory of another kind for third-party ones */
	unsigned int i;

	for (i = 0; i < d->nacc; i++)
		has_own |= !strcmp(acc_tile(d, i)->vendor, "sld");
	put_node(w, "accelerators", "sld,esp-accelerators", w->tree->apb, ESP_CSR_BASE);
	if (has_own)
		w->ops->pool(w->opaque);
	put_accelerator_tiles(w);
	if (w->tree->params)
		w->ops->cells(w->opaque, "sld,accelerator-parameters", w->tree->params, d->nacc);
	put_cell(w, "sld,cpus", d->ncpu);
	put_cell(w, "sld,memory-tiles", d->nmem);
	w->ops->cells(w->opaque, "sld,memory", memory, 4);
	put_cell(w, "sld,word-width", esp_design_arch_bits(d));
	w->ops->cells(w->opaque, "sld,noc-widths", widths, 2);
	if (!d->caches)
		return;
	put_cell(w, "sld,line-bytes", d->line_bits / 8);
	w->ops->cells(w->opaque, "sld,llc-geometry", llc, 2);
	w->ops->cells(w->opaque, "sld,accelerator-l2-geometry", acc_l2, 2);
}

unsigned int esp_tree_nodes(const struct esp_design *design)
{
	/* all accelerators together, the monitors, one for each accelerator and cache controller */
	return !!design->nacc + 1 + design->nacc + (design->caches ? design->nmem + design->ncpu : 0);
}

void esp_tree_node(const struct esp_design *design, const struct esp_tree *tree, unsigned int i,
		   const struct esp_tree_ops *ops, void *opaque)
{
	const struct writer w = { design, tree, ops, opaque };

	if (!i && design->nacc) {
		put_accelerators(&w);
		return;
	}
	i -= !!design->nacc;
	if (!i--) {
		put_monitors(&w);
		return;
	}
	if (i < design->nacc) {
		put_accelerator(&w, i);
		return;
	}
	i -= design->nacc;
	if (design->caches && i < design->nmem) {
		put_cache(&w, "llc-cache", "sld,llc_cache", ESP_LLC_CTRL + i * ESP_CACHE_CTRL_STRIDE);
		return;
	}
	i -= design->caches ? design->nmem : 0;
	put_cache(&w, "l2-cache", "sld,l2_cache", ESP_L2_CTRL + i * ESP_CACHE_CTRL_STRIDE);
}
