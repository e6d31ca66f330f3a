/* SPDX-License-Identifier: GPL-2.0-only */
/* The answer first: sentences that the rules of the metric files make of counts. */
#ifndef MONCTL_VERDICT_H
#define MONCTL_VERDICT_H

#include "tools/monctl/answer/budget.h"

struct verdict {
	char **sentence;
	size_t count;
};

/* Those of budgets, then those of rules. None: nothing is to be said about these counts. */
struct verdict verdict_new(const struct counts *counts, const struct budgets *budgets);
/* Of the counts between two times of a recording, in nanoseconds after its start. */
struct verdict verdict_between(const struct recording *rec, uint64_t from, uint64_t to);
void verdict_free(struct verdict *verdict);

/* What to count for budgets where there are none: a sentence, to be freed; NULL if nothing is missing. */
char *verdict_missing(const struct counts *counts, const struct budgets *budgets);
/* Budgets and sentences, or what is missing for them; on a screen, which may have room for the beginning alone, after these. */
void answer_print(const struct counts *counts, bool is_screen, FILE *out);
/* The same of a recording: all its time, then each phase. */
void answers_print(const struct counts *whole, FILE *out);
/* "answers": [...], with phases of a recording. */
void answers_print_json(const struct counts *whole, FILE *out);

/* "links": [...]: of each link of a mesh the sums of counters in which it held a flit, and stalled for certain. */
void links_print_json(const struct counts *counts, FILE *out);

#endif
