// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reader of metrics, presets, budgets and rules.
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

#define MOST_LETS 64

struct reader {
	struct metric_set *set;
	char *pmu, *group;
	size_t first_let;		/* of this file */
	/* what indented lines belong to: the head, NULL: none; and its index in the set */
	const struct head *head;
	size_t at;
	const char *problem;
};

static void *add(void *array, size_t *count, size_t size)
{
	array = reallocarray(array, *count + 1, size);
	if (!array)
		abort();
	memset((char *)array + *count * size, 0, size);
	++*count;
	return array;
}

/* A new element at the end of an array of the set, of which count is the number. */
#define ADD(array, count) ((array) = add(array, &(count), sizeof(*(array))), &(array)[(count) - 1])

/* A text that the set keeps. */
static char *copy(struct reader *r, const char *text)
{
	char **copy = ADD(r->set->text, r->set->ntexts);

	*copy = strdup(text);
	if (!*copy)
		abort();
	return *copy;
}

/* A formula that the set keeps; NULL if it has a problem. */
static struct formula *formula(struct reader *r, const char *text)
{
	struct formula *parsed = formula_parse(&r->set->words, text, &r->problem);

	if (parsed)
		*ADD(r->set->formula, r->set->nformulas) = parsed;
	if (formula_has(parsed, FORMULA_PEAK) || formula_has(parsed, FORMULA_ACTIVE))
		*ADD(r->set->windowed, r->set->nwindowed) = r->pmu;
	return parsed;
}

/* Cuts a sentence into pieces. */
static struct piece *pieces(struct reader *r, char *text)
{
	struct piece *first = NULL, **end = &first;
	char *value;

	while (text && !r->problem) {
		*end = calloc(1, sizeof(**end));
		if (!*end)
			abort();
		*ADD(r->set->piece, r->set->npieces) = *end;
		(*end)->text = copy(r, strsep(&text, "{"));
		value = strsep(&text, "}");
		if (value && !text)
			r->problem = "a sentence lacks a }";
		else if (value)
			(*end)->value = formula(r, value);
		end = &(*end)->next;
	}
	return first;
}

/* Adds the items of a comma-separated list, because several files may add to a preset. Gives each item its PMU. */
static void append(struct reader *r, char **at, const char *list, const char *pmu)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort();
	fputs(*at, out);
	while (*list) {
		/* ";" begins a list of its own */
		bool is_first = *list == ';';
		size_t n = strcspn(list += is_first, ", \t");

		if (n) {
			fprintf(out, "%s%s", ftell(out) ? "," : "", is_first ? ";" : "");
			fprintf(out, pmu ? "%s/%.*s/" : "%s%.*s", pmu ? pmu : "", (int)n, list);
		}
		list += n + (list[n] != '\0');
	}
	fclose(out);
	*at = copy(r, text);
	free(text);
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

/* Cuts the first word off; the rest is after the spaces that follow. NULL: there is only one. */
static char *cut_word(char *text)
{
	char *space = strchr(text, ' ');

	if (!space)
		return NULL;
	*space = '\0';
	return space + 1 + strspn(space + 1, " ");
}

/* ---- heads ---- */

/* at: the index of the element whose member is that name, or count. */
#define FIND(array, count, member, name, at) \
	for (at = 0; at < (count) && strcmp((array)[at].member, name); at++)

static void head_metric(struct reader *r, char *name)
{
	struct metric_set *set = r->set;

	FIND(set->metric, set->nmetrics, name, name, r->at);
	if (r->at == set->nmetrics)
		(void)ADD(set->metric, set->nmetrics);
	set->metric[r->at] = (struct metric){
		.kind = r->pmu, .name = copy(r, name), .group = r->group, .unit = copy(r, ""), .description = copy(r, ""),
		.scale = 1, .high = INFINITY,
	};
}

static void head_preset(struct reader *r, char *name)
{
	struct metric_set *set = r->set;
	char *empty = copy(r, "");

	FIND(set->preset, set->npresets, name, name, r->at);
	if (r->at == set->npresets)
		*ADD(set->preset, set->npresets) = (struct preset){
			.name = copy(r, name), .description = empty, .events = empty, .places = empty, .metrics = empty, .alias = empty,
		};
}

static void head_rule(struct reader *r, char *name)
{
	struct metric_set *set = r->set;

	FIND(set->rule, set->nrules, name, name, r->at);
	if (r->at == set->nrules)
		(void)ADD(set->rule, set->nrules);
	set->rule[r->at] = (struct rule){
		.kind = r->pmu, .name = copy(r, name), .unit = copy(r, ""),
	};
}

