// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parser of formulas: or, and, comparison, sum, product, operand, each a level. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "events/metrics/formula.h"

struct parser {
	struct formula_words *words;
	const char *p;
	const char *problem;
};

static const struct {
	const char *name;
	enum formula_op op;
} functions[] = {
	{ "min", FORMULA_MIN }, { "max", FORMULA_MAX }, { "mean", FORMULA_MEAN }, { "total", FORMULA_TOTAL },
	{ "peak", FORMULA_PEAK }, { "active", FORMULA_ACTIVE }, { "offered", FORMULA_OFFERED }, { "not", FORMULA_NOT },
}, names[] = {
	{ "duration_time", FORMULA_DURATION }, { "clock", FORMULA_CLOCK }, { "places", FORMULA_PLACES }, { "v", FORMULA_V },
	{ "transfer_time", FORMULA_TRANSFERS },
};

/* From the weakest on. */
static const struct {
	const char *text;
	enum formula_op op;
} operators[][2] = {
	{ { "or", FORMULA_OR } }, { { "and", FORMULA_AND } }, { { "<", FORMULA_LESS }, { ">", FORMULA_MORE } },
	{ { "+", FORMULA_ADD }, { "-", FORMULA_SUBTRACT } }, { { "*", FORMULA_MULTIPLY }, { "/", FORMULA_DIVIDE } },
};
#define LEVELS (sizeof(operators) / sizeof(operators[0]))

static struct formula *parse_level(struct parser *parser, size_t level);

static struct formula *new_formula(enum formula_op op, struct formula *left, struct formula *right)
{
	struct formula *formula = calloc(1, sizeof(*formula));

	if (!formula)
		abort();
	*formula = (struct formula){ .op = op, .left = left, .right = right, .refs = 1 };
	formula->has_v = op == FORMULA_V || (left && left->has_v) || (right && right->has_v);
	return formula;
}

static struct formula *fail(struct parser *parser, const char *problem)
{
	if (!parser->problem)
		parser->problem = problem;
	return NULL;
}

static size_t word_length(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

static bool is_word(const char *p, size_t n, const char *word)
{
	return strlen(word) == n && !strncmp(p, word, n);
}

static void skip_spaces(struct parser *parser)
{
	parser->p += strspn(parser->p, " \t");
}

static struct formula *parse_bracket(struct parser *parser)
{
	struct formula *inner;

	parser->p++;
	inner = parse_level(parser, 0);
	skip_spaces(parser);
	if (inner && *parser->p == ')') {
		parser->p++;
		return inner;
	}
	formula_free(inner);
	return fail(parser, "a formula lacks a ) or has something before it that is no operator");
}

static struct formula *parse_event(struct parser *parser, size_t n, bool is_terms)
{
	struct formula *formula = new_formula(FORMULA_EVENT, NULL, NULL);

	formula->event = strndup(parser->p, n);
	formula->is_terms = is_terms;
	if (!formula->event)
		abort();
	parser->p += n + is_terms;
	return formula;
}

static struct formula *parse_function(struct parser *parser, enum formula_op op)
{
	struct formula *argument, *formula;

	skip_spaces(parser);
	if (*parser->p != '(')
		return fail(parser, "a function of a formula lacks its ( )");
	argument = parse_bracket(parser);
	if (!argument)
		return NULL;
	formula = new_formula(op, argument, NULL);
	formula->id = parser->words->functions++;
	return formula;
}

static struct formula *parse_name(struct parser *parser)
{
	size_t n = word_length(parser->p);
	const char *word = parser->p;

	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (!is_word(word, n, functions[i].name))
			continue;
		parser->p += n;
		return parse_function(parser, functions[i].op);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!is_word(word, n, names[i].name))
			continue;
		parser->p += n;
		return new_formula(names[i].op, NULL, NULL);
	}
	for (size_t i = 0; i < parser->words->nlets; i++) {
		if (!is_word(word, n, parser->words->let[i].name))
			continue;
		parser->p += n;
		return formula_share(parser->words->let[i].formula);
	}
	return parse_event(parser, n, false);
}

static struct formula *parse_operand(struct parser *parser)
{
	struct formula *formula;
	char *rest;

	skip_spaces(parser);
	if (*parser->p == '(')
		return parse_bracket(parser);
	if (isdigit((unsigned char)*parser->p) || *parser->p == '.') {
		formula = new_formula(FORMULA_NUMBER, NULL, NULL);
		formula->number = strtod(parser->p, &rest);
		parser->p = rest;
		return formula;
	}
	if (*parser->p == '{') {
		size_t n = strcspn(++parser->p, "}");

		return parser->p[n] ? parse_event(parser, n, true) : fail(parser, "a formula lacks a }");
	}
	if (!word_length(parser->p))
		return fail(parser, "a formula lacks a number, an event or a name after an operator");
	return parse_name(parser);
}

/* The operator of a level at the parser's place, which moves past it; false: there is none. */
static bool take_operator(struct parser *parser, size_t level, enum formula_op *op)
{
	skip_spaces(parser);
	for (size_t i = 0; i < 2 && operators[level][i].text; i++) {
		const char *text = operators[level][i].text;
		size_t n = isalpha((unsigned char)*text) ? word_length(parser->p) : 1;

		if (!is_word(parser->p, n, text))
			continue;
		parser->p += n;
		*op = operators[level][i].op;
		return true;
	}
	return false;
}

static struct formula *parse_level(struct parser *parser, size_t level)
{
	struct formula *left = level == LEVELS ? parse_operand(parser) : parse_level(parser, level + 1), *right;
	enum formula_op op;

	while (left && level < LEVELS && take_operator(parser, level, &op)) {
		right = parse_level(parser, level + 1);
		if (!right) {
			formula_free(left);
			return NULL;
		}
		left = new_formula(op, left, right);
	}
	return left;
}

struct formula *formula_parse(struct formula_words *words, const char *text, const char **problem)
{
	struct parser parser = { .words = words, .p = text };
	struct formula *formula = parse_level(&parser, 0);

	skip_spaces(&parser);
	if (formula && !*parser.p)
		return formula;
	formula_free(formula);
	*problem = parser.problem ? parser.problem : "a formula has something after its end that is no operator";
	return NULL;
}

struct formula *formula_share(struct formula *formula)
{
	formula->refs++;
	return formula;
}

void formula_free(struct formula *formula)
{
	if (!formula || --formula->refs)
		return;
	formula_free(formula->left);
	formula_free(formula->right);
	free(formula->event);
	free(formula);
}

void formula_events(const struct formula *formula, void (*call)(void *arg, const char *event, bool is_terms), void *arg)
{
	if (!formula)
		return;
	if (formula->op == FORMULA_EVENT)
		call(arg, formula->event, formula->is_terms);
	formula_events(formula->left, call, arg);
	formula_events(formula->right, call, arg);
}

bool formula_has(const struct formula *formula, enum formula_op op)
{
	return formula && (formula->op == op || formula_has(formula->left, op) || formula_has(formula->right, op));
}
