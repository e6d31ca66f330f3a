/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the ESP Monitors API share. */
#ifndef LIBMON_ESP_MONITORS_H
#define LIBMON_ESP_MONITORS_H

/*
 * The public header needs a SoC's soc_defs.h. The library serves every SoC and sees only pointers
 * to unsigned int. A SoC with one of each gives the members' order and sizes here.
 */
#define __SOC_DEFS_H__
#define SOC_ROWS 1
#define SOC_COLS 1
#define SOC_NCPU 1
#define SOC_NMEM 1
#define SOC_NACC 1
#define LINUX 1
#include "libmon/esp/include/monitors.h"

#include "events/esp/regs.h"
#include "libmon/text.h"

static inline uint64_t espmon_bytile(unsigned int event, unsigned int tile)
{
	return MON_PUT(ESPMON_CONFIG_EVENT, event) | MON_PUT(ESPMON_CONFIG_TILE, tile) |
	       MON_PUT(ESPMON_CONFIG_BYTILE, 1);
}

struct mon_esp_tile {
	enum esp_tile_kind kind;
	bool has_l2;		/* accelerators */
};

/* The SoC that is running. */
struct mon_esp_soc {
	struct mon_pmu *pmu;
	struct libmon_esp_dims dims;
	unsigned int ntiles;
	bool has_invocations;	/* the register map of 2021 does not have it */
	bool has_accesses;	/* that of 2026 counts written words alone */
	struct mon_esp_tile tile[ESP_MAX_TILES];
	/* numbers of the tiles with processors, memory and accelerators */
	uint8_t cpu_tile[ESP_MAX_TILES], mem_tile[ESP_MAX_TILES], acc_tile[ESP_MAX_TILES];
};

/* soc.c */
struct mon_esp_soc *mon_esp_soc_new(void);
void mon_esp_soc_free(struct mon_esp_soc *soc);
/* 0, or -1 with EINVAL and a message that names both topologies. */
int mon_esp_soc_match(const struct mon_esp_soc *soc, const struct libmon_esp_dims *dims);

/* layout.c: esp_monitor_vals_t as an array of words. */
struct mon_esp_layout {
	unsigned int ddr, mem, l2, llc, acc, dvfs, inject, queue, words;
};

void mon_esp_layout(const struct libmon_esp_dims *dims, struct mon_esp_layout *layout);

#endif
