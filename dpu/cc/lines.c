// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives code inlined from dpu-cc's own headers the source line of the call: a transfer belongs to the user's
 * mram_read(), not to a line of mram.h.
 *
 * A location is "!N = !DILocation(line: L, ..., scope: !S, inlinedAt: !C)".
 */
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/ir.h"

struct nodes {
	const char **lines;	/* by number; NULL: none */
	size_t count;
};

/* "!N = ..." at a line's start: N, or -1. */
static long node_number(const char *line)
{
	char *end;
	long number;

	if (*line != '!' || line[1] < '0' || line[1] > '9')
		return -1;
	number = strtol(line + 1, &end, 10);
	return cc_starts_with(end, " = ") ? number : -1;
}

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : line + strlen(line);
}

static void find_nodes(const char *ir, struct nodes *nodes)
{
	size_t space = 0;

	for (const char *line = ir; *line; line = next_line(line)) {
		long number = node_number(line);

		if (number < 0)
			continue;
		while (nodes->count <= (size_t)number) {
			nodes->lines = cc_grow(nodes->lines, nodes->count, &space, sizeof(nodes->lines[0]));
			nodes->lines[nodes->count++] = NULL;
		}
		nodes->lines[number] = line;
	}
}

/* The node that a node's field names, or NULL. */
static const char *field(const struct nodes *nodes, const char *node, const char *name)
{
	const char *at = node ? memmem(node, strcspn(node, "\n"), name, strlen(name)) : NULL;
	long number = at ? strtol(at + strlen(name), NULL, 10) : -1;

	return number >= 0 && (size_t)number < nodes->count ? nodes->lines[number] : NULL;
}

/* The text of a field in quotes, or NULL. */
static const char *quoted(const char *node, const char *name)
{
	const char *at = memmem(node, strcspn(node, "\n"), name, strlen(name));

	return at ? at + strlen(name) : NULL;
}

/* Is a location in a file of this folder? Clang removes from the file's name what it shares with the directory. */
static bool is_in(const struct nodes *nodes, const char *location, const char *folder)
{
	const char *file = field(nodes, field(nodes, location, "scope: !"), "file: !");
	const char *name = file ? quoted(file, "filename: \"") : NULL;
	const char *directory = file ? quoted(file, "directory: \"") : NULL;
	size_t length = directory && name && *name != '/' ? strcspn(directory, "\"") : 0;

	if (!name || strlen(folder) <= length || (length && (strncmp(directory, folder, length) || folder[length] != '/')))
		return false;
	folder += length ? length + 1 : 0;
	return cc_starts_with(name, folder) && name[strlen(folder)] == '/';
}

/* The outermost call that a location of the folder was inlined at; or the location itself. */
static const char *call_of(const struct nodes *nodes, const char *location, const char *folder)
{
	const char *call = field(nodes, location, "inlinedAt: !");

	while (call && is_in(nodes, location, folder)) {
		location = call;
		call = field(nodes, location, "inlinedAt: !");
	}
	return location;
}

/* The place of a variable of the folder's code: that code is part of the caller now. */
static bool is_moved_variable(const struct nodes *nodes, const char *line, const char *folder)
{
	size_t length = strcspn(line, "\n");
	const char *name = "@llvm.dbg.declare(", *at = memmem(line, length, name, strlen(name)), *last = NULL;
	const char *location;
	long number;

	if (!at)
		at = memmem(line, length, "#dbg_declare(", strlen("#dbg_declare("));
	if (!at)
		return false;
	for (; at < line + length; at++)
		if (*at == '!' && at[1] >= '0' && at[1] <= '9')
			last = at;
	number = last ? strtol(last + 1, NULL, 10) : -1;
	location = number >= 0 && (size_t)number < nodes->count ? nodes->lines[number] : NULL;
	return location && call_of(nodes, location, folder) != location;
}

void cc_ir_lines(const char *ir, const char *folder, struct cc_text *out)
{
	struct nodes nodes = { NULL, 0 };

	find_nodes(ir, &nodes);
	for (const char *line = ir, *next; *line; line = next) {
		const char *location = strstr(line, "!DILocation("), *call;

		next = next_line(line);
		call = node_number(line) >= 0 && location && location < next ? call_of(&nodes, line, folder) : line;
		if (is_moved_variable(&nodes, line, folder))
			continue;
		if (call == line) {
			cc_text_add(out, line, next - line);
			continue;
		}
		cc_text_printf(out, "!%ld = ", node_number(line));
		location = strstr(call, "!DILocation(");
		cc_text_add(out, location, next_line(location) - location);
	}
	free(nodes.lines);
}
