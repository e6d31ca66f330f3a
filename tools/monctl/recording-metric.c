// SPDX-License-Identifier: GPL-2.0-only
/* Metrics of a recording. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/metric.h"
#include "tools/monctl/monctl.h"
#include "tools/monctl/recording-internal.h"
#include "tools/monctl/recording-metric.h"

/* The counters that add up to an event in a place; of all together a counter of its own, or those of the places. */
static size_t find_counters(const struct rec_metric *m, const char *terms, size_t *found)
{
	const struct recording *rec = m->rec;
	size_t n = 0;

	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *c = &rec->counter[i];

		if (c->pmu != m->pmu || (m->place >= 0 && c->place != m->place) ||
		    (strcmp(c->event, terms) && strcmp(c->terms, terms)))
			continue;
		if (m->place < 0 && c->place < 0) {
			*found = i;
			return 1;
		}
		found[n++] = i;
	}
	return n;
}

static bool has_operand(const struct rec_metric *m, const char *terms)
{
	for (size_t i = 0; i < m->noperands; i++)
		if (!strcmp(m->operand[i].terms, terms))
			return true;
	return false;
}

static void free_operands(struct rec_metric *m)
{
	for (size_t i = 0; i < m->noperands; i++) {
		free(m->operand[i].terms);
		free(m->operand[i].counter);
	}
	free(m->operand);
}

/* Returns false if an event was not counted there. */
static bool find_operands(struct rec_metric *m)
{
	const struct recording *rec = m->rec;
	size_t *counter, at = 0, n;
	char terms[128];

	while (metric_next_event(m->metric->expression, &at, terms, sizeof(terms))) {
		if (has_operand(m, terms))
			continue;
		counter = calloc(rec->ncounters + 1, sizeof(*counter));
		if (!counter)
			die("out of memory");
		n = find_counters(m, terms, counter);
		for (size_t i = 0; i < n; i++)
			m->is_estimate |= recording_share(rec, &rec->counter[counter[i]]) < SHARE_OF_EXACT;
		m->operand = rec_grow(m->operand, m->noperands, sizeof(*m->operand));
		m->operand[m->noperands++] = (struct rec_operand){ format_text("%s", terms), counter, n };
		if (!n)
			return false;
	}
	return m->noperands;
}

static void add_metric(struct rec_metrics *metrics, struct rec_metric m)
{
	if (!find_operands(&m)) {
		free_operands(&m);
		return;
	}
	metrics->metric = rec_grow(metrics->metric, metrics->count, sizeof(m));
	metrics->metric[metrics->count++] = m;
}

struct rec_metrics rec_metrics_new(const struct recording *rec)
{
	const struct metric_set *set = metrics();
	struct rec_metrics found = { 0 };

	for (size_t i = 0; i < rec->npmus; i++) {
		char *kind = recording_kind(&rec->pmu[i]);

		for (size_t k = 0; k < set->nmetrics; k++) {
			size_t before = found.count;

			if (strcmp(set->metric[k].kind, kind))
				continue;
			add_metric(&found, (struct rec_metric){ &set->metric[k], rec, i, -1, false, NULL, 0 });
			for (size_t p = 0; found.count > before && p < rec->pmu[i].nplaces; p++)
				add_metric(&found, (struct rec_metric){ &set->metric[k], rec, i, rec->pmu[i].place[p].number,
									false, NULL, 0 });
		}
		free(kind);
	}
	return found;
}

void rec_metrics_free(struct rec_metrics *metrics)
{
	for (size_t i = 0; i < metrics->count; i++)
		free_operands(&metrics->metric[i]);
	free(metrics->metric);
}

/* The counts of the operands, in their order. */
struct operand_counts {
	const struct rec_metric *m;
	const double *count;
};

static double operand_count(void *arg, const char *terms, int place)
{
	const struct operand_counts *counts = arg;

	(void)place;
	for (size_t i = 0; i < counts->m->noperands; i++)
		if (!strcmp(counts->m->operand[i].terms, terms))
			return counts->count[i];
	return NAN;
}

static double value_of(const struct rec_metric *m, const double *count, double seconds)
{
	struct operand_counts operands = { m, count };
	const struct metric_counts counts = {
		.count = operand_count, .arg = &operands, .places = m->rec->pmu[m->pmu].nplaces, .seconds = seconds,
		.clock_hz = m->rec->pmu[m->pmu].clock_hz,
	};

	return m->is_estimate ? NAN : metric_value(m->metric, &counts, -1);
}

static double *new_counts(size_t count)
{
	double *counts = calloc(count + 1, sizeof(*counts));

	if (!counts)
		die("out of memory");
	return counts;
}

double rec_metric_total(const struct rec_metric *m)
{
	const struct recording *rec = m->rec;
	double *count = new_counts(m->noperands), value;

	for (size_t i = 0; i < m->noperands; i++)
		for (size_t k = 0; k < m->operand[i].ncounters; k++)
			count[i] += recording_total(rec, &rec->counter[m->operand[i].counter[k]]);
	value = value_of(m, count, (rec->stop - rec->start) / 1e9);
	free(count);
	return value;
}

void rec_metric_row(const struct rec_metric *m, struct rec_table *table, size_t stretches, double seconds, double *value)
{
	double *count = new_counts(stretches * m->noperands);

	for (size_t i = 0; i < m->noperands; i++) {
		for (size_t k = 0; k < m->operand[i].ncounters; k++) {
			const uint64_t *row = rec_table_row(table, &m->rec->counter[m->operand[i].counter[k]]);

			for (size_t r = 0; r < stretches; r++)
				count[r * m->noperands + i] += row[r];
		}
	}
	for (size_t r = 0; r < stretches; r++)
		value[r] = value_of(m, count + r * m->noperands, seconds);
	free(count);
}
