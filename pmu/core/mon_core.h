/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the core's files. */
#ifndef MON_CORE_H
#define MON_CORE_H

#include "mon_pmu.h"

/**
 * struct mon_event - an event's data
 * @event:	perf's part
 * @node:	in mon_pmu.changed or mon_pmu.reading
 * @booked:	perf has added it, and @wanted are its counters
 * @counting:	it counts with @counters
 * @late:	its first reading failed: the next one is its base
 * @lost:	it has lost counts
 * @losses:	of its counters when it was last updated
 * @n:		its counters; always as many
 * @wanted:	which they are from the end of this scheduling on
 * @counters:	which they are up to there
 */
struct mon_event {
	struct perf_event *event;
	struct list_head node;
	bool booked;
	bool counting;
	bool late;
	bool lost;
	u32 losses;
	unsigned int n;
	u16 *wanted;
	u16 counters[];
};

/* The i-th of its counters, NULL after the last. */
static inline struct mon_pmu_counter *
mon_event_counter(struct mon_pmu *mp, const struct mon_event *me, unsigned int i)
{
	return i < me->n ? &mp->counters[me->counters[i]] : NULL;
}

/* What was read since the last time cannot be believed: an error. */
static inline int mon_pmu_end(struct mon_pmu *mp)
{
	return !mp->gone && mp->desc->ops->end ? mp->desc->ops->end(mp) : 0;
}

/* Why counters are read. At the begin and the end of an event a failed reading is a loss. */
enum mon_why { MON_READ, MON_BEGIN, MON_END };

/* What counters say: mon_pass.c */
DECLARE_PER_CPU(bool, mon_inside);
unsigned long mon_pmu_lock(struct mon_pmu *mp) __acquires(&mp->lock);
void mon_pmu_unlock(struct mon_pmu *mp, unsigned long flags) __releases(&mp->lock);
void mon_counter_start(struct mon_pmu *mp, unsigned int i);
int mon_pmu_pass(struct mon_pmu *mp, struct list_head *events, enum mon_why why);
void mon_pmu_set_poll(struct mon_pmu *mp);
int mon_pmu_alloc_counters(struct mon_pmu *mp);
void mon_pmu_free_counters(struct mon_pmu *mp);

/* What perf calls: mon_event.c */
extern const struct pmu mon_pmu_methods;
/* A CPU goes offline: its events move to another one. */
void mon_pmu_move(struct mon_pmu *mp, int from, int to);

#endif
