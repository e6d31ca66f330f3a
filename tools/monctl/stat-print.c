// SPDX-License-Identifier: GPL-2.0-only
/* The tables of monctl stat: for people, as CSV and as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/describe.h"
#include "tools/monctl/stat.h"
#include "tools/monctl/verdict.h"

#define ALL_RUNS (-1)

/* Two readings, or runs that were kept: one by its number, or all of them. */
struct frame {
	struct stat_table *table;
	const struct reading *before, *now;
	int run;
};

/* Of counter i in the runs, or of the seconds of each. */
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

static double count_of(const struct frame *f, size_t i)
{
	if (!f->now)
		return average(f, f->table->runs.count, f->table->sel->count, i);
	return reading_count(&f->before[i], &f->now[i]);
}

static double share_of(const struct frame *f, size_t i)
{
	if (!f->now)
		return average(f, f->table->runs.share, f->table->sel->count, i);
	return reading_share(&f->before[i], &f->now[i]);
}

static double seconds_of(const struct frame *f)
{
	return f->now ? f->table->seconds : average(f, f->table->runs.seconds, 1, 0);
}

static bool has_counted(const struct frame *f, size_t i)
{
	return f->now ? f->now[i].value != f->before[i].value : count_of(f, i) != 0;
}

/* " +- 1.2 %" of what of() says of each run; "" for a single one. */
static const char *spread_text(const struct frame *f, double (*of)(const struct frame *f, const void *what),
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

static bool is_estimate(const struct frame *f, size_t i)
{
	return share_of(f, i) < SHARE_OF_EXACT;
}

static double scaled_of(const struct frame *f, size_t i)
{
	return count_of(f, i) * counter_scale(&f->table->sel->counter[i]);
}

/* ---- metrics ---- */

struct scope {
	const struct frame *frame;
	const struct mon_pmu *pmu;
};

/* What all places together counted: a counter of its own, or theirs added up. */
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
			return count_of(scope->frame, i);
		sum += count_of(scope->frame, i);
		any = true;
	}
	return any && !place ? sum : NAN;
}

static double metric_of(const struct frame *f, const struct wanted_metric *m, int place)
{
	struct scope scope = { f, m->pmu };
	const struct metric_counts counts = {
		.count = look_up, .arg = &scope, .places = mon_pmu_get_place_count(m->pmu),
		.seconds = seconds_of(f), .clock_hz = pmu_clock(m->pmu),
	};

	return metric_value(m->metric, &counts, place);
}

/* One of its counters took turns. */
static bool is_estimated_metric(const struct frame *f, const struct wanted_metric *m)
{
	const struct selection *sel = f->table->sel;
	char terms[128];
	size_t at = 0;

	while (metric_next_event(m->metric->expression, &at, terms, sizeof(terms)))
		for (size_t i = 0; i < sel->count; i++)
			if (sel->counter[i].pmu == m->pmu && !strcmp(sel->counter[i].terms, terms) &&
			    is_estimate(f, i))
				return true;
	return false;
}

/* ---- for people ---- */

/* "0.31 flits/cycle" and "57 % of the time" where the PMU says its clock and it is worth a line. */
static const char *per_cycle_text(const struct frame *f, size_t i)
{
	const struct counter *c = &f->table->sel->counter[i];
	const char *unit = counter_unit(c);
	static char text[48];
	double cycles = pmu_clock(c->pmu) * seconds_of(f);
	bool is_cycles = !strcmp(unit, "cycles");

	text[0] = '\0';
	if (!(cycles > 0) || count_of(f, i) < cycles / 1000)
		return text;
	if (is_cycles && c->place)
		snprintf(text, sizeof(text), "%.3g %% of the time", 100 * count_of(f, i) / cycles);
	else if (!strcmp(unit, "flits"))
		snprintf(text, sizeof(text), "%.3g flits/cycle", count_of(f, i) / cycles);
	return text;
}

static double spread_of_count(const struct frame *f, const void *index)
{
	return count_of(f, *(const size_t *)index);
}

static double spread_of_seconds(const struct frame *f, const void *what)
{
	(void)what;
	return seconds_of(f);
}

