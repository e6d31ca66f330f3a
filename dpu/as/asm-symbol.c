// SPDX-License-Identifier: GPL-2.0-only
/* Symbols and expressions of the assembler. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/as/asm-internal.h"
#include "dpu/include/dpu_program.h"

static struct as_symbol *symbol_find(struct as *as, const char *name, size_t length,
				     unsigned int file)
{
	for (size_t i = 0; i < as->symbol_count; i++) {
		struct as_symbol *s = &as->symbols[i];

		if (s->file == file && strlen(s->name) == length && !memcmp(s->name, name, length))
			return s;
	}
	return NULL;
}

static struct as_symbol *symbol_add(struct as *as, const char *name, size_t length,
				    unsigned int file)
{
	struct as_symbol *s;

	as->symbols = as_grow(as, as->symbols, as->symbol_count, &as->symbol_space, sizeof(*s));
	s = &as->symbols[as->symbol_count];
	*s = (struct as_symbol){ .section = AS_UNDEFINED, .file = file };
	s->name = strndup(name, length);
	if (!s->name)
		as_fail(as, "out of memory");
	as->symbol_count++;
	return s;
}

struct as_symbol *as_symbol(struct as *as, const char *name, size_t length, bool create)
{
	bool label = length > 2 && name[0] == '.' && name[1] == 'L';
	struct as_symbol *s = symbol_find(as, name, length, as->file);

	if (!s && !label)
		s = symbol_find(as, name, length, 0);
	return s || !create ? s : symbol_add(as, name, length, label ? as->file : 0);
}

void as_local(struct as *as, const char *name, size_t length)
{
	if (!symbol_find(as, name, length, as->file))
		symbol_add(as, name, length, as->file);
}

static void digit_label(struct as *as, unsigned int number)
{
	struct as_digit *d;

	if (as->pass == 2)
		return;
	as->digits = as_grow(as, as->digits, as->digit_count, &as->digit_space, sizeof(*d));
	d = &as->digits[as->digit_count++];
	*d = (struct as_digit){ number, as->order, as->current, as->sections[as->current].size };
}

void as_label(struct as *as, const char *name, size_t length)
{
	struct as_symbol *s;

	if (isdigit((unsigned char)*name)) {
		digit_label(as, strtoul(name, NULL, 10));
		return;
	}
	s = as_symbol(as, name, length, true);
	if (as->pass == 1 && s->section != AS_UNDEFINED)
		as_fail(as, "'%s' is defined twice; rename one of the two", s->name);
	s->section = as->current;
	s->offset = as->sections[as->current].size;
}

uint32_t as_mark(enum as_section section)
{
	return section == AS_TEXT ? DPU_IRAM_FLAG :
	       section == AS_MRAM || section == AS_MRAM_NOINIT ? DPU_MRAM_FLAG :
	       section == AS_ATOMIC ? DPU_ELF_ATOMIC : 0;
}

/* The value of a place in a section: IRAM in instructions, the others in bytes. Debuggers want addresses as in ELF. */
static struct as_value symbol_place(const struct as *as, enum as_section section, uint32_t offset)
{
	struct as_value v = { offset, section, false };

	if (section < AS_SECTIONS && as->current >= AS_LOADED)
		v.number = (int64_t)as_mark(section) + as->sections[section].address + offset;
	else if (section == AS_TEXT)
		v.number = offset / 8;
	else if (section < AS_SECTIONS)
		v.number = as->sections[section].address + offset;
	return v;
}

static struct as_value digit_reference(struct as *as, unsigned int number, bool forward)
{
	const struct as_digit *found = NULL;

	for (size_t i = 0; i < as->digit_count; i++) {
		const struct as_digit *d = &as->digits[i];

		if (d->number != number)
			continue;
		if (!forward && d->order <= as->order)
			found = d;
		if (forward && d->order > as->order) {
			found = d;
			break;
		}
	}
	if (found)
		return symbol_place(as, found->section, found->offset);
	if (as->pass == 2)
		as_fail(as, "no label %u: %s here", number, forward ? "after" : "before");
	return (struct as_value){ 0, AS_ABSOLUTE, true };
}

static void skip_space(const char **text)
{
	while (isspace((unsigned char)**text))
		(*text)++;
}

static struct as_value symbol_number(struct as *as, const char **text)
{
	char *end;
	unsigned long long n = strtoull(*text, &end, 0);

	if ((*end == 'b' || *end == 'f') && !isalnum((unsigned char)end[1])) {
		*text = end + 1;
		return digit_reference(as, n, *end == 'f');
	}
	if (isalnum((unsigned char)*end))
		as_fail(as, "'%s' is no number", *text);
	*text = end;
	return (struct as_value){ (int64_t)n, AS_ABSOLUTE, false };
}

/* One entry for an instruction: of the variable that its last form names. */
static void note_reference(struct as *as, const struct as_symbol *s)
{
	struct as_reference r = { as->sections[AS_TEXT].size / 8, as_mark(s->section) };

	if (as->pass != 2 || as->current != AS_TEXT || s->section == AS_TEXT || s->section >= AS_ATOMIC)
		return;
	r.address += as->sections[s->section].address + s->offset;
	if (as->reference_count && as->references[as->reference_count - 1].index == r.index)
		as->reference_count--;
	as->references = as_grow(as, as->references, as->reference_count, &as->reference_space, sizeof(r));
	as->references[as->reference_count++] = r;
}

static struct as_value name_value(struct as *as, const char **text)
{
	const char *start = *text;
	struct as_symbol *s;
	size_t length = as_name_length(start);

