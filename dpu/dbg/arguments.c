// SPDX-License-Identifier: GPL-2.0-only
/* Functions with the values of their arguments, also those that the compiler put into others. */
#include "dpu/dbg/types.h"

#ifdef HAVE_LIBDW

/* "inner (a=1, b=2)" */
static void put_call(struct dbg *d, Dwarf_Die *function, Dwarf_Die *scope)
{
	Dwarf_Die entry;
	unsigned int n = 0;

	printf("%s (", dwarf_diename(scope));
	for (int more = dwarf_child(scope, &entry); !more; more = dwarf_siblingof(&entry, &entry)) {
		const char *name = dwarf_diename(&entry);
		struct value v;

		if (dwarf_tag(&entry) != DW_TAG_formal_parameter || !name)
			continue;
		printf("%s%s=", n++ ? ", " : "", name);
		if (locate(d, function, &entry, &v) != KNOWN)
			printf("<optimized out>");
		else
			put_typed(d, &v, 0, 0, true);
	}
	putchar(')');
}

/* Where an inlined function was called. */
static struct line line_of_call(Dwarf_Die *inlined)
{
	uint64_t file = type_constant(inlined, DW_AT_call_file, 0);
	Dwarf_Files *files;
	Dwarf_Die unit;
	size_t count;

	if (!dwarf_diecu(inlined, &unit, NULL, NULL) || dwarf_getsrcfiles(&unit, &files, &count) || file >= count)
		return (struct line){ NULL, 0 };
	return (struct line){ dwarf_filesrc(files, file, NULL, NULL), type_constant(inlined, DW_AT_call_line, 0) };
}

struct line line_in_function(struct dbg *d, unsigned int pc)
{
	Dwarf_Die scopes[MAX_SCOPES];
	unsigned int n = find_scopes_at(d, pc, scopes);

	for (unsigned int i = 0; i < n; i++)
		if (dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
			return line_of_call(&scopes[i]);
	return d->lines[pc];
}

bool put_function(struct dbg *d, const struct frame *frame)
{
	struct line line = d->lines[frame->pc];
	Dwarf_Die scopes[MAX_SCOPES];
	bool inlined = false;

	if (!has_line(d, frame->pc))
		return false;
	for (unsigned int n = find_scopes(d, scopes); n; n--) {
		Dwarf_Die *scope = &scopes[n - 1];

		if (dwarf_tag(scope) == DW_TAG_lexical_block || !dwarf_diename(scope))
			continue;
		if (inlined)
			printf("\n    inlined in ");
		put_call(d, &scopes[0], scope);
		if (line.file)
			printf(" at %s:%u", base_of(line.file), line.number);
		if (dwarf_tag(scope) != DW_TAG_inlined_subroutine)
			return true;
		inlined = true;
		line = line_of_call(scope);
	}
	return inlined;
}

#else
struct line line_in_function(struct dbg *d, unsigned int pc)
{
	return d->lines[pc];
}

bool put_function(struct dbg *d, const struct frame *frame)
{
	(void)d;
	(void)frame;
	return false;
}
#endif
