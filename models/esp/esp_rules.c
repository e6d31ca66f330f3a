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

static bool one_cpu_at_least(const struct esp_design *d)
{
	return d->ncpu;
}

static bool cpus_fit(const struct esp_design *d)
{
	return d->ncpu <= ESP_MAX_CPUS;
}

static bool cpus_have_caches(const struct esp_design *d)
{
	return d->ncpu == 1 || d->caches;
}

static bool one_io(const struct esp_design *d)
{
	return rules_count(d, is_io) == 1;
}

static bool has_memory(const struct esp_design *d)
{
	return d->nmem;
}

static bool memories_fit(const struct esp_design *d)
{
	return d->nmem <= ESP_MAX_MEMS && d->nmem != 3;
}

static bool slms_fit(const struct esp_design *d)
{
	return rules_count(d, is_slm) <= MAX_SLMS;
}

static bool slms_are_large(const struct esp_design *d)
{
	return rules_count(d, is_slm) <= 1 || d->slm_kbytes >= 1024;
}

static bool coordinates_fit(const struct esp_design *d)
{
	bool narrow = d->coh_noc_width == 32 || d->dma_noc_width == 32;

	return !narrow || (d->rows <= 8 && d->cols <= 8);
}

static bool l2s_fit(const struct esp_design *d)
{
	return !d->caches || rules_count(d, has_l2) <= MAX_L2S;
}

static bool llc_is_divided(const struct esp_design *d)
{
	return d->llc_sets < 8192 || d->llc_ways < 16 || d->nmem > 1;
}

static bool coh_noc_takes_a_word(const struct esp_design *d)
{
	return d->coh_noc_width >= esp_design_arch_bits(d);
}

static bool dma_noc_takes_a_word(const struct esp_design *d)
{
	return d->dma_noc_width >= esp_design_arch_bits(d);
}

static bool coh_noc_without_caches(const struct esp_design *d)
{
	return d->caches || d->coh_noc_width == esp_design_arch_bits(d);
}

static bool line_fills_coh_noc(const struct esp_design *d)
{
	return !d->caches || d->line_bits >= d->coh_noc_width;
}

static bool line_fills_dma_noc(const struct esp_design *d)
{
	return !d->caches || d->line_bits >= d->dma_noc_width;
}

static bool spandex_has_ariane(const struct esp_design *d)
{
	/* CONFIG_CACHE_RTL goes first (soc.py) */
	return !d->spandex || d->cache_rtl || !d->caches || d->arch == ESP_ARCH_ARIANE;
}

static bool long_lines_are_rtl(const struct esp_design *d)
{
	return d->line_bits == 128 || d->cache_rtl;
}

static bool jtag_has_64_bits(const struct esp_design *d)
{
	return !d->jtag || (d->coh_noc_width == 64 && d->dma_noc_width == 64);
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

static bool accelerators_have_a_design_point(const struct esp_design *d)
{
	return !rules_count(d, has_no_point);
}

/*
 * The generator also accepts Ibex with SLM tiles instead of memory. Linux does not run on such a SoC, and the model
 * has no such memory.
 */
static const struct {
	bool (*holds)(const struct esp_design *d);
	const char *text;
} rules[] = {
	{ one_cpu_at_least, "there is no cpu tile: at least 1 is needed" },
	{ cpus_fit, "there are more than 16 cpu tiles" },
	{ cpus_have_caches, "several cpu tiles need CONFIG_CACHE_EN" },
	{ one_io, "exactly 1 misc tile is needed" },
	{ has_memory, "no TILE line is of type mem: there is no memory" },
	{ memories_fit, "1, 2 or 4 to 16 mem tiles are possible" },
	{ slms_fit, "there are more than 16 slm tiles" },
	{ slms_are_large, "several slm tiles need CONFIG_SLM_KBYTES of 1024 or more" },
	{ coordinates_fit, "a 32-bit NoC has coordinates of 3 bits: at most 8 rows and columns" },
	{ l2s_fit, "there are more than 16 private caches (cpu tiles and accelerators with an L2)" },
	{ llc_is_divided, "an LLC of 8192 sets and 16 ways needs several mem tiles" },
	{ coh_noc_takes_a_word, "CONFIG_COH_NOC_WIDTH is less than a word of CPU_ARCH" },
	{ dma_noc_takes_a_word, "CONFIG_DMA_NOC_WIDTH is less than a word of CPU_ARCH" },
	{ coh_noc_without_caches,
	  "CONFIG_COH_NOC_WIDTH is more than a word of CPU_ARCH, which needs CONFIG_CACHE_EN" },
	{ line_fills_coh_noc, "CONFIG_CACHE_LINE_SIZE is less than CONFIG_COH_NOC_WIDTH" },
	{ line_fills_dma_noc, "CONFIG_CACHE_LINE_SIZE is less than CONFIG_DMA_NOC_WIDTH" },
	{ spandex_has_ariane, "CONFIG_CACHE_SPANDEX needs CPU_ARCH ariane" },
	{ long_lines_are_rtl,
	  "CONFIG_CACHE_LINE_SIZE other than 128 needs CONFIG_CACHE_RTL" },
	{ jtag_has_64_bits, "CONFIG_JTAG_EN needs 64 bits in both NoC widths" },
	{ multicast_fits,
	  "CONFIG_MAX_MCAST_DESTS: at most 4 with a DMA NoC of 64 bits, 11 of 128, 25 of 256, none of 32" },
	{ accelerators_have_a_design_point, "an accelerator has no design point" },
};

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

const char *esp_design_refusal(const struct esp_design *design)
{
	size_t i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (!rules[i].holds(design))
			return rules[i].text;
	return NULL;
}
