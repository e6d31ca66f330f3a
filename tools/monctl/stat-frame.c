// SPDX-License-Identifier: GPL-2.0-only
/* What the tables of monctl stat show: counts, shares and metrics between two readings or of runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/describe.h"
#include "tools/monctl/stat-frame.h"

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

struct scope {
	const struct frame *frame;
	const struct mon_pmu *pmu;
};

/* Returns what a place counted; of all places together a counter of its own, or the sum of the places. */
static double look_up(void *arg, const char *terms, int index)
{
	const struct scope *scope = arg;
	const struct selection *sel = scope->frame->table->sel;
	const struct mon_place *place = index < 0 ? NULL : mon_pmu_get_place(scope->pmu, index);
	double sum = 0;
	bool any = false;

	for (size_t i = 0; i < sel->count; i++) {
		const struct counter *c = &sel->counter[i];

		if (c->pmu != scope->pmu || strcmp(c->terms, terms))
			continue;
		if (c->place == place)
			return frame_count(scope->frame, i);
		sum += frame_count(scope->frame, i);
		any = true;
	}
	return any && !place ? sum : NAN;
}

double frame_metric(const struct frame *f, const struct wanted_metric *m, int place)
{
	struct scope scope = { f, m->pmu };
	const struct metric_counts counts = {
		.count = look_up, .arg = &scope, .places = mon_pmu_get_place_count(m->pmu),
		.seconds = frame_seconds(f), .clock_hz = pmu_clock(m->pmu),
	};

	return metric_value(m->metric, &counts, place);
}

bool frame_metric_is_estimate(const struct frame *f, const struct wanted_metric *m)
{
	const struct selection *sel = f->table->sel;
	char terms[128];
	size_t at = 0;

	while (metric_next_event(m->metric->expression, &at, terms, sizeof(terms)))
		for (size_t i = 0; i < sel->count; i++)
			if (sel->counter[i].pmu == m->pmu && !strcmp(sel->counter[i].terms, terms) &&
			    frame_is_estimate(f, i))
				return true;
	return false;
}

struct verdict frame_judge(const struct frame *f)
{
	const struct selection *sel = f->table->sel;
	double *count = calloc(sel->count + 1, sizeof(*count));
	struct recording *rec = describe_recording(sel, NULL, 0);
	struct verdict verdict;

	if (!count)
		die("out of memory");
	for (size_t i = 0; i < sel->count; i++)
		count[i] = frame_is_estimate(f, i) ? NAN : round(frame_count(f, i));
	verdict = verdict_new(&(struct verdict_counts){ rec, count, frame_seconds(f) });
	recording_free(rec);
	free(count);
	return verdict;
}
