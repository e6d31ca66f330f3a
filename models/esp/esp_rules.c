// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Rules that a design must follow for ESP's generator (socgen, NoCConfiguration.py and socmap_gen.py of release
 * 2025.1).
 *
 * Not checked: rules of a board or a technology, which a design's file does not name, and the number of
 * accelerators, which the generator says "can be relaxed".
 */
#include <stdio.h>
#include <string.h>

#include "models/esp/esp_config.h"

#define MAX_SLMS	16
#define MAX_L2S		16	/* CPUs and accelerators with a private L2 */

static unsigned int rules_count(const struct esp_design *d, bool (*is)(const struct esp_tile *tile))
{
	unsigned int t, n = 0;

	for (t = 0; t < d->rows * d->cols; t++)
		n += is(&d->tiles[t]);
	return n;
}

static bool is_io(const struct esp_tile *tile)
{
	return tile->kind == ESP_TILE_IO;
}

static bool is_slm(const struct esp_tile *tile)
{
	return tile->kind == ESP_TILE_SLM && !tile->has_ddr;
}

static bool is_sld(const struct esp_tile *tile)
{
	return tile->kind == ESP_TILE_ACC && !strcmp(tile->vendor, "sld");
}

static bool has_l2(const struct esp_tile *tile)
{
	return tile->kind == ESP_TILE_CPU || (is_sld(tile) && tile->has_l2);
}

static bool has_no_point(const struct esp_tile *tile)
{
	return is_sld(tile) && !*tile->design_point;
}

static bool multicast_fits(const struct esp_design *d)
{
	if (!d->multicast || d->dma_noc_width > 256)
		return true;
	switch (d->dma_noc_width) {
	case 256:
		return d->multicast_dests <= 25;
	case 128:
		return d->multicast_dests <= 11;
	case 64:
		return d->multicast_dests <= 4;
	default:
		return false;
	}
}

uint32_t esp_design_not_modelled(const struct esp_design *d)
{
	uint32_t bits = 0;

	if (d->caches && !d->cache_rtl)
		bits |= d->spandex ? ESP_NOT_SPANDEX : ESP_NOT_HLS_CACHES;
	if (d->beyond_menus)
		bits |= ESP_NOT_SIZES;
	if (d->dvfs)
		bits |= ESP_NOT_DVFS;
	return bits;
}

/*
 * The generator also accepts Ibex with SLM tiles instead of memory. Linux does not run on such a SoC, and the model
 * has no such memory.
 */
const char *esp_design_refusal(const struct esp_design *d)
{
	const unsigned int word = esp_design_arch_bits(d), slms = rules_count(d, is_slm);
	const bool narrow = d->coh_noc_width == 32 || d->dma_noc_width == 32;
	/* CONFIG_CACHE_RTL goes first (soc.py) */
	const bool spandex = d->spandex && !d->cache_rtl && d->caches;
	const struct {
		bool holds;
		const char *text;
	} rules[] = {
		{ d->ncpu, "there is no cpu tile: at least 1 is needed" },
		{ d->ncpu <= ESP_MAX_CPUS, "there are more than 16 cpu tiles" },
		{ d->ncpu == 1 || d->caches, "several cpu tiles need CONFIG_CACHE_EN" },
		{ rules_count(d, is_io) == 1, "exactly 1 misc tile is needed" },
		{ d->nmem, "no TILE line is of type mem: there is no memory" },
		{ d->nmem <= ESP_MAX_MEMS && d->nmem != 3, "1, 2 or 4 to 16 mem tiles are possible" },
		{ slms <= MAX_SLMS, "there are more than 16 slm tiles" },
		{ slms <= 1 || d->slm_kbytes >= 1024, "several slm tiles need CONFIG_SLM_KBYTES of 1024 or more" },
		{ !narrow || (d->rows <= 8 && d->cols <= 8),
		  "a 32-bit NoC has coordinates of 3 bits: at most 8 rows and columns" },
		{ !d->caches || rules_count(d, has_l2) <= MAX_L2S,
		  "there are more than 16 private caches (cpu tiles and accelerators with an L2)" },
		{ d->llc_sets < 8192 || d->llc_ways < 16 || d->nmem > 1,
		  "an LLC of 8192 sets and 16 ways needs several mem tiles" },
		{ d->coh_noc_width >= word, "CONFIG_COH_NOC_WIDTH is less than a word of CPU_ARCH" },
		{ d->dma_noc_width >= word, "CONFIG_DMA_NOC_WIDTH is less than a word of CPU_ARCH" },
		{ d->caches || d->coh_noc_width == word,
		  "CONFIG_COH_NOC_WIDTH is more than a word of CPU_ARCH, which needs CONFIG_CACHE_EN" },
		{ !d->caches || d->line_bits >= d->coh_noc_width,
		  "CONFIG_CACHE_LINE_SIZE is less than CONFIG_COH_NOC_WIDTH" },
		{ !d->caches || d->line_bits >= d->dma_noc_width,
		  "CONFIG_CACHE_LINE_SIZE is less than CONFIG_DMA_NOC_WIDTH" },
		{ !spandex || d->arch == ESP_ARCH_ARIANE, "CONFIG_CACHE_SPANDEX needs CPU_ARCH ariane" },
		{ d->line_bits == 128 || d->cache_rtl, "CONFIG_CACHE_LINE_SIZE other than 128 needs CONFIG_CACHE_RTL" },
		{ !d->jtag || (d->coh_noc_width == 64 && d->dma_noc_width == 64),
		  "CONFIG_JTAG_EN needs 64 bits in both NoC widths" },
		{ multicast_fits(d),
		  "CONFIG_MAX_MCAST_DESTS: at most 4 with a DMA NoC of 64 bits, 11 of 128, 25 of 256, none of 32" },
		{ !rules_count(d, has_no_point), "an accelerator has no design point" },
	};
	size_t i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (!rules[i].holds)
			return rules[i].text;
	return NULL;
}