static void head_clock(struct reader *r, char *value)
{
	struct metric_set *set = r->set;
	char *expression = cut_word(value), *of_all;

	if (!expression || (strcmp(value, "each") && strcmp(value, "total"))) {
		r->problem = "clock: give each or total, and an expression";
		return;
	}
	FIND(set->clock, set->nclocks, kind, r->pmu, r->at);
	if (r->at == set->nclocks)
		(void)ADD(set->clock, set->nclocks);
	if (asprintf(&of_all, *value == 't' ? "%s" : "max(%s)", expression) < 0)
		abort();
	set->clock[r->at] = (struct clock_rule){
		.kind = r->pmu, .hz = copy(r, "clock_hz"), .text = copy(r, "cycles"), .events = copy(r, ""), .reader = copy(r, ""),
		.is_total = *value == 't', .formula = formula(r, expression), .of_all = formula(r, of_all),
	};
	free(of_all);
}

static void head_budget(struct reader *r, char *name)
{
	struct metric_set *set = r->set;
	char *empty = copy(r, "");

	FIND(set->budget, set->nbudgets, name, name, r->at);
	if (r->at == set->nbudgets)
		(void)ADD(set->budget, set->nbudgets);
	free(set->budget[r->at].part);
	set->budget[r->at] = (struct budget_rule){
		.kind = r->pmu, .name = copy(r, name), .device = empty, .noun = empty, .title = empty, .unit = copy(r, "cycles"),
	};
}

static void head_let(struct reader *r, char *text)
{
	struct formula_words *words = &r->set->words;
	char *expression = cut_word(text);
	struct formula *parsed;

	if (!words->let)
		words->let = calloc(MOST_LETS, sizeof(*words->let));
	if (!words->let)
		abort();
	if (!expression || words->nlets == MOST_LETS) {
		r->problem = "let: give a name and an expression; at most 64 in a file";
		return;
	}
	parsed = formula(r, expression);
	if (!parsed)
		return;
	words->let[words->nlets].formula = parsed;
	words->let[words->nlets++].name = copy(r, text);
}

static void head_note(struct reader *r, char *text)
{
	char *words = cut_word(text);

	if (!words) {
		r->problem = "note: give an event and words";
		return;
	}
	*ADD(r->set->note, r->set->nnotes) = (struct event_note){ r->pmu, copy(r, text), copy(r, words) };
}

static void head_limit(struct reader *r, char *text)
{
	char *value = cut_word(text);
	double most;

	if (!value || !read_limit(value, INFINITY, &most) || !(most > 0)) {
		r->problem = "limit: give an event, and a number above 0 or -";
		return;
	}
	*ADD(r->set->limit, r->set->nlimits) = (struct event_limit){ r->pmu, copy(r, text), most };
}

/* ---- what indented lines say ---- */

/* Lines that are one text or one formula. */
struct field {
	const char *key;
	char **text;
	struct formula **formula;
};

static bool take_field(struct reader *r, const struct field *fields, size_t count, const char *key, const char *value)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(key, fields[i].key))
			continue;
		if (fields[i].text)
			*fields[i].text = copy(r, value);
		else
			*fields[i].formula = formula(r, value);
		return true;
	}
	return false;
}

#define TAKE_FIELD(r, fields, key, value) take_field(r, fields, sizeof(fields) / sizeof((fields)[0]), key, value)

static bool metric_line(struct reader *r, const char *key, char *value)
{
	struct metric *m = &r->set->metric[r->at];
	const struct field fields[] = {
		{ "formula", NULL, &m->formula }, { "unit", &m->unit, NULL }, { "text", &m->description, NULL },
	};
	char low[32], high[32];

	if (!strcmp(key, "scale"))
		return number(value, &m->scale);
	if (!strcmp(key, "range"))
		return sscanf(value, "%31s %31s", low, high) == 2 && read_limit(low, -INFINITY, &m->low) &&
		       read_limit(high, INFINITY, &m->high);
	return TAKE_FIELD(r, fields, key, value);
}

static bool preset_line(struct reader *r, const char *key, char *value)
{
	struct preset *p = &r->set->preset[r->at];
	char *list;

	if (!strcmp(key, "text")) {
		/* the first file that describes a preset wins */
		if (!*p->description)
			p->description = copy(r, value);
	} else if (!strcmp(key, "events")) {
		append(r, &p->events, value, r->pmu);
	} else if (!strcmp(key, "places")) {
		if (asprintf(&list, ";%s", value) < 0)
			abort();
		append(r, &p->places, list, r->pmu);
		free(list);
	} else if (!strcmp(key, "metrics")) {
		append(r, &p->metrics, value, NULL);
	} else if (!strcmp(key, "also")) {
		append(r, &p->alias, value, NULL);
	} else if (!strcmp(key, "default") && !strcmp(value, "no")) {
		p->on_request = true;
	} else if (!strcmp(key, "table") && !strcmp(value, "hexagon")) {
		p->has_table = true;
	} else {
		return false;
	}
	return true;
}

