// SPDX-License-Identifier: GPL-2.0-only
/* Counts of a description's counters, looked up by event and place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/answer/counts.h"
#include "tools/monctl/base/metric-files.h"
#include "tools/monctl/base/monctl.h"

/* Windows are not shorter than this, nor more than that many. */
#define WINDOW_NS 10000000
#define MOST_WINDOWS 1000

static struct event_counters find_event(const struct counts_view *view, const char *terms)
{
	const struct recording *rec = view->counts->rec;
	const struct rec_pmu *pmu = &rec->pmu[view->pmu];
	struct event_counters found = { format_text("%s", terms), zeros(pmu->nplaces + 1, sizeof(size_t)), SIZE_MAX, false };
	size_t at, n = 0, all = 0;

	memset(found.counter, 0xff, (pmu->nplaces + 1) * sizeof(size_t));
	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *c = &rec->counter[i];

		if (c->pmu != view->pmu || (strcmp(c->event, terms) && strcmp(c->terms, terms)))
			continue;
		if (c->place < 0) {
			found.own = i;
			continue;
		}
		at = recording_place(pmu, c->place);
		if (at == pmu->nplaces)
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
		view->event = grow(view->event, view->nevents++, sizeof(*view->event));
		view->event[i] = find_event(view, terms);
	}
	return &view->event[i];
}

/*
 * The counters whose sum an event has in a place, or in all together: one of its own, or those of the places if none is missing.
 * SIZE_MAX among them is no counter; if all are none, the event was not counted.
 */
static const size_t *counters_in(struct counts_view *view, const char *terms, int place, size_t *count)
{
	const struct event_counters *event = counts_event(view, terms);

	*count = 1;
	if (place >= 0 || event->own != SIZE_MAX)
		return place >= 0 ? &event->counter[place] : &event->own;
	*count = event->is_complete ? view->counts->rec->pmu[view->pmu].nplaces : 0;
	return event->counter;
}

static double view_count(void *arg, const char *terms, int place)
{
	struct counts_view *view = arg;
	size_t count, known = 0;
	const size_t *counter = counters_in(view, terms, place, &count);
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		if (counter[i] == SIZE_MAX)
			continue;
		sum += view->now[counter[i]];
		known++;
	}
	return known ? sum : NAN;
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

static void forget(struct counts_view *view)
{
	for (size_t i = 0; i < metrics()->words.functions; i++)
		view->values.kept[i] = NAN;
}

static void view_select(void *arg, size_t window)
{
	struct counts_view *view = arg;
	const struct counts *counts = view->counts;

	view->now = window == SIZE_MAX ? counts->count : counts->window + window * counts->rec->ncounters;
	forget(view);
}

static bool view_is_read(void *arg, size_t window)
{
	const struct counts_view *view = arg;
	const struct recording *rec = view->counts->rec;
	size_t i = 0;

	while (i < rec->ncounters && (rec->counter[i].pmu != view->pmu || view->counts->is_read[window * rec->ncounters + i]))
		i++;
	return i == rec->ncounters;
}

void counts_view_init(struct counts_view *view, const struct counts *counts, size_t pmu)
{
	const struct rec_pmu *of = &counts->rec->pmu[pmu];

	*view = (struct counts_view){ .counts = counts, .pmu = pmu, .now = counts->count };
	view->values = (struct metric_counts){
		.count = view_count, .is_absent = view_is_absent, .select = view_select, .arg = view,
		.places = of->nplaces, .windows = counts->windows, .is_read = counts->is_read ? view_is_read : NULL,
		.clock_hz = of->clock_hz, .transfer_ns = counts->transfer_ns, .clock = clock_find(of->kind),
		.kept = zeros(metrics()->words.functions, sizeof(double)),
	};
	forget(view);
}

void counts_view_free(struct counts_view *view)
{
	while (view->nevents--) {
		free(view->event[view->nevents].terms);
		free(view->event[view->nevents].counter);
	}
	free(view->event);
	free(view->values.kept);
}

