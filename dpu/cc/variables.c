// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps what debug information says of local variables where it stays true. The translator merges instructions and
 * renames registers after clang, so a variable in a register has no place; one in a fixed slot of the stack has.
 *
 * A place is "call void @llvm.dbg.declare(metadata i32* %slot, ...)", or "#dbg_declare(ptr %slot, ...)" since clang 19;
 * a value in a register is dbg.value, dbg_value and the like.
 */
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/ir.h"

/* From this alignment on, clang finds slots through another register than the stack pointer. */
#define STACK_ALIGNMENT 16

static bool has(const char *line, size_t length, const char *text)
{
	return memmem(line, length, text, strlen(text));
}

/* "  %slot = alloca TYPE, align N", or "  %slot = alloca TYPE, i32 %n, align N" for a size that is known at run time. */
static bool is_alloca(const char *line, size_t length, bool *fixed)
{
	static const char word[] = " = alloca ";
	const char *p = memmem(line, length, word, strlen(word));

	if (!p || !cc_starts_with(line, "  %"))
		return false;
	p += strlen(word);
	p += cc_operand_length(p);
	*fixed = cc_starts_with(p, ", align ") && strtoul(p + strlen(", align "), NULL, 10) <= STACK_ALIGNMENT;
	return true;
}

/* Are all slots of the function at fixed distances from the stack pointer? */
static bool is_fixed(const char *function)
{
	bool fixed = true, one;

	for (const char *line = function; *line && *line != '}' && fixed; line += strcspn(line, "\n") + 1) {
		if (is_alloca(line, strcspn(line, "\n"), &one))
			fixed = one;
		if (!line[strcspn(line, "\n")])
			break;
	}
	return fixed;
}

/* Is the declared place an alloca of the function, and no argument? */
static bool is_slot(const char *function, const char *line)
{
	const char *operand = strchr(strstr(line, "dbg") + 1, '('), *name = NULL;
	size_t length = operand ? cc_operand_length(operand + 1) : 0;
	char text[256];

	for (size_t i = 0; i < length; i++)
		if (operand[1 + i] == '%')
			name = operand + 1 + i;
	if (!name || (size_t)(operand + 1 + length - name) > sizeof(text) - 16)
		return false;
	length = operand + 1 + length - name;
	memcpy(text, "\n  ", 3);
	memcpy(text + 3, name, length);
	strcpy(text + 3 + length, " = alloca ");
	name = strstr(function, text);
	return name && name < line;
}

void cc_ir_variables(const char *ir, struct cc_text *out)
{
	const char *function = ir;
	bool fixed = true;

	for (const char *line = ir, *next; *line; line = next) {
		size_t length = strcspn(line, "\n");
		bool drop = false;

		next = line + length + (line[length] == '\n');
		if (cc_starts_with(line, "define ")) {
			function = line;
			fixed = is_fixed(line);
		}
		if (cc_starts_with(line, "  ")) {
			drop = has(line, length, "@llvm.dbg.value(") || has(line, length, "@llvm.dbg.assign(") ||
			       has(line, length, "#dbg_value(") || has(line, length, "#dbg_assign(");
			if (has(line, length, "@llvm.dbg.declare(") || has(line, length, "#dbg_declare("))
				drop = !fixed || !is_slot(function, line);
		}
		if (!drop)
			cc_text_add(out, line, next - line);
	}
}
