/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tables of monctl stat show: counts, shares and metrics between two readings or of runs. */
#ifndef MONCTL_STAT_FRAME_H
#define MONCTL_STAT_FRAME_H

#include "tools/monctl/show/stat.h"
#include "tools/monctl/answer/verdict.h"

#define ALL_RUNS (-1)
/* Counters take turns of some milliseconds: shorter runs are too short for estimates, in seconds. */
#define LEAST_ESTIMATE 0.1

/* Two readings, or runs that were kept: one by its number, or all of them. */
struct frame {
	struct stat_table *table;
	const struct reading *before, *now;	/* now: NULL for runs */
	int run;
};

/* Of counter i; of all runs the average. NaN: it was not counted. */
double frame_count(const struct frame *f, size_t i);
/* In units of the event. */
double frame_scaled(const struct frame *f, size_t i);
/* The part of the time in which it counted. */
double frame_share(const struct frame *f, size_t i);
bool frame_is_estimate(const struct frame *f, size_t i);
bool frame_has_counted(const struct frame *f, size_t i);
double frame_seconds(const struct frame *f);
/* In a place by its index, or with -1 in all of them together; NaN: not known. */
double frame_metric(const struct frame *f, const struct wanted_metric *m, int place);
/* One of its counters took turns. */
bool frame_metric_is_estimate(const struct frame *f, const struct wanted_metric *m);
/* What each counter counted in a cycle of its PMU's clock, as counts_rates() says; to be freed. */
double *frame_rates(const struct frame *f);
/* For budgets and rules; with is_exact estimates are not known. free() the array of counts. */
struct counts frame_counts(const struct frame *f, bool is_exact);
/* " +- 1.2 %" of what of() says of each run; "" for a single one. Valid until the next call. */
const char *frame_spread_text(const struct frame *f, double (*of)(const struct frame *f, const void *what),
			      const void *what);

void stat_print_text(const struct frame *f);
void stat_print_csv(const struct frame *f);
void stat_print_json(const struct frame *f);

#endif
