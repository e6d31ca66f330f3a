/* SPDX-License-Identifier: MIT */
/*
 * pfmlib_hexagon.c: Qualcomm Hexagon DSP cores
 *
 * What a selector counts depends on the core's version. hexagon has
 * every selector that is known by name for some version, under its newest meaning; hexagon_vNN has
 * those with evidence for that version, and is active only where sysfs' identifier says hexagon-vNN.
 */
#include <stdio.h>

#include "pfmlib_priv.h"
#include "pfmlib_perf_event_priv.h"
#include "pfmlib_sysfs_unc_priv.h"
#include "events/hexagon/config.h"

#define HEXAGON_GENERAL	0x80000000u	/* versions: the table of no particular version */

static const pfmlib_attr_desc_t hexagon_mods[] = {
	PFM_ATTR_I("stid", "count threads with this STID only, 0 = all [0-255]"),
	PFM_ATTR_NULL
};

static const pfm_sysfs_unc_field_t hexagon_fields[] = {
	PFM_SYSFS_UNC_FIELD(HEXAGON_CONFIG_STID, 0),
};

static const pfm_sysfs_unc_event_t hexagon_events[] = {
#define MON_EVENT(name, config, places, variants, unit, scale, desc) \
	{ #name, desc, config, (places) & HEXAGON_ON_THREAD ? PFM_SYSFS_UNC_ATTR(0) : 0, \
	  (variants) & HEXAGON_V65_OWN ? HEXAGON_V65_OWN : (variants) | HEXAGON_GENERAL },
#include "events/hexagon/events.def"
#undef MON_EVENT
};

#define HEXAGON_V65_ALL	(HEXAGON_V65 | HEXAGON_V65_OWN)

/* numbers of events: the general table and one a version */
enum {
	NUM_GENERAL = 0
#define MON_EVENT(name, config, places, variants, ...) + !((variants) & HEXAGON_V65_OWN)
#include "events/hexagon/events.def"
#undef MON_EVENT
	,
	NUM_V65 = 0
#define MON_EVENT(name, config, places, variants, ...) + !!((variants) & HEXAGON_V65_ALL)
#include "events/hexagon/events.def"
#undef MON_EVENT
	,
	NUM_V69 = 0
#define MON_EVENT(name, config, places, variants, ...) + !!((variants) & HEXAGON_V69)
#include "events/hexagon/events.def"
#undef MON_EVENT
	,
	NUM_V73 = 0
#define MON_EVENT(name, config, places, variants, ...) + !!((variants) & HEXAGON_V73)
#include "events/hexagon/events.def"
#undef MON_EVENT
	,
	NUM_V79 = 0
#define MON_EVENT(name, config, places, variants, ...) + !!((variants) & HEXAGON_V79)
#include "events/hexagon/events.def"
#undef MON_EVENT
	,
};

#define HEXAGON_PMU(suffix, text, id, mask, count, ident) \
static const pfm_sysfs_unc_table_t hexagon##suffix##_table = { \
	.events		= hexagon_events, \
	.num_events	= LIBPFM_ARRAY_SIZE(hexagon_events), \
	.version	= mask, \
	.fields		= hexagon_fields, \
	.identifier	= ident, \
}; \
pfmlib_pmu_t hexagon##suffix##_support = { \
	.desc		= "Qualcomm Hexagon" text, \
	.name		= "hexagon" #suffix, \
	.perf_name	= "hexagon", \
	.pmu		= PFM_PMU_HEXAGON##id, \
	.pme_count	= count, \
	.num_cntrs	= 8, \
	.atdesc		= hexagon_mods, \
	.pe		= &hexagon##suffix##_table, \
	PFM_SYSFS_UNC_PMU_COMMON, \
}

HEXAGON_PMU(_v65, " V65", _V65, HEXAGON_V65_ALL, NUM_V65, "hexagon-v65");
HEXAGON_PMU(_v69, " V69", _V69, HEXAGON_V69, NUM_V69, "hexagon-v69");
HEXAGON_PMU(_v73, " V73", _V73, HEXAGON_V73, NUM_V73, "hexagon-v73");
HEXAGON_PMU(_v79, " V79", _V79, HEXAGON_V79, NUM_V79, "hexagon-v79");
HEXAGON_PMU(, "", , HEXAGON_GENERAL, NUM_GENERAL, NULL);
