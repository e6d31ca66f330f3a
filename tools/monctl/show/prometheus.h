/* SPDX-License-Identifier: GPL-2.0-only */
/* What Prometheus scrapes from monctl serve. */
#ifndef MONCTL_PROMETHEUS_H
#define MONCTL_PROMETHEUS_H

#include "tools/monctl/record/recording.h"

/*
 * One scrape: the totals in values, of which there is one for each counter, in the recording's order, already in the counter's
 * unit; shares says in which part of the time each one has counted. Times are left to the scraper.
 */
void prometheus_write(const struct recording *rec, const double *values, const double *shares, FILE *out);

#endif
