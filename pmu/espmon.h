/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between the files of espmon.ko: the PMU of an ESP SoC's monitors.
 */
#ifndef ESPMON_H
#define ESPMON_H

#include <linux/bitmap.h>
#include <linux/io.h>
#include <linux/types.h>

#include "esp_soc.h"
#include "mon_pmu.h"
#include "regs/esp_regs.h"

/* Counter number of the core: tile * ESPMON_SLOTS + slot. */
#define ESPMON_SLOTS		64
#define ESPMON_SLOT_MEM		59	/* the 64-bit pairs follow the monitors */
#define ESPMON_SLOT_TOT		60

/* attr.config */
#define ESPMON_CONFIG_EVENT	GENMASK_ULL(7, 0)
#define ESPMON_CONFIG_TILE	GENMASK_ULL(15, 8)
#define ESPMON_CONFIG_BYTILE	BIT_ULL(16)
#define ESPMON_CONFIG_ALL	GENMASK_ULL(16, 0)
#define ESPMON_CODE_MEM		0x80
#define ESPMON_CODE_TOT		0x81

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

/**
 * struct espmon - driver data of the PMU
 * @id:		the SoC's shape
 * @csr:	window of tile 0
 * @cpu:	register that lets the processors' accesses count, NULL without
 * @latched:	tiles whose burst register the driver has set
 * @foreign:	times that somebody else was found to write a burst register
 */
struct espmon {
	struct espmon_id id;
	void __iomem *csr;
	void __iomem *cpu;
	DECLARE_BITMAP(latched, ESP_MAX_TILES);
	unsigned int foreign;
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

int espmon_of_init(void);
void espmon_of_exit(void);

extern const struct attribute_group *const espmon_attr_groups[];

/* Slot of an event code, or -EINVAL if there is no such event in this layout. */
int espmon_slot(const struct espmon_id *id, unsigned int code);

/*
 * live: physical address of the mirror of the monitors (BAR4), 0 if there is none; cpu: register
 * ESP_TOPO_CPU, NULL if the processors are real.
 */
struct mon_pmu *espmon_register(const struct espmon_id *id, void __iomem *csr, phys_addr_t live,
				void __iomem *cpu);

/* The module goes, and no device has a PMU any more. */
void espmon_exit_pmus(void);

#endif
