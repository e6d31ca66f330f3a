// SPDX-License-Identifier: GPL-2.0-only
/* The answer first: where the cycles went, the sentences about it, and what to count if there are none. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/answer/budget.h"
#include "tools/monctl/record/mark.h"
#include "tools/monctl/base/metric-files.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/answer/verdict.h"

/* Phases that are answered, and intervals of each. */
#define MOST_PHASES 50
#define MOST_RUNS 50

/* ---- what is missing ---- */

static bool has_moved(const struct counts *counts, size_t pmu)
{
	for (size_t i = 0; i < counts->rec->ncounters; i++)
		if (counts->rec->counter[i].pmu == pmu && counts->count[i] != 0 && counts_is_busy(counts, i))
			return true;
	return false;
}

static bool has_budget(const struct budgets *budgets, size_t pmu)
{
	for (size_t i = 0; i < budgets->count; i++)
		if (budgets->budget[i].pmu == pmu)
			return true;
	return false;
}

/* The first event of formulas that is not known. */
struct missing {
	struct counts_view *view;
	const char *event, *absent;
	bool was_counted, by_place;	/* but took turns */
};

static void find_missing(void *arg, const char *event, bool is_terms)
{
	struct missing *missing = arg;
	struct counts_view *view = missing->view;
	const struct event_counters *counters = counts_event(view, event);
	size_t any = counters->own;

	(void)is_terms;
	for (size_t p = 0; any == SIZE_MAX && p < view->values.places; p++)
		any = counters->counter[p];
	if (any == SIZE_MAX && view->values.is_absent(view, event) && !missing->absent)
		missing->absent = event;
	if (missing->event || (any == SIZE_MAX ? view->values.is_absent(view, event) : !isnan(view->counts->count[any])))
		return;
	missing->event = event;
	missing->was_counted = any != SIZE_MAX;
	missing->by_place = any != counters->own;
}

/* Why the first budget of a PMU is not known. NULL: there is none, or all were idle. */
static char *missing_of(struct counts_view *view)
{
	const struct metric_set *set = metrics();
	const struct rec_pmu *pmu = &view->counts->rec->pmu[view->pmu];
	struct missing missing = { .view = view };
	size_t i = 0;

	if (pmu->is_gone)
		return format_text("%s: the device went away or lost counts: what it counted is not known.", pmu->name);
	while (i < set->nbudgets && strcmp(set->budget[i].kind, pmu->kind))
		i++;
	if (i == set->nbudgets)
		return NULL;
	formula_events(set->budget[i].formula, find_missing, &missing);
	/* a part of a part may be missing */
	for (size_t k = 0; k < set->budget[i].nparts; k++)
		if (!set->budget[i].part[k].is_child)
			formula_events(set->budget[i].part[k].formula, find_missing, &missing);
	if (!missing.event)
		return missing.absent ? format_text("%s: where its cycles went is not known: it does not count %s.", pmu->name,
						    missing.absent) : NULL;
	if (!missing.was_counted)
		return format_text("%s: where its cycles went is not known, as %s was not counted: -p budget counts it.",
				   pmu->name, missing.event);
	if (missing.by_place)
		return format_text("%s: too short to estimate: its counters of each %s took turns. Choose fewer with -e.",
				   pmu->name, *set->budget[i].noun ? set->budget[i].noun : pmu->noun);
	return format_text("%s: too short to estimate: its counters took turns. -p budget counts without turns.", pmu->name);
}

static char *join(char *text, char *more)
{
	char *both;

	if (!text || !more)
		return text ? text : more;
	both = format_text("%s %s", text, more);
	free(text);
	free(more);
	return both;
}

char *verdict_missing(const struct counts *counts, const struct budgets *budgets)
{
	char *text = NULL;

	for (size_t i = 0; i < counts->rec->npmus; i++) {
		struct counts_view view;

		counts_view_init(&view, counts, i);
		if ((has_moved(counts, i) || counts->rec->pmu[i].is_gone) && !has_budget(budgets, i))
			text = join(text, missing_of(&view));
		counts_view_free(&view);
	}
	return text;
}

/* ---- one answer ---- */

struct answer {
	struct budgets budgets;
	struct verdict verdict;
	char *missing;			/* NULL: nothing */
};

