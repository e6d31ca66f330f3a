// SPDX-License-Identifier: GPL-2.0-only
/*
 * Splits an address in LLVM's intermediate code into a base and a constant offset.
 *
 * An address in asm is a value of its own for the code generator: it computes BASE + 8, BASE + 16 and so on before a
 * loop and keeps each of them in a register or on the stack. With the base as operand and the offset in the text
 * there is one register.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/ir.h"

struct shape {
	uint32_t size, align;
};

static bool parse_type(const char *ir, const char **p, struct shape *shape);

static bool skip(const char **p, const char *text)
{
	if (!cc_starts_with(*p, text))
		return false;
	*p += strlen(text);
	return true;
}

/* The length of a name from its % or @ on. */
static size_t symbol_length(const char *p)
{
	size_t n = 1;

	if (p[1] == '"')
		return strcspn(p + 2, "\"\n") + 3;
	while (cc_name_char(p[n]) || p[n] == '-')
		n++;
	return n;
}

/* What follows "NAME = " at the start of a line from `from` on. */
static const char *definition(const char *from, const char *indent, const char *name, size_t length)
{
	char key[256];
	const char *at;
	int n = snprintf(key, sizeof(key), "\n%s%.*s = ", indent, (int)length, name);

	if (n < 0 || (size_t)n >= sizeof(key))
		return NULL;
	at = strstr(from, key);
	return at ? at + n : NULL;
}

/* { A, B } or <{ A, B }>; with `field` below its number of fields, offset and type are that field's. */
static bool parse_fields(const char *ir, const char **p, struct shape *shape, long field, uint32_t *offset,
			 const char **type)
{
	bool packed = skip(p, "<");

	*shape = (struct shape){ 0, 1 };
	if (!skip(p, "{"))
		return false;
	for (long n = 0; !skip(p, packed ? " }>" : " }"); n++) {
		struct shape one;
		const char *start;

		if (!skip(p, n ? ", " : " "))
			return false;
		start = *p;
		if (!parse_type(ir, p, &one))
			return false;
		if (packed)
			one.align = 1;
		shape->size = (shape->size + one.align - 1) & ~(one.align - 1);
		if (n == field) {
			*offset = shape->size;
			*type = start;
		}
		shape->size += one.size;
		if (one.align > shape->align)
			shape->align = one.align;
	}
	shape->size = (shape->size + shape->align - 1) & ~(shape->align - 1);
	return true;
}

static bool parse_scalar(const char **p, struct shape *shape)
{
	static const struct {
		const char *name;
		uint32_t size;
	} scalars[] = { { "ptr", 4 }, { "float", 4 }, { "double", 8 }, { "half", 2 }, { "void", 1 } };
	char *end;
	unsigned long bits;

	for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
		if (skip(p, scalars[i].name)) {
			*shape = (struct shape){ scalars[i].size, scalars[i].size };
			return true;
		}
	}
	if (**p != 'i' || !isdigit((unsigned char)(*p)[1]))
		return false;
	bits = strtoul(*p + 1, &end, 10);
	if (bits > 64)
		return false;
	*p = end;
	shape->size = 1;
	while (shape->size * 8 < bits)
		shape->size *= 2;
	shape->align = shape->size;
	return true;
}

/* The size and alignment of a type (compile.c's target), and the text after it. False: none that is known here. */
static bool parse_type(const char *ir, const char **p, struct shape *shape)
{
	if (skip(p, "[")) {
		char *end;
		unsigned long count = strtoul(*p, &end, 10);

		*p = end;
		if (!skip(p, " x ") || !parse_type(ir, p, shape) || !skip(p, "]"))
			return false;
		shape->size *= count;
	} else if (**p == '%') {
		size_t length = symbol_length(*p);
		const char *type = definition(ir, "", *p, length);

		*p += length;
		if (!type || !skip(&type, "type "))
			return false;
		if (!parse_type(ir, &type, shape))
			*shape = (struct shape){ 0, 0 };	/* a pointer to it has a size */
	} else if (**p == '{' || cc_starts_with(*p, "<{")) {
		if (!parse_fields(ir, p, shape, -1, NULL, NULL))
			return false;
	} else if (!parse_scalar(p, shape)) {
		return false;
	}
	/* of typed pointers, which LLVM before 15 writes; of functions as well */
	for (;;) {
		const char *at = *p;

		if (cc_starts_with(at, " (") || cc_starts_with(at, "(")) {
			size_t n = cc_operand_length(at);

			at += n;
			while (at > *p && at[-1] != ')')
				at--;
			*p = at;
			continue;
		}
		if (cc_starts_with(at, " addrspace("))
			at += strcspn(at, ")") + 1;
		if (*at != '*')
			break;
		*p = at + 1;
		*shape = (struct shape){ 4, 4 };
	}
	return shape->align;
}