bool counts_is_busy(const struct counts *counts, size_t counter)
{
	const struct rec_counter *c = &counts->rec->counter[counter];

	return !clock_has_event(clock_find(counts->rec->pmu[c->pmu].kind), c->event);
}

/* ---- forms ---- */

/* A sum of counts, each times a number, and a constant. */
static void add_term(struct form *form, size_t counter, double by)
{
	for (size_t i = 0; i < form->count; i++) {
		if (form->counter[i] != counter)
			continue;
		form->by[i] += by;
		return;
	}
	form->counter = grow(form->counter, form->count, sizeof(*form->counter));
	form->by = grow(form->by, form->count, sizeof(*form->by));
	form->counter[form->count] = counter;
	form->by[form->count++] = by;
}

void form_add(struct form *form, const struct form *more, double by)
{
	for (size_t i = 0; i < more->count; i++)
		add_term(form, more->counter[i], by * more->by[i]);
	form->constant += by * more->constant;
	form->is_known &= more->is_known;
}

static struct form event_form(struct counts_view *view, const struct formula *f, int place)
{
	size_t count;
	const size_t *counter = counters_in(view, f->event, place, &count);
	struct form form = { 0 };

	for (size_t i = 0; i < count; i++)
		if (counter[i] != SIZE_MAX)
			add_term(&form, counter[i], 1);
	form.is_known = form.count;
	return form;
}

static struct form sum_form(struct form left, struct form right, double by)
{
	form_add(&left, &right, by);
	form_free(&right);
	return left;
}

/* One of both must be a number. */
static struct form product_form(struct form left, struct form right, bool is_quotient)
{
	struct form product = { .is_known = right.is_known };

	if (!right.count) {
		form_add(&product, &left, is_quotient ? 1 / right.constant : right.constant);
	} else {
		form_add(&product, &right, left.constant);
		product.is_known &= left.is_known && !left.count && !is_quotient;
	}
	form_free(&left);
	form_free(&right);
	return product;
}

struct form counts_form(struct counts_view *view, const struct formula *f, int place)
{
	const struct clock_rule *clock = view->values.clock;
	struct form form = { 0 };

	switch (f ? f->op : FORMULA_V) {
	case FORMULA_NUMBER:
	case FORMULA_CLOCK:
	case FORMULA_PLACES:
		form.constant = formula_value(f, &view->values, place, NAN);
		form.is_known = !isnan(form.constant);
		return form;
	case FORMULA_EVENT:
		return event_form(view, f, place);
	case FORMULA_DURATION:
		if (!clock || !clock->is_total || !view->values.clock_hz)
			return form;
		form = counts_form(view, clock->formula, -1);
		for (size_t i = 0; i < form.count; i++)
			form.by[i] /= view->values.clock_hz;
		return form;
	case FORMULA_TOTAL:
		return counts_form(view, f->left, -1);
	case FORMULA_ACTIVE:
		return counts_form(view, f->left, place);
	case FORMULA_OFFERED:
		form = counts_form(view, f->left, place);
		if (!form.is_known && f->left->op == FORMULA_EVENT)
			form.is_known = view_is_absent(view, f->left->event);
		return form;
	case FORMULA_ADD:
	case FORMULA_SUBTRACT:
		return sum_form(counts_form(view, f->left, place), counts_form(view, f->right, place), f->op == FORMULA_ADD ? 1 : -1);
	case FORMULA_MULTIPLY:
	case FORMULA_DIVIDE:
		return product_form(counts_form(view, f->left, place), counts_form(view, f->right, place), f->op == FORMULA_DIVIDE);
	default:
		return form;
	}
}

void form_free(struct form *form)
{
	free(form->counter);
	free(form->by);
	*form = (struct form){ 0 };
}

bool form_is_sum(const struct form *form)
{
	return form->is_known && form->constant == 0;
}

