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
#include "espmon_config.h"
#include "../core/mon_pmu.h"
#include "events/esp/regs.h"

/**
 * struct espmon - the PMU of a SoC
 * @mp:		the core's part; its id is a struct espmon_id
 * @csr:	window of tile 0
 * @cpu:	register that lets the processors' accesses count, NULL without
 * @clock_hz:	of the tiles, as it was when the device came
 * @wanted:	running counters that these change
 * @latched:	tiles whose burst register the driver has set
 * @zeros:	tiles of which a register has read as zero in this pass, and did not before
 */
struct espmon {
	struct mon_pmu mp;
	void __iomem *csr;
	void __iomem *cpu;
	u32 clock_hz;
	unsigned int wanted;
	DECLARE_BITMAP(latched, ESP_MAX_TILES);
	DECLARE_BITMAP(zeros, ESP_MAX_TILES);
};

/* Before the first PMU. */
void espmon_tiles_init(void);
extern const struct attribute_group espmon_tiles_group;

extern struct platform_driver espmon_of_driver;

extern const struct mon_pmu_desc espmon_desc;
/* Words a second that the emulator's processors can move at most */
#define ESPMON_CPU_MAX_HZ	4000000000ULL

/* Before mon_pmu_attach(). cpu: register ESP_TOPO_CPU, NULL if the processors are real. */
void espmon_set_up(struct mon_pmu *mp, void __iomem *csr, u32 clock_hz, void __iomem *cpu);

#endif
