/* SPDX-License-Identifier: GPL-2.0-only */
/* Metrics of text files (events/metrics/metrics.h): where the files are, and values out of counts. */
#ifndef MONCTL_METRIC_H
#define MONCTL_METRIC_H

#include "events/metrics/metrics.h"

/*
 * All files: those that were installed (or of the folder in MONCTL_METRICS), of /etc and of the user; what comes
 * later replaces metrics and rules of the same name. Read once; a file with a mistake gives a warning.
 */
const struct metric_set *metrics(void);

/* NULL: there is no metric of that name. */
const struct metric *metric_find(const char *name);

/* NULL: files say nothing about a clock of that PMU. */
const struct clock_rule *clock_find(const char *kind);
/* What a word of an expression names, a metric or the part of a budget; NULL: neither. */
const struct metric_name {
	char *text;
	size_t length;
	const struct metric *metric;	/* or NULL */
	const struct budget_rule *budget;
	size_t part;
} *metric_name_find(const char *word, size_t length);

/* Values that took a walk over all places, kept until other counts are selected. */
struct metric_memo {
	struct kept_value {
		char of;		/* what was done to the expression */
		const char *text;
		size_t length;
		double value;
	} kept[64];
	size_t count;
};

/* What expressions are calculated from: the counts of one PMU in one interval. */
struct metric_counts {
	/*
	 * Count of an event by its terms ("ddr_accesses", "group=1,counter=0") in a place by its index, or with -1
	 * of all; NaN if it was not counted.
	 */
	double (*count)(void *arg, const char *terms, int place);
	/* Whether the PMU does not have the event; may be NULL. */
	bool (*is_absent)(void *arg, const char *terms);
	/* Counts of a window from now on, SIZE_MAX: of all the time. */
	void (*select)(void *arg, size_t window);
	void *arg;
	size_t places, windows;
	double clock_hz;		/* 0: not known */
	const struct clock_rule *clock;
	struct metric_memo *memo;	/* may be NULL */
};

/* The terms of the events in it, one after the other; false behind the last. *at begins with 0. */
bool metric_next_event(const char *expression, size_t *at, char *terms, size_t room);
/*
 * In the metric's unit, for a place by its index or with -1 for all; NaN if an event is missing, if it has no
 * value (0 / 0) or one that is outside of the metric's range.
 */
double metric_value(const struct metric *metric, const struct metric_counts *counts, int place);
/*
 * Any expression, in which metrics may stand by name and "v" is that value. min(), max() and mean() go over the
 * places that have a value; total() is of all places; peak() goes over the windows. known() makes 0 of what is not known, offered() of an event that
 * the PMU does not have; not() is 1 for 0 and for what is not known. "duration_time" is of the PMU's own clock.
 */
double expression_value(const char *expression, const struct metric_counts *counts, int place, double v);
/* Cycles of the PMU's own clock in a place, or of all; NaN: not known, and then there are no rates. */
double clock_cycles(const struct metric_counts *counts, int place);
/* Are its cycles those of the PMU's clock, which all places have in common? */
bool budget_is_of_clock(const struct budget_rule *rule, const struct clock_rule *clock);
/* Cycles of a device and of its parts; false: not known. */
bool budget_cycles(const struct budget_rule *rule, const struct metric_counts *counts, int place, double *cycles,
		   double *total);
/* Per cent, of a place or of all devices together; NaN: not known. */
double budget_share(const struct budget_rule *rule, size_t part, const struct metric_counts *counts, int place);

#endif
