/* SPDX-License-Identifier: GPL-2.0-only */
/* Metrics of a recording: those whose events were counted, in all places together and in each place. */
#ifndef MONCTL_RECORDING_METRIC_H
#define MONCTL_RECORDING_METRIC_H

#include "formats/metrics.h"
#include "tools/monctl/recording.h"

/* An event of a metric: the counters that add up to it. */
struct rec_operand {
	char *terms;
	size_t *counter;
	size_t ncounters;
};

struct rec_metric {
	const struct metric *metric;
	const struct recording *rec;
	size_t pmu;
	int place;			/* its number; -1: all together */
	bool is_estimate;		/* a counter took turns: the values are not known */
	struct rec_operand *operand;
	size_t noperands;
};

struct rec_metrics {
	struct rec_metric *metric;	/* by PMU, metric and place, all together first */
	size_t count;
};

struct rec_metrics rec_metrics_new(const struct recording *rec);
void rec_metrics_free(struct rec_metrics *metrics);
/* Over the whole recording; NaN: not known. */
double rec_metric_total(const struct rec_metric *m);
/* In each of the table's stretches of that many seconds; NaN: not known. */
void rec_metric_row(const struct rec_metric *m, struct rec_table *table, size_t stretches, double seconds, double *value);

#endif