	if (!length)
		as_fail(as, "expected a number or a name at '%s'", start);
	*text += length;
	if (length == 1 && *start == '.')
		return symbol_place(as, as->current, as->sections[as->current].size);
	s = as_symbol(as, start, length, false);
	if (s && s->section != AS_UNDEFINED) {
		note_reference(as, s);
		return symbol_place(as, s->section, s->offset);
	}
	/* debuggers may be told of what is left out, such as a table of lines that is made here */
	if (as->pass == 2 && as->current < AS_LOADED)
		as_fail(as, "'%.*s' is not defined", (int)length, start);
	return (struct as_value){ 0, AS_ABSOLUTE, true };
}

static struct as_value character(struct as *as, const char **text)
{
	const char *p = *text + 1;
	int c = *p++;

	if (c == '\\') {
		c = *p++;
		c = c == 'n' ? '\n' : c == 't' ? '\t' : c == '0' ? '\0' : c;
	}
	if (*p != '\'')
		as_fail(as, "character constant without its closing quote");
	*text = p + 1;
	return (struct as_value){ c, AS_ABSOLUTE, false };
}

static struct as_value term(struct as *as, const char **text)
{
	struct as_value v;
	char op;

	skip_space(text);
	switch (**text) {
	case '+':
	case '-':
	case '~':
	case '!':
		op = *(*text)++;
		v = term(as, text);
		v.number = op == '-' ? (int64_t)-(uint64_t)v.number : op == '~' ? ~v.number : op == '!' ? !v.number : v.number;
		return v;
	case '(':
		(*text)++;
		if (++as->depth > 64)
			as_fail(as, "too many parentheses");
		v = as_expression(as, text);
		as->depth--;
		skip_space(text);
		if (**text != ')')
			as_fail(as, "missing ')'");
		(*text)++;
		return v;
	case '\'':
		return character(as, text);
	default:
		return isdigit((unsigned char)**text) ? symbol_number(as, text) :
		       name_value(as, text);
	}
}

/* Name, text, rank of GNU as (what binds closer has a higher one), value. Longer texts first. */
#define OPERATORS(OPERATOR) \
	OPERATOR(OR_ELSE, "||", 1, a || b) \
	OPERATOR(AND_THEN, "&&", 2, a && b) \
	OPERATOR(EQUAL, "==", 3, -(a == b)) \
	OPERATOR(UNEQUAL, "!=", 3, -(a != b)) \
	OPERATOR(LEFT, "<<", 6, (uint64_t)a << b) \
	OPERATOR(RIGHT, ">>", 6, (uint64_t)a >> b) \
	OPERATOR(AT_MOST, "<=", 3, -(a <= b)) \
	OPERATOR(AT_LEAST, ">=", 3, -(a >= b)) \
	OPERATOR(LESS, "<", 3, -(a < b)) \
	OPERATOR(MORE, ">", 3, -(a > b)) \
	OPERATOR(PLUS, "+", 4, (uint64_t)a + b) \
	OPERATOR(MINUS, "-", 4, (uint64_t)a - b) \
	OPERATOR(OR, "|", 5, a | b) \
	OPERATOR(XOR, "^", 5, a ^ b) \
	OPERATOR(AND, "&", 5, a & b) \
	OPERATOR(TIMES, "*", 6, (uint64_t)a * b) \
	OPERATOR(DIVIDED, "/", 6, a / b) \
	OPERATOR(REST, "%", 6, a % b)

#define OPERATOR_NAME(name, text, rank, value) name,
#define OPERATOR_ROW(name, text, rank, value) { text, rank },
#define OPERATOR_CASE(name, text, rank, value) \
	case name: \
		return value;

enum operator { OPERATORS(OPERATOR_NAME) OPERATOR_COUNT };

static const struct {
	const char *text;
	unsigned int rank;
} operators[] = { OPERATORS(OPERATOR_ROW) };

static int64_t operate(struct as *as, enum operator op, int64_t a, int64_t b)
{
	if ((op == DIVIDED || op == REST) && (!b || b == -1))
		as_fail(as, "division by %d", (int)b);
	if ((op == LEFT || op == RIGHT) && (b < 0 || b > 63))
		as_fail(as, "shift by %d", (int)b);
	switch (op) {
		OPERATORS(OPERATOR_CASE)
	default:
		return 0;
	}
}

static struct as_value ranked(struct as *as, const char **text, unsigned int rank)
{
	struct as_value v = term(as, text), w;

	for (;;) {
		unsigned int op = 0;

		skip_space(text);
		while (op < OPERATOR_COUNT && strncmp(*text, operators[op].text, strlen(operators[op].text)))
			op++;
		if (op == OPERATOR_COUNT || operators[op].rank < rank)
			return v;
		*text += strlen(operators[op].text);
		w = ranked(as, text, operators[op].rank + 1);
		if ((op == MINUS && v.section == w.section) || (op != PLUS && op != MINUS && op != OR))
			v.section = AS_ABSOLUTE;
		else if (v.section == AS_ABSOLUTE)
			v.section = w.section;
		v.number = operate(as, op, v.number, w.number);
		v.undefined |= w.undefined;
	}
}

struct as_value as_expression(struct as *as, const char **text)
{
	return ranked(as, text, 1);
}

int64_t as_number(struct as *as, const char *text)
{
	struct as_value v = as_expression(as, &text);

	skip_space(&text);
	if (*text)
		as_fail(as, "unexpected '%s' after a number", text);
	return v.number;
}
