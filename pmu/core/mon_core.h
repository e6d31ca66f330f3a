/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the core's files. */
#ifndef MON_CORE_H
#define MON_CORE_H

#include "mon_pmu.h"

/* An event's data. */
struct mon_event {
	struct perf_event *event;
	struct list_head node;	/* in entering, leaving or reading */
	bool claimed;		/* the books give it its counters */
	u32 losses;		/* of its counters when it began */
	unsigned int n;		/* its counters; always as many */
	u16 counters[];		/* which, since it has them */
};

/* The i-th of its counters, NULL after the last. */
static inline struct mon_pmu_counter *
mon_event_counter(struct mon_pmu *mp, const struct mon_event *me, unsigned int i)
{
	return i < me->n ? &mp->counters[me->counters[i]] : NULL;
}

/* Why counters are read. At the begin and the end of an event a failed reading is a loss. */
enum mon_why { MON_READ, MON_BEGIN, MON_END };

/* Who has which counter: mon_books.c */
struct mon_event *mon_event_new(struct mon_pmu *mp, struct perf_event *event);
int mon_event_claim(struct mon_pmu *mp, struct mon_event *me, bool counts);
void mon_event_release(struct mon_pmu *mp, struct mon_event *me);

/* What counters say: mon_pass.c */
unsigned long mon_pmu_lock(struct mon_pmu *mp) __acquires(&mp->lock);
void mon_pmu_unlock(struct mon_pmu *mp, unsigned long flags) __releases(&mp->lock);
void mon_pmu_unlock_and_poll(struct mon_pmu *mp, unsigned long flags) __releases(&mp->lock);
void mon_counter_start(struct mon_pmu *mp, unsigned int i);
int mon_pmu_pass(struct mon_pmu *mp, struct list_head *events, enum mon_why why);
int mon_pmu_alloc_counters(struct mon_pmu *mp);
void mon_pmu_free_counters(struct mon_pmu *mp);

/* What perf calls: mon_event.c */
extern const struct pmu mon_pmu_methods;
/* A CPU goes offline: its events move to another one. */
void mon_pmu_move(struct mon_pmu *mp, int from, int to);

#endif