static void print_count(const struct frame *f, size_t i)
{
	const struct counter *c = &f->table->sel->counter[i];
	double share = share_of(f, i);
	char *label = counter_label(c);
	FILE *out = f->table->out;

	if (share == 0)
		fprintf(out, "%18s ", "<not counted>");
	else
		fprintf(out, counter_scale(c) == 1 ? "%18.0f " : "%18.6f ", scaled_of(f, i));
	fprintf(out, "%-12s %-34s", counter_unit(c), label);
	if (share > 0)
		fprintf(out, " %s", rate_text(scaled_of(f, i), counter_unit(c), seconds_of(f)));
	fprintf(out, "%s\n", spread_text(f, spread_of_count, &i));
	if (share > 0 && *per_cycle_text(f, i))
		fprintf(out, "%31s %-34s %s\n", "", "", per_cycle_text(f, i));
	if (share > 0 && is_estimate(f, i))
		fprintf(out, "%31s (an estimate: it counted %.0f %% of the time)\n", "", 100 * share);
	free(label);
}

/* A device that a preset brought and that did nothing: its zeros say nothing about the command. */
static bool is_silent(const struct frame *f, const struct mon_pmu *pmu)
{
	const struct selection *sel = f->table->sel;

	if (sel->nevents)
		return false;
	for (size_t i = 0; i < sel->count; i++)
		if (sel->counter[i].pmu == pmu && has_counted(f, i))
			return false;
	return true;
}

static bool seen_before(const struct selection *sel, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (sel->counter[k].pmu == sel->counter[i].pmu &&
		    !strcmp(sel->counter[k].terms, sel->counter[i].terms))
			return true;
	return false;
}

static const struct counter *find_counter(const struct selection *sel, const struct counter *like,
					  const struct mon_place *place)
{
	for (size_t i = 0; i < sel->count; i++) {
		const struct counter *c = &sel->counter[i];

		if (c->pmu == like->pmu && c->place == place && !strcmp(c->terms, like->terms))
			return c;
	}
	return NULL;
}

struct column {
	const struct counter *counter;	/* the first of that event */
	int width;
};

/* "~" stands before an estimate. */
static void print_cell(const struct frame *f, const struct counter *c, int width)
{
	size_t i = c ? c - f->table->sel->counter : 0;
	char text[32];

	if (!c)
		snprintf(text, sizeof(text), "-");
	else if (isnan(count_of(f, i)))
		snprintf(text, sizeof(text), "not counted");
	else
		snprintf(text, sizeof(text), "%s%.0f", is_estimate(f, i) ? "~" : "", scaled_of(f, i));
	fprintf(f->table->out, " %*s", width, text);
}

/* A line for each place, a column for each event; first to last fit on a terminal's line. */
static void print_columns(const struct frame *f, const struct mon_pmu *pmu,
			  const struct column *column, size_t n)
{
	const struct selection *sel = f->table->sel;
	FILE *out = f->table->out;
	size_t i, p;

	fprintf(out, "\n%-24s", mon_pmu_get_name(pmu));
	for (i = 0; i < n; i++)
		fprintf(out, " %*s", column[i].width, counter_event_name(column[i].counter));
	fprintf(out, "\n");
	for (p = 0; p < mon_pmu_get_place_count(pmu); p++) {
		const struct mon_place *place = mon_pmu_get_place(pmu, p);
		const char *device = mon_place_get_device(place);
		char *label = format_text("%s %u %s", mon_pmu_get_place_noun(pmu),
					  mon_place_get_number(place),
					  *device ? device : mon_place_get_kind(place));
		bool any = false;

		for (i = 0; i < n; i++)
			any |= find_counter(sel, column[i].counter, place) != NULL;
		if (any)
			fprintf(out, "%-24.24s", label);
		free(label);
		for (i = 0; any && i < n; i++) {
			const struct counter *c = find_counter(sel, column[i].counter, place);

			print_cell(f, c, column[i].width);
		}
		if (any)
			fprintf(out, "\n");
	}
}

