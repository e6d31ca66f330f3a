/* SPDX-License-Identifier: MIT */
/*
 * pfmlib_espmon.c: performance monitors of the tiles of a Columbia ESP SoC
 *
 * Without tile an event is the sum over all tiles in which the monitor is defined.
 */
#include <stdio.h>

#include "pfmlib_priv.h"
#include "pfmlib_perf_event_priv.h"
#include "pfmlib_sysfs_unc_priv.h"
#include "events/esp/config.h"

static const pfmlib_attr_desc_t espmon_mods[] = {
	PFM_ATTR_I("tile", "count in this tile only [0-255]"),
	PFM_ATTR_NULL
};

static const pfm_sysfs_unc_field_t espmon_fields[] = {
	PFM_SYSFS_UNC_FIELD(ESPMON_CONFIG_TILE, ESPMON_CONFIG_BYTILE),
};

static const pfm_sysfs_unc_event_t espmon_events[] = {
#define MON_EVENT(name, config, places, variants, unit, scale, desc) \
	{ #name, desc, config, PFM_SYSFS_UNC_ATTR(0), 0 },
#include "events/esp/events.def"
#undef MON_EVENT
};

static const pfm_sysfs_unc_table_t espmon_table = {
	.events		= espmon_events,
	.num_events	= LIBPFM_ARRAY_SIZE(espmon_events),
	.fields		= espmon_fields,
};

pfmlib_pmu_t espmon_support = {
	.desc		= "Columbia ESP tile monitors",
	.name		= "espmon",
	.perf_name	= "espmon",
	.pmu		= PFM_PMU_ESPMON,
	.pme_count	= LIBPFM_ARRAY_SIZE(espmon_events),
	.num_cntrs	= ESP_NMON, /* each monitor of a tile is a counter of its own */
	.atdesc		= espmon_mods,
	.pe		= &espmon_table,
	PFM_SYSFS_UNC_PMU_COMMON,
};
