// SPDX-License-Identifier: GPL-2.0-only
/* The tables of monctl stat for people. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/show/stat-frame.h"

/* Returns "0.31 flits/cycle" or "57 % of the cycles" of the PMU's own clock, if that is known and the share is not tiny. */
static const char *per_cycle_text(const struct frame *f, size_t i, double rate)
{
	const struct counter *c = &f->table->sel->counter[i];
	const char *unit = counter_unit(c);
	static char text[48];

	text[0] = '\0';
	if (!isfinite(rate) || rate < .001)
		return text;
	if (!strcmp(unit, "cycles") && c->place)
		snprintf(text, sizeof(text), "%.3g %% of the cycles", 100 * rate);
	else if (!strcmp(unit, "flits"))
		snprintf(text, sizeof(text), "%.3g flits/cycle", rate);
	return text;
}

static double spread_of_count(const struct frame *f, const void *index)
{
	return frame_count(f, *(const size_t *)index);
}

static double spread_of_seconds(const struct frame *f, const void *what)
{
	(void)what;
	return frame_seconds(f);
}

/* Turns that are not much shorter than the run make an estimate a matter of luck. */
static bool is_too_short(const struct frame *f, size_t i)
{
	return f->now && frame_is_estimate(f, i) && frame_seconds(f) < LEAST_ESTIMATE;
}

static void print_counter(const struct frame *f, size_t i, double rate)
{
	const struct counter *c = &f->table->sel->counter[i];
	double share = frame_share(f, i);
	char *label = counter_label(c);
	FILE *out = f->table->out;
	double hz = pmu_clock(c->pmu);

	if (share == 0)
		fprintf(out, "%18s ", "<no turn>");
	else if (is_too_short(f, i))
		fprintf(out, "%18s ", "<too short>");
	else
		fprintf(out, counter_scale(c) == 1 ? "%18.0f " : "%18.6f ", frame_scaled(f, i));
	share = is_too_short(f, i) ? 0 : share;
	fprintf(out, "%-12s %s%s", counter_unit(c), label, frame_spread_text(f, spread_of_count, &i));
	/* a rate is of the clock that counted */
	if (share > 0 && isfinite(rate) && hz > 0 && rate > 0)
		fprintf(out, "%*s %s", (int)strlen(label) < 34 ? 34 - (int)strlen(label) : 0, "",
			rate_text(rate * counter_scale(c), counter_unit(c), 1 / hz));
	if (isinf(rate))
		fprintf(out, "  rate not known: more than its device can count in these cycles of its clock");
	fputc('\n', out);
	if (share > 0 && *per_cycle_text(f, i, rate))
		fprintf(out, "%31s %-34s %s\n", "", "", per_cycle_text(f, i, rate));
	if (share > 0 && frame_is_estimate(f, i))
		fprintf(out, "%31s (an estimate: it counted %.0f %% of the time)\n", "", 100 * share);
	free(label);
}

