// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reader of metrics, presets and rules.
 *
 * A line is a word and its value; an indented line belongs to the last line that is not indented.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/metrics/metrics.h"

#define MOST_LETS 32

struct reader {
	struct metric_set *set;
	char *pmu, *group;
	struct {
		char *name, *expression;
	} let[MOST_LETS];
	size_t nlets;
	/* the metric, preset or rule that indented lines belong to; one of them at most */
	struct metric *metric;
	struct preset *preset;
	struct rule *rule;
	struct clock_rule *clock;
	struct budget_rule *budget;
	const char *problem;
};

static char *metrics_copy(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		abort();
	return copy;
}

static void *add(void *array, size_t count, size_t size)
{
	array = reallocarray(array, count + 1, size);
	if (!array)
		abort();
	memset((char *)array + count * size, 0, size);
	return array;
}

static void replace(char **at, const char *text)
{
	free(*at);
	*at = metrics_copy(text);
}

/* Adds the items of a comma-separated list, because several files may add to a preset. Gives each item its PMU. */
static void append(char **at, const char *list, const char *pmu)
{
	char *old = *at;
	size_t size;
	FILE *out = open_memstream(at, &size);

	if (!out)
		abort();
	fputs(old, out);
	while (*list) {
		size_t n = strcspn(list, ", \t");

		if (n) {
			fprintf(out, "%s", ftell(out) ? "," : "");
			fprintf(out, pmu ? "%s/%.*s/" : "%s%.*s", pmu ? pmu : "", (int)n, list);
		}
		list += n + (list[n] != '\0');
	}
	fclose(out);
	free(old);
}

/* The same; a line of its own begins with ";". */
static void append_line(char **at, const char *list, const char *pmu)
{
	char *old = *at, *line = metrics_copy("");

	append(&line, list, pmu);
	if (asprintf(at, "%s%s;%s", old, *old ? "," : "", line) < 0)
		abort();
	free(old);
	free(line);
}

