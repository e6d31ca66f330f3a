/* SPDX-License-Identifier: GPL-2.0-only */
/* Recordings in the formats of other tools. */
#ifndef MONCTL_EXPORT_H
#define MONCTL_EXPORT_H

#include <stdbool.h>

#include "tools/monctl/recording.h"

/* A line for each interval, a column for each counter: what it counted in the interval; then metrics and runs. */
void export_csv(const struct recording *rec, FILE *out);
/* Trace of https://perfetto.dev: a track for each counter and for each device's runs. */
void export_perfetto(const struct recording *rec, FILE *out);
/* Running totals with times, for promtool tsdb create-blocks-from openmetrics. */
void export_openmetrics(const struct recording *rec, FILE *out);

/*
 * One scrape: the totals in values, of which there is one for each counter, in the recording's order,
 * already in the counter's unit; shares says in which part of the time each one has counted. Times are left to the scraper. is_plain: Prometheus' older text format,
 * for clients that do not ask for OpenMetrics.
 */
void openmetrics_now(const struct recording *rec, const double *values, const double *shares, bool is_plain,
		     FILE *out);

#endif
