// SPDX-License-Identifier: GPL-2.0-only
/* Metrics: a small calculator. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/answer/metric.h"
#include "tools/monctl/base/monctl.h"

/* ---- words of expressions ---- */

static size_t word_length(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

static bool is_one_of(const char *word, size_t n, const char *const list[])
{
	for (; *list; list++)
		if (strlen(*list) == n && !strncmp(*list, word, n))
			return true;
	return false;
}

static bool is_function(const char *word, size_t n)
{
	static const char *const functions[] = { "min", "max", "mean", "total", "peak", "known", "offered", "not", NULL };

	return is_one_of(word, n, functions);
}

/* Names that are not those of events. */
static bool is_reserved(const char *word, size_t n)
{
	static const char *const names[] = { "duration_time", "clock", "places", "v", "and", "or", NULL };

	return is_one_of(word, n, names) || is_function(word, n);
}

/* Copies an event at p, a name or {terms}. Returns the end of it, or NULL if there is no event. */
static const char *read_event(const char *p, char *terms, size_t room)
{
	size_t n;

	if (*p == '{') {
		n = strcspn(++p, "}");
		snprintf(terms, room, "%.*s", (int)n, p);
		return p[n] ? p + n + 1 : p + n;
	}
	n = word_length(p);
	if (!n || isdigit((unsigned char)*p) || is_reserved(p, n))
		return NULL;
	snprintf(terms, room, "%.*s", (int)n, p);
	return p + n;
}

bool metric_next_event(const char *expression, size_t *at, char *terms, size_t room)
{
	const char *p = expression + *at, *end;

	while (*p) {
		size_t n = word_length(p);

		end = read_event(p, terms, room);
		if (end && (*p == '{' || !metric_name_find(p, n))) {
			*at = end - expression;
			return true;
		}
		p += n ? n : 1;
	}
	*at = p - expression;
	return false;
}

/* ---- calculator ---- */

struct calculator {
	const struct metric_counts *counts;
	const char *p;
	int place;
	double v;
	int depth;			/* of metrics in metrics, to stop a metric that contains itself */
	bool has_v;			/* v was asked for */
};

#define MOST_DEPTH 8

static double expression_any(struct calculator *c);
static double expression_operand(struct calculator *c);
static double value_in(const char *expression, const struct metric_counts *counts, int place, double v, int depth);

static void skip_spaces(struct calculator *c)
{
	while (*c->p == ' ')
		c->p++;
}

/* ---- values of all places ---- */

/* What is kept ends with a bracket or with the end of its text, so it is not the begin of something longer. NULL: none. */
static const struct kept_value *find_kept(const struct metric_memo *memo, char of, const char *text)
{
	for (size_t i = 0; memo && i < memo->count; i++)
		if (memo->kept[i].of == of && !strncmp(memo->kept[i].text, text, memo->kept[i].length))
			return &memo->kept[i];
	return NULL;
}

static double keep(struct metric_memo *memo, char of, const char *text, size_t length, double value)
{
	if (memo && memo->count < COUNT_OF(memo->kept))
		memo->kept[memo->count++] = (struct kept_value){ of, text, length, value };
	return value;
}

/* The best value, or the sum, of those that are known. */
struct gathered {
	double best, sum;
	size_t count;
};

static void gather(struct gathered *of, double value, bool is_min)
{
	if (isnan(value))
		return;
	if (!of->count++ || (is_min ? value < of->best : value > of->best))
		of->best = value;
	of->sum += value;
}

/* Applies min, max or mean to its argument in each place that has a value. */
static double over_places(struct calculator *c, const char *function)
{
	const char *start = c->p, *end = start;
	struct gathered of = { 0 };
	int place = c->place;

	for (size_t i = 0; i < c->counts->places; i++) {
		c->p = start;
		c->place = i;
		gather(&of, expression_operand(c), function[1] == 'i');
		end = c->p;
	}
	if (!of.count) {
		/* no place has a value: take that of all places together */
		c->p = start;
		c->place = -1;
		of.best = of.sum = expression_operand(c);
		end = c->p;
		of.count = 1;
	}
	c->place = place;
	c->p = end;
	return !strncmp(function, "mean", 4) ? of.sum / of.count : of.best;
}

/* The largest value in any of the windows; without windows that of all the time. */
static double over_windows(struct calculator *c)
{
	const struct metric_counts *counts = c->counts;
	const char *start = c->p;
	struct gathered of = { 0 };

	for (size_t i = 0; i < counts->windows; i++) {
		c->p = start;
		counts->select(counts->arg, i);
		gather(&of, expression_operand(c), false);
	}
	if (counts->windows)
		counts->select(counts->arg, SIZE_MAX);
	if (of.count)
		return of.best;
	c->p = start;
	return expression_operand(c);
}

/* An event that the PMU does not have counted nothing. */
static double offered(struct calculator *c)
{
	const char *start = c->p + strspn(c->p, " (");
	char terms[128];
	double value = expression_operand(c);

	if (!isnan(value) || !c->counts->is_absent || !read_event(start, terms, sizeof(terms)))
		return value;
	return c->counts->is_absent(c->counts->arg, terms) ? 0 : NAN;
}

/* Of all places together. */
static double of_all(struct calculator *c)
{
	int place = c->place;
	double value;

	c->place = -1;
	value = expression_operand(c);
	c->place = place;
	return value;
}

/* min, max, mean and total are the same in each place. */
static double of_places(struct calculator *c, const char *function)
{
	char of = *function == 't' ? 't' : function[1];
	bool had_v = c->has_v;
	const struct kept_value *kept;
	const char *start;
	double value;

	skip_spaces(c);
	start = c->p;
	kept = find_kept(c->counts->memo, of, start);
	if (kept) {
		c->p += kept->length;
		return kept->value;
	}
	c->has_v = false;
	value = of == 't' ? of_all(c) : over_places(c, function);
	if (!c->has_v && c->p > start && c->p[-1] == ')')
		keep(c->counts->memo, of, start, c->p - start, value);
	c->has_v |= had_v;
	return value;
}

static double function_value(struct calculator *c, const char *function)
{
	double value;

	switch (*function) {
	case 'm':
	case 't':
		return of_places(c, function);
	case 'p':
		return over_windows(c);
	case 'o':
		return offered(c);
	default:
		value = expression_operand(c);
		if (*function == 'n')
			return isnan(value) || value == 0;
		return isnan(value) ? 0 : value;
	}
}

static double name_value(struct calculator *c, const char *word, size_t n)
{
	const struct metric_name *named;
	char event[128];
	double value;

	if (n == 1 && *word == 'v') {
		c->has_v = true;
		return c->v;
	}
	if (n == 5 && !strncmp(word, "clock", n))
		return c->counts->clock_hz > 0 ? c->counts->clock_hz : NAN;
	if (n == 6 && !strncmp(word, "places", n))
		return c->counts->places;
	if (!strncmp(word, "duration_time", n) && n == 13)
		return clock_cycles(c->counts, -1) / (c->counts->clock_hz > 0 ? c->counts->clock_hz : NAN);
	named = metric_name_find(word, n);
	if (!named) {
		n = n < sizeof(event) ? n : sizeof(event) - 1;
		memcpy(event, word, n);
		event[n] = '\0';
		return c->counts->count(c->counts->arg, event, c->place);
	}
	if (c->depth == MOST_DEPTH)
		return NAN;
	if (named->budget)
		return budget_share(named->budget, named->part, c->counts, c->place);
	value = value_in(named->metric->expression, c->counts, c->place, NAN, c->depth + 1) * named->metric->scale;
	return value < named->metric->low || value > named->metric->high ? NAN : value;
}

static double expression_operand(struct calculator *c)
{
	char terms[128], *rest;
	const char *word;
	double value;
	size_t n;

	skip_spaces(c);
	word = c->p;
	n = word_length(word);
	if (*word == '(') {
		c->p++;
		value = expression_any(c);
		skip_spaces(c);
		if (*c->p != ')')
			return NAN;
		c->p++;
		return value;
	}
	if (isdigit((unsigned char)*word)) {
		value = strtod(word, &rest);
		c->p = rest;
		return value;
	}
	if (*word == '{') {
		c->p = read_event(word, terms, sizeof(terms));
		return c->counts->count(c->counts->arg, terms, c->place);
	}
	c->p += n;
	if (!n) {
		c->p += strlen(c->p);
		return NAN;
	}
	return is_function(word, n) ? function_value(c, word) : name_value(c, word, n);
}

static double expression_product(struct calculator *c)
{
	double value = expression_operand(c), by;

	for (;;) {
		char sign;

		skip_spaces(c);
		sign = *c->p;
		if (sign != '*' && sign != '/')
			return value;
		c->p++;
		by = expression_operand(c);
		value = sign == '*' ? value * by : by == 0 ? NAN : value / by;
	}
}

static double expression_sum(struct calculator *c)
{
	double value = expression_product(c);

	for (;;) {
		char sign;

		skip_spaces(c);
		sign = *c->p;
		if (sign != '+' && sign != '-')
			return value;
		c->p++;
		value += sign == '+' ? expression_product(c) : -expression_product(c);
	}
}

/* A comparison with NaN is NaN. */
static double expression_comparison(struct calculator *c)
{
	double value = expression_sum(c), with;
	char sign;

	skip_spaces(c);
	sign = *c->p;
	if (sign != '<' && sign != '>')
		return value;
	c->p++;
	with = expression_sum(c);
	return isnan(value) || isnan(with) ? NAN : sign == '<' ? value < with : value > with;
}

static bool take_word(struct calculator *c, const char *word)
{
	size_t n = strlen(word);

	skip_spaces(c);
	if (word_length(c->p) != n || strncmp(c->p, word, n))
		return false;
	c->p += n;
	return true;
}

static double expression_any(struct calculator *c)
{
	double value = expression_comparison(c), with;

	for (;;) {
		bool is_and = take_word(c, "and");

		if (!is_and && !take_word(c, "or"))
			return value;
		with = expression_comparison(c);
		if (is_and)
			value = isnan(value) || isnan(with) ? NAN : value && with;
		else
			value = isnan(value) ? with : isnan(with) ? value : value || with;
	}
}

static double value_in(const char *expression, const struct metric_counts *counts, int place, double v, int depth)
{
	struct calculator c = { .counts = counts, .p = expression, .place = place, .v = v, .depth = depth };
	double value = expression_any(&c);

	skip_spaces(&c);
	return *c.p ? NAN : value;
}

double expression_value(const char *expression, const struct metric_counts *counts, int place, double v)
{
	return value_in(expression, counts, place, v, 0);
}

double metric_value(const struct metric *metric, const struct metric_counts *counts, int place)
{
	double value = value_in(metric->expression, counts, place, NAN, 1) * metric->scale;

	return value < metric->low || value > metric->high ? NAN : value;
}

/* Of the place that has most, or one counter for all. */
static double clock_of_all(const struct metric_counts *counts)
{
	const struct clock_rule *clock = counts->clock;
	const struct kept_value *kept = find_kept(counts->memo, 'c', clock->expression);
	struct gathered of = { .best = NAN };

	if (kept)
		return kept->value;
	if (clock->is_total)
		of.best = expression_value(clock->expression, counts, -1, NAN);
	for (size_t i = 0; !clock->is_total && i < counts->places; i++)
		gather(&of, expression_value(clock->expression, counts, i, NAN), false);
	return keep(counts->memo, 'c', clock->expression, strlen(clock->expression) + 1, of.best);
}

double clock_cycles(const struct metric_counts *counts, int place)
{
	const struct clock_rule *clock = counts->clock;
	double value = NAN;

	if (!clock)
		return NAN;
	if (place >= 0 && !clock->is_total)
		value = expression_value(clock->expression, counts, place, NAN);
	return isnan(value) ? clock_of_all(counts) : value;
}

/* ---- budgets ---- */

/* The cycles of the place that has most. */
static double largest_cycles(const struct budget_rule *rule, const struct metric_counts *counts)
{
	const struct kept_value *kept = find_kept(counts->memo, 'b', rule->expression);
	double most = NAN;

	if (kept)
		return kept->value;
	for (size_t i = 0; i < counts->places; i++) {
		double cycles = expression_value(rule->expression, counts, i, NAN);

		if (!isnan(cycles) && !(cycles < most))
			most = cycles;
	}
	return keep(counts->memo, 'b', rule->expression, strlen(rule->expression) + 1, most);
}

/* A place without a counter of its clock has that of another one, if all have the same. */
static double all_cycles(const struct budget_rule *rule, const struct metric_counts *counts, int place)
{
	double cycles = expression_value(rule->expression, counts, place, NAN);

	if (isnan(cycles) && place >= 0 && budget_is_of_clock(rule, counts->clock))
		return clock_cycles(counts, place);
	return rule->is_largest && place >= 0 && !isnan(cycles) ? largest_cycles(rule, counts) : cycles;
}

bool budget_is_of_clock(const struct budget_rule *rule, const struct clock_rule *clock)
{
	return clock && clock->is_once && !strcmp(clock->expression, rule->expression);
}

bool budget_cycles(const struct budget_rule *rule, const struct metric_counts *counts, int place, double *cycles,
		   double *total)
{
	double left, used = 0;
	size_t parent = 0;

	*total = all_cycles(rule, counts, place);
	if (isnan(*total))
		return false;
	left = *total;
	for (size_t i = 0; i < rule->nparts; i++) {
		const struct budget_part *part = &rule->part[i];
		double value = left;

		if (*part->expression)
			value = expression_value(part->expression, counts, place, NAN);
		if (isnan(value) && !part->is_child)
			return false;
		if (part->is_bound)
			value -= used;
		if (part->is_child) {
			bool is_known = !*part->condition || expression_value(part->condition, counts, place, NAN) > 0;

			/* no more than the part has */
			cycles[i] = !is_known || isnan(value) ? NAN : fmin(value, cycles[parent]);
			continue;
		}
		parent = i;
		/* readings are not of one instant: a part has neither less than nothing nor more than there is */
		value = value < 0 ? 0 : value > left ? left : value;
		cycles[i] = value;
		left -= value;
		used += value;
	}
	return true;
}

double budget_share(const struct budget_rule *rule, size_t part, const struct metric_counts *counts, int place)
{
	double cycles[MOST_PARTS], total, sum = 0, all = 0;
	bool is_known;

	if (place >= 0 || *rule->device)
		return budget_cycles(rule, counts, place, cycles, &total) && total > 0 ? 100 * cycles[part] / total : NAN;
	/* some of the places are not all of them */
	if (isnan(expression_value(rule->part[0].expression, counts, -1, NAN)))
		return NAN;
	for (size_t i = 0; i < counts->places; i++) {
		is_known = budget_cycles(rule, counts, i, cycles, &total);
		sum += is_known ? cycles[part] : 0;
		all += is_known ? total : 0;
	}
	if (all > 0)
		return 100 * sum / all;
	return budget_cycles(rule, counts, -1, cycles, &total) && total > 0 ? 100 * cycles[part] / total : NAN;
}
