// SPDX-License-Identifier: GPL-2.0-only
/*
 * Macros, repetitions and conditions of GNU as. A body's statements are kept as text and read again for each expansion.
 * The first pass decides conditions and counts, and the second one repeats what it decided.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/as/asm-internal.h"

#define MAX_PARAMETERS 32

enum body_kind { MACRO, REPEAT, EACH, EACH_CHARACTER };

/* Of a macro, which has a name, or a repetition. */
struct as_body {
	struct as_body *next;
	enum body_kind kind;
	char *name, *operands;		/* operands: of the directive, after a macro's name */
	struct as_text text;
	unsigned int depth;		/* of bodies of its kind in it, while it is read */
	const char *file_name;
	unsigned int line;
};

struct parameter {
	char *name, *value;
	bool required, rest;
};

static char *blank(char *p)
{
	return p + strspn(p, " \t\r");
}

static bool is_name(const char *name, const char *p, size_t length)
{
	return strlen(name) == length && !memcmp(name, p, length);
}

static bool is_word(const char *p, const char *word)
{
	return is_name(word, p, as_name_length(p));
}

static void append(struct as *as, struct as_text *t, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		t->bytes = as_grow(as, t->bytes, t->size + 1, &t->space, 1);
		t->bytes[t->size++] = text[i];
		t->bytes[t->size] = '\0';
	}
}

static void free_body(struct as *as)
{
	struct as_body *b = as->bodies;

	as->bodies = b->next;
	free(b->name);
	free(b->operands);
	free(b->text.bytes);
	free(b);
}

void as_macro_free(struct as *as)
{
	while (as->bodies)
		free_body(as);
	as->reading = NULL;
}

static struct as_body *find_macro(const struct as *as, const char *name, size_t length)
{
	struct as_body *b = as->bodies;

	while (b && (b->kind != MACRO || !is_name(b->name, name, length)))
		b = b->next;
	return b;
}

/* White space beside one of these does not end an argument. */
static bool joins(char c)
{
	return strchr("+-*/%&|^<>=!~,", c);
}

/* Takes an argument from a text: up to a comma, or to white space. */
static char *argument(char **text)
{
	char *start = blank(*text), *p = start, *end;
	bool quoted = false;

	for (; *p && (quoted || *p != ','); p++) {
		if (*p == '\\' && p[1] && quoted)
			p++;
		else if (*p == '"')
			quoted = !quoted;
		else if (!quoted && blank(p) > p && !joins(*blank(p)) && !joins(p[-1]))
			break;
	}
	*text = p + (*p != '\0');
	for (end = p; end > start && isspace((unsigned char)end[-1]);)
		end--;
	*end = '\0';
	return start;
}

static char *unquoted(char *value)
{
	size_t length = strlen(value);

	if (length < 2 || *value != '"' || value[length - 1] != '"')
		return value;
	value[length - 1] = '\0';
	return value + 1;
}

/* The parameters of .macro: NAME, NAME=DEFAULT, NAME:req, NAME:vararg. */
static unsigned int declared(struct as *as, char *text, struct parameter *p)
{
	unsigned int count = 0;

	while (*blank(text)) {
		char *name = argument(&text), *end = name + as_name_length(name), *rest = blank(end);

		if (end == name || count == MAX_PARAMETERS)
			as_fail(as, "'%s' is no name of a parameter, or one too many", name);
		p[count] = (struct parameter){ .name = name, .value = "" };
		if (*rest == ':') {
			rest = blank(rest + 1);
			p[count].required = is_word(rest, "req");
			p[count].rest = is_word(rest, "vararg");
			rest = p[count].required || p[count].rest ? blank(rest + as_name_length(rest)) : rest;
		}
		if (*rest == '=')
			p[count].value = unquoted(blank(rest + 1));
		else if (*rest)
			as_fail(as, "parameter '%s': use NAME, NAME=DEFAULT, NAME:req or NAME:vararg", name);
		*end = '\0';
		count++;
	}
	return count;
}

/* The arguments of a use, in the parameters' order or as NAME=VALUE. */
static void assign(struct as *as, char *text, struct parameter *p, unsigned int count)
{
	unsigned int next = 0;

	while (*(text = blank(text))) {
		size_t length = as_name_length(text);
		char *equals = blank(text + length), *value;
		bool named = length && *equals == '=' && equals[1] != '=';
		unsigned int to = named ? 0 : next++;

		while (named && to < count && !is_name(p[to].name, text, length))
			to++;
		if (to >= count)
			as_fail(as, "no parameter for '%s'", text);
		value = named ? blank(equals + 1) : text;
		text = value;
		if (p[to].rest)
			text += strlen(text);
		else
			value = unquoted(argument(&text));
		if (*value)
			p[to].value = value;
	}
	for (unsigned int i = 0; i < count; i++)
		if (p[i].required && !*p[i].value)
			as_fail(as, "parameter '%s' needs a value", p[i].name);
}

/* Replaces \PARAMETER, \@ by the number of the expansion, and \() by nothing. */
static void substitute(struct as *as, const struct as_body *b, const struct parameter *p, unsigned int count,
		       struct as_text *to)
{
	char number[16];

