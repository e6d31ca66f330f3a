// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps 64-bit values together.
 *
 * The code generator would load and store the halves one by one and compare them with jumps between blocks. As asm
 * that the translator knows (parse.c) they stay together:
 *
 *	ld64 LOW, HIGH, OFFSET, BASE; sd64 LOW, HIGH, OFFSET, BASE; cmp64.COND RESULT, LOW, HIGH, LOW, HIGH
 *
 * Only values aligned to 8 bytes: the DPU's ld and sd fault on other addresses.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/ir.h"

static bool piece_is(struct cc_piece p, const char *text)
{
	return p.length == strlen(text) && !memcmp(p.text, text, p.length);
}

/* "i64" or "double" before a space or a comma. */
static bool wide_type(const char *p, struct cc_piece *type)
{
	size_t n = strcspn(p, " ,*\n");

	*type = (struct cc_piece){ p, n };
	return piece_is(*type, "i64") || piece_is(*type, "double");
}

static bool aligned(const char *p)
{
	const char *align = strstr(p, ", align ");

	return align && strtoul(align + strlen(", align "), NULL, 10) >= 8 && strtoul(align + 8, NULL, 10) % 8 == 0;
}

/* A function's code, and a number that makes names unique. */
struct wide {
	const char *ir, *function;
	struct cc_text *out;
	unsigned int n;
};

/* The rest of an access: the address as operand `number`, then the operands. The address of a variable is a number. */
static void add_address(const struct wide *w, int number, const char *constraints, const char *operands,
			struct cc_piece pointer)
{
	int32_t offset = cc_ir_address(w->ir, w->function, &pointer);
	const char *name = memrchr(pointer.text, ' ', pointer.length);
	bool variable = name && name[1] == '@';

	cc_text_printf(w->out, ", %" PRId32 ", $%d\", \"%s%s,~{memory}\"(%s%.*s)\n", offset, number, constraints,
		       variable ? "i" : "r", operands, (int)pointer.length, pointer.text);
}

static bool wide_load(const struct wide *w, const char *line)
{
	const char *p = strstr(line, " = load ");
	struct cc_piece type, pointer;
	struct cc_text *out = w->out;
	unsigned int n = w->n;

	if (!p)
		return false;
	pointer.text = p + strlen(" = load ");
	if (cc_starts_with(pointer.text, "volatile "))
		pointer.text += strlen("volatile ");
	if (!wide_type(pointer.text, &type) || type.text[type.length] != ',')
		return false;
	pointer.text = type.text + type.length + 2;
	pointer.length = cc_operand_length(pointer.text);
	if (!aligned(pointer.text + pointer.length) || memmem(pointer.text, pointer.length, "addrspace", 9))
		return false;
	cc_text_printf(out, "  %%w%u = call { i32, i32 } asm sideeffect \"ld64 $0, $1", n);
	add_address(w, 2, "=r,=r,", "", pointer);
	cc_text_printf(out, "  %%w%u.l = extractvalue { i32, i32 } %%w%u, 0\n"
		       "  %%w%u.h = extractvalue { i32, i32 } %%w%u, 1\n"
		       "  %%w%u.x = zext i32 %%w%u.l to i64\n  %%w%u.y = zext i32 %%w%u.h to i64\n"
		       "  %%w%u.z = shl i64 %%w%u.y, 32\n", n, n, n, n, n, n, n, n, n, n);
	if (piece_is(type, "i64")) {
		cc_text_printf(out, "%.*s = or i64 %%w%u.x, %%w%u.z\n", (int)(p - line), line, n, n);
	} else {
		cc_text_printf(out, "  %%w%u.d = or i64 %%w%u.x, %%w%u.z\n", n, n, n);
		cc_text_printf(out, "%.*s = bitcast i64 %%w%u.d to double\n", (int)(p - line), line, n);
	}
	return true;
}

/* The halves of a value: %wN.TAGl and %wN.TAGh. */
static void add_halves(struct cc_text *out, unsigned int n, char tag, struct cc_piece value)
{
	cc_text_printf(out, "  %%w%u.%cl = trunc i64 %.*s to i32\n  %%w%u.%cs = lshr i64 %.*s, 32\n"
		       "  %%w%u.%ch = trunc i64 %%w%u.%cs to i32\n", n, tag, (int)value.length, value.text,
		       n, tag, (int)value.length, value.text, n, tag, n, tag);
}

