/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the cycles of each device went: parts that add up to all of them. */
#ifndef MONCTL_BUDGET_H
#define MONCTL_BUDGET_H

#include <stdio.h>

#include "tools/monctl/answer/counts.h"

/* A device. */
struct budget {
	const struct budget_rule *rule;
	size_t pmu;
	int place;			/* index; -1: the device is none */
	double total;
	double beside;			/* the cycles in which these are; NaN: the same */
	double weight;			/* what a sentence about it explains */
	double *cycles;			/* of each part */
	size_t group;			/* those of a group show the same numbers */
};

struct budget_group {
	char *label;			/* "DPU 7", "63 others" */
	double total;
	double beside;			/* as of a budget */
	double *cycles;
	size_t count, first;		/* of its budgets */
};

struct budgets {
	struct budget *budget;		/* by group */
	size_t count;
	struct budget_group *group;	/* by rule, those that explain most first */
	size_t ngroups;
};

/* Of all devices that ran and whose counters are known. */
struct budgets budgets_new(const struct counts *counts);
void budgets_free(struct budgets *budgets);
/* Cycles that are not idle. */
double budget_busy(const struct budget_rule *rule, const double *cycles);
/* Per cent that no part is about, or that are idle if these are nearly all: a number beside the bar. NaN: none. */
double budget_idle_beside(const struct budget_rule *rule, const double *cycles, double total, double beside);
/*
 * The share of each part in units of 0.1, 0.01 or 0.001 %: they add up to 100 %, and the largest one has what rounding
 * leaves. Returns the number of digits, more if there are small parts.
 */
int budget_rounded(const struct budget_rule *rule, const double *cycles, double total, int *share);
/* Are there more PMUs of its kind? */
bool has_twins(const struct recording *rec, size_t pmu);
/* A bar and its parts for each group. */
void budgets_print(const struct budgets *budgets, const struct counts *counts, FILE *out);
/* "budgets": [...], "groups": [...], for the page and for other programs. */
void budgets_print_json(const struct budgets *budgets, const struct counts *counts, FILE *out);
/* The clocks of a PMU as the page's member "clock". */
void clock_print_json(const struct counts *counts, size_t pmu, FILE *out);
/*
 * "tile 4 (fft_stratus.2)", "tiles 0 and 3 (fft_stratus)", "DPUs 0 to 31", "7 tiles": devices of a budget by the indexes of
 * their places, so many bytes apart. To be freed.
 */
char *devices_text(const struct recording *rec, const struct budget *budget, const int *first, size_t stride, size_t count);

#endif