/* Returns whether presets alone chose the device and it counted nothing: the command did not use it. */
static bool is_silent(const struct frame *f, const struct mon_pmu *pmu)
{
	const struct selection *sel = f->table->sel;

	/* a clock goes on in any case */
	for (size_t i = 0; i < sel->count; i++)
		if (sel->counter[i].pmu == pmu && (sel->counter[i].is_asked ||
						   (frame_has_counted(f, i) && !counter_is_clock(&sel->counter[i]))))
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

/* All places of an event together, if each was counted in all the time. */
static void print_sum(const struct frame *f, size_t first)
{
	const struct selection *sel = f->table->sel;
	const struct counter *c = &sel->counter[first];
	double sum = 0;

	for (size_t i = first; i < sel->count; i++)
		if (sel->counter[i].pmu == c->pmu && !strcmp(sel->counter[i].terms, c->terms))
			sum += frame_is_estimate(f, i) ? NAN : frame_scaled(f, i);
	if (sum > 0)
		fprintf(f->table->out, counter_scale(c) == 1 ? "%18.0f %-12s %s/%s/\n" : "%18.6f %-12s %s/%s/\n", sum,
			counter_unit(c), mon_pmu_get_name(c->pmu), counter_event_name(c));
}

/* Of a column below the name of an event. */
static int column_width(const struct counter *c)
{
	int width = strlen(counter_event_name(c));

	return width < 12 ? 12 : width;
}

struct column {
	const struct counter *counter;	/* the first of that event */
	int width;
};

/* "~" precedes an estimate. */
static void print_cell(const struct frame *f, const struct counter *c, int width)
{
	size_t i = c ? c - f->table->sel->counter : 0;
	char text[32];

	if (!c)
		snprintf(text, sizeof(text), "-");
	else if (isnan(frame_count(f, i)))
		snprintf(text, sizeof(text), "no turn");
	else if (is_too_short(f, i))
		snprintf(text, sizeof(text), "too short");
	else
		snprintf(text, sizeof(text), "%s%.0f", frame_is_estimate(f, i) ? "~" : "", frame_scaled(f, i));
	fprintf(f->table->out, " %*s", width, text);
}

/* Prints a line for each place and a column for each event. The columns fit on a terminal's line. */
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
		int width = column_width(c);

		if (c->pmu != pmu || !c->place || c->is_clock || seen_before(sel, i))
			continue;
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

	return frame_metric(f, of->metric, of->place);
}

