// SPDX-License-Identifier: GPL-2.0-only
/* Rules become sentences. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/recording-internal.h"
#include "tools/monctl/answer/verdict-internal.h"

static void add_sentence(struct verdict *verdict, char *sentence)
{
	if (!sentence)
		return;
	*sentence = toupper((unsigned char)*sentence);
	verdict->sentence = rec_grow(verdict->sentence, verdict->count, sizeof(*verdict->sentence));
	verdict->sentence[verdict->count++] = sentence;
}

/* ---- rules ---- */

/* One value of all places together. */
static void judge_total(struct verdict *verdict, const struct rule *rule, const char *say,
			const struct metric_counts *counts)
{
	double value = expression_value(rule->expression, counts, -1, NAN) * rule->scale;
	char *text;

	if (!*say || isnan(value) || !(expression_value(rule->when, counts, -1, value) > 0))
		return;
	text = value_text(value, rule->unit);
	add_sentence(verdict, fill(say, (const struct words[]){ { "value", text }, { 0 } }, counts));
	free(text);
}

static void judge_places(struct verdict *verdict, const struct rule *rule, const struct rec_pmu *pmu,
			 const struct metric_counts *counts)
{
	struct placed *placed = calloc(pmu->nplaces + 1, sizeof(*placed));
	double sum = 0, value;
	size_t n = 0, i;

	if (!placed)
		die("out of memory");
	for (i = 0; i < pmu->nplaces; i++) {
		value = expression_value(rule->expression, counts, i, NAN) * rule->scale;
		if (isnan(value))
			continue;
		placed[n++] = (struct placed){ value, i };
		sum += value;
	}
	if (!n && rule->of == RULE_EACH) {
		judge_total(verdict, rule, rule->whole, counts);
		free(placed);
		return;
	}
	for (i = 0; rule->of == RULE_SHARES && i < n; i++)
		placed[i].value *= sum > 0 ? 100 / sum : 0;
	qsort(placed, n, sizeof(*placed), compare_placed);
	if (n && expression_value(rule->when, counts, placed[0].place, placed[0].value) > 0)
		add_sentence(verdict, placed_sentence(rule, &(struct naming){ places_text, pmu }, placed, n, counts));
	free(placed);
}

static void judge(struct verdict *verdict, const struct rule *rule, struct counts_view *view)
{
	const struct rec_pmu *pmu = &view->counts->rec->pmu[view->pmu];

	if (rule->of == RULE_TOTAL)
		judge_total(verdict, rule, rule->say, &view->values);
	else if (rule->of == RULE_MESH)
		add_sentence(verdict, mesh_sentence(rule, pmu, &view->values));
	else
		judge_places(verdict, rule, pmu, &view->values);
}

static int compare_rules(const void *a, const void *b)
{
	const struct rule *const *x = a, *const *y = b;

	if ((*x)->stands != (*y)->stands)
		return (*x)->stands < (*y)->stands ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

struct verdict verdict_new(const struct counts *counts)
{
	const struct metric_set *set = metrics();
	const struct rule **rules = calloc(set->nrules + 1, sizeof(*rules));
	struct counts_view *views = calloc(counts->rec->npmus + 1, sizeof(*views));
	struct verdict verdict = { 0 };
	size_t i, k;

	if (!rules || !views)
		die("out of memory");
	for (i = 0; i < set->nrules; i++)
		rules[i] = &set->rule[i];
	qsort(rules, set->nrules, sizeof(*rules), compare_rules);
	for (k = 0; k < counts->rec->npmus; k++)
		counts_view_init(&views[k], counts, k);
	for (i = 0; i < set->nrules; i++) {
		for (k = 0; k < counts->rec->npmus; k++) {
			char *kind = recording_kind(&counts->rec->pmu[k]);

			if (!strcmp(kind, rules[i]->kind))
				judge(&verdict, rules[i], &views[k]);
			free(kind);
		}
	}
	for (k = 0; k < counts->rec->npmus; k++)
		counts_view_free(&views[k]);
	free(views);
	free(rules);
	return verdict;
}

struct verdict verdict_between(const struct recording *rec, uint64_t from, uint64_t to)
{
	struct counts counts = counts_between(rec, from, to);
	struct verdict verdict = verdict_new(&counts);

	counts_free(&counts);
	return verdict;
}

void verdict_free(struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->count; i++)
		free(verdict->sentence[i]);
	free(verdict->sentence);
	*verdict = (struct verdict){ 0 };
}

void verdict_print(const struct verdict *verdict, FILE *out)
{
	for (size_t i = 0; i < verdict->count; i++)
		print_wrapped(out, verdict->sentence[i], 0, terminal_width());
}

void verdict_print_json(const struct verdict *verdict, FILE *out)
{
	fputc('[', out);
	for (size_t i = 0; i < verdict->count; i++) {
		fputs(i ? ", " : "", out);
		json_string(out, verdict->sentence[i]);
	}
	fputc(']', out);
}
