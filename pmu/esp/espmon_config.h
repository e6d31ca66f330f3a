/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What attr.config means to the PMU of an ESP SoC, and which counters of the core an event has.
 */
#ifndef ESPMON_CONFIG_H
#define ESPMON_CONFIG_H

#include <linux/bits.h>
#include <linux/types.h>

#include "events/esp/config.h"
#include "events/esp/regs.h"

/* Counter number of the core: tile * ESPMON_SLOTS + register; VESPA has most of them. */
#define ESPMON_SLOTS		65

/**
 * struct espmon_tile - what the driver knows about a tile
 * @on:		ESP_ON_... classes that it belongs to
 * @kind:	enum esp_tile_kind
 * @id:		of an accelerator: number among those of its name, as in its device file
 * @acc:	name of the accelerator, else empty
 */
struct espmon_tile {
	u32 on;
	u8 kind;
	u8 id;
	char acc[ESP_TOPO_ACC_NAME_LEN];
};

/**
 * struct espmon_id - the shape of a SoC; constant
 * @layout:	of the monitors' registers, one of ESPMON_LAYOUTS
 * @max_hz:	the fastest that the tiles' clock can be
 * @cpu:	the processors' accesses count: on hardware, or if the emulator offers it
 * @not_modelled: bits of ESP_NOT_MODELLED; 0 on hardware
 */
struct espmon_id {
	u32 rows, cols, ntiles;
	u32 layout;
	u32 max_hz;
	u32 cpu;
	u32 not_modelled;
	struct espmon_tile tiles[ESP_MAX_TILES];
};

/* Fills the numbers of the accelerators, whose names are there. */
void espmon_number(struct espmon_id *id);

/* ESP_ON_... classes of a tile. */
static inline u32 espmon_tile_classes(unsigned int kind, bool has_l2, bool third_party)
{
	u32 on = BIT(kind) | ESP_ON_ANY;

	if (kind != ESP_TILE_EMPTY && !third_party)
		on |= ESP_ON_CLOCKED;
	if (kind == ESP_TILE_ACC && has_l2)
		on |= ESP_ON_ACC_L2;
	return on;
}

/* Its identifier, NULL if there is no such layout. */
const char *espmon_layout_name(unsigned int layout);

/* Words of enum esp_tile_kind, accelerators last. */
extern const char *const espmon_tile_kinds[];

/* Register of an event code, or -EINVAL if there is no such event in this layout. */
int espmon_register(const struct espmon_id *id, unsigned int code);

/* -EINVAL unless config is an event of this SoC. */
int espmon_config_check(const struct espmon_id *id, u64 config);

/* The counters of an event that was checked, unless NULL; returns how many there are. */
int espmon_config_counters(const struct espmon_id *id, u64 config, u16 *counters);

/* Do the processors' accesses change what a monitor counts? */
bool espmon_code_wants(unsigned int code);

#endif
