/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Formulas of metric files as trees. A formula has numbers, events, {terms} of an event, names of metrics,
 * the operators + - * / < > and or, and functions of one argument.
 */
#ifndef EVENTS_METRICS_FORMULA_H
#define EVENTS_METRICS_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct metric;

enum formula_op {
	FORMULA_NUMBER, FORMULA_EVENT, FORMULA_METRIC,
	/* of the PMU */
	FORMULA_DURATION, FORMULA_CLOCK, FORMULA_PLACES, FORMULA_TRANSFERS,
	/* the value that a rule is about */
	FORMULA_V,
	FORMULA_ADD, FORMULA_SUBTRACT, FORMULA_MULTIPLY, FORMULA_DIVIDE, FORMULA_LESS, FORMULA_MORE, FORMULA_AND, FORMULA_OR,
	/* over the places that have a value; the sum of all places */
	FORMULA_MIN, FORMULA_MAX, FORMULA_MEAN, FORMULA_TOTAL,
	/* the most in a window of time; a quotient in the windows in which its dividend is not 0 */
	FORMULA_PEAK, FORMULA_ACTIVE,
	/* an event that the PMU does not have counted nothing; 1 for 0 and for what is not known */
	FORMULA_OFFERED, FORMULA_NOT,
};

struct formula {
	enum formula_op op;
	double number;
	char *event;			/* its name or terms; or a name that formula_link() has not seen yet */
	size_t id;			/* of a function: its number in the set, for values that are kept */
	bool is_terms;			/* the event stood in {} */
	bool has_v;			/* it depends on the value v */
	const struct metric *metric;
	struct formula *left, *right;	/* of functions: left */
	unsigned int refs;		/* "let" shares trees */
};

/* What "let" knows, and the number of functions so far. */
struct formula_words {
	struct {
		char *name;
		struct formula *formula;
	} *let;
	size_t nlets;
	size_t functions;
};

/* NULL after a sentence in *problem, which is constant. The caller frees the result. */
struct formula *formula_parse(struct formula_words *words, const char *text, const char **problem);
struct formula *formula_share(struct formula *formula);
void formula_free(struct formula *formula);
/* Calls for each event in it, not for those of metrics that it names. */
void formula_events(const struct formula *formula, void (*call)(void *arg, const char *event, bool is_terms), void *arg);
/* Does it have such an operation anywhere? */
bool formula_has(const struct formula *formula, enum formula_op op);

#endif
