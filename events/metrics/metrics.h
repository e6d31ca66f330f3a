/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Metrics, presets and rules as text. A file is about one PMU; monctl-metrics(5) describes it:
 *
 *	pmu espmon				whose events the names are
 *	group esp				perf's MetricGroup
 *	let NAME EXPRESSION			a name for a part of formulas below
 *	metric NAME				what indented lines say about it
 *		formula EXPRESSION
 *		unit UNIT			behind the number
 *		scale NUMBER			1 if it is not there
 *		range LOW HIGH			what lies outside is not known; "-": no limit
 *		text WORDS			what it is
 *	preset NAME				of several files it is one
 *		text WORDS
 *		events EVENT[,...]		globs
 *		places EVENT[,...]		in each place in which the first one of the line counts
 *		metrics METRIC[,...]
 *		default no			counted on request only
 *		table hexagon			shown as the table of mon_hexagon.h
 *	clock each|total EXPRESSION		cycles of the PMU's own clock, by place or of all of it
 *		text WORDS			what clock it is
 *		hz FILE				its rate, a file of caps/; clock_hz if it is not there
 *		events EVENT[,...]		needs no register that others could use: counted always
 *		in one				in one place, as all have the same
 *	budget NAME				where the cycles of a device go
 *		each [NOUN]			a device is each place, or
 *		total WORDS			the device
 *		cycles EXPRESSION		all of them, or
 *		largest EXPRESSION		those of the place that has most: the others are idle meanwhile
 *		unit UNIT			"cycles" if it is not there
 *		part KIND | ID | WORDS | EXPRESSION
 *						computing, waiting, missed, idle or unknown. "up to EXPRESSION": with the parts
 *						before it; "rest": what is left. NAME_ID is its share in expressions, in %
 *		of ID | WORDS | EXPRESSION [| CONDITION]
 *						what there is of the part before it, where the condition is not 0
 *	rule NAME
 *		each EXPRESSION			a value for each place, or
 *		total EXPRESSION		one for all together, or
 *		shares EVENT			what each place has of the sum, or
 *		mesh EVENT | FLITS | TILES | MEMORY
 *						what each link of a mesh stalled: EVENT_n, _s, _w, _e count cycles with a
 *						flit; FLITS what tiles inject; TILES and MEMORY what is counted by tiles
 *						that use memory, and by those that have it
 *		when EXPRESSION			on that value, as v: not 0 where the rule speaks
 *		unit UNIT, scale NUMBER		of the value in the sentence
 *		say WORDS			with {value}, {places}, {a metric's name}
 *		whole WORDS			in place of "say" if nothing was counted by place, for each
 *		stands N			where it stands in a verdict: 1 first
 *	note EVENT WORDS			what to know about an event's numbers
 *	limit EVENT NUMBER			the most that a place can count in a cycle; EVENT may be a glob; "-": no limit
 */
#ifndef EVENTS_METRICS_H
#define EVENTS_METRICS_H

#include <stdbool.h>
#include <stddef.h>

struct metric {
	char *kind;			/* PMU, without the number of an instance */
	char *name, *group;
	char *expression;
	char *unit;
	double scale;
	double low, high;		/* infinite: no limit */
	char *description;
};

struct preset {
	char *name, *description;
	char *events, *places, *metrics;	/* lists with commas */
	bool on_request;
	bool has_table;			/* of mon_hexagon.h, in place of a line for each counter */
};

enum rule_kind {
	RULE_EACH, RULE_TOTAL, RULE_SHARES, RULE_MESH,
};

struct rule {
	char *kind;			/* PMU */
	char *name;
	enum rule_kind of;
	char *expression, *when;
	char *unit, *say;
	char *whole;
	char *flits, *tiles, *memory;	/* of a mesh */
	double scale;
	int stands;
};

enum part_kind {
	PART_COMPUTING, PART_WAITING, PART_MISSED, PART_IDLE, PART_UNKNOWN, PART_KINDS,
};

/* As files of metrics and pages name them. */
extern const char *const part_kinds[PART_KINDS];

struct budget_part {
	enum part_kind kind;
	bool is_bound;			/* "up to" */
	bool is_child;			/* "of" the last one that is none */
	char *id, *words;
	char *expression;		/* "": the rest */
	char *condition;		/* of a child: where it is known; "": everywhere */
};

/* Of a budget. */
#define MOST_PARTS 16

struct budget_rule {
	char *kind;			/* PMU */
	char *name;
	char *device;			/* "": each place is one */
	char *noun;			/* of places; "": the driver's */
	char *expression;		/* all of its cycles */
	bool is_largest;
	char *unit;
	struct budget_part *part;
	size_t nparts;
};

struct clock_rule {
	char *kind;
	char *expression, *text, *hz, *events;
	bool is_total;
	bool is_once;			/* one place's is that of all */
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
};

/*
 * Adds a file's contents. A metric or rule replaces an earlier one of the same name. False: *problem is "FILE:LINE:
 * what is wrong and how it should be", to be freed; the lines before it stay.
 */
bool metrics_read(struct metric_set *set, const char *path, char **problem);
void metrics_free(struct metric_set *set);

#endif
