/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* The PMU espmon: attr.config, numbering of the monitors and their register maps. */
#ifndef ESPMON_CONFIG_WORDS_H
#define ESPMON_CONFIG_WORDS_H

#include "events/event.h"

/* bytile: in the tile of that number alone; without it tile is 0 and all tiles are added up */
#define ESPMON_CONFIG_EVENT	MON_BITS(0, 7)
#define ESPMON_CONFIG_TILE	MON_BITS(8, 15)
#define ESPMON_CONFIG_BYTILE	MON_BITS(16, 16)
#define ESPMON_CONFIG_ALL	(ESPMON_CONFIG_EVENT | ESPMON_CONFIG_TILE | ESPMON_CONFIG_BYTILE)

/* Variants: the register maps that are told apart. */
#define ESPMON_2021		0x1
#define ESPMON_2023		0x2

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
 * ESPMON_<name>: the codes of the catalogue. Those up to ESPMON_LAST_MONITOR are one register each.
 */
#define ESPMON_LAST_MONITOR	127
enum {
#define MON_EVENT(name, config, ...) ESPMON_##name = (config),
#include "events/espmon/events.def"
#undef MON_EVENT
};

/* Monitors of a tile in the newest map. */
enum {
	ESP_NMON = 0
#define MON_EVENT(name, config, ...) + ((config) <= ESPMON_LAST_MONITOR)
#include "events/espmon/events.def"
#undef MON_EVENT
};

/*
 * Register maps: in that of a year the monitors first to last stand one after the other from
 * register number on; register n is at ESP_CSR_MON(n).
 *
 * 2023: in the order of the codes. 2021: without the counter of invocations; what follows moves up.
 */
static const struct espmon_map {
	unsigned int year, first, last, number;
} espmon_maps[] = {
	{ 2021, ESPMON_ddr_accesses, ESPMON_acc_tot_hi, 0 },
	{ 2021, ESPMON_dvfs_op0, ESPMON_noc_queue_full_p5_l, 18 },
	{ 2023, ESPMON_ddr_accesses, ESP_NMON - 1, 0 },
	{ 0 }
};

/* Register of a monitor in a map, -1 if it has none there. */
static inline int espmon_register_of(unsigned int year, unsigned int code)
{
	const struct espmon_map *map;

	for (map = espmon_maps; map->year; map++)
		if (map->year == year && code >= map->first && code <= map->last)
			return code - map->first + map->number;
	return -1;
}

/* Monitor that stands at a register of a map, -1 if none does. */
static inline int espmon_code_at(unsigned int year, unsigned int number)
{
	const struct espmon_map *map;

	for (map = espmon_maps; map->year; map++)
		if (map->year == year && number >= map->number &&
		    number - map->number <= map->last - map->first)
			return number - map->number + map->first;
	return -1;
}

#endif