/* The first file that describes a preset wins. */
static void set_once(char **at, const char *text)
{
	if (!**at)
		replace(at, text);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Replaces names of "let" by their expressions, in parentheses. */
static char *expand(const struct reader *r, const char *text)
{
	char *out = NULL;
	size_t size;
	FILE *stream = open_memstream(&out, &size);

	if (!stream)
		abort();
	while (*text) {
		size_t n = 0, i;

		while (is_word(text[n]))
			n++;
		for (i = 0; n && i < r->nlets; i++)
			if (strlen(r->let[i].name) == n && !strncmp(r->let[i].name, text, n))
				break;
		if (n && i < r->nlets)
			fprintf(stream, "(%s)", r->let[i].expression);
		else
			fprintf(stream, "%.*s", n ? (int)n : 1, text);
		text += n ? n : 1;
	}
	fclose(stream);
	return out;
}

/* ---- heads ---- */

static void head_metric(struct reader *r, const char *name)
{
	struct metric_set *set = r->set;

	for (size_t i = 0; i < set->nmetrics && !r->metric; i++)
		if (!strcmp(set->metric[i].name, name))
			r->metric = &set->metric[i];
	if (!r->metric) {
		set->metric = add(set->metric, set->nmetrics, sizeof(*set->metric));
		r->metric = &set->metric[set->nmetrics++];
		r->metric->name = metrics_copy(name);
	}
	replace(&r->metric->kind, r->pmu);
	replace(&r->metric->group, r->group);
	replace(&r->metric->expression, "");
	replace(&r->metric->unit, "");
	replace(&r->metric->description, "");
	r->metric->scale = 1;
	r->metric->low = -INFINITY;
	r->metric->high = INFINITY;
}

static void head_preset(struct reader *r, const char *name)
{
	struct metric_set *set = r->set;

	for (size_t i = 0; i < set->npresets && !r->preset; i++)
		if (!strcmp(set->preset[i].name, name))
			r->preset = &set->preset[i];
	if (r->preset)
		return;
	set->preset = add(set->preset, set->npresets, sizeof(*set->preset));
	r->preset = &set->preset[set->npresets++];
	r->preset->name = metrics_copy(name);
	r->preset->description = metrics_copy("");
	r->preset->events = metrics_copy("");
	r->preset->places = metrics_copy("");
	r->preset->metrics = metrics_copy("");
}

static void head_rule(struct reader *r, const char *name)
{
	struct metric_set *set = r->set;

	for (size_t i = 0; i < set->nrules && !r->rule; i++)
		if (!strcmp(set->rule[i].name, name))
			r->rule = &set->rule[i];
	if (!r->rule) {
		set->rule = add(set->rule, set->nrules, sizeof(*set->rule));
		r->rule = &set->rule[set->nrules++];
		r->rule->name = metrics_copy(name);
	}
	replace(&r->rule->kind, r->pmu);
	replace(&r->rule->expression, "");
	replace(&r->rule->when, "1");
	replace(&r->rule->unit, "");
	replace(&r->rule->say, "");
	replace(&r->rule->whole, "");
	replace(&r->rule->flits, "");
	replace(&r->rule->tiles, "");
	replace(&r->rule->memory, "");
	r->rule->scale = 1;
	r->rule->stands = 100;
}

static void head_clock(struct reader *r, const char *value)
{
	struct metric_set *set = r->set;
	struct clock_rule *clock = NULL;

	for (size_t i = 0; i < set->nclocks && !clock; i++)
		if (!strcmp(set->clock[i].kind, r->pmu))
			clock = &set->clock[i];
	if (!clock) {
		set->clock = add(set->clock, set->nclocks, sizeof(*set->clock));
		clock = &set->clock[set->nclocks++];
		clock->kind = metrics_copy(r->pmu);
		clock->hz = metrics_copy("clock_hz");
		clock->text = metrics_copy("cycles");
		clock->events = metrics_copy("");
	}
	clock->is_total = !strncmp(value, "total ", 6);
	if (!clock->is_total && strncmp(value, "each ", 5))
		r->problem = "clock: give each or total, and an expression";
	free(clock->expression);
	value += strcspn(value, " ");
	clock->expression = expand(r, value + strspn(value, " "));
	r->clock = clock;
}

static void free_parts(struct budget_rule *budget)
{
	for (size_t i = 0; i < budget->nparts; i++) {
		free(budget->part[i].id);
		free(budget->part[i].words);
		free(budget->part[i].expression);
		free(budget->part[i].condition);
	}
	free(budget->part);
	budget->part = NULL;
	budget->nparts = 0;
}

static void head_budget(struct reader *r, const char *name)
{
	struct metric_set *set = r->set;

	for (size_t i = 0; i < set->nbudgets && !r->budget; i++)
		if (!strcmp(set->budget[i].name, name))
			r->budget = &set->budget[i];
	if (!r->budget) {
		set->budget = add(set->budget, set->nbudgets, sizeof(*set->budget));
		r->budget = &set->budget[set->nbudgets++];
		r->budget->name = metrics_copy(name);
	}
	free_parts(r->budget);
	replace(&r->budget->kind, r->pmu);
	replace(&r->budget->device, "");
	replace(&r->budget->noun, "");
	r->budget->is_largest = false;
	replace(&r->budget->expression, "");
	replace(&r->budget->unit, "cycles");
}

static void head_let(struct reader *r, char *text)
{
	char *space = strchr(text, ' ');

	if (!space || r->nlets == MOST_LETS) {
		r->problem = "let: give a name and an expression; at most 32 in a file";
		return;
	}
	*space = '\0';
	r->let[r->nlets].expression = expand(r, space + 1);
	r->let[r->nlets++].name = metrics_copy(text);
}

static void head_note(struct reader *r, char *text)
{
	char *space = strchr(text, ' ');
	struct event_note *note;

	if (!space) {
		r->problem = "note: give an event and words";
		return;
	}
	*space = '\0';
	r->set->note = add(r->set->note, r->set->nnotes, sizeof(*note));
	note = &r->set->note[r->set->nnotes++];
	note->kind = metrics_copy(r->pmu);
	note->event = metrics_copy(text);
	note->text = metrics_copy(space + 1);
}

static bool number(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && !*end;
}

static bool read_limit(const char *text, double none, double *limit)
{
	if (strcmp(text, "-"))
		return number(text, limit);
	*limit = none;
	return true;
}

static void head_limit(struct reader *r, char *text)
{
	char *space = strchr(text, ' ');
	struct event_limit *limit;
	double most;

	if (!space || !read_limit(space + 1, INFINITY, &most) || !(most > 0)) {
		r->problem = "limit: give an event, and a number above 0 or -";
		return;
	}
	*space = '\0';
	r->set->limit = add(r->set->limit, r->set->nlimits, sizeof(*limit));
	limit = &r->set->limit[r->set->nlimits++];
	limit->kind = metrics_copy(r->pmu);
	limit->event = metrics_copy(text);
	limit->most = most;
}

static void read_head(struct reader *r, const char *key, char *value)
{
	r->metric = NULL;
	r->preset = NULL;
	r->rule = NULL;
	r->clock = NULL;
	r->budget = NULL;
	if (!strcmp(key, "pmu"))
		replace(&r->pmu, value);
	else if (!*r->pmu)
		r->problem = "the first line must be \"pmu NAME\"";
	else if (!*value)
		r->problem = "a name is missing";
	else if (!strcmp(key, "group"))
		replace(&r->group, value);
	else if (!strcmp(key, "let"))
		head_let(r, value);
	else if (!strcmp(key, "metric"))
		head_metric(r, value);
	else if (!strcmp(key, "preset"))
		head_preset(r, value);
	else if (!strcmp(key, "rule"))
		head_rule(r, value);
	else if (!strcmp(key, "clock"))
		head_clock(r, value);
	else if (!strcmp(key, "budget"))
		head_budget(r, value);
	else if (!strcmp(key, "note"))
		head_note(r, value);
	else if (!strcmp(key, "limit"))
		head_limit(r, value);
	else
		r->problem = "unknown word: give pmu, group, let, metric, preset, clock, budget, rule, note or limit";
}

/* ---- what indented lines say ---- */

static bool metric_line(struct reader *r, const char *key, const char *value)
{
	struct metric *m = r->metric;
	char low[32], high[32];

	if (!strcmp(key, "formula")) {
		free(m->expression);
		m->expression = expand(r, value);
	} else if (!strcmp(key, "unit")) {
		replace(&m->unit, value);
	} else if (!strcmp(key, "text")) {
		replace(&m->description, value);
	} else if (!strcmp(key, "scale")) {
		return number(value, &m->scale);
	} else if (!strcmp(key, "range")) {
		return sscanf(value, "%31s %31s", low, high) == 2 && read_limit(low, -INFINITY, &m->low) &&
		       read_limit(high, INFINITY, &m->high);
	} else {
		return false;
	}
	return true;
}

static bool preset_line(struct reader *r, const char *key, const char *value)
{
	struct preset *p = r->preset;

	if (!strcmp(key, "text"))
		set_once(&p->description, value);
	else if (!strcmp(key, "events"))
		append(&p->events, value, r->pmu);
	else if (!strcmp(key, "places"))
		append_line(&p->places, value, r->pmu);
	else if (!strcmp(key, "metrics"))
		append(&p->metrics, value, NULL);
	else if (!strcmp(key, "default") && !strcmp(value, "no"))
		p->on_request = true;
	else if (!strcmp(key, "table") && !strcmp(value, "hexagon"))
		p->has_table = true;
	else
		return false;
	return true;
}

/* Cuts the next word off at a "|". */
static char *next_word(char **text)
{
	char *word = *text + strspn(*text, " \t"), *end = word + strcspn(word, "|");

	*text = *end ? end + 1 : end;
	while (end > word && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return word;
}

static bool clock_line(struct reader *r, const char *key, const char *value)
{
	if (!strcmp(key, "text"))
		replace(&r->clock->text, value);
	else if (!strcmp(key, "hz"))
		replace(&r->clock->hz, value);
	else if (!strcmp(key, "events"))
		append(&r->clock->events, value, r->pmu);
	else if (!strcmp(key, "in"))
		r->clock->is_once = !strcmp(value, "one");
	else
		return false;
	return true;
}

const char *const part_kinds[PART_KINDS] = {
	[PART_COMPUTING] = "computing", [PART_WAITING] = "waiting", [PART_MISSED] = "missed", [PART_IDLE] = "idle",
	[PART_UNKNOWN] = "unknown",
};

static bool add_part(struct reader *r, char *value, bool is_child)
{
	struct budget_rule *budget = r->budget;
	struct budget_part part = { .is_child = is_child };
	const char *kind = is_child ? "unknown" : next_word(&value), *id = next_word(&value), *words = next_word(&value);
	const char *expression = next_word(&value);

	while (part.kind < PART_KINDS && strcmp(kind, part_kinds[part.kind]))
		part.kind++;
	if (part.kind == PART_KINDS || !*expression || (is_child && !budget->nparts) || budget->nparts == MOST_PARTS)
		return false;
	part.is_bound = !strncmp(expression, "up to ", 6);
	part.id = metrics_copy(id);
	part.words = metrics_copy(words);
	part.expression = strcmp(expression, "rest") ? expand(r, expression + 6 * part.is_bound) : metrics_copy("");
	part.condition = expand(r, next_word(&value));
	budget->part = add(budget->part, budget->nparts, sizeof(part));
	budget->part[budget->nparts++] = part;
	return true;
}

static bool budget_line(struct reader *r, const char *key, char *value)
{
	struct budget_rule *budget = r->budget;

	budget->is_largest |= !strcmp(key, "largest");
	if (!strcmp(key, "part") || !strcmp(key, "of"))
		return add_part(r, value, *key == 'o');
	if (!strcmp(key, "cycles") || !strcmp(key, "largest")) {
		free(budget->expression);
		budget->expression = expand(r, value);
		return true;
	}
	if (!strcmp(key, "unit"))
		replace(&budget->unit, value);
	else if (!strcmp(key, "total"))
		replace(&budget->device, value);
	else if (!strcmp(key, "each"))
		replace(&budget->noun, value);
	else
		return false;
	return true;
}

static bool rule_line(struct reader *r, const char *key, char *value)
{
	static const char *const kinds[] = {
		[RULE_EACH] = "each", [RULE_TOTAL] = "total", [RULE_SHARES] = "shares", [RULE_MESH] = "mesh",
	};
	struct rule *rule = r->rule;
	const struct {
		const char *key;
		char **at;
	} words[] = {
		{ "unit", &rule->unit }, { "say", &rule->say }, { "whole", &rule->whole },
	};
	double stands;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(key, kinds[i]))
			continue;
		rule->of = i;
		free(rule->expression);
		rule->expression = expand(r, i == RULE_MESH ? next_word(&value) : value);
		if (i == RULE_MESH) {
			replace(&rule->flits, next_word(&value));
			replace(&rule->tiles, next_word(&value));
			replace(&rule->memory, next_word(&value));
		}
		return true;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(key, words[i].key))
			continue;
		replace(words[i].at, value);
		return true;
	}
	if (!strcmp(key, "when")) {
		free(rule->when);
		rule->when = expand(r, value);
	} else if (!strcmp(key, "scale")) {
		return number(value, &rule->scale);
	} else if (!strcmp(key, "stands") && number(value, &stands)) {
		rule->stands = stands;
	} else {
		return false;
	}
	return true;
}

