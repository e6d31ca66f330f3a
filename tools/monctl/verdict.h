/* SPDX-License-Identifier: GPL-2.0-only */
/* The answer first: sentences that the rules of the metric files make of counts. */
#ifndef MONCTL_VERDICT_H
#define MONCTL_VERDICT_H

#include "formats/metrics.h"
#include "tools/monctl/recording.h"

struct verdict_counts {
	const struct recording *rec;	/* its PMUs, places and counters */
	const double *count;		/* of each counter; NaN: not known */
	double seconds;
};

struct verdict {
	char **sentence;
	size_t count;
};

/* All rules, in the order of "stands"; free() the array. */
struct verdict_rules {
	const struct rule **rule;
	size_t count;
};

struct verdict_rules verdict_rules(void);

/* In the order of "stands" of the rules. None: no rule has something to say about these counts. */
struct verdict verdict_new(const struct verdict_counts *counts);
/* Of the counts between two times of a recording, in nanoseconds behind its start. */
struct verdict verdict_between(const struct recording *rec, uint64_t from, uint64_t to);
void verdict_free(struct verdict *verdict);

/* Lines for people, and an array for JSON. */
void verdict_print(const struct verdict *verdict, FILE *out);
void verdict_print_json(const struct verdict *verdict, FILE *out);

#endif
