/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of formulas, metrics and budgets, out of counts. */
#ifndef MONCTL_METRIC_H
#define MONCTL_METRIC_H

#include <stdint.h>

#include "events/metrics/metrics.h"

/* What formulas are calculated from: the counts of one PMU in one interval. */
struct metric_counts {
	/*
	 * Count of an event by its name or terms ("ddr_accesses", "group=1,counter=0") in a place by its index, or with -1
	 * of all; NaN if it was not counted.
	 */
	double (*count)(void *arg, const char *event, int place);
	/* Whether the PMU does not have the event; may be NULL. */
	bool (*is_absent)(void *arg, const char *event);
	/* Counts of a window from now on, SIZE_MAX: of all the time. */
	void (*select)(void *arg, size_t window);
	/* Whether a window has readings of its own; NULL: each begins and ends with one. */
	bool (*is_read)(void *arg, size_t window);
	void *arg;
	size_t places, windows;
	double clock_hz;		/* 0: not known */
	uint64_t transfer_ns;		/* 0: not known */
	const struct clock_rule *clock;
	double *kept;			/* of functions by their numbers, until other counts are selected; NaN: none; or NULL */
};

/*
 * Any formula, with v as its value v. min(), max() and mean() go over the places that have a value; total() is of all
 * places; peak() goes over the windows. not() is 1 for 0 and for what is not known. "duration_time" is of the PMU's own
 * clock. NaN: not known.
 */
double formula_value(const struct formula *formula, const struct metric_counts *counts, int place, double v);
/* In the metric's unit, for a place by its index or with -1 for all; NaN if it is not known or outside of its range. */
double metric_value(const struct metric *metric, const struct metric_counts *counts, int place);
/* Cycles of the PMU's own clock in a place, or of all; NaN: not known, and then there are no rates. */
double clock_cycles(const struct metric_counts *counts, int place);

/* Cycles of a device and of its parts; false: not known. beside: the cycles in which these are, or NaN. */
bool budget_cycles(const struct budget_rule *rule, const struct metric_counts *counts, int place, double *cycles,
		   double *total, double *beside);
/* The place with most cycles of a budget, by its index; -1: none is known. */
int budget_largest(const struct budget_rule *rule, const struct metric_counts *counts);

#endif