static void read_detail(struct reader *r, const char *key, char *value)
{
	if (!r->metric && !r->preset && !r->rule && !r->clock && !r->budget)
		r->problem = "an indented line without a metric, preset, clock, budget or rule before it";
	else if (r->metric && !metric_line(r, key, value))
		r->problem = "a metric has formula, unit, scale NUMBER, range LOW HIGH and text";
	else if (r->preset && !preset_line(r, key, value))
		r->problem = "a preset has text, events, places, metrics, default no and table hexagon";
	else if (r->clock && !clock_line(r, key, value))
		r->problem = "a clock has text, hz, events and in one";
	else if (r->budget && !budget_line(r, key, value))
		r->problem = "a budget has each or total, cycles or largest, unit, part KIND | ID | WORDS | EXPRESSION and "
			     "of ID | WORDS | EXPRESSION";
	else if (r->rule && !rule_line(r, key, value))
		r->problem = "a rule has each, total, shares or mesh, when, unit, scale NUMBER, say, whole and stands NUMBER";
}

/* ---- lines ---- */

static void read_line(struct reader *r, char *line)
{
	bool is_detail = isspace((unsigned char)*line);
	char *key = line + strspn(line, " \t"), *value;

	if (!*key || *key == '#')
		return;
	value = key + strcspn(key, " \t");
	if (*value)
		*value++ = '\0';
	value += strspn(value, " \t");
	if (is_detail)
		read_detail(r, key, value);
	else
		read_head(r, key, value);
}

