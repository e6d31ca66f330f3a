/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between the files of mon_pmu.ko.
 */
#ifndef MON_PRIVATE_H
#define MON_PRIVATE_H

#include "mon_compat.h"
#include "mon_counter.h"
#include "mon_pmu.h"

/* The transaction that the perf core has open on this CPU; interrupts are off from start to end. */
struct mon_pmu_txn {
	unsigned int flags;
	int error;
};

/*
 * An open event; event->hw.event_base points here. moving: on its way to another CPU, while its
 * counters run on.
 */
struct mon_pmu_event_ref {
	struct list_head list;
	struct perf_event *event;
	bool moving;
	bool fail;
};

/* In mon_pmu.users: the counter runs on although its events are between two CPUs. */
#define MON_PMU_HELD	BIT(31)

int mon_pmu_map_register(struct mon_pmu *mp);
void mon_pmu_map_unregister(struct mon_pmu *mp);
void mon_pmu_map_zap(struct mon_pmu *mp);
/* Publishes the state of all events anew, because the device came or went. */
void mon_pmu_update_pages(struct mon_pmu *mp);
void mon_pmu_fail_init(struct mon_pmu *mp);
void mon_pmu_fail_cancel(struct mon_pmu *mp);
int mon_pmu_make_groups(struct mon_pmu *mp);
void mon_pmu_free_groups(struct mon_pmu *mp);
void mon_pmu_init_callbacks(struct pmu *pmu);
void mon_pmu_timer_init(struct mon_pmu *mp);
void mon_pmu_begin_move(struct mon_pmu *mp);
void mon_pmu_end_move(void *mp);
/* Folds all running counters; the lock is held. */
void mon_pmu_fold_running(struct mon_pmu *mp);
void mon_pmu_rebase(struct mon_pmu *mp, unsigned int counter);

#endif