void form_print_json(const struct form *form, FILE *out)
{
	if (!form_is_sum(form)) {
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
	struct counts counts = { .rec = rec, .windows = windows,
				/* of a part of the time they are not known */
				 .transfer_ns = is_once && !from && !rec->is_part ? rec->transfer_ns : 0 };
	struct rec_table *whole = is_once ? NULL : rec_table_new(rec, from, to - from, 1);
	struct rec_table *table = rec_table_new(rec, from, length, is_once ? bins : windows ? windows : 1);
	double *count = zeros(rec->ncounters, sizeof(*count));
	double *window = zeros(windows * rec->ncounters, sizeof(*window));
	bool *is_read = zeros(windows * rec->ncounters, sizeof(*is_read));

	for (size_t i = 0; i < rec->ncounters; i++) {
		const struct rec_counter *counter = &rec->counter[i];
		const uint64_t *row = is_counted(rec, counter) ? rec_table_row(table, counter) : NULL;
		uint64_t sum = 0;

		for (size_t b = 0; row && is_once && b < bins; b++)
			sum += row[b];
		for (size_t w = 0; w < windows; w++) {
			window[w * rec->ncounters + i] = row ? (double)row[w] : NAN;
			is_read[w * rec->ncounters + i] = row && rec_table_is_read(table, counter, w);
		}
		if (row && !is_once)
			sum = rec_table_row(whole, counter)[0];
		count[i] = row ? (double)sum : NAN;
	}
	if (whole)
		rec_table_free(whole);
	rec_table_free(table);
	counts.count = count;
	counts.window = window;
	counts.is_read = is_read;
	return counts;
}

void counts_free(struct counts *counts)
{
	free((void *)counts->count);
	free((void *)counts->window);
	free((void *)counts->is_read);
}

/* One array, and another one behind it in its place. */
static void *join_arrays(const void *first, size_t size, const void *more, size_t more_size)
{
	char *both = zeros(1, size + more_size);

	memcpy(both, first, size);
	memcpy(both + size, more, more_size);
	free((void *)first);
	return both;
}

void counts_append(struct counts *sum, struct counts *more)
{
	size_t columns = more->rec->ncounters, cells = sum->windows * columns, more_cells = more->windows * columns;
	double *count = (double *)sum->count;

	if (!count) {
		*sum = *more;
		return;
	}
	for (size_t i = 0; i < columns; i++)
		count[i] += more->count[i];
	sum->window = join_arrays(sum->window, cells * sizeof(*sum->window), more->window, more_cells * sizeof(*sum->window));
	sum->is_read = join_arrays(sum->is_read, cells * sizeof(*sum->is_read), more->is_read, more_cells * sizeof(*sum->is_read));
	sum->windows += more->windows;
	counts_free(more);
}

static void pmu_rates(const struct counts *counts, size_t pmu, const double *raw, double *rate)
{
	const struct rec_pmu *of = &counts->rec->pmu[pmu];
	double *cycles = zeros(of->nplaces + 1, sizeof(*cycles));	/* the last one: of all */
	struct counts_view view;

	counts_view_init(&view, counts, pmu);
	for (size_t p = 0; p <= of->nplaces; p++)
		cycles[p] = clock_cycles(&view.values, p < of->nplaces ? (int)p : -1);
	for (size_t i = 0; i < counts->rec->ncounters; i++) {
		const struct rec_counter *c = &counts->rec->counter[i];

		if (c->pmu == pmu)
			rate[i] = event_rate(event_most(of->kind, c->event, c->unit, c->place < 0 ? c->places : 1), raw[i],
					     cycles[recording_place(of, c->place)]);
	}
	counts_view_free(&view);
	free(cycles);
}

void counts_rates(const struct counts *counts, const double *raw, double *rate)
{
	for (size_t i = 0; i < counts->rec->npmus; i++)
		pmu_rates(counts, i, raw, rate);
}