/* A line, joined with those that it continues on after a backslash. False at the end of the file. */
static bool next_line(FILE *file, char **line, size_t *size, unsigned int *number)
{
	char *part = NULL;
	size_t room = 0, used = 0;
	ssize_t n;

	while ((n = getline(&part, &room, file)) >= 0) {
		char *start = used ? part + strspn(part, " \t") : part;
		bool continued;

		++*number;
		part[strcspn(part, "\r\n")] = '\0';
		n = strlen(start);
		continued = n && start[n - 1] == '\\';
		if (continued)
			start[--n] = '\0';
		while (continued && n && start[n - 1] == ' ')
			start[--n] = '\0';
		if (used + n + 2 > *size) {
			*size = used + n + 128;
			*line = realloc(*line, *size);
			if (!*line)
				abort();
		}
		if (used && n)
			(*line)[used++] = ' ';
		memcpy(*line + used, start, n + 1);
		used += n;
		if (!continued)
			break;
	}
	free(part);
	return n >= 0 || used;
}

bool metrics_read(struct metric_set *set, const char *path, char **problem)
{
	struct reader r = { .set = set, .pmu = metrics_copy(""), .group = metrics_copy("") };
	FILE *file = fopen(path, "re");
	unsigned int number = 0;
	char *line = NULL;
	size_t size = 0;

	while (file && !r.problem && next_line(file, &line, &size, &number))
		read_line(&r, line);
	if (!file)
		r.problem = strerror(errno);
	if (r.problem && asprintf(problem, "%s:%u: %s", path, number, r.problem) < 0)
		abort();
	if (file)
		fclose(file);
	free(line);
	free(r.pmu);
	free(r.group);
	while (r.nlets--) {
		free(r.let[r.nlets].name);
		free(r.let[r.nlets].expression);
	}
	return !r.problem;
}

