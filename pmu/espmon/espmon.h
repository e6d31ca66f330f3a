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
#include "events/espmon/regs.h"

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

int espmon_of_init(void);
void espmon_of_exit(void);

extern const struct attribute_group *const espmon_attr_groups[];

/*
 * live: physical address of the mirror of the monitors (BAR4), 0 if there is none; cpu: register
 * ESP_TOPO_CPU, NULL if the processors are real.
 */
struct mon_pmu *espmon_register(const struct espmon_id *id, void __iomem *csr, phys_addr_t live,
				void __iomem *cpu);

/* The module goes, and no device has a PMU any more. */
void espmon_exit_pmus(void);

#endif
