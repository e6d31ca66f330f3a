/* SPDX-License-Identifier: MIT */
/*
 * pfmlib_mrfld_visa.c: VISA uncore event groups of the Intel Merrifield SoC (Atom Z34xx)
 *
 * config 0 is the clock of whichever group is programmed. One group counts at a time. Source: "Merrifield Uncore Performance Monitoring Events", Intel.
 */
#include <stdio.h>

#include "pfmlib_priv.h"
#include "pfmlib_perf_event_priv.h"
#include "pfmlib_sysfs_unc_priv.h"
#include "events/mrfld/config.h"

static const pfm_sysfs_unc_event_t mrfld_visa_events[] = {
#define MON_EVENT(name, config, places, variants, unit, scale, desc) \
	{ "unc_visa_" #name, desc, config, 0, 0 },
#include "events/mrfld/events.def"
#undef MON_EVENT
};

static const pfm_sysfs_unc_table_t mrfld_visa_table = {
	.events		= mrfld_visa_events,
	.num_events	= LIBPFM_ARRAY_SIZE(mrfld_visa_events),
};

pfmlib_pmu_t mrfld_visa_support = {
	.desc		= "Intel Merrifield VISA uncore",
	.name		= "mrfld_visa",
	.perf_name	= "mrfld_visa",
	.pmu		= PFM_PMU_MRFLD_VISA,
	.pme_count	= LIBPFM_ARRAY_SIZE(mrfld_visa_events),
	.num_cntrs	= 8,
	.pe		= &mrfld_visa_table,
	PFM_SYSFS_UNC_PMU_COMMON,
};
