// SPDX-License-Identifier: GPL-2.0-only
/* What the tables of monctl stat show: counts, shares and metrics between two readings or of runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/show/stat-frame.h"

/* Returns the average over the runs, or the value of one run, of element i of arrays of stride elements a run. */
static double average(const struct frame *f, const double *values, size_t stride, size_t i)
{
	const struct stat_runs *runs = &f->table->runs;
	double sum = 0;

	if (f->run != ALL_RUNS)
		return values[f->run * stride + i];
	for (size_t r = 0; r < runs->count_of_runs; r++)
		sum += values[r * stride + i];
	return sum / runs->count_of_runs;
}

double frame_count(const struct frame *f, size_t i)
{
	if (!f->now)
		return average(f, f->table->runs.count, f->table->sel->count, i);
	return reading_count(&f->before[i], &f->now[i]);
}

double frame_share(const struct frame *f, size_t i)
{
	if (!f->now)
		return average(f, f->table->runs.share, f->table->sel->count, i);
	return reading_share(&f->before[i], &f->now[i]);
}

double frame_seconds(const struct frame *f)
{
	return f->now ? f->table->seconds : average(f, f->table->runs.seconds, 1, 0);
}

bool frame_has_counted(const struct frame *f, size_t i)
{
	return f->now ? f->now[i].value != f->before[i].value : frame_count(f, i) != 0;
}

const char *frame_spread_text(const struct frame *f, double (*of)(const struct frame *f, const void *what),
			      const void *what)
{
	struct frame one = *f;
	static char text[32];
	double mean = 0, square = 0, value;
	size_t n = f->table->runs.count_of_runs;

	text[0] = '\0';
	if (f->now || n < 2)
		return text;
	for (one.run = 0; one.run < (int)n; one.run++)
		mean += of(&one, what) / n;
	for (one.run = 0; one.run < (int)n; one.run++) {
		value = of(&one, what) - mean;
		square += value * value / (n - 1);
	}
	if (mean != 0 && !isnan(square))
		snprintf(text, sizeof(text), " +- %.2g %%", 100 * sqrt(square) / fabs(mean));
	return text;
}

bool frame_is_estimate(const struct frame *f, size_t i)
{
	return frame_share(f, i) < SHARE_OF_EXACT;
}

double frame_scaled(const struct frame *f, size_t i)
{
	return frame_count(f, i) * counter_scale(&f->table->sel->counter[i]);
}

struct counts frame_counts(const struct frame *f, bool is_exact)
{
	const struct stat_table *table = f->table;
	double *count = zeros(table->sel->count, sizeof(*count));

	for (size_t i = 0; i < table->sel->count; i++)
		count[i] = is_exact && frame_is_estimate(f, i) ? NAN : round(frame_count(f, i));
	return (struct counts){
		.rec = table->rec, .count = count, .window = f->now && table->is_whole ? table->windows.count : NULL,
		.windows = f->now && table->is_whole ? table->windows.count_of_runs : 0,
		.transfer_ns = f->now && table->is_whole ? table->transfer_ns : 0,
	};
}

/* The description's PMU; it has one of each that is counted. */
static size_t find_pmu(const struct counts *counts, const struct mon_pmu *pmu)
{
	size_t i = 0;

	while (i < counts->rec->npmus && strcmp(counts->rec->pmu[i].name, mon_pmu_get_name(pmu)))
		i++;
	return i;
}

double frame_metric(const struct frame *f, const struct wanted_metric *m, int place)
{
	struct counts counts = frame_counts(f, false);
	struct counts_view view;
	size_t pmu = find_pmu(&counts, m->pmu);
	double value = NAN;

	if (pmu < counts.rec->npmus) {
		counts_view_init(&view, &counts, pmu);
		value = metric_value(m->metric, &view.values, place);
		counts_view_free(&view);
	}
	free((double *)counts.count);
	return value;
}

double *frame_rates(const struct frame *f)
{
	struct counts exact = frame_counts(f, true), raw = frame_counts(f, false);
	double *rate = zeros(f->table->sel->count, sizeof(*rate));

	counts_rates(&exact, raw.count, rate);
	free((double *)exact.count);
	free((double *)raw.count);
	return rate;
}

struct metric_events {
	const struct frame *frame;
	const struct mon_pmu *pmu;
	bool is_estimate;
};

static void find_estimate(void *arg, const char *event, bool is_terms)
{
	struct metric_events *events = arg;
	const struct selection *sel = events->frame->table->sel;

	(void)is_terms;
	for (size_t i = 0; i < sel->count; i++)
		if (sel->counter[i].pmu == events->pmu && !strcmp(sel->counter[i].terms, event))
			events->is_estimate |= frame_is_estimate(events->frame, i);
}

bool frame_metric_is_estimate(const struct frame *f, const struct wanted_metric *m)
{
	struct metric_events events = { f, m->pmu, false };

	formula_events(m->metric->formula, find_estimate, &events);
	return events.is_estimate;
}