static void print_places(const struct frame *f, const struct mon_pmu *pmu)
{
	const struct selection *sel = f->table->sel;
	int room = terminal_width() - 24, used = 0;
	struct column column[32];
	size_t n = 0, i;

	for (i = 0; i < sel->count; i++) {
		const struct counter *c = &sel->counter[i];
		int width = strlen(counter_event_name(c));

		if (c->pmu != pmu || !c->place || seen_before(sel, i))
			continue;
		if (width < 12)
			width = 12;
		if (n && (used + width + 1 > room || n == COUNT_OF(column))) {
			print_columns(f, pmu, column, n);
			n = used = 0;
		}
		column[n++] = (struct column){ c, width };
		used += width + 1;
	}
	if (n)
		print_columns(f, pmu, column, n);
}

struct placed_metric {
	const struct wanted_metric *metric;
	int place;
};

static double spread_of_metric(const struct frame *f, const void *what)
{
	const struct placed_metric *of = what;

	return metric_of(f, of->metric, of->place);
}

static void print_metric(const struct frame *f, const struct wanted_metric *m, int index)
{
	const struct placed_metric placed = { m, index };
	const struct mon_place *place = index < 0 ? NULL : mon_pmu_get_place(m->pmu, index);
	double value = metric_of(f, m, index);
	FILE *out = f->table->out;
	char *label, number[32];

	if (isnan(value) || (value == 0 && f->table->sel->is_default))
		return;
	if (place)
		label = format_text("%s, %s %u", m->metric->name, mon_pmu_get_place_noun(m->pmu),
				    mon_place_get_number(place));
	else
		label = format_text("%s", m->metric->name);
	/* counts have no digits behind the point */
	snprintf(number, sizeof(number), value == floor(value) ? "%s%.0f" : "%s%.3f",
		 is_estimated_metric(f, m) ? "~" : "", value);
	fprintf(out, "%18s %-12s %s%s\n", number, m->metric->unit, label, spread_text(f, spread_of_metric, &placed));
	free(label);
	if (place)
		return;
	fprintf(out, "%32s", "");
	print_wrapped(out, m->metric->description, 32, terminal_width());
}

static void print_metrics(const struct frame *f)
{
	const struct selection *sel = f->table->sel;

	for (size_t i = 0; i < sel->nmetrics; i++) {
		const struct wanted_metric *m = &sel->metric[i];

		if (is_silent(f, m->pmu))
			continue;
		print_metric(f, m, -1);
		for (size_t p = 0; sel->per_place && p < mon_pmu_get_place_count(m->pmu); p++)
			print_metric(f, m, p);
	}
}

/* What the marks mean, and what to do against them. */
static void print_estimates(const struct frame *f)
{
	const struct selection *sel = f->table->sel;
	size_t count = 0, i;
	double least = 1;

	for (i = 0; i < sel->count; i++) {
		if (!sel->counter[i].place || !is_estimate(f, i))
			continue;
		least = share_of(f, i) < least ? share_of(f, i) : least;
		count++;
	}
	if (count)
		fprintf(f->table->out,
			"\n%18s %zu counters took turns, as their device cannot count them together: numbers with ~ are\n"
			"%18s estimates from %.0f %% of the time on. Choose fewer with -e for exact ones.\n",
			"", count, "", 100 * least);
}

/* What the rules make of these counts; of estimates they make nothing. */
static struct verdict judge_frame(const struct frame *f)
{
	const struct selection *sel = f->table->sel;
	double *count = calloc(sel->count + 1, sizeof(*count));
	struct recording *rec = describe_recording(sel, NULL, 0);
	struct verdict verdict;

	if (!count)
		die("out of memory");
	for (size_t i = 0; i < sel->count; i++)
		count[i] = is_estimate(f, i) ? NAN : round(count_of(f, i));
	verdict = verdict_new(&(struct verdict_counts){ rec, count, seconds_of(f) });
	recording_free(rec);
	free(count);
	return verdict;
}

static void print_verdict(const struct frame *f)
{
	struct verdict verdict = judge_frame(f);

	verdict_print(&verdict, f->table->out);
	if (verdict.count)
		fprintf(f->table->out, "\n");
	verdict_free(&verdict);
}

