// SPDX-License-Identifier: GPL-2.0-only
/* Counts of a description's counters, looked up by event and place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/answer/counts.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/recording-internal.h"

/* Windows are not shorter than this, nor more than that many. */
#define WINDOW_NS 10000000
#define MOST_WINDOWS 1000

/* The index of a place by its number; counters mostly are in the order of places. */
static size_t place_index(const struct rec_pmu *pmu, int number, size_t last)
{
	for (size_t n = 1; n <= pmu->nplaces; n++)
		if ((int)pmu->place[(last + n) % pmu->nplaces].number == number)
			return (last + n) % pmu->nplaces;
	return SIZE_MAX;
}

static struct event_counters find_event(const struct counts_view *view, const char *terms)
{
	const struct recording *rec = view->counts->rec;
	const struct rec_pmu *pmu = &rec->pmu[view->pmu];
	struct event_counters found = { format_text("%s", terms), calloc(pmu->nplaces + 1, sizeof(size_t)), SIZE_MAX, false, 0 };
	size_t at = SIZE_MAX, n = 0, all = 0;

	if (!found.counter)
		die("out of memory");
	memset(found.counter, 0xff, (pmu->nplaces + 1) * sizeof(size_t));
	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *c = &rec->counter[i];

		if (c->pmu != view->pmu || (strcmp(c->event, terms) && strcmp(c->terms, terms)))
			continue;
		if (c->place < 0) {
			found.own = i;
			continue;
		}
		at = place_index(pmu, c->place, at);
		if (at == SIZE_MAX)
			continue;
		n += found.counter[at] == SIZE_MAX;
		found.counter[at] = i;
		all = c->places;
	}
	found.is_complete = n && n >= all;
	return found;
}

const struct event_counters *counts_event(struct counts_view *view, const char *terms)
{
	size_t i = 0;

	while (i < view->nevents && strcmp(view->event[i].terms, terms))
		i++;
	if (i == view->nevents) {
		view->event = rec_grow(view->event, view->nevents++, sizeof(*view->event));
		view->event[i] = find_event(view, terms);
	}
	return &view->event[i];
}

/* All places together: a counter of its own, or the sum if no place is missing. */
static double view_count(void *arg, const char *terms, int place)
{
	struct counts_view *view = arg;
	const struct event_counters *event = counts_event(view, terms);
	double sum = 0;

	if (place >= 0)
		return event->counter[place] == SIZE_MAX ? NAN : view->now[event->counter[place]];
	if (event->own != SIZE_MAX)
		return view->now[event->own];
	for (size_t i = 0; event->is_complete && i < view->counts->rec->pmu[view->pmu].nplaces; i++)
		if (event->counter[i] != SIZE_MAX)
			sum += view->now[event->counter[i]];
	return event->is_complete ? sum : NAN;
}

static bool view_is_absent(void *arg, const char *terms)
{
	const struct counts_view *view = arg;
	const struct rec_pmu *pmu = &view->counts->rec->pmu[view->pmu];

	for (size_t i = 0; i < pmu->nabsent; i++)
		if (!strcmp(pmu->absent[i], terms))
			return true;
	return false;
}

static void view_select(void *arg, size_t window)
{
	struct counts_view *view = arg;
	const struct counts *counts = view->counts;

	view->now = window == SIZE_MAX ? counts->count : counts->window + window * counts->rec->ncounters;
	view->memo.count = 0;
}

void counts_view_init(struct counts_view *view, const struct counts *counts, size_t pmu)
{
	const struct rec_pmu *of = &counts->rec->pmu[pmu];
	char *kind = recording_kind(of);

	*view = (struct counts_view){ .counts = counts, .pmu = pmu, .now = counts->count };
	view->values = (struct metric_counts){
		.count = view_count, .is_absent = view_is_absent, .select = view_select, .arg = view,
		.places = of->nplaces, .windows = counts->windows, .clock_hz = of->clock_hz, .memo = &view->memo,
	};
	view->values.clock = clock_find(kind);
	free(kind);
}

void counts_view_free(struct counts_view *view)
{
	while (view->nevents--) {
		free(view->event[view->nevents].terms);
		free(view->event[view->nevents].counter);
	}
	free(view->event);
}

/* ---- forms ---- */

/* Counts with which a calculation tells how much each event weighs. */
struct probe {
	struct counts_view *view;
	int place;			/* the form's; -1 may stand beside it, as a clock is of all places */
	double all;			/* what each event counted */
	const char *one;		/* the event that counted one more, or NULL */
	int one_place;
	bool is_missing;
};

static double probe_count(void *arg, const char *terms, int place)
{
	struct probe *probe = arg;
	const struct event_counters *event = counts_event(probe->view, terms);
	bool has_place = place >= 0 && event->counter[place] != SIZE_MAX;

	probe->view->event[event - probe->view->event].asked = probe->view->nforms;
	if ((place != probe->place && place != -1) || !(place >= 0 ? has_place : event->own != SIZE_MAX || event->is_complete)) {
		probe->is_missing |= place != probe->place && place != -1;
		return NAN;
	}
	return probe->all + (probe->one && place == probe->one_place && !strcmp(terms, probe->one));
}

