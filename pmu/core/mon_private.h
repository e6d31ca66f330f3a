/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between the files of mon_pmu.ko.
 */
#ifndef MON_PRIVATE_H
#define MON_PRIVATE_H

#include "mon_compat.h"
#include "mon_counter.h"
#include "mon_pmu.h"

/* What does not depend on the device; what does, once it is known; and what perf calls. */
void mon_pmu_init(struct mon_pmu *mp);
int mon_pmu_alloc_counters(struct mon_pmu *mp);
void mon_pmu_free_counters(struct mon_pmu *mp);
void mon_pmu_init_callbacks(struct mon_pmu *mp);
/* A CPU goes: the events and the timer live on another one from now on. */
void mon_pmu_move(struct mon_pmu *mp, int from, int to);

#endif
