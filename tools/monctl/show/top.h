/* SPDX-License-Identifier: GPL-2.0-only */
/* monctl top: what is on the screen. */
#ifndef MONCTL_TOP_H
#define MONCTL_TOP_H

#include "tools/monctl/record/groups.h"

#define TOP_PAST 256

struct top {
	struct selection sel;		/* every event in every place where it counts */
	struct groups *groups;
	struct reading *before, *now;
	struct recording *rec;		/* the selection's description */
	double *count;			/* of each counter between the readings; NaN: not known */
	double *rate;			/* of each counter, in its unit a second of its PMU's clock; NaN: not known */
	bool *is_count;			/* there is no such rate: what it counted between the readings */
	size_t *first;			/* of each counter: the first one of its event */
	double *past;			/* of those: top_rate() at the last TOP_PAST readings, a ring */
	size_t readings;		/* all that were ever taken */
	double total_seconds;
	uint64_t interval;
	size_t pmu;			/* of sel.pmus */
	size_t scroll;
	bool has_problem;		/* mon_error() says why something could not be read */
	char *answer;			/* budgets and sentences of the PMU that is shown, or NULL */
	bool paused, ascii, help;
};

/* The PMU that is shown; at least one has counters. */
const struct mon_pmu *top_pmu(const struct top *top);
/* Once, when all counters are selected. */
void top_find_events(struct top *top);
/* The number-th event of that PMU that is counted, by its first counter; NULL after the last. */
const struct counter *top_event(const struct top *top, size_t number);
/* Sum over all places. */
double top_rate(const struct top *top, const struct counter *event);
/* Keeps the rates of this reading. */
void top_keep(struct top *top);
/* top_rate() of a number of readings ago, 0: the last; NaN: before the first, or not known. */
double top_past(const struct top *top, const struct counter *event, size_t ago);
/* Draws all of it. */
void top_draw(const struct top *top);

#endif