static void print_head(const struct frame *f)
{
	const struct stat_table *table = f->table;
	FILE *out = table->out;

	if (table->attached) {
		fprintf(out, "\nCounters of the whole system, all programs in them, until the end of %s\n\n", table->attached);
		return;
	}
	if (f->now)
		fprintf(out, "\nCounters while this ran:");
	else
		fprintf(out, "\nCounters while this ran %zu times, on average +- standard deviation:", table->repeat);
	for (size_t i = 0; table->command[i]; i++)
		fprintf(out, " %s", table->command[i]);
	fprintf(out, "\n\n");
}

#define TIME_WIDTH 9

static int line_width(const struct counter *c)
{
	int width = strlen(counter_event_name(c));

	return width < 12 ? 12 : width;
}

/* An interval in one line, with rates below the names of counters; false if a line has not room for all of them. */
static bool print_line(const struct frame *f)
{
	struct stat_table *table = f->table;
	const struct selection *sel = table->sel;
	int width = TIME_WIDTH;
	size_t i;

	for (i = 0; i < sel->count; i++)
		width += 1 + line_width(&sel->counter[i]);
	if (sel->per_place || width > terminal_width())
		return false;
	if (!table->has_head) {
		fprintf(table->out, "%*s", TIME_WIDTH, "seconds");
		for (i = 0; i < sel->count; i++)
			fprintf(table->out, " %*s", line_width(&sel->counter[i]), counter_event_name(&sel->counter[i]));
		fprintf(table->out, "\n");
	}
	table->has_head = true;
	fprintf(table->out, "%*.3f", TIME_WIDTH, table->time);
	for (i = 0; i < sel->count; i++) {
		char *text = format_text("%s%s", share_of(f, i) > 0 && is_estimate(f, i) ? "~" : "", share_of(f, i) > 0 ?
			rate_text(scaled_of(f, i), counter_unit(&sel->counter[i]), seconds_of(f)) : "-");

		fprintf(table->out, " %*s", line_width(&sel->counter[i]), text);
		free(text);
	}
	fprintf(table->out, "\n");
	return true;
}

static void print_text(const struct frame *f)
{
	struct stat_table *table = f->table;
	const struct selection *sel = table->sel;
	FILE *out = table->out;
	size_t i, left_out = 0;

	if (!table->is_whole && print_line(f))
		return;

	if (table->is_whole) {
		print_head(f);
		print_verdict(f);
	} else {
		fprintf(out, "after %.3f s:\n", table->time);
	}
	for (i = 0; i < sel->count; i++) {
		if (sel->counter[i].place)
			continue;
		if (is_silent(f, sel->counter[i].pmu) ||
		    (sel->is_default && !has_counted(f, i)))
			left_out++;
		else
			print_count(f, i);
	}
	if (left_out)
		fprintf(out, "%18zu counters counted nothing: --event shows them\n", left_out);
	for (i = 0; i < mon_pmus_get_count(sel->pmus); i++)
		if (!is_silent(f, mon_pmus_get(sel->pmus, i)))
			print_places(f, mon_pmus_get(sel->pmus, i));
	print_estimates(f);
	if (sel->nmetrics)
		fprintf(out, "\n");
	print_metrics(f);
	if (table->is_whole)
		fprintf(out, "\n%18.6f s elapsed%s\n", seconds_of(f), spread_text(f, spread_of_seconds, NULL));
	fprintf(out, "\n");
}

/* ---- for programs ---- */

static void print_csv(const struct frame *f)
{
	struct stat_table *table = f->table;
	const struct selection *sel = table->sel;

	if (!table->has_head)
		fprintf(table->out, "seconds,pmu,event,place,count,unit,value,share,whole,run\n");
	table->has_head = true;
	for (size_t i = 0; i < sel->count; i++) {
		const struct counter *c = &sel->counter[i];

		fprintf(table->out, "%.6f,%s,\"%s\",", table->time, mon_pmu_get_name(c->pmu), counter_event_name(c));
		if (c->place)
			fprintf(table->out, "%u", mon_place_get_number(c->place));
		if (isnan(count_of(f, i)))
			fprintf(table->out, ",,%s,", counter_unit(c));
		else
			fprintf(table->out, ",%.0f,%s,%.10g", count_of(f, i), counter_unit(c), scaled_of(f, i));
		fprintf(table->out, ",%.4f,%d,%zu\n", share_of(f, i), table->is_whole, table->run);
	}
	for (size_t i = 0; i < sel->nmetrics; i++) {
		const struct wanted_metric *m = &sel->metric[i];
		double value = metric_of(f, m, -1);

		if (!isnan(value))
			fprintf(table->out, "%.6f,%s,\"%s\",,,%s,%.10g,%.4f,%d,%zu\n", table->time, mon_pmu_get_name(m->pmu),
				m->metric->name, m->metric->unit, value, is_estimated_metric(f, m) ? 0.0 : 1.0,
				table->is_whole, table->run);
	}
	fflush(table->out);
}

