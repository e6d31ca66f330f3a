// SPDX-License-Identifier: GPL-2.0-only
/* Rules become sentences. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/base/metric-files.h"
#include "tools/monctl/base/monctl.h"
#include "tools/monctl/answer/verdict-internal.h"

/* ---- rules ---- */

/* One value of all places together. */
static void judge_total(struct verdict *verdict, const struct rule *rule, const struct metric_counts *counts)
{
	double value = formula_value(rule->formula, counts, -1, NAN);
	char *text;

	if (isnan(value) || (rule->when && !(formula_value(rule->when, counts, -1, value) > 0)))
		return;
	text = value_text(value, rule->unit);
	verdict_add(verdict, fill(rule->say, (const struct words[]){ { "value", text }, { 0 } }, counts, -1));
	free(text);
}

static void judge(struct verdict *verdict, const struct rule *rule, struct counts_view *view)
{
	size_t from = verdict->count;

	if (rule->event)
		verdict_add(verdict, mesh_sentence(rule, &view->counts->rec->pmu[view->pmu], &view->values));
	else
		judge_total(verdict, rule, &view->values);
	verdict_name_pmu(verdict, from, view->counts->rec, view->pmu);
}

/* Each counter is known and did not change, but for clocks. */
static bool is_still(const struct counts *counts)
{
	size_t still = 0;

	for (size_t i = 0; i < counts->rec->ncounters; i++) {
		bool is_busy = counts_is_busy(counts, i);

		if (counts->rec->pmu[counts->rec->counter[i].pmu].is_gone || (is_busy && !(counts->count[i] == 0)))
			return false;
		still += is_busy;
	}
	return still;
}

struct verdict verdict_new(const struct counts *counts, const struct budgets *budgets)
{
	const struct metric_set *set = metrics();
	struct counts_view *views = zeros(counts->rec->npmus, sizeof(*views));
	struct verdict verdict = { 0 };
	size_t i, k;

	for (k = 0; k < counts->rec->npmus; k++)
		counts_view_init(&views[k], counts, k);
	if (counts->rec->npmus)
		verdict_of_budgets(&verdict, budgets, views);
	for (i = 0; i < set->nrules; i++)
		for (k = 0; k < counts->rec->npmus; k++)
			if (!strcmp(counts->rec->pmu[k].kind, set->rule[i].kind))
				judge(&verdict, &set->rule[i], &views[k]);
	for (k = 0; k < counts->rec->npmus; k++)
		counts_view_free(&views[k]);
	free(views);
	if (!verdict.count && is_still(counts))
		verdict_add(&verdict, format_text("Nothing ran: none of the counted devices did anything."));
	return verdict;
}

struct verdict verdict_between(const struct recording *rec, uint64_t from, uint64_t to)
{
	struct counts counts = counts_between(rec, from, to);
	struct budgets budgets = budgets_new(&counts);
	struct verdict verdict = verdict_new(&counts, &budgets);

	budgets_free(&budgets);
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
