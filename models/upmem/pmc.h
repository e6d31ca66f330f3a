/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The bank interface's two counters of a DPU (v1B), as byte registers.
 *
 * They count by difference: a counter is the growth of its event's total since the event was
 * selected. So they cost nothing while a DPU executes, and can be read meanwhile.
 */
#ifndef MON_MODELS_UPMEM_PMC_H
#define MON_MODELS_UPMEM_PMC_H

#include "dpu/include/model.h"

struct dpu_pmc {
	uint8_t enable, control, event[2];
	uint8_t running;	/* bit 0, 1: the counters */
	uint8_t selected;	/* what was written to the read-back register */
	uint64_t base[2];	/* total when the event was selected */
	uint64_t value[2];	/* when the counter was stopped */
	uint64_t shown;		/* the eight bytes that are being read back */
};

/* How often an event has happened; a selector with several bits is the sum of their events. */
uint64_t dpu_event_total(const struct dpu_totals *totals, const struct dpu_timing *timing,
			 uint32_t clock, uint32_t event);

/* offset: UPMEM_PMC_*. Selecting byte 0 holds all eight bytes for the reads that follow. */
void dpu_pmc_write(struct dpu_pmc *pmc, const struct dpu *dpu, const struct dpu_totals *totals,
		   unsigned int offset, uint8_t value);
uint8_t dpu_pmc_read(const struct dpu_pmc *pmc, unsigned int offset);

#endif