void metrics_free(struct metric_set *set)
{
	size_t i;

	for (i = 0; i < set->nmetrics; i++) {
		struct metric *m = &set->metric[i];

		free(m->kind);
		free(m->name);
		free(m->group);
		free(m->expression);
		free(m->unit);
		free(m->description);
	}
	for (i = 0; i < set->npresets; i++) {
		struct preset *p = &set->preset[i];

		free(p->name);
		free(p->description);
		free(p->events);
		free(p->places);
		free(p->metrics);
	}
	for (i = 0; i < set->nrules; i++) {
		struct rule *r = &set->rule[i];

		free(r->kind);
		free(r->name);
		free(r->expression);
		free(r->when);
		free(r->unit);
		free(r->say);
		free(r->whole);
		free(r->flits);
		free(r->tiles);
		free(r->memory);
	}
	for (i = 0; i < set->nclocks; i++) {
		struct clock_rule *c = &set->clock[i];

		free(c->kind);
		free(c->expression);
		free(c->text);
		free(c->hz);
		free(c->events);
	}
	for (i = 0; i < set->nbudgets; i++) {
		struct budget_rule *b = &set->budget[i];

		free_parts(b);
		free(b->kind);
		free(b->name);
		free(b->device);
		free(b->noun);
		free(b->expression);
		free(b->unit);
	}
	free(set->clock);
	free(set->budget);
	for (i = 0; i < set->nnotes; i++) {
		free(set->note[i].kind);
		free(set->note[i].event);
		free(set->note[i].text);
	}
	free(set->metric);
	free(set->preset);
	free(set->rule);
	for (i = 0; i < set->nlimits; i++) {
		free(set->limit[i].kind);
		free(set->limit[i].event);
	}
	free(set->limit);
	free(set->note);
	*set = (struct metric_set){ 0 };
}