static bool wide_store(const struct wide *w, const char *line)
{
	struct cc_piece type, value, pointer;
	struct cc_text *out = w->out;
	unsigned int n = w->n;
	char name[32], operands[64];

	if (!cc_starts_with(line, "  store "))
		return false;
	type.text = line + strlen("  store ");
	if (cc_starts_with(type.text, "volatile "))
		type.text += strlen("volatile ");
	if (!wide_type(type.text, &type) || type.text[type.length] != ' ')
		return false;
	value.text = type.text + type.length + 1;
	value.length = cc_operand_length(value.text);
	if (value.text[value.length] != ',')
		return false;
	pointer.text = value.text + value.length + 2;
	pointer.length = cc_operand_length(pointer.text);
	if (!aligned(pointer.text + pointer.length) || memmem(pointer.text, pointer.length, "addrspace", 9))
		return false;
	if (!piece_is(type, "i64")) {
		cc_text_printf(out, "  %%w%u.d = bitcast double %.*s to i64\n", n, (int)value.length, value.text);
		snprintf(name, sizeof(name), "%%w%u.d", n);
		value = (struct cc_piece){ name, strlen(name) };
	}
	add_halves(out, n, 'v', value);
	cc_text_printf(out, "  call void asm sideeffect \"sd64 $0, $1");
	snprintf(operands, sizeof(operands), "i32 %%w%u.vl, i32 %%w%u.vh, ", n, n);
	add_address(w, 2, "r,r,", operands, pointer);
	return true;
}

static bool wide_compare(const struct wide *w, const char *line)
{
	/* Greater is less with the operands swapped. */
	static const struct {
		const char *predicate, *condition;
		bool exchanged;
	} kinds[] = {
		{ "ult", "ltu", false }, { "uge", "geu", false }, { "slt", "lts", false }, { "sge", "ges", false },
		{ "ugt", "ltu", true }, { "ule", "geu", true }, { "sgt", "lts", true }, { "sle", "ges", true },
	};
	const char *p = strstr(line, " = icmp "), *q;
	struct cc_text *out = w->out;
	unsigned int n = w->n;
	struct cc_piece a, b;

	if (!p)
		return false;
	q = p + strlen(" = icmp ");
	if (cc_starts_with(q, "samesign "))
		q += strlen("samesign ");
	if (!cc_starts_with(q + 3, " i64 "))
		return false;
	a.text = q + strlen("ult i64 ");
	a.length = cc_operand_length(a.text);
	if (a.text[a.length] != ',')
		return false;
	b.text = a.text + a.length + 2;
	b.length = cc_operand_length(b.text);
	/* The sign is one bit, so the code generator tests the upper half only. */
	if (*q == 's' && (piece_is(b, "0") || piece_is(b, "-1")))
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		char x = kinds[i].exchanged ? 'b' : 'a', y = kinds[i].exchanged ? 'a' : 'b';

		if (!cc_starts_with(q, kinds[i].predicate))
			continue;
		add_halves(out, n, 'a', a);
		add_halves(out, n, 'b', b);
		cc_text_printf(out, "  %%w%u.r = call i32 asm \"cmp64.%s $0, $1, $2, $3, $4\", \"=r,r,r,r,r\"("
			       "i32 %%w%u.%cl, i32 %%w%u.%ch, i32 %%w%u.%cl, i32 %%w%u.%ch)\n", n,
			       kinds[i].condition, n, x, n, x, n, y, n, y);
		cc_text_printf(out, "%.*s = icmp ne i32 %%w%u.r, 0\n", (int)(p - line), line, n);
		return true;
	}
	return false;
}

bool cc_ir_wide(const char *ir, const char *function, const char *line, struct cc_text *out, unsigned int n)
{
	struct wide w = { ir, function, out, n };

	return cc_starts_with(line, "  ") && (wide_load(&w, line) || wide_store(&w, line) || wide_compare(&w, line));
}
