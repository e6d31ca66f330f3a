// SPDX-License-Identifier: LGPL-2.1-or-later
/* Source lines of a linked program, through libdw. */
#include "formats/elf_lines.h"

#ifdef HAVE_LIBDW
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
#endif
