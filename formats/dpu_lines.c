// SPDX-License-Identifier: LGPL-2.1-or-later
/* Source lines of a DPU program, through libdw. */
#include "formats/dpu_lines.h"

#ifdef HAVE_LIBDW
#include <elfutils/libdw.h>

/* All state is libdw's handle. */
static Dwarf *dwarf_of(struct dpu_lines *lines)
{
	return (Dwarf *)lines;
}

struct dpu_lines *dpu_lines_of(void *elf)
{
	return (struct dpu_lines *)dwarf_begin_elf(elf, DWARF_C_READ, NULL);
}

struct dpu_lines *dpu_lines_open(const struct dpu_program *program)
{
	return dpu_lines_of(program->elf);
}

void dpu_lines_close(struct dpu_lines *lines)
{
	dwarf_end(dwarf_of(lines));
}

void *dpu_lines_dwarf(struct dpu_lines *lines)
{
	return dwarf_of(lines);
}

bool dpu_lines_find(struct dpu_lines *lines, uint32_t address, const char **file,
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
struct dpu_lines *dpu_lines_of(void *elf)
{
	(void)elf;
	return NULL;
}

struct dpu_lines *dpu_lines_open(const struct dpu_program *program)
{
	(void)program;
	return NULL;
}

void dpu_lines_close(struct dpu_lines *lines)
{
	(void)lines;
}

void *dpu_lines_dwarf(struct dpu_lines *lines)
{
	(void)lines;
	return NULL;
}

bool dpu_lines_find(struct dpu_lines *lines, uint32_t address, const char **file,
		    unsigned int *line)
{
	(void)lines;
	(void)address;
	(void)file;
	(void)line;
	return false;
}
#endif