static bool clock_line(struct reader *r, const char *key, char *value)
{
	struct clock_rule *clock = &r->set->clock[r->at];
	const struct field fields[] = { { "text", &clock->text, NULL }, { "hz", &clock->hz, NULL },
					{ "reader", &clock->reader, NULL } };

	if (!strcmp(key, "events")) {
		append(r, &clock->events, value, NULL);
		return true;
	}
	if (!strcmp(key, "in")) {
		clock->is_once = !strcmp(value, "one");
		return clock->is_once;
	}
	if (!strcmp(key, "rates")) {
		clock->has_no_rates = !strcmp(value, "no");
		return clock->has_no_rates;
	}
	return TAKE_FIELD(r, fields, key, value);
}

const char *const part_kinds[PART_KINDS] = {
	[PART_COMPUTING] = "computing", [PART_WAITING] = "waiting", [PART_MISSED] = "missed", [PART_IDLE] = "idle",
	[PART_UNKNOWN] = "unknown",
};

static bool add_part(struct reader *r, char *value, bool is_child)
{
	struct budget_rule *budget = &r->set->budget[r->at];
	struct budget_part part = { .is_child = is_child };
	const char *kind = is_child ? "unknown" : next_word(&value), *id = next_word(&value), *words = next_word(&value);
	const char *amount = next_word(&value), *condition = next_word(&value);

	while (part.kind < PART_KINDS && strcmp(kind, part_kinds[part.kind]))
		part.kind++;
	if (part.kind == PART_KINDS || !*amount || (is_child && !budget->nparts) || budget->nparts == MOST_PARTS)
		return false;
	part.id = copy(r, id);
	part.words = copy(r, words);
	if (!strcmp(amount, "rest"))
		part.amount = AMOUNT_REST;
	else if (!strcmp(amount, "largest"))
		part.amount = AMOUNT_LARGEST;
	else if (!strncmp(amount, "up to ", 6))
		part.amount = AMOUNT_UP_TO;
	if (part.amount == AMOUNT_OWN || part.amount == AMOUNT_UP_TO)
		part.formula = formula(r, amount + (part.amount == AMOUNT_UP_TO ? 6 : 0));
	if (*condition)
		part.condition = formula(r, condition);
	*ADD(budget->part, budget->nparts) = part;
	return true;
}

static bool add_saying(struct reader *r, struct sayings *sayings, char *value)
{
	char *text = next_word(&value), *when = next_word(&value);
	struct piece *piece;

	if (sayings->count == MOST_SAYINGS || !*text)
		return false;
	piece = pieces(r, text);
	sayings->saying[sayings->count++] = (struct saying){ piece, *when ? formula(r, when) : NULL };
	for (; piece && piece->value; piece = piece->next)
		sayings->is_of_busy |= piece->value->event && !strcmp(piece->value->event, "busy");
	return true;
}

static bool budget_line(struct reader *r, const char *key, char *value)
{
	struct budget_rule *budget = &r->set->budget[r->at];
	struct budget_part *part = budget->nparts ? &budget->part[budget->nparts - 1] : NULL;
	const struct field fields[] = {
		{ "cycles", NULL, &budget->formula }, { "beside", NULL, &budget->beside }, { "weight", NULL, &budget->weight },
		{ "when", NULL, &budget->when }, { "unit", &budget->unit, NULL }, { "total", &budget->device, NULL },
		{ "each", &budget->noun, NULL }, { "title", &budget->title, NULL },
	};

	if (!strcmp(key, "part") || !strcmp(key, "of"))
		return add_part(r, value, *key == 'o');
	if (!strcmp(key, "say"))
		return add_saying(r, part ? &part->say : &budget->say, value);
	if (!strcmp(key, "also"))
		return add_saying(r, part ? &part->also : &budget->also, value);
	if (part && !strcmp(key, "prevails")) {
		part->prevails = formula(r, value);
		return true;
	}
	return TAKE_FIELD(r, fields, key, value);
}