static void print_json(const struct frame *f)
{
	struct stat_table *table = f->table;
	const struct selection *sel = table->sel;
	FILE *out = table->out;
	const char *comma = "";
	struct verdict verdict;

	fprintf(out, "{\"time\": %.6f, \"seconds\": %.6f, \"whole\": %s, \"run\": %zu, \"counters\": [", table->time,
		table->seconds, table->is_whole ? "true" : "false", table->run);
	for (size_t i = 0; i < sel->count; i++) {
		const struct counter *c = &sel->counter[i];

		fprintf(out, "%s{\"pmu\": \"%s\", \"event\": ", i ? ", " : "",
			mon_pmu_get_name(c->pmu));
		json_string(out, counter_event_name(c));
		if (c->place)
			fprintf(out, ", \"place\": %u", mon_place_get_number(c->place));
		if (isnan(count_of(f, i)))
			fprintf(out, ", \"count\": null, \"value\": null");
		else
			fprintf(out, ", \"count\": %.0f, \"value\": %.10g", count_of(f, i), scaled_of(f, i));
		fprintf(out, ", \"share\": %.4f, \"unit\": ", share_of(f, i));
		json_string(out, counter_unit(c));
		fprintf(out, "}");
	}
	fprintf(out, "], \"metrics\": [");
	for (size_t i = 0; i < sel->nmetrics; i++) {
		const struct wanted_metric *m = &sel->metric[i];
		double value = metric_of(f, m, -1);

		if (isnan(value))
			continue;
		fprintf(out, "%s{\"pmu\": \"%s\", \"metric\": \"%s\", \"value\": %.10g, \"unit\": ",
			comma, mon_pmu_get_name(m->pmu), m->metric->name, value);
		json_string(out, m->metric->unit);
		fprintf(out, "}");
		comma = ", ";
	}
	fprintf(out, "], \"verdict\": ");
	verdict = judge_frame(f);
	verdict_print_json(&verdict, out);
	verdict_free(&verdict);
	fprintf(out, "}\n");
	fflush(out);
}

void stat_keep(struct stat_table *table, const struct reading *before, const struct reading *now)
{
	const struct frame frame = { table, before, now, ALL_RUNS };
	struct stat_runs *runs = &table->runs;
	size_t count = table->sel->count, n = runs->count_of_runs++;

	runs->count = reallocarray(runs->count, (n + 1) * count, sizeof(*runs->count));
	runs->share = reallocarray(runs->share, (n + 1) * count, sizeof(*runs->share));
	runs->seconds = reallocarray(runs->seconds, n + 1, sizeof(*runs->seconds));
	if (!runs->count || !runs->share || !runs->seconds)
		die("out of memory");
	runs->seconds[n] = table->seconds;
	for (size_t i = 0; i < count; i++) {
		runs->count[n * count + i] = count_of(&frame, i);
		runs->share[n * count + i] = share_of(&frame, i);
	}
}

void stat_print_runs(struct stat_table *table)
{
	const struct frame frame = { .table = table, .run = ALL_RUNS };

	if (table->form == STAT_TEXT)
		print_text(&frame);
	free(table->runs.count);
	free(table->runs.share);
	free(table->runs.seconds);
}

void stat_print(struct stat_table *table, const struct reading *before, const struct reading *now)
{
	const struct frame frame = { table, before, now, ALL_RUNS };

	switch (table->form) {
	case STAT_CSV:
		print_csv(&frame);
		break;
	case STAT_JSON:
		print_json(&frame);
		break;
	default:
		print_text(&frame);
		break;
	}
}