static bool probe_is_absent(void *arg, const char *terms)
{
	return view_is_absent(((struct probe *)arg)->view, terms);
}

static void add_terms(struct form *form, const struct counts_view *view, const struct event_counters *event, int place,
		      double by)
{
	size_t places = view->counts->rec->pmu[view->pmu].nplaces;

	form->counter = reallocarray(form->counter, form->count + places + 1, sizeof(*form->counter));
	form->by = reallocarray(form->by, form->count + places + 1, sizeof(*form->by));
	if (!form->counter || !form->by)
		die("out of memory");
	for (size_t i = 0; i < places + 1; i++) {
		bool is_own = i == places;
		size_t counter = is_own ? event->own : event->counter[i];

		/* all together: a counter of its own alone */
		if (counter == SIZE_MAX || (place >= 0 ? (int)i != place : !is_own && event->own != SIZE_MAX))
			continue;
		form->counter[form->count] = counter;
		form->by[form->count++] = by;
	}
}

struct form counts_form(struct counts_view *view, const char *expression, int place)
{
	struct probe probe = { .view = view, .place = place };
	struct metric_counts values = view->values;
	struct form form = { 0 };
	double none, all, sum = 0, by;
	size_t nevents;

	values.count = probe_count;
	values.is_absent = probe_is_absent;
	values.arg = &probe;
	values.windows = 0;
	values.memo = NULL;
	view->nforms++;
	none = expression_value(expression, &values, place, NAN);
	nevents = view->nevents;
	for (size_t i = 0; i < nevents; i++) {
		if (view->event[i].asked != view->nforms)
			continue;
		probe.one = view->event[i].terms;
		for (int at = -1; at <= place; at += place + 1 ? place + 1 : 1) {
			probe.one_place = at;
			by = expression_value(expression, &values, place, NAN) - none;
			if (!isnan(by) && by != 0)
				add_terms(&form, view, &view->event[i], at, by);
			sum += by;
		}
	}
	probe.one = NULL;
	probe.all = 2;
	all = expression_value(expression, &values, place, NAN);
	form.is_known = none == 0 && !probe.is_missing && fabs(all - 2 * sum) <= 1e-9 * fabs(all);
	return form;
}

void form_free(struct form *form)
{
	free(form->counter);
	free(form->by);
}

void form_print_json(const struct form *form, FILE *out)
{
	if (!form->is_known) {
		fputs("null", out);
		return;
	}
	fputc('[', out);
	for (size_t i = 0; i < form->count; i++)
		fprintf(out, "%s[%zu,%.12g]", i ? "," : "", form->counter[i], form->by[i]);
	fputc(']', out);
}

/* ---- of a recording ---- */

/* Is a counter's count in the recording, and no estimate from short turns? */
static bool is_counted(const struct recording *rec, const struct rec_counter *counter)
{
	return counter->series < rec->nseries && !rec->pmu[counter->pmu].is_gone &&
	       recording_share(rec, counter) >= SHARE_OF_EXACT;
}

struct counts counts_between(const struct recording *rec, uint64_t from, uint64_t to)
{
	uint64_t length = fmax(fmax(WINDOW_NS, rec->interval), (to - from) / MOST_WINDOWS);
	size_t windows = (to - from) / length, bins = windows + (windows * length < to - from || !windows);
	/* what follows the last window up to the end of the recording is a bin, too: one walk has all */
	bool is_once = to == rec->stop - rec->start;
	struct counts counts = { .rec = rec, .windows = windows };
	struct rec_table *whole = is_once ? NULL : rec_table_new(rec, from, to - from, 1);
	struct rec_table *table = rec_table_new(rec, from, length, is_once ? bins : windows ? windows : 1);
	double *count = calloc(rec->ncounters + 1, sizeof(*count));
	double *window = calloc(windows * rec->ncounters + 1, sizeof(*window));

	if (!count || !window)
		die("out of memory");
	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *counter = &rec->counter[i];
		const uint64_t *row = is_counted(rec, counter) ? rec_table_row(table, counter) : NULL;
		uint64_t sum = 0;

		for (size_t b = 0; row && is_once && b < bins; b++)
			sum += row[b];
		for (size_t w = 0; w < windows; w++)
			window[w * rec->ncounters + i] = row ? (double)row[w] : NAN;
		if (row && !is_once)
			sum = rec_table_row(whole, counter)[0];
		count[i] = row ? (double)sum : NAN;
	}
	if (whole)
		rec_table_free(whole);
	rec_table_free(table);
	counts.count = count;
	counts.window = window;
	return counts;
}

void counts_free(struct counts *counts)
{
	free((void *)counts->count);
	free((void *)counts->window);
}
