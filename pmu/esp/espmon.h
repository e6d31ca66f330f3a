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
 * @wanted:	running counters that these change
 * @latched:	tiles whose burst register the driver has set
 * @zeros:	a register has read as zero in this pass
 */
struct espmon {
	struct mon_pmu mp;
	void __iomem *csr;
	void __iomem *cpu;
	unsigned int wanted;
	DECLARE_BITMAP(latched, ESP_MAX_TILES);
	bool zeros;
};

/* Before the first PMU. */
void espmon_tiles_init(void);
extern const struct attribute_group espmon_tiles_group;

int espmon_of_init(void);
void espmon_of_exit(void);

/* cpu: register ESP_TOPO_CPU, NULL if the processors are real. */
struct mon_pmu *espmon_attach(struct device *dev, const struct espmon_id *id, void __iomem *csr,
			      void __iomem *cpu);

#if !MON_PERF_DETACHES
/* The module goes, and no device has a PMU any more. */
void espmon_forget(void);
#endif

#endif