/* Goes from a type to its element of a number. */
static bool enter(const char *ir, const char **type, long number, uint32_t *offset)
{
	struct shape shape;
	const char *p = *type;

	if (*p == '%') {
		p = definition(ir, "", p, symbol_length(p));
		if (!p || !skip(&p, "type "))
			return false;
	}
	if (skip(&p, "[")) {
		p += strspn(p, "0123456789");
		if (!skip(&p, " x "))
			return false;
		*type = p;
		if (!parse_type(ir, &p, &shape))
			return false;
		*offset += (uint32_t)number * shape.size;
		return true;
	}
	{
		uint32_t at = UINT32_MAX;

		if (!parse_fields(ir, &p, &shape, number, &at, type) || at == UINT32_MAX)
			return false;
		*offset += at;
		return true;
	}
}

/* TYPE, POINTER, INDEX...: adds the indexes to the offset if all are numbers. */
static bool element_place(const char *ir, const char *p, struct cc_piece *pointer, uint32_t *offset)
{
	const char *type = p, *end = p;
	struct shape shape;
	struct cc_piece from;
	uint32_t sum = *offset;

	if (!parse_type(ir, &end, &shape) || !skip(&end, ", "))
		return false;
	from = (struct cc_piece){ end, cc_operand_length(end) };
	end += from.length;
	for (int n = 0; skip(&end, ", i32 ") || skip(&end, ", i64 "); n++) {
		char *after;
		long number = strtol(end, &after, 10);

		if (after == end)
			return false;
		end = after;
		if (!n)
			sum += (uint32_t)number * shape.size;
		else if (!enter(ir, &type, number, &sum))
			return false;
	}
	if (*end == ',' && !cc_starts_with(end, ", !"))
		return false;
	*pointer = from;
	*offset = sum;
	return true;
}

/* One step from a pointer to what it was made of. */
static bool derive(const char *ir, const char *function, struct cc_piece *pointer, uint32_t *offset)
{
	const char *p = pointer->text, *end = p + pointer->length, *space;
	bool expression = end > p && end[-1] == ')';

	if (expression) {
		p = memmem(p, pointer->length, " getelementptr ", strlen(" getelementptr "));
		if (!p)
			p = memmem(pointer->text, pointer->length, " bitcast ", strlen(" bitcast "));
		if (!p++)
			return false;
	} else {
		space = memrchr(p, ' ', pointer->length);
		if (!space || space[1] != '%')
			return false;
		p = definition(function, "  ", space + 1, end - space - 1);
		if (!p)
			return false;
	}
	if (skip(&p, "getelementptr ")) {
		while (skip(&p, "inbounds ") || skip(&p, "nuw ") || skip(&p, "nusw "))
			;
		return (!expression || skip(&p, "(")) && element_place(ir, p, pointer, offset);
	}
	if (skip(&p, "bitcast ") && (!expression || skip(&p, "("))) {
		const char *to = strstr(p, " to ");

		if (!to || to > p + strcspn(p, "\n"))
			return false;
		*pointer = (struct cc_piece){ p, to - p };
		return true;
	}
	return false;
}

int32_t cc_ir_address(const char *ir, const char *function, struct cc_piece *pointer)
{
	uint32_t offset = 0;

	while (derive(ir, function, pointer, &offset))
		;
	return (int32_t)offset;
}
