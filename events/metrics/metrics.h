/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Metrics, presets, budgets and rules as text. A file is about one PMU; monctl-metrics(5) describes it. What a line says is
 * in the members below; formula.h has the language of its formulas.
 */
#ifndef EVENTS_METRICS_H
#define EVENTS_METRICS_H

#include "events/metrics/formula.h"

struct metric {
	char *kind;			/* PMU, without the number of an instance */
	char *name, *group;
	struct formula *formula;
	char *unit;
	double scale;
	double low, high;		/* default: from 0 on; infinite: no limit */
	char *description;
};

struct preset {
	char *name, *description;
	char *events, *places, *metrics;	/* lists with commas */
	char *alias;			/* other names, with spaces around each */
	bool on_request;
	bool has_table;			/* of mon_hexagon.h, in place of a line for each counter */
};

/* A sentence: its words up to a value in braces, that value, and what follows. */
struct piece {
	char *text;
	struct formula *value;		/* a formula, or an event of a name that the reader of the sentence knows; NULL: none */
	struct piece *next;
};

/* A sentence beside those of the budgets. */
struct rule {
	char *kind;			/* PMU */
	char *name;
	struct formula *formula, *when;	/* when: NULL: always */
	char *unit;
	struct piece *say;
	char *event, *flits;		/* of a mesh; else NULL */
};

enum part_kind {
	PART_COMPUTING, PART_WAITING, PART_MISSED, PART_IDLE, PART_UNKNOWN, PART_KINDS,
};

/* As files of metrics and pages name them. */
extern const char *const part_kinds[PART_KINDS];

/* A sentence about a part, used where the condition is not 0; NULL: everywhere. */
struct saying {
	struct piece *text;
	struct formula *when;
};

#define MOST_SAYINGS 4

struct sayings {
	struct saying saying[MOST_SAYINGS];
	size_t count;
	bool is_of_busy;		/* one gives its part's share of what is not idle */
};

enum part_amount {
	AMOUNT_OWN,			/* what the formula says */
	AMOUNT_UP_TO,			/* that, less the parts before it */
	AMOUNT_REST,			/* what is left of the device's cycles */
	AMOUNT_LARGEST,			/* up to the cycles of the place that has most */
};

struct budget_part {
	enum part_kind kind;
	enum part_amount amount;
	bool is_child;			/* "of" the last one that is none */
	char *id, *words;
	struct formula *formula;
	struct formula *condition;	/* of a child: where it is known; NULL: everywhere */
	struct formula *prevails;	/* not 0: it limits whatever else is large; NULL: never */
	struct sayings say, also;
};

/* Of a budget. */
#define MOST_PARTS 16

struct budget_rule {
	char *kind;			/* PMU */
	char *name;
	char *device;			/* "": each place is one */
	char *noun;			/* of places; "": the driver's */
	char *title;			/* which part of a device it is; "": the device */
	struct formula *formula;	/* all of its cycles */
	struct formula *beside;		/* cycles in which they are; the rest is idle and no part; NULL: none */
	struct formula *weight;		/* by which sentences are ordered; NULL: the cycles that are not idle */
	struct formula *when;		/* where it has a sentence; NULL: everywhere */
	char *unit;
	struct sayings say, also;	/* of parts that have none */
	struct budget_part *part;
	size_t nparts;
};

struct clock_rule {
	char *kind;
	struct formula *formula, *of_all;	/* of_all: of the place that has most */
	char *text, *hz, *events;
	char *reader;			/* a file of caps/ that is 1 if what the reader itself does is counted; "": none */
	bool is_total;
	bool is_once;			/* one place's is that of all */
	bool has_no_rates;		/* it goes on while nothing runs: counts are not divided by it */
};

struct event_note {
	char *kind, *event, *text;
};

struct event_limit {
	char *kind, *event;
	double most;			/* in a place and a cycle of the PMU's clock */
};

struct metric_set {
	struct metric *metric;
	size_t nmetrics;
	struct preset *preset;
	size_t npresets;
	struct rule *rule;
	size_t nrules;
	struct clock_rule *clock;
	size_t nclocks;
	struct budget_rule *budget;
	size_t nbudgets;
	struct event_note *note;
	size_t nnotes;
	struct event_limit *limit;
	size_t nlimits;
	char **windowed;		/* PMUs with formulas of short stretches; a PMU may be there often */
	size_t nwindowed;
	struct formula_words words;
	struct formula **formula;	/* all of them */
	size_t nformulas;
	struct piece **piece;		/* all of them */
	size_t npieces;
	char **text;			/* what the members above point to */
	size_t ntexts;
};

/*
 * Adds a file's contents. A metric or rule replaces an earlier one of the same name. False: *problem is "FILE:LINE:
 * what is wrong and how it should be", to be freed; the lines before it stay.
 */
bool metrics_read(struct metric_set *set, const char *path, char **problem);
/* When all files have been read: names in formulas become metrics. */
void metrics_link(struct metric_set *set);
void metrics_free(struct metric_set *set);

#endif
