/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the files of mon_pmu.ko. */
#ifndef MON_CORE_H
#define MON_CORE_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/percpu.h>

#include "mon_pmu.h"

struct mon_event {
	struct perf_event *event;
	struct list_head node;	/* in mon_pmu.changed or mon_pmu.reading */
	bool booked;		/* perf has added it */
	bool counting;		/* it counts with counters */
	bool polled;		/* its counters wrap */
	bool lost;		/* it has lost counts, and no reading has told it yet */
	unsigned long losses;	/* mon_pmu.losses when it was last updated */
	u16 *wanted;		/* its counters from the end of this scheduling on */
	unsigned int n;		/* its counters; always as many */
	u16 counters[];		/* which they are */
};

/* mon_pass.c; but for the first three and the last two, with the PMU's lock held */

/*
 * Tracepoints fire while the lock is held and while it is being taken, and perf may read our events
 * in them. While it is set nothing of the core takes a lock.
 */
DECLARE_PER_CPU(bool, mon_inside);
unsigned long mon_pmu_lock(struct mon_pmu *mp) __acquires(&mp->lock);
void mon_pmu_unlock(struct mon_pmu *mp, unsigned long flags) __releases(&mp->lock);

/* Why counters are read. At the begin and the end of an event a failed reading is a loss. */
enum mon_why { MON_READ, MON_BEGIN, MON_END };

/* Reads the counters of events. */
int mon_pmu_pass(struct mon_pmu *mp, struct list_head *events, enum mon_why why);
/* Updates an event that counts, begins to or ends, after a pass. -EIO: it has lost counts. */
int mon_event_update(struct mon_pmu *mp, struct mon_event *me, enum mon_why why);
void mon_counter_start(struct mon_pmu *mp, unsigned int i);
void mon_counter_stop(struct mon_pmu *mp, unsigned int i);
/* What was read since the last time cannot be believed: an error. */
int mon_pmu_end(struct mon_pmu *mp);
/* The CPU for the polls has changed. */
void mon_pmu_set_poll(struct mon_pmu *mp);
int mon_pmu_alloc_counters(struct mon_pmu *mp);
/* Also after mon_pmu_alloc_counters() has failed. */
void mon_pmu_free_counters(struct mon_pmu *mp);

/* mon_event.c */
extern const struct pmu mon_pmu_methods;
void mon_pmu_move(struct mon_pmu *mp, int from, int to);

#endif
