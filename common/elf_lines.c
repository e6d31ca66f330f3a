// SPDX-License-Identifier: LGPL-2.1-or-later
/* Source lines of a linked program, through libdw. */
#include <stddef.h>

#include "common/elf_lines.h"

#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>

/* All state is libdw's handle. */
static Dwarf *dwarf_of(struct elf_lines *lines)
{
	return (Dwarf *)lines;
}

struct elf_lines *elf_lines_open(struct Elf *elf)
{
	return (struct elf_lines *)dwarf_begin_elf(elf, DWARF_C_READ, NULL);
}

void elf_lines_close(struct elf_lines *lines)
{
	dwarf_end(dwarf_of(lines));
}

void *elf_lines_dwarf(struct elf_lines *lines)
{
	return dwarf_of(lines);
}

bool elf_lines_find(struct elf_lines *lines, uint32_t address, const char **file,
		    unsigned int *line)
{
	Dwarf_Off next = 0, offset = 0;
	size_t header;

	/* compilers for DPUs write no .debug_aranges */
	for (; !dwarf_nextcu(dwarf_of(lines), offset, &next, &header, NULL, NULL, NULL); offset = next) {
		Dwarf_Line *found;
		Dwarf_Die unit;
		int number;

		if (!dwarf_offdie(dwarf_of(lines), offset + header, &unit))
			continue;
		found = dwarf_getsrc_die(&unit, address);
		if (!found || dwarf_lineno(found, &number))
			continue;
		*file = dwarf_linesrc(found, NULL, NULL);
		*line = number;
		return *file != NULL;
	}
	return false;
}

struct function {
	Dwarf_Addr first, end;
	elf_local_fn *found;
	void *opaque;
};

static void find_local(Dwarf_Die *variable, const struct function *f)
{
	Dwarf_Attribute attribute;
	Dwarf_Word size;
	Dwarf_Die type;
	Dwarf_Op *op;
	size_t count;

	if (!dwarf_attr(variable, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &op, &count) ||
	    count != 1 || op->atom != DW_OP_fbreg)
		return;
	if (!dwarf_attr_integrate(variable, DW_AT_type, &attribute) || !dwarf_formref_die(&attribute, &type) ||
	    dwarf_aggregate_size(&type, &size))
		return;
	f->found(f->opaque, f->first, f->end, (int32_t)op->number, size);
}

/* In all scopes of a function, inlined ones among them. */
static void find_locals(Dwarf_Die *scope, const struct function *f)
{
	Dwarf_Die entry;

	for (int more = dwarf_child(scope, &entry); !more; more = dwarf_siblingof(&entry, &entry)) {
		int tag = dwarf_tag(&entry);

		if (tag == DW_TAG_variable)
			find_local(&entry, f);
		else if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine)
			find_locals(&entry, f);
	}
}

void elf_lines_locals(struct elf_lines *lines, elf_local_fn *found, void *opaque)
{
	Dwarf_Off next = 0, offset = 0;
	size_t header;

	for (; lines && !dwarf_nextcu(dwarf_of(lines), offset, &next, &header, NULL, NULL, NULL); offset = next) {
		struct function f = { .found = found, .opaque = opaque };
		Dwarf_Die unit, entry;

		if (!dwarf_offdie(dwarf_of(lines), offset + header, &unit))
			continue;
		for (int more = dwarf_child(&unit, &entry); !more; more = dwarf_siblingof(&entry, &entry))
			if (dwarf_tag(&entry) == DW_TAG_subprogram && !dwarf_lowpc(&entry, &f.first) &&
			    !dwarf_highpc(&entry, &f.end))
				find_locals(&entry, &f);
	}
}
#else
struct elf_lines *elf_lines_open(struct Elf *elf)
{
	(void)elf;
	return NULL;
}

void elf_lines_close(struct elf_lines *lines)
{
	(void)lines;
}

void *elf_lines_dwarf(struct elf_lines *lines)
{
	(void)lines;
	return NULL;
}

bool elf_lines_find(struct elf_lines *lines, uint32_t address, const char **file,
		    unsigned int *line)
{
	(void)lines;
	(void)address;
	(void)file;
	(void)line;
	return false;
}

void elf_lines_locals(struct elf_lines *lines, elf_local_fn *found, void *opaque)
{
	(void)lines;
	(void)found;
	(void)opaque;
}
#endif
