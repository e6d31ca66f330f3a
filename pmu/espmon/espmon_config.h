/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What attr.config means to the PMU of an ESP SoC, and which counters of the core an event has.
 */
#ifndef ESPMON_CONFIG_H
#define ESPMON_CONFIG_H

#include <linux/bits.h>
#include <linux/types.h>

#include "events/espmon/config.h"
#include "events/espmon/regs.h"

/* Counter number of the core: tile * ESPMON_SLOTS + slot. */
#define ESPMON_SLOTS		64
#define ESPMON_SLOT_MEM		ESP_NMON	/* the 64-bit pairs follow the monitors */
#define ESPMON_SLOT_TOT		(ESP_NMON + 1)

/**
 * struct espmon_tile - what the driver knows about a tile
 * @on:		ESP_ON_... classes that it belongs to
 * @kind:	enum esp_tile_kind
 * @id:		number among the tiles of its kind
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
 * @layout:	register map of the monitors: 2021 or 2023
 * @cpu:	the processors' accesses count: on hardware, or if the emulator offers it
 */
struct espmon_id {
	u32 rows, cols, ntiles;
	u32 layout;
	u32 clock_hz;
	u32 cpu;
	struct espmon_tile tiles[ESP_MAX_TILES];
};

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

/* Slot of an event code, or -EINVAL if there is no such event in this layout. */
int espmon_slot(const struct espmon_id *id, unsigned int code);

/* Offset of a slot's register in the window of its tile; of a pair, that of its low word. */
unsigned int espmon_offset(const struct espmon_id *id, unsigned int slot);

/* -EINVAL unless config is an event of this SoC. */
int espmon_config_check(const struct espmon_id *id, u64 config);

/* The counter after prev of an event that was checked, the first after -1; -1 after the last. */
int espmon_config_next(const struct espmon_id *id, u64 config, int prev);

/* Do the processors' accesses change what a counter of this slot counts? */
bool espmon_counter_wants(unsigned int slot);

#endif
