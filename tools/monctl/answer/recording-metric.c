// SPDX-License-Identifier: GPL-2.0-only
/* Metrics of a recording. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/base/metric-files.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/answer/recording-metric.h"

static void add_metric(struct rec_metrics *metrics, const struct metric *metric, struct counts_view *view, int index)
{
	const struct formula *formula = metric->formula;
	bool has_division;
	struct rec_metric m = {
		.metric = metric, .rec = view->counts->rec, .pmu = view->pmu,
		.place = index < 0 ? -1 : (int)view->counts->rec->pmu[view->pmu].place[index].number,
		.total = metric_value(metric, &view->values, index),
	};

	if (formula && formula->op == FORMULA_ACTIVE)
		formula = formula->left;
	has_division = formula && formula->op == FORMULA_DIVIDE;
	m.over = counts_form(view, has_division ? formula->left : formula, index);
	if (has_division)
		m.under = counts_form(view, formula->right, index);
	m.has_forms = form_is_sum(&m.over) && m.over.count && (!has_division || (form_is_sum(&m.under) && m.under.count));
	if (!m.has_forms && isnan(m.total)) {
		form_free(&m.over);
		form_free(&m.under);
		return;
	}
	metrics->metric = grow(metrics->metric, metrics->count, sizeof(m));
	metrics->metric[metrics->count++] = m;
}

struct rec_metrics rec_metrics_of(const struct counts *counts)
{
	const struct metric_set *set = metrics();
	struct rec_metrics found = { 0 };

	for (size_t i = 0; i < counts->rec->npmus; i++) {
		struct counts_view view;

		counts_view_init(&view, counts, i);
		for (size_t k = 0; k < set->nmetrics; k++) {
			if (strcmp(set->metric[k].kind, counts->rec->pmu[i].kind))
				continue;
			for (int p = -1; p < (int)counts->rec->pmu[i].nplaces; p++)
				add_metric(&found, &set->metric[k], &view, p);
		}
		counts_view_free(&view);
	}
	return found;
}

struct rec_metrics rec_metrics_new(const struct recording *rec)
{
	struct counts counts = counts_between(rec, 0, rec->stop - rec->start);
	struct rec_metrics found = rec_metrics_of(&counts);

	counts_free(&counts);
	return found;
}

void rec_metrics_free(struct rec_metrics *metrics)
{
	for (size_t i = 0; i < metrics->count; i++) {
		form_free(&metrics->metric[i].over);
		form_free(&metrics->metric[i].under);
	}
	free(metrics->metric);
}

static void add_form(const struct form *form, const struct recording *rec, struct rec_table *table, size_t stretches, double *sum)
{
	for (size_t i = 0; i < form->count; i++) {
		const struct rec_counter *counter = &rec->counter[form->counter[i]];
		const uint64_t *row = rec_table_row(table, counter);
		/* estimates are not known */
		double by = recording_share(rec, counter) < SHARE_OF_EXACT ? NAN : form->by[i];

		for (size_t r = 0; r < stretches; r++)
			sum[r] += row[r] == REC_UNKNOWN ? NAN : by * row[r];
	}
}

void rec_metric_row(const struct rec_metric *m, struct rec_table *table, size_t stretches, double *value)
{
	double *under = zeros(stretches, sizeof(*under));

	memset(value, 0, stretches * sizeof(*value));
	add_form(&m->over, m->rec, table, stretches, value);
	add_form(&m->under, m->rec, table, stretches, under);
	for (size_t r = 0; r < stretches; r++) {
		value[r] *= m->metric->scale / (m->under.count ? under[r] : 1);
		if (!m->has_forms || !isfinite(value[r]))
			value[r] = NAN;
		else if (value[r] < m->metric->low || value[r] > m->metric->high)
			value[r] = INFINITY;
	}
	free(under);
}

bool rec_rate_row(struct counts_view *view, const struct rec_counter *counter, struct rec_table *table, size_t stretches, double *rate)
{
	const struct recording *rec = view->counts->rec;
	const struct rec_pmu *pmu = &rec->pmu[counter->pmu];
	const struct clock_rule *clock = view->values.clock;
	double most = event_most(pmu->kind, counter->event, counter->unit, counter->place < 0 ? counter->places : 1);
	struct form form;
	double *cycles;
	const uint64_t *row;

	/* places that each have a clock have none together */
	if (isnan(most) || (!clock->is_total && counter->place < 0))
		return false;
	form = counts_form(view, clock->formula, clock->is_total ? -1 : (int)recording_place(pmu, counter->place));
	cycles = zeros(stretches, sizeof(*cycles));
	add_form(&form, rec, table, stretches, cycles);
	row = rec_table_row(table, counter);
	for (size_t r = 0; r < stretches; r++)
		rate[r] = form.is_known && row[r] != REC_UNKNOWN ? event_rate(most, row[r], cycles[r]) : NAN;
	form_free(&form);
	free(cycles);
	return true;
}
