/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Source lines of a linked program (DWARF), read with libdw. Without libdw no program has any. */
#ifndef MON_FORMATS_ELF_LINES_H
#define MON_FORMATS_ELF_LINES_H

#include <stdbool.h>
#include <stdint.h>

struct Elf;
struct elf_lines;

/* NULL: the program has no line information. Close it before ELF, which is libelf's handle. */
struct elf_lines *elf_lines_open(struct Elf *elf);
void elf_lines_close(struct elf_lines *lines);
/* libdw's handle (Dwarf *), for what else the debug information has. */
void *elf_lines_dwarf(struct elf_lines *lines);
/* File and line of an instruction (of a DPU: its address carries IRAM's mark); file lives as long as lines. */
bool elf_lines_find(struct elf_lines *lines, uint32_t address, const char **file,
		    unsigned int *line);
/*
 * Calls found() for each local variable that has a place at a distance from the frame base of its function, with the
 * function's addresses, first to end, the distance and the variable's size.
 */
typedef void elf_local_fn(void *opaque, uint32_t first, uint32_t end, int32_t distance, uint32_t size);
void elf_lines_locals(struct elf_lines *lines, elf_local_fn *found, void *opaque);

#endif