	for (const char *c = b->text.bytes; *c;) {
		size_t length = *c == '\\' ? as_name_length(c + 1) : 0;
		unsigned int i = 0;

		while (i < count && !(length && is_name(p[i].name, c + 1, length)))
			i++;
		if (i < count) {
			append(as, to, p[i].value, strlen(p[i].value));
			c += 1 + length;
		} else if (*c == '\\' && c[1] == '@') {
			append(as, to, number, snprintf(number, sizeof(number), "%u", as->expansions - 1));
			c += 2;
		} else if (!strncmp(c, "\\()", 3)) {
			c += 3;
		} else {
			append(as, to, c++, 1);
		}
	}
}

/* Reads a body with its parameters replaced (p: NULL for none); false: it has ended with .exitm. */
static bool expand(struct as *as, const struct as_body *b, const struct parameter *p, unsigned int count)
{
	struct as_expansion here = { .outer = as->expansion, .name = b->name, .file_name = as->file_name, .line = as->line };
	bool whole;

	if (p)
		substitute(as, b, p, count, &here.text);
	as->expansion = &here;
	as->read(as, b->file_name, b->line, p ? here.text.bytes : b->text.bytes);
	as->expansion = here.outer;
	free(here.text.bytes);
	whole = !as->leaving;
	as->leaving = false;
	return whole;
}

static void use_macro(struct as *as, const struct as_body *b, const char *operands)
{
	struct parameter p[MAX_PARAMETERS + 1];
	char declaration[AS_LINE_SIZE], arguments[AS_LINE_SIZE];
	unsigned int count;

	snprintf(declaration, sizeof(declaration), "%s", b->operands);
	snprintf(arguments, sizeof(arguments), "%s", operands);
	count = declared(as, declaration, p);
	assign(as, arguments, p, count);
	as->expansions++;
	expand(as, b, p, count);
}

static int64_t decide(struct as *as, int64_t value)
{
	if (as->pass == 2)
		return as->decisions[as->decided++];
	as->decisions = as_grow(as, as->decisions, as->decision_count, &as->decision_space, sizeof(value));
	as->decisions[as->decision_count++] = value;
	return value;
}

static int64_t known_number(struct as *as, const char *text)
{
	const char *p = text += strspn(text, " \t");
	struct as_value v = { 0, AS_ABSOLUTE, false };

	if (as->pass == 1) {
		v = as_expression(as, &p);
		if (v.undefined || v.section != AS_ABSOLUTE || *blank((char *)p))
			as_fail(as, "'%s' must be a number that is known here", text);
	}
	return decide(as, v.number);
}

static void repeat(struct as *as, const struct as_body *b)
{
	char *rest = b->operands, character[2] = "";
	struct parameter p = { .value = character };
	bool more = true;

	if (b->kind == REPEAT) {
		int64_t count = known_number(as, b->operands);

		if (count < 0)
			as_fail(as, "a count of %lld", (long long)count);
		while (more && count--)
			more = expand(as, b, NULL, 0);
		return;
	}
	p.name = argument(&rest);
	if (!*p.name)
		as_fail(as, "%s needs a name", b->name);
	if (b->kind == EACH_CHARACTER)
		rest = unquoted(argument(&rest));
	do {
		if (b->kind == EACH)
			p.value = unquoted(argument(&rest));
		else if (*rest)
			character[0] = *rest++;
	} while (expand(as, b, &p, 1) && *blank(rest));
}

struct row {
	const char *name;
	void (*run)(struct as *as, const struct row *row, char *operands);
	int argument;
};

static void begin_body(struct as *as, const struct row *row, char *operands)
{
	bool macro = row->argument == MACRO;
	size_t length = macro ? as_name_length(operands) : 0;
	struct as_body *b;

	if (macro && (!length || find_macro(as, operands, length)))
		as_fail(as, "'%s': .macro needs a name that no other macro has", operands);
	b = calloc(1, sizeof(*b));
	if (!b)
		as_fail(as, "out of memory");
	*b = (struct as_body){
		.next = as->bodies, .kind = row->argument, .name = macro ? strndup(operands, length) : strdup(row->name),
		.operands = strdup(operands + length + (operands[length] == ',')), .file_name = as->file_name, .line = as->line,
	};
	as->bodies = as->reading = b;
	append(as, &b->text, ";", 1);
	if (!b->name || !b->operands)
		as_fail(as, "out of memory");
}

static void leave(struct as *as, const struct row *row, char *operands)
{
	(void)operands;
	if (!as->expansion)
		as_fail(as, "%s outside of a macro", row->name);
	as->leaving = true;
}

static void wrong(struct as *as, const struct row *row, char *operands)
{
	as_fail(as, row->argument ? "%s %s" : "'%s' without its beginning", row->name, unquoted(operands));
}

static bool ignoring(const struct as *as)
{
	return as->condition_count && !as->conditions[as->condition_count - 1].now;
}

enum condition { EQ = 1, LT = 2, GT = 4, DEFINED = 8, BLANK = 16, SAME = 32, NOT = 64 };

