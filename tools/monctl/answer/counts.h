/* SPDX-License-Identifier: GPL-2.0-only */
/* What the counters of a description counted, as events in places: metrics, budgets and rules are calculated from it. */
#ifndef MONCTL_COUNTS_H
#define MONCTL_COUNTS_H

#include "tools/monctl/answer/metric.h"
#include "tools/monctl/record/recording.h"

struct counts {
	const struct recording *rec;	/* its PMUs, places and counters */
	const double *count;		/* of each counter; NaN: not known */
	const double *window;		/* the same in short stretches, one after the other, or NULL */
	const bool *is_read;		/* as window: whether it has a reading of the counter; NULL: each begins and ends with one */
	size_t windows;
	uint64_t transfer_ns;		/* of copies that programs told; 0: none, or not known */
};

/* The counters that an event has. */
struct event_counters {
	char *terms;
	size_t *counter;		/* by place; SIZE_MAX: none */
	size_t own;			/* that of all places together, or SIZE_MAX */
	bool is_complete;		/* each place in which it counts has one */
};

/* Of one PMU. */
struct counts_view {
	const struct counts *counts;
	size_t pmu;
	const double *now;		/* the counts, or those of a window */
	struct event_counters *event;	/* those that were asked for */
	size_t nevents;
	struct metric_counts values;
};

/* It must not move. */
void counts_view_init(struct counts_view *view, const struct counts *counts, size_t pmu);
void counts_view_free(struct counts_view *view);
const struct event_counters *counts_event(struct counts_view *view, const char *terms);

/* Whether a counter is of what a device does, and not of its clock, which goes on in any case. */
bool counts_is_busy(const struct counts *counts, size_t counter);

/*
 * Rates of what counters counted, by each cycle of their PMU's clock in their place, as event_rate() says. counts, and raw, in
 * which estimates are known.
 */
void counts_rates(const struct counts *counts, const double *raw, double *rate);

/* A sum of counts, each times a number, and a constant. */
struct form {
	size_t *counter;
	double *by;
	size_t count;
	double constant;
	bool is_known;			/* it is such a sum, and its events were counted */
};

/* The form of a formula in a place, by its index, or in all (-1); to be freed by form_free(). */
struct form counts_form(struct counts_view *view, const struct formula *formula, int place);
void form_add(struct form *form, const struct form *more, double by);
void form_free(struct form *form);
/* Without a constant. */
bool form_is_sum(const struct form *form);
/* [[COUNTER, NUMBER], ...], or null if it is no such sum. */
void form_print_json(const struct form *form, FILE *out);
/* The counts of a part of a recording's time, cut into windows; free() the arrays of the result. */
struct counts counts_between(const struct recording *rec, uint64_t from, uint64_t to);
void counts_free(struct counts *counts);
/* Adds what another stretch counted, whose windows come behind; *more is freed. *sum may be zeros. */
void counts_append(struct counts *sum, struct counts *more);

#endif
