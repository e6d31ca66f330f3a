/* SPDX-License-Identifier: GPL-2.0-only */
/* The metric files (events/metrics/metrics.h): where they are, and what is found in them by name. */
#ifndef MONCTL_METRIC_FILES_H
#define MONCTL_METRIC_FILES_H

#include "events/metrics/metrics.h"

/*
 * All files: those that were installed (or of the folder in MONCTL_METRICS), of /etc and of the user; what comes
 * later replaces metrics and rules of the same name. Read once; a file with a mistake gives a warning.
 */
const struct metric_set *metrics(void);

/* NULL: there is none of that name. */
const struct metric *metric_find(const char *name);
const struct preset *preset_find(const char *name);
/* NULL: files say nothing about a clock of that PMU. */
const struct clock_rule *clock_find(const char *kind);
/* Which says how far a clock went, and not what a device did; clock: may be NULL. */
bool clock_has_event(const struct clock_rule *clock, const char *event);
/* The most that a place can count of an event in a cycle of its PMU's clock; infinite: no limit is known. */
double event_limit(const char *kind, const char *event, const char *unit);
/* The most that so many places count in a cycle. NaN: the PMU's clock makes no rates. */
double event_most(const char *kind, const char *event, const char *unit, size_t places);
/*
 * What was counted in a cycle of the PMU's clock. NaN: there is no such rate. Infinite: it is above the most, so the clock was
 * not that of what was counted, or both were not read at the same moment. All outputs ask here.
 */
double event_rate(double most, double count, double cycles);

#endif
