/* SPDX-License-Identifier: MIT */
/*
 * pfmlib_upmem.c: UPMEM DPUs, processors in the DRAM chips of a DIMM
 *
 * config: event 0-11, dpu 12-19, bydpu 20, chain 21. Without dpu an event is the sum over all DPUs of
 * the rank. A DPU has two bank interface counters of 32 bits; chain makes them one of 64 bits.
 * Source: dpu_bank_interface_pmc.h of the UPMEM SDK.
 */
#include <stdio.h>

#include "pfmlib_priv.h"
#include "pfmlib_perf_event_priv.h"
#include "pfmlib_sysfs_unc_priv.h"

#define DPU	PFM_SYSFS_UNC_ATTR(0)
#define CHAIN	PFM_SYSFS_UNC_ATTR(1)

static const pfmlib_attr_desc_t upmem_mods[] = {
	PFM_ATTR_I("dpu", "count in this DPU only [0-255]"),
	PFM_ATTR_B("chain", "use both bank interface counters as one of 64 bits"),
	PFM_ATTR_NULL
};

static const pfm_sysfs_unc_field_t upmem_fields[] = {
	{ .lo = 12, .width = 8, .set = 1 << 20 },
	{ .lo = 21, .width = 1 },
};

static const pfm_sysfs_unc_event_t upmem_events[] = {
/* codes from 0x100 are no bank interface counters */
#define UPMEM_EVENT(name, code, unit, desc) \
	{ #name, desc, code, (code) < 0x100 ? DPU | CHAIN : DPU, 0 },
#include "events/upmem/events.def"
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
