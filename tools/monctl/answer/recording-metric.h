/* SPDX-License-Identifier: GPL-2.0-only */
/* Metrics of a recording: those whose events were counted, in all places together and in each place. */
#ifndef MONCTL_RECORDING_METRIC_H
#define MONCTL_RECORDING_METRIC_H

#include "tools/monctl/answer/counts.h"

/* A quotient of sums of counts. */
struct rec_metric {
	const struct metric *metric;
	const struct recording *rec;
	size_t pmu;
	int place;			/* its number; -1: all together */
	struct form over, under;	/* under: empty if there is no quotient */
	bool has_forms;			/* it is such a quotient, and its events were counted */
	double total;			/* over the whole recording; NaN: not known */
};

struct rec_metrics {
	struct rec_metric *metric;	/* by PMU, metric and place, all together first */
	size_t count;
};

/* Of counts of the recording's whole time. */
struct rec_metrics rec_metrics_of(const struct counts *counts);
struct rec_metrics rec_metrics_new(const struct recording *rec);
void rec_metrics_free(struct rec_metrics *metrics);
/* In each of the table's stretches. NaN: not known; infinite: outside of its range. */
void rec_metric_row(const struct rec_metric *m, struct rec_table *table, size_t stretches, double *value);
/* The same of a counter's rate, as event_rate() says; false: it has none. */
bool rec_rate_row(struct counts_view *view, const struct rec_counter *counter, struct rec_table *table, size_t stretches, double *rate);

#endif