static bool rule_line(struct reader *r, const char *key, char *value)
{
	struct rule *rule = &r->set->rule[r->at];
	const struct field fields[] = {
		{ "total", NULL, &rule->formula }, { "when", NULL, &rule->when }, { "unit", &rule->unit, NULL },
	};

	if (!strcmp(key, "say")) {
		rule->say = pieces(r, value);
		return true;
	}
	if (!strcmp(key, "mesh")) {
		rule->event = copy(r, next_word(&value));
		rule->flits = copy(r, next_word(&value));
		return true;
	}
	return TAKE_FIELD(r, fields, key, value);
}

/* ---- lines ---- */

static const struct head {
	const char *key;
	void (*read)(struct reader *r, char *value);
	/* indented lines, and what they can be; NULL: none */
	bool (*detail)(struct reader *r, const char *key, char *value);
	const char *has;
} heads[] = {
	{ "metric", head_metric, metric_line, "a metric has formula, unit, scale NUMBER, range LOW HIGH and text" },
	{ "preset", head_preset, preset_line, "a preset has text, events, places, metrics, also NAME, default no and table hexagon" },
	{ "clock", head_clock, clock_line, "a clock has text, hz, events, in one, reader and rates no" },
	{ "budget", head_budget, budget_line, "a budget has each or total, title, cycles, beside, weight, when, unit, say, also, "
	  "part KIND | ID | WORDS | AMOUNT with say, also and prevails, and of ID | WORDS | AMOUNT" },
	{ "rule", head_rule, rule_line, "a rule has total or mesh, when, unit and say" },
	{ "let", head_let, NULL, NULL }, { "note", head_note, NULL, NULL }, { "limit", head_limit, NULL, NULL },
};

static void read_head(struct reader *r, const char *key, char *value)
{
	const struct head *head = heads, *end = heads + sizeof(heads) / sizeof(heads[0]);

	r->head = NULL;
	while (head < end && strcmp(head->key, key))
		head++;
	if (strcmp(key, "pmu") && !*r->pmu) {
		r->problem = "the first line must be \"pmu NAME\"";
	} else if (!*value) {
		r->problem = "a name is missing";
	} else if (!strcmp(key, "pmu")) {
		r->pmu = copy(r, value);
	} else if (!strcmp(key, "group")) {
		r->group = copy(r, value);
	} else if (head < end) {
		head->read(r, value);
		r->head = head->detail ? head : NULL;
	} else {
		r->problem = "unknown word: give pmu, group, let, metric, preset, clock, budget, rule, note or limit";
	}
}

static void read_detail(struct reader *r, const char *key, char *value)
{
	if (!r->head)
		r->problem = "an indented line without a metric, preset, clock, budget or rule before it";
	else if (!r->head->detail(r, key, value) && !r->problem)
		r->problem = r->head->has;
}

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
	struct reader r = { .set = set };
	FILE *file = fopen(path, "re");
	unsigned int number = 0;
	char *line = NULL;
	size_t size = 0;

	r.pmu = r.group = copy(&r, "");
	/* "let" is of one file */
	set->words.nlets = 0;
	while (file && !r.problem && next_line(file, &line, &size, &number))
		read_line(&r, line);
	if (!file)
		r.problem = strerror(errno);
	if (r.problem && asprintf(problem, "%s:%u: %s", path, number, r.problem) < 0)
		abort();
	if (file)
		fclose(file);
	free(line);
	return !r.problem;
}

/* ---- names in formulas ---- */

static void link_formula(const struct metric_set *set, struct formula *formula)
{
	if (!formula)
		return;
	if (formula->event && !formula->is_terms) {
		formula->op = FORMULA_EVENT;
		for (size_t i = 0; i < set->nmetrics; i++) {
			if (strcmp(set->metric[i].name, formula->event))
				continue;
			formula->op = FORMULA_METRIC;
			formula->metric = &set->metric[i];
		}
	}
	link_formula(set, formula->left);
	link_formula(set, formula->right);
}

void metrics_link(struct metric_set *set)
{
	for (size_t i = 0; i < set->nformulas; i++)
		link_formula(set, set->formula[i]);
}

void metrics_free(struct metric_set *set)
{
	for (size_t i = 0; i < set->nbudgets; i++)
		free(set->budget[i].part);
	for (size_t i = 0; i < set->nformulas; i++)
		formula_free(set->formula[i]);
	for (size_t i = 0; i < set->ntexts; i++)
		free(set->text[i]);
	for (size_t i = 0; i < set->npieces; i++)
		free(set->piece[i]);
	free(set->metric);
	free(set->preset);
	free(set->rule);
	free(set->clock);
	free(set->budget);
	free(set->note);
	free(set->limit);
	free(set->windowed);
	free(set->words.let);
	free(set->formula);
	free(set->piece);
	free(set->text);
	*set = (struct metric_set){ 0 };
}
