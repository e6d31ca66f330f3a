// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps 64-bit values together.
 *
 * The code generator would load and store the halves one by one and compare them with jumps between blocks. As asm
 * that the translator knows (parse.c) they stay together:
 *
 *	ld64 LOW, HIGH, ADDRESS; sd64 LOW, HIGH, ADDRESS; cmp64.COND RESULT, LOW, HIGH, LOW, HIGH
 *
 * Only values aligned to 8 bytes: the DPU's ld and sd fault on other addresses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/ir.h"

struct piece {
	const char *text;
	size_t length;
};

static bool piece_is(struct piece p, const char *text)
{
	return p.length == strlen(text) && !memcmp(p.text, text, p.length);
}

/* "i64" or "double" before a space or a comma. */
static bool wide_type(const char *p, struct piece *type)
{
	size_t n = strcspn(p, " ,*\n");

	*type = (struct piece){ p, n };
	return piece_is(*type, "i64") || piece_is(*type, "double");
}

static bool aligned(const char *p)
{
	const char *align = strstr(p, ", align ");

	return align && strtoul(align + strlen(", align "), NULL, 10) >= 8 && strtoul(align + 8, NULL, 10) % 8 == 0;
}

static bool wide_load(const char *line, struct cc_text *out, unsigned int n)
{
	const char *p = strstr(line, " = load ");
	struct piece type, pointer;

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
	cc_text_printf(out, "  %%w%u = call { i32, i32 } asm sideeffect \"ld64 $0, $1, $2\", "
		       "\"=r,=r,r,~{memory}\"(%.*s)\n", n, (int)pointer.length, pointer.text);
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
static void add_halves(struct cc_text *out, unsigned int n, char tag, struct piece value)
{
	cc_text_printf(out, "  %%w%u.%cl = trunc i64 %.*s to i32\n  %%w%u.%cs = lshr i64 %.*s, 32\n"
		       "  %%w%u.%ch = trunc i64 %%w%u.%cs to i32\n", n, tag, (int)value.length, value.text,
		       n, tag, (int)value.length, value.text, n, tag, n, tag);
}

static bool wide_store(const char *line, struct cc_text *out, unsigned int n)
{
	struct piece type, value, pointer;
	char name[32];

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
		value = (struct piece){ name, strlen(name) };
	}
	add_halves(out, n, 'v', value);
	cc_text_printf(out, "  call void asm sideeffect \"sd64 $0, $1, $2\", \"r,r,r,~{memory}\"(i32 %%w%u.vl, "
		       "i32 %%w%u.vh, %.*s)\n", n, n, (int)pointer.length, pointer.text);
	return true;
}

static bool wide_compare(const char *line, struct cc_text *out, unsigned int n)
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
	struct piece a, b;

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

bool cc_ir_wide(const char *line, struct cc_text *out, unsigned int n)
{
	return cc_starts_with(line, "  ") &&
	       (wide_load(line, out, n) || wide_store(line, out, n) || wide_compare(line, out, n));
}
