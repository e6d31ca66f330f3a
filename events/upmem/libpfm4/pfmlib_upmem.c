/* SPDX-License-Identifier: MIT */
/*
 * pfmlib_upmem.c: UPMEM DPUs, processors in the DRAM chips of a DIMM
 *
 * Without dpu an event is the sum over all DPUs of the rank. A DPU has two bank interface counters of 32 bits; chain makes them one of 64 bits.
 * Source: dpu_bank_interface_pmc.h of the UPMEM SDK.
 */
#include <stdio.h>

#include "pfmlib_priv.h"
#include "pfmlib_perf_event_priv.h"
#include "pfmlib_sysfs_unc_priv.h"
#include "events/upmem/config.h"

#define DPU	PFM_SYSFS_UNC_ATTR(0)
#define CHAIN	PFM_SYSFS_UNC_ATTR(1)

static const pfmlib_attr_desc_t upmem_mods[] = {
	PFM_ATTR_I("dpu", "count in this DPU only [0-255]"),
	PFM_ATTR_B("chain", "use both bank interface counters as one of 64 bits"),
	PFM_ATTR_NULL
};

static const pfm_sysfs_unc_field_t upmem_fields[] = {
	PFM_SYSFS_UNC_FIELD(UPMEM_CONFIG_DPU, UPMEM_CONFIG_BYDPU),
	PFM_SYSFS_UNC_FIELD(UPMEM_CONFIG_CHAIN, 0),
};

static const pfm_sysfs_unc_event_t upmem_events[] = {
#define MON_EVENT(name, config, places, variants, unit, scale, desc) \
	{ #name, desc, config, (config) <= UPMEM_BANK_EVENTS ? DPU | CHAIN : DPU, 0 },
#include "events/upmem/events.def"
#undef MON_EVENT
};

static const pfm_sysfs_unc_table_t upmem_table = {
	.events		= upmem_events,
	.num_events	= LIBPFM_ARRAY_SIZE(upmem_events),
	.fields		= upmem_fields,
};

pfmlib_pmu_t upmem_support = {
	.desc		= "UPMEM DPU rank",
	.name		= "upmem",
	.perf_name	= "upmem",
	.pmu		= PFM_PMU_UPMEM,
	.pme_count	= LIBPFM_ARRAY_SIZE(upmem_events),
	.num_cntrs	= 2,
	.num_fixed_cntrs = 2, /* dpu_cycles, dpu_instructions */
	.atdesc		= upmem_mods,
	.pe		= &upmem_table,
	PFM_SYSFS_UNC_PMU_COMMON,
};
