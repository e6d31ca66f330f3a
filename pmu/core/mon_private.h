/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between the files of mon_pmu.ko.
 */
#ifndef MON_PRIVATE_H
#define MON_PRIVATE_H

#include "mon_compat.h"
#include "mon_counter.h"
#include "mon_pmu.h"

/**
 * struct mon_pmu_txn - what a CPU is doing with a PMU
 * @flags: of the transaction that the perf core has open; interrupts are off from start to end
 * @error: of that transaction
 * @inside: the CPU has the PMU's lock or is about to take it
 */
struct mon_pmu_txn {
	unsigned int flags;
	int error;
	bool inside;
};

/**
 * struct mon_pmu_counter - a hardware counter
 * @users: events that it runs for
 * @based: it has been read since it was started
 */
struct mon_pmu_counter {
	unsigned int users;
	bool based;
};

/**
 * struct mon_pmu_event_ref - an open event; event->hw.event_base points here
 * @list: in mon_pmu.events
 * @kept: in mon_pmu.kept while the event is deleted but its counters run on
 * @event: itself
 * @ended: in mon_pmu.ended until it has the error state if it is off
 * @fail: about to get the error state
 * @lost: has lost counts since its start, so that a group that has it cannot be read
 * @unread: the reading that ended it has failed; a kept event can still make up for it
 * @wants: has been started, and ops->wants is true
 */
struct mon_pmu_event_ref {
	struct list_head list;
	struct list_head kept;
	struct list_head ended;
	struct perf_event *event;
	bool fail;
	bool lost;
	bool unread;
	bool wants;
};

static inline struct mon_pmu_event_ref *mon_pmu_ref(struct perf_event *event)
{
	return (struct mon_pmu_event_ref *)event->hw.event_base;
}

/*
 * Tracepoints and the like fire while the lock is held and while it is being taken, and perf may
 * read our events in them: mon_pmu_read() has to know that.
 */
static inline unsigned long mon_pmu_lock(struct mon_pmu *mp)
	__acquires(&mp->lock)
{
	unsigned long flags;

	local_irq_save(flags);
	WRITE_ONCE(this_cpu_ptr(mp->txn)->inside, true);
	barrier();
	raw_spin_lock(&mp->lock);
	return flags;
}

static inline void mon_pmu_unlock(struct mon_pmu *mp, unsigned long flags)
	__releases(&mp->lock)
{
	raw_spin_unlock(&mp->lock);
	barrier();
	WRITE_ONCE(this_cpu_ptr(mp->txn)->inside, false);
	local_irq_restore(flags);
}

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
/* Runs on the CPU that has the events now. */
void mon_pmu_end_move(void *mp);

void mon_pmu_start_timer(struct mon_pmu *mp);

/* For all that follow the lock is held. */
void mon_pmu_fail_event(struct mon_pmu *mp, struct perf_event *event);
void mon_pmu_fail_deleted(struct mon_pmu *mp, struct perf_event *event);
bool mon_pmu_needs_timer(struct mon_pmu *mp);
void mon_pmu_fold_running(struct mon_pmu *mp);
int mon_pmu_rebase(struct mon_pmu *mp, unsigned int i);
u64 mon_pmu_sum(struct mon_pmu *mp, struct perf_event *event);
int mon_pmu_update(struct mon_pmu *mp, struct perf_event *event);
int mon_pmu_start_counters(struct mon_pmu *mp, struct perf_event *event);
void mon_pmu_end_counters(struct mon_pmu *mp, struct perf_event *event);
void mon_pmu_let_go(struct mon_pmu *mp, struct mon_pmu_event_ref *ref);
void mon_pmu_let_go_all(struct mon_pmu *mp);
void mon_pmu_let_go_unwanted(struct mon_pmu *mp);

#endif