static bool holds(struct as *as, const struct row *row, char *operands)
{
	const struct as_symbol *s;
	char *texts[2];
	int64_t n;

	switch (row->argument & ~NOT) {
	case DEFINED:
		s = as_symbol(as, operands, as_name_length(operands), false);
		return decide(as, s && s->section != AS_UNDEFINED);
	case BLANK:
		return !*operands;
	case SAME:
		if (as_split(as, operands, texts, 2) != 2)
			as_fail(as, "%s needs two texts", row->name);
		return !strcmp(texts[0], texts[1]);
	default:
		n = known_number(as, operands);
		return row->argument & (n < 0 ? LT : n > 0 ? GT : EQ);
	}
}

static void begin_condition(struct as *as, const struct row *row, char *operands)
{
	bool outer = !ignoring(as), now = outer && holds(as, row, operands) != !!(row->argument & NOT);

	as->conditions = as_grow(as, as->conditions, as->condition_count, &as->condition_space, sizeof(as->conditions[0]));
	as->conditions[as->condition_count++] = (struct as_condition){ .outer = outer, .taken = now, .now = now };
}

enum branch { ELSE, ELSEIF, ENDIF };

static void other_branch(struct as *as, const struct row *row, char *operands)
{
	bool open = as->condition_count > as->conditions_outside;
	struct as_condition *c = open ? &as->conditions[as->condition_count - 1] : NULL;

	if (!open || (c->last && row->argument != ENDIF))
		as_fail(as, "'%s' without its '.if'", row->name);
	as->condition_count -= row->argument == ENDIF;
	c->last = row->argument == ELSE;
	c->now = c->outer && !c->taken && (c->last || (row->argument == ELSEIF && known_number(as, operands)));
	c->taken |= c->now;
}

static const struct row rows[] = {
	{ ".macro", begin_body, MACRO }, { ".rept", begin_body, REPEAT },
	{ ".irp", begin_body, EACH }, { ".irpc", begin_body, EACH_CHARACTER },
	{ ".endm", wrong, false }, { ".endr", wrong, false }, { ".error", wrong, true }, { ".exitm", leave, 0 },
	{ ".if", begin_condition, LT | GT }, { ".ifne", begin_condition, LT | GT }, { ".ifeq", begin_condition, EQ },
	{ ".ifgt", begin_condition, GT }, { ".ifge", begin_condition, GT | EQ },
	{ ".iflt", begin_condition, LT }, { ".ifle", begin_condition, LT | EQ },
	{ ".ifdef", begin_condition, DEFINED }, { ".ifndef", begin_condition, DEFINED | NOT },
	{ ".ifb", begin_condition, BLANK }, { ".ifnb", begin_condition, BLANK | NOT },
	{ ".ifc", begin_condition, SAME }, { ".ifnc", begin_condition, SAME | NOT },
	{ ".ifeqs", begin_condition, SAME }, { ".ifnes", begin_condition, SAME | NOT },
	{ ".else", other_branch, ELSE }, { ".elseif", other_branch, ELSEIF }, { ".endif", other_branch, ENDIF },
};

static const struct row *find_row(const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (is_word(name, rows[i].name))
			return &rows[i];
	return NULL;
}

bool as_macro(struct as *as, const char *name, size_t length, char *operands)
{
	const struct row *row = find_row(name);
	const struct as_body *b = row ? NULL : find_macro(as, name, length);

	if (row)
		row->run(as, row, blank(operands));
	else if (b)
		use_macro(as, b, operands);
	return row || b;
}

/* Takes a statement of the body that is being read, which may be its end. */
static void read_body(struct as *as, const char *statement, const struct row *row)
{
	struct as_body *b = as->reading;
	bool macro = b->kind == MACRO;

	b->depth += row && row->run == begin_body && (row->argument == MACRO) == macro;
	if (!row || strcmp(row->name, macro ? ".endm" : ".endr") || b->depth--) {
		append(as, &b->text, statement, strlen(statement));
		append(as, &b->text, ";", 1);
		return;
	}
	as->reading = NULL;
	if (!macro)
		repeat(as, b);
	if (!macro && as->bodies == b)
		free_body(as);
}

bool as_macro_keeps(struct as *as, char *statement)
{
	char *name = blank(statement);
	const struct row *row = find_row(name);
	bool keeps = as->reading || ignoring(as);

	if (as->reading)
		read_body(as, statement, row);
	else if (keeps && row && (row->run == begin_condition || row->run == other_branch))
		row->run(as, row, blank(name + strlen(row->name)));
	return keeps;
}

void as_macro_line(struct as *as, const char *marker)
{
	if (!as->reading)
		return;
	append(as, &as->reading->text, marker, strlen(marker));
	append(as, &as->reading->text, "\n", 1);
}

void as_macro_end(struct as *as)
{
	if (as->leaving)
		as->condition_count = as->conditions_outside;
	if (as->reading)
		as_fail(as, "'%s' of line %u has no end", as->reading->name, as->reading->line);
	if (as->condition_count > as->conditions_outside)
		as_fail(as, "'.if' without '.endif'");
}
