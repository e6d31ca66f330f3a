/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registers of a Hexagon core's PMU (events/hexagon/regs.h, up to the latch) on top of counts.
 *
 * A counter keeps its value when its event changes, and enabling does not clear: what software reads
 * is the value it left plus what the selected event has counted since. The user gives present totals
 * with every access.
 */
#ifndef HEXAGON_PMU_H
#define HEXAGON_PMU_H

#include "events/hexagon/regs.h"
#include "hexagon/events.h"

/* Plain data: it may be copied, saved and loaded. */
struct hexagon_pmu {
	uint32_t evtcfg[2];
	uint32_t stid[2];
	uint32_t cfg;
	uint32_t syscfg;
	uint64_t value[HEXAGON_COUNTERS];	/* 64 bits wide, so that carries can be counted */
	uint64_t origin[HEXAGON_COUNTERS];	/* of the event when value was taken */
	uint64_t pcycle;
	uint64_t pcycle_origin;
	uint32_t latched[HEXAGON_COUNTERS];
};

void hexagon_pmu_reset(struct hexagon_pmu *pmu);

/* 32-bit accesses; offsets that are not the PMU's read as 0 and ignore writes. */
uint32_t hexagon_pmu_read(const struct hexagon_pmu *pmu, const struct hexagon_core *core,
			  const struct hexagon_totals *totals, unsigned int offset);
void hexagon_pmu_write(struct hexagon_pmu *pmu, const struct hexagon_core *core,
		       const struct hexagon_totals *totals, unsigned int offset, uint32_t value);

/* The HEXAGON_FEATURE_... that the selected events need. */
uint32_t hexagon_pmu_features(const struct hexagon_pmu *pmu, const struct hexagon_core *core);

/* Does a counter select this event, and not the carries of another counter? */
bool hexagon_pmu_selects(const struct hexagon_pmu *pmu, const struct hexagon_core *core, unsigned int code);

#endif
