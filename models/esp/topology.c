/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The topology block: facts that a driver needs and the register window does not have. */
#include "esp/internal.h"

#include <ctype.h>
#include <string.h>

#include "esp/kernel.h"

static uint32_t tile_word(const struct esp_soc *soc, unsigned int t)
{
	const struct esp_tile *tile = &soc->design.tiles[t];
	uint32_t word = tile->kind | tile->id << 8;

	if (tile->kind != ESP_TILE_ACC)
		return word;
	if (tile->has_l2)
		word |= ESP_TOPO_TILE_HAS_L2;
	if (!soc->kernel[tile->id])
		word |= ESP_TOPO_TILE_3RD_PARTY;
	return word;
}

/* Registers of parameters, up to the last one that the row has. */
static uint32_t params(const struct esp_acc_row *row)
{
	uint32_t n = 0;
	unsigned int i;

	for (i = 0; i < row->members; i++) {
		uint32_t offset = row->member[i].offset;

		if (offset >= ESP_ACC_USER && (offset - ESP_ACC_USER) / 4 >= n)
			n = (offset - ESP_ACC_USER) / 4 + 1;
	}
	return n;
}

static uint32_t acc_word(const struct esp_soc *soc, unsigned int acc, uint32_t offset)
{
	const char *name = soc->design.tiles[soc->acc_tile[acc]].name;
	uint32_t word = 0;
	unsigned int i;

	if (offset == ESP_TOPO_ACC_TILE)
		return soc->acc_tile[acc];
	if (offset == ESP_TOPO_ACC_DEVID)
		return soc->kernel[acc] ? ESP_ACC_SLD | soc->kernel[acc]->row->device : 0;
	if (offset == ESP_TOPO_ACC_PARAMS)
		return soc->kernel[acc] ? params(soc->kernel[acc]->row) : 0;
	if (offset == ESP_TOPO_ACC_ORDER)
		return soc->kernel[acc] ? soc->kernel[acc]->row->order : 0;
	offset -= ESP_TOPO_ACC_NAME;
	if (offset >= ESP_TOPO_ACC_NAME_LEN)
		return 0;
	for (i = 0; i < 4 && offset + i < strlen(name); i++)
		word |= (uint32_t)(unsigned char)tolower((unsigned char)name[offset + i]) << 8 * i;
	return word;
}

uint32_t esp_soc_topology(const struct esp_soc *soc, uint32_t offset)
{
	const struct esp_design *d = &soc->design;
	const uint32_t words[] = {
		[ESP_TOPO_MAGIC / 4] = ESP_TOPO_MAGIC_VALUE,
		[ESP_TOPO_VERSION / 4] = ESP_TOPO_VERSION_VALUE,
		[ESP_TOPO_LAYOUT / 4] = soc->params.layout,
		[ESP_TOPO_ROWS / 4] = d->rows,
		[ESP_TOPO_COLS / 4] = d->cols,
		[ESP_TOPO_NCPU / 4] = d->ncpu,
		[ESP_TOPO_NMEM / 4] = d->nmem,
		[ESP_TOPO_NACC / 4] = d->nacc,
		[ESP_TOPO_FLAGS / 4] = (d->caches ? ESP_TOPO_CACHES : 0) |
				       esp_design_not_modelled(d) << ESP_TOPO_NOT_MODELLED,
			[ESP_TOPO_ARCH_BITS / 4] = esp_design_arch_bits(d),
			[ESP_TOPO_LINE_BYTES / 4] = d->line_bits / 8,
			[ESP_TOPO_L2_SETS / 4] = d->l2_sets,
			[ESP_TOPO_L2_WAYS / 4] = d->l2_ways,
			[ESP_TOPO_LLC_SETS / 4] = d->llc_sets,
			[ESP_TOPO_LLC_WAYS / 4] = d->llc_ways,
			[ESP_TOPO_ACC_L2_SETS / 4] = d->acc_l2_sets,
			[ESP_TOPO_ACC_L2_WAYS / 4] = d->acc_l2_ways,
			[ESP_TOPO_COH_NOC_WIDTH / 4] = d->coh_noc_width,
			[ESP_TOPO_DMA_NOC_WIDTH / 4] = d->dma_noc_width,
			[ESP_TOPO_MEM_BASE / 4] = soc->params.mem_base,
			[ESP_TOPO_MEM_MIB / 4] = soc->params.mem_size >> 20,
	};

	offset &= ~3u;
	if (offset < sizeof(words))
		return words[offset / 4];
	if (offset >= ESP_TOPO_TILE(0) && offset < ESP_TOPO_TILE(soc->ntiles))
		return tile_word(soc, (offset - ESP_TOPO_TILE(0)) / 4);
	if (offset >= ESP_TOPO_ACC(0) && offset < ESP_TOPO_ACC(d->nacc))
		return acc_word(soc, (offset - ESP_TOPO_ACC(0)) / 0x40,
				(offset - ESP_TOPO_ACC(0)) % 0x40);
	return 0;
}
