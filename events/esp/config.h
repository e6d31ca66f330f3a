/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The PMU espmon: attr.config, numbering of the monitors and their register maps. */
#ifndef ESPMON_CONFIG_WORDS_H
#define ESPMON_CONFIG_WORDS_H

#include "events/event.h"

/* bytile: count in that tile only; without it tile is 0 and the count is the sum of all tiles */
#define ESPMON_CONFIG_EVENT	MON_BITS(0, 7)
#define ESPMON_CONFIG_TILE	MON_BITS(8, 15)
#define ESPMON_CONFIG_BYTILE	MON_BITS(16, 16)
#define ESPMON_CONFIG_ALL	(ESPMON_CONFIG_EVENT | ESPMON_CONFIG_TILE | ESPMON_CONFIG_BYTILE)

/* Variants: the register maps. */
#define ESPMON_2021		0x1
#define ESPMON_2023		0x2
#define ESPMON_VESPA		0x4
#define ESPMON_2026		0x8

/* Places: the classes of tiles in which a monitor is defined; bit n is enum esp_tile_kind n. */
#define ESP_ON_CPU		0x002
#define ESP_ON_IO		0x004
#define ESP_ON_MEM		0x008
#define ESP_ON_SLM		0x010
#define ESP_ON_ACC		0x020
#define ESP_ON_ACC_L2		0x100	/* accelerator with a private L2 */
#define ESP_ON_CLOCKED		0x200	/* all but empty tiles and third-party accelerators */
#define ESP_ON_ANY		0x400	/* every tile, empty ones included */

/*
 * ESPMON_<name>: the codes of the catalogue. Those up to ESPMON_LAST_MONITOR are the registers of
 * ESP's newest map, in its order; after them come the 64-bit pairs, then registers that only other
 * maps have.
 */
#define ESPMON_LAST_MONITOR	127
enum {
#define MON_EVENT(name, config, ...) ESPMON_##name = (config),
#include "events/esp/events.def"
#undef MON_EVENT
};

/* Monitors of a tile in ESP's newest map. */
enum {
	ESP_NMON = 0
#define MON_EVENT(name, config, ...) + ((config) <= ESPMON_LAST_MONITOR)
#include "events/esp/events.def"
#undef MON_EVENT
};

/* The codes, renumbered without gaps: the monitors, the pairs, the others. */
#define ESPMON_INDEX(code) \
	((code) <= ESPMON_LAST_MONITOR ? (code) : \
	 ESP_NMON + (code) - ESPMON_LAST_MONITOR - 1)
enum {
	ESPMON_NINDEX = 0
#define MON_EVENT(...) + 1
#include "events/esp/events.def"
#undef MON_EVENT
};

/*
 * Layouts of a tile's registers: LAYOUT(number, identifier, compatible). The number of an ESP
 * layout is the year in which it appeared. VESPA (hardware-fab/vespa, November 2024) extends ESP;
 * its number is that of its monitors, 65. That of 2026 (release 2026.1.0) has its memory on AXI:
 * the places are those of 2023, and the first monitor counts other words.
 */
#define ESPMON_LAYOUT_VESPA	65
#define ESPMON_LAYOUTS(LAYOUT) \
	LAYOUT(2021, "esp-2021", "sld,esp-monitors-2021") \
	LAYOUT(2023, "esp-2023", "sld,esp-monitors-2023") \
	LAYOUT(2026, "esp-2026", "sld,esp-monitors-2026") \
	LAYOUT(ESPMON_LAYOUT_VESPA, "vespa-2024", "hardware-fab,vespa-monitors")

/*
 * 2023: in the order of the codes. 2021: without the counter of invocations; the later ones move
 * up. VESPA: instead of that counter it has the round-trip time of an accelerator's last access,
 * which is no count and so no event; the flits that leave the network come before the queues.
 */

/* Monitors first to last of a layout are consecutive registers, from ESP_CSR_MON(number) on. */
static const struct espmon_map {
	unsigned int layout, first, last, number;
} espmon_maps[] = {
	{ 2021, ESPMON_ddr_accesses, ESPMON_acc_tot_hi, 0 },
	{ 2021, ESPMON_dvfs_op0, ESPMON_noc_queue_full_p5_l, 18 },
	{ 2023, ESPMON_ddr_accesses, ESP_NMON - 1, 0 },
	{ 2026, ESPMON_ddr_writes, ESPMON_ddr_writes, 0 },
	{ 2026, ESPMON_coh_reqs, ESP_NMON - 1, 1 },
	{ ESPMON_LAYOUT_VESPA, ESPMON_ddr_accesses, ESPMON_acc_tot_hi, 0 },
	{ ESPMON_LAYOUT_VESPA, ESPMON_dvfs_op0, ESPMON_noc_injects_p5, 19 },
	{ ESPMON_LAYOUT_VESPA, ESPMON_noc_ejects_p0, ESPMON_noc_ejects_p5, 29 },
	{ ESPMON_LAYOUT_VESPA, ESPMON_noc_queue_full_p0_n, ESPMON_noc_queue_full_p5_l, 35 },
	{ 0 }
};

/* Register of a monitor in a map, -1 if the map does not have it. */
static inline int espmon_register_of(unsigned int layout, unsigned int code)
{
	const struct espmon_map *map;

	for (map = espmon_maps; map->layout; map++)
		if (map->layout == layout && code >= map->first && code <= map->last)
			return code - map->first + map->number;
	return -1;
}

/* Monitor at a register of a map, -1 if there is none. */
static inline int espmon_code_at(unsigned int layout, unsigned int number)
{
	const struct espmon_map *map;

	for (map = espmon_maps; map->layout; map++)
		if (map->layout == layout && number >= map->number &&
		    number - map->number <= map->last - map->first)
			return number - map->number + map->first;
	return -1;
}

#endif