static void print_metric(const struct frame *f, const struct wanted_metric *m, int index)
{
	const struct placed_metric placed = { m, index };
	const struct mon_place *place = index < 0 ? NULL : mon_pmu_get_place(m->pmu, index);
	double value = frame_metric(f, m, index);
	FILE *out = f->table->out;
	char *label, number[32];

	if (isnan(value) || (value == 0 && f->table->sel->is_default))
		return;
	if (place)
		label = format_text("%s, %s %u", m->metric->name, mon_pmu_get_place_noun(m->pmu),
				    mon_place_get_number(place));
	else
		label = format_text("%s", m->metric->name);
	/* counts have no digits after the point */
	snprintf(number, sizeof(number), value == floor(value) ? "%s%.0f" : "%s%.3f",
		 frame_metric_is_estimate(f, m) ? "~" : "", value);
	fprintf(out, "%18s %-12s %s%s\n", number, m->metric->unit, label, frame_spread_text(f, spread_of_metric, &placed));
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

/* Explains the marks of estimates, and how to get exact counts. */
static void print_estimates(const struct frame *f)
{
	const struct selection *sel = f->table->sel;
	size_t count = 0, i;
	double least = 1;

	for (i = 0; i < sel->count; i++) {
		if (!sel->counter[i].place || !frame_is_estimate(f, i))
			continue;
		least = frame_share(f, i) < least ? frame_share(f, i) : least;
		count++;
	}
	if (count)
		fprintf(f->table->out,
			"\n%18s %zu counters took turns, as their device cannot count them together: numbers with ~ are\n"
			"%18s estimates, based on %.0f %% of the time or more. Choose fewer with -e for exact ones.\n",
			"", count, "", 100 * least);
}

static bool is_shown(const struct frame *f, const struct event_note *note)
{
	const struct selection *sel = f->table->sel;

	for (size_t i = 0; i < sel->count; i++)
		if (!strcmp(mon_pmu_get_kind(sel->counter[i].pmu), note->kind) &&
		    !strcmp(counter_event_name(&sel->counter[i]), note->event) && frame_has_counted(f, i))
			return true;
	return false;
}

/* What the metric files say about the numbers of counters that counted. */
static void print_notes(const struct frame *f)
{
	const struct metric_set *set = metrics();

	for (size_t i = 0; i < set->nnotes; i++) {
		char *text = format_text("%s: %s", set->note[i].event, set->note[i].text);

		if (is_shown(f, &set->note[i])) {
			fprintf(f->table->out, "\n%19s", "");
			print_wrapped(f->table->out, text, 19, terminal_width());
		}
		free(text);
	}
}

static void print_answer(const struct frame *f)
{
	struct counts counts = frame_counts(f, true);

	answer_print(&counts, false, f->table->out);
	fprintf(f->table->out, "\n");
	free((double *)counts.count);
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

/* Prints an interval as a line of rates below the names of the counters. Returns false if they do not fit on a line. */
static bool print_line(const struct frame *f, const double *rates)
{
	struct stat_table *table = f->table;
	const struct selection *sel = table->sel;
	int width = TIME_WIDTH;
	bool has_places = sel->per_place;
	size_t i;

	for (i = 0; i < sel->count; i++) {
		has_places |= sel->counter[i].place && !sel->counter[i].is_clock;
		width += sel->counter[i].is_clock ? 0 : 1 + column_width(&sel->counter[i]);
	}
	if (has_places || width > terminal_width())
		return false;
	if (!table->has_head) {
		fprintf(table->out, "%*s", TIME_WIDTH, "seconds");
		for (i = 0; i < sel->count; i++)
			if (!sel->counter[i].is_clock)
				fprintf(table->out, " %*s", column_width(&sel->counter[i]), counter_event_name(&sel->counter[i]));
		fprintf(table->out, "\n");
	}
	table->has_head = true;
	fprintf(table->out, "%*.3f", TIME_WIDTH, table->time);
	for (i = 0; i < sel->count; i++) {
		const struct counter *c = &sel->counter[i];
		double rate = rates[i], hz = pmu_clock(c->pmu);
		bool is_rate = frame_share(f, i) > 0 && isfinite(rate) && hz > 0;
		char *text;

		if (c->is_clock)
			continue;
		text = format_text("%s%s", is_rate && frame_is_estimate(f, i) ? "~" : "",
				   is_rate ? rate_text(rate * counter_scale(c), counter_unit(c), 1 / hz) :
				   frame_share(f, i) > 0 && !isinf(rate) ? with_prefix(frame_scaled(f, i)) : "-");
		fprintf(table->out, " %*s", column_width(&sel->counter[i]), text);
		free(text);
	}
	fprintf(table->out, "\n");
	return true;
}

void stat_print_text(const struct frame *f)
{
	struct stat_table *table = f->table;
	const struct selection *sel = table->sel;
	FILE *out = table->out;
	size_t i, left_out = 0, no_turn = 0;
	double *rate = frame_rates(f);

	if (!table->is_whole && print_line(f, rate)) {
		free(rate);
		return;
	}
	if (table->is_whole) {
		print_head(f);
		print_answer(f);
	} else {
		fprintf(out, "after %.3f s:\n", table->time);
	}
	for (i = 0; i < sel->count; i++) {
		if (sel->counter[i].is_clock || (sel->is_default && counter_is_clock(&sel->counter[i])))
			continue;
		if (sel->counter[i].place) {
			if (sel->is_default && !seen_before(sel, i) && !is_silent(f, sel->counter[i].pmu))
				print_sum(f, i);
			continue;
		}
		if (sel->is_default && frame_is_estimate(f, i) && !frame_has_counted(f, i))
			no_turn++;
		else if (is_silent(f, sel->counter[i].pmu) || (sel->is_default && !frame_has_counted(f, i)))
			left_out++;
		else
			print_counter(f, i, rate[i]);
	}
	free(rate);
	if (left_out)
		fprintf(out, "%18zu counter%s counted nothing: --event shows %s\n", left_out, left_out > 1 ? "s" : "",
			left_out > 1 ? "them" : "it");
	if (no_turn)
		fprintf(out, "%18zu counter%s had no turn long enough to count: choose fewer with -e\n", no_turn,
			no_turn > 1 ? "s" : "");
	/* by default the budget shows the places */
	for (i = 0; i < mon_pmus_get_count(sel->pmus) && (!sel->is_default || sel->per_place); i++)
		if (!is_silent(f, mon_pmus_get(sel->pmus, i)))
			print_places(f, mon_pmus_get(sel->pmus, i));
	print_estimates(f);
	if (table->is_whole)
		print_notes(f);
	if (sel->nmetrics)
		fprintf(out, "\n");
	print_metrics(f);
	if (table->is_whole)
		fprintf(out, "\n%18.6f s elapsed%s\n", frame_seconds(f), frame_spread_text(f, spread_of_seconds, NULL));
	fprintf(out, "\n");
}
