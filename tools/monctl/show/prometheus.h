/* SPDX-License-Identifier: GPL-2.0-only */
/* What Prometheus scrapes from monctl serve. */
#ifndef MONCTL_OPENMETRICS_H
#define MONCTL_OPENMETRICS_H

#include <stdbool.h>

#include "tools/monctl/record/recording.h"

/*
 * One scrape: the totals in values, of which there is one for each counter, in the recording's order,
 * already in the counter's unit; shares says in which part of the time each one has counted. Times are left to the scraper. is_plain: Prometheus' older text format,
 * for clients that do not ask for OpenMetrics.
 */
void openmetrics_now(const struct recording *rec, const double *values, const double *shares, bool is_plain,
		     FILE *out);

#endif
