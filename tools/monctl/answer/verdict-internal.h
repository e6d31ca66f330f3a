/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the files of the verdict: values in sentences, and the rule about links. */
#ifndef MONCTL_VERDICT_INTERNAL_H
#define MONCTL_VERDICT_INTERNAL_H

#include "tools/monctl/answer/budget.h"
#include "tools/monctl/answer/verdict.h"

/* The text for {name}; the last one has no name. */
struct words {
	const char *name, *text;
};

/* The caller frees what these return. */
char *value_text(double value, const char *unit);
/* With values in a place by its index, or with -1 of all. NULL if one is not known: the sentence would have a hole. */
char *fill(const struct piece *say, const struct words *words, const struct metric_counts *counts, int place);

/* Takes a sentence over; its first letter becomes a capital. NULL: none. */
void verdict_add(struct verdict *verdict, char *sentence);
/* The sentences from that number on are of a PMU: the first one says which, if there are several of its kind. */
void verdict_name_pmu(struct verdict *verdict, size_t from, const struct recording *rec, size_t pmu);
/* Views of all PMUs, by their index. */
void verdict_of_budgets(struct verdict *verdict, const struct budgets *budgets, struct counts_view *views);

/* NULL: nothing to say. */
char *mesh_sentence(const struct rule *rule, const struct rec_pmu *pmu, const struct metric_counts *counts);

#endif
