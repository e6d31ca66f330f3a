/* SPDX-License-Identifier: GPL-2.0-only */
/* Metrics of events/perf/metrics.def: calculated from counts. */
#ifndef MONCTL_METRIC_H
#define MONCTL_METRIC_H

#include <stdbool.h>
#include <stddef.h>

struct metric {
	const char *kind;		/* PMU, without the number of an instance */
	const char *name, *group;
	const char *unit;		/* perf's ScaleUnit: "100%", "1MB/s" */
	const char *expression, *description;
};

/* NULL: there is no metric of that name. */
const struct metric *metric_find(const char *name);
/* By index from 0 on; NULL behind the last. */
const struct metric *metric_get(size_t index);

/* Value of an event by its terms ("ddr_accesses", "group=1,counter=0"); NaN if it was not counted. */
typedef double (*metric_lookup)(void *arg, const char *terms);

/* The terms of the events in it, one after the other; false behind the last. *at begins with 0. */
bool metric_next_event(const struct metric *metric, size_t *at, char *terms, size_t room);
/* In the metric's unit; NaN if an event is missing or the metric has no value (0 / 0). */
double metric_value(const struct metric *metric, metric_lookup lookup, void *arg, double seconds);
/* "%" of "100%". */
const char *metric_unit(const struct metric *metric);

#endif
