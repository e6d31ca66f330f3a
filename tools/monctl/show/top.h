/* SPDX-License-Identifier: GPL-2.0-only */
/* monctl top: what is on the screen. */
#ifndef MONCTL_TOP_H
#define MONCTL_TOP_H

#include "tools/monctl/record/groups.h"

#define TOP_PAST 256

/* An event, in all of its places together. */
struct top_row {
	const struct counter *event;	/* its first counter */
	bool is_count;			/* there is no rate: what it counted between the readings */
	double rate;			/* in its unit a second of its PMU's clock; NaN: not known */
	double past[TOP_PAST];		/* the rate at the last readings, a ring */
};

struct top {
	struct selection sel;		/* every event in every place where it counts */
	struct groups *groups;
	struct reading *before, *now;
	struct recording *rec;		/* the selection's description */
	double *raw, *count;		/* of each counter between the readings; in count an estimate is NaN: not known */
	double *rate;			/* of each counter, as counts_rates() says */
	struct top_row *row;
	size_t rows;
	size_t *row_of;			/* of each counter */
	size_t readings;		/* all that were ever taken */
	double total_seconds;
	uint64_t interval;
	size_t pmu;			/* of sel.pmus */
	size_t scroll;
	bool has_problem;		/* mon_error() says why something could not be read */
	char *answer;			/* budgets and sentences of the PMU that is shown, or NULL */
	bool paused, ascii, help;
};

/* Draws all of it. */
void top_draw(const struct top *top);

#endif
