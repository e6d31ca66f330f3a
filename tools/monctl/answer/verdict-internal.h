/* SPDX-License-Identifier: GPL-2.0-only */
/* Between the files of the verdict: parts of sentences, and the rule about links. */
#ifndef MONCTL_VERDICT_INTERNAL_H
#define MONCTL_VERDICT_INTERNAL_H

#include "tools/monctl/answer/budget.h"
#include "tools/monctl/answer/verdict.h"

/* Groups of places that a sentence names; the rest is counted. */
#define MOST_GROUPS 4

/* The text for {name}; the last one has no name. */
struct words {
	const char *name, *text;
};

struct placed {
	double value;
	int place;
};

/* What the numbers in "placed" are, as words. */
struct naming {
	char *(*text)(const void *of, struct placed *first, size_t count);
	const void *of;
};

/* The caller frees what these three return. */
char *value_text(double value, const char *unit);
/* NULL if a value is not known: the sentence would have a hole. */
char *fill(const char *say, const struct words *words, const struct metric_counts *counts);
/* The sentence of the first group, then what the others have: "Tile 4 waited 39 % ..., tiles 0 and 3 9 %." */
char *placed_sentence(const struct rule *rule, const struct naming *naming, struct placed *placed, size_t count,
		      const struct metric_counts *counts);

/* The first ones that show the same number. */
size_t group_size(const struct placed *placed, size_t count, const char *unit);
/* For qsort(): the largest value first. */
int compare_placed(const void *a, const void *b);

/* Takes a sentence over; its first letter becomes a capital. NULL: none. */
void verdict_add(struct verdict *verdict, char *sentence);
/* Views of all PMUs, by their index. */
void verdict_of_budgets(struct verdict *verdict, const struct budgets *budgets, struct counts_view *views);

/* NULL: nothing to say. */
char *mesh_sentence(const struct rule *rule, const struct rec_pmu *pmu, const struct metric_counts *counts);

#endif
