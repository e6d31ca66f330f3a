/* SPDX-License-Identifier: GPL-2.0-only */
/* Metrics of text files (formats/metrics.h): where the files are, and values out of counts. */
#ifndef MONCTL_METRIC_H
#define MONCTL_METRIC_H

#include "formats/metrics.h"

/*
 * All files: those that were installed (or of the folder in MONCTL_METRICS), of /etc and of the user; what comes
 * later replaces metrics and rules of the same name. Read once; a file with a mistake gives a warning.
 */
const struct metric_set *metrics(void);

/* NULL: there is no metric of that name. */
const struct metric *metric_find(const char *name);

/* What expressions are calculated from: the counts of one PMU in one interval. */
struct metric_counts {
	/*
	 * Count of an event by its terms ("ddr_accesses", "group=1,counter=0") in a place by its index, or with -1
	 * of all; NaN if it was not counted.
	 */
	double (*count)(void *arg, const char *terms, int place);
	void *arg;
	size_t places;
	double seconds, clock_hz;	/* 0: not known */
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
 * places that have a value.
 */
double expression_value(const char *expression, const struct metric_counts *counts, int place, double v);

#endif