/* Where nothing can be said, it says why, even if a bar of some requests is known. */
static struct answer answer_new(const struct counts *counts)
{
	static const struct budgets no_budgets;
	struct answer answer = { .budgets = budgets_new(counts) };

	answer.verdict = verdict_new(counts, &answer.budgets);
	answer.missing = verdict_missing(counts, answer.verdict.count ? &answer.budgets : &no_budgets);
	return answer;
}

static void answer_free(struct answer *answer)
{
	free(answer->missing);
	verdict_free(&answer->verdict);
	budgets_free(&answer->budgets);
}

void answer_print(const struct counts *counts, bool is_screen, FILE *out)
{
	struct answer answer = answer_new(counts);

	if (!is_screen)
		budgets_print(&answer.budgets, counts, out);
	if (!is_screen && answer.budgets.count && (answer.verdict.count || answer.missing))
		fputc('\n', out);
	for (size_t i = 0; i < answer.verdict.count; i++)
		print_wrapped(out, answer.verdict.sentence[i], 0, terminal_width());
	if (answer.missing)
		print_wrapped(out, answer.missing, 0, terminal_width());
	if (is_screen)
		budgets_print(&answer.budgets, counts, out);
	answer_free(&answer);
}

static void put_answer(const struct counts *counts, const char *phase, size_t runs, uint64_t begin, uint64_t end, FILE *out)
{
	struct answer answer = answer_new(counts);

	json_print(out, "{\"phase\":%s,\"runs\":%zu,\"begin\":%" PRIu64 ",\"end\":%" PRIu64 ",\"sentences\":[", phase, runs, begin, end);
	for (size_t i = 0; i < answer.verdict.count; i++) {
		fputs(i ? "," : "", out);
		json_print(out, "{\"text\":%s}", answer.verdict.sentence[i]);
	}
	json_print(out, "],\"missing\":%s}", answer.missing);
	answer_free(&answer);
}

/* ---- phases ---- */

struct phase_answer {
	const char *name;
	size_t runs;
	uint64_t begin, end;		/* of the first one, after the start */
	struct counts counts;		/* of all of them */
};

static size_t find_phases(const struct recording *rec, struct phase_answer *phase)
{
	size_t n = 0, k;

	for (size_t i = 0; i < rec->nmarks; i++) {
		const struct rec_mark *mark = &rec->mark[i];
		uint64_t end = mark->end < rec->stop ? mark->end : rec->stop;
		struct counts counts;

		if (!mark_is_phase(mark) || mark->begin < rec->start || mark->begin >= end)
			continue;
		for (k = 0; k < n && strcmp(phase[k].name, mark->user); k++)
			;
		if (k == MOST_PHASES)
			continue;
		if (k == n)
			phase[n++] = (struct phase_answer){ .name = mark->user, .begin = mark->begin - rec->start,
							    .end = end - rec->start };
		if (phase[k].runs++ >= MOST_RUNS)
			continue;
		counts = counts_between(rec, mark->begin - rec->start, end - rec->start);
		counts_append(&phase[k].counts, &counts);
	}
	return n;
}

void answers_print(const struct counts *whole, FILE *out)
{
	struct phase_answer phase[MOST_PHASES];
	size_t n = find_phases(whole->rec, phase);

	answer_print(whole, false, out);
	for (size_t i = 0; i < n; i++) {
		fprintf(out, "\nPhase %s:\n", phase[i].name);
		answer_print(&phase[i].counts, false, out);
		counts_free(&phase[i].counts);
	}
}

void answers_print_json(const struct counts *whole, FILE *out)
{
	const struct recording *rec = whole->rec;
	struct phase_answer phase[MOST_PHASES];
	/* a stretch of time is known of a file alone */
	size_t n = rec->source ? find_phases(rec, phase) : 0;

	fputs("\"answers\":[", out);
	put_answer(whole, NULL, 1, 0, rec->stop - rec->start, out);
	for (size_t i = 0; i < n; i++) {
		fputs(",\n", out);
		put_answer(&phase[i].counts, phase[i].name, phase[i].runs, phase[i].begin, phase[i].end, out);
		counts_free(&phase[i].counts);
	}
	fputc(']', out);
}
