/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Source lines of a DPU program (DWARF), read with libdw. Without libdw no program has any. */
#ifndef MON_FORMATS_DPU_LINES_H
#define MON_FORMATS_DPU_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/dpu_program.h"

struct dpu_lines;

/* NULL: the program has no line information. Close it before the program. */
struct dpu_lines *dpu_lines_open(const struct dpu_program *program);
/* The same for any linked program, given by its libelf handle. */
struct dpu_lines *dpu_lines_of(void *elf);
void dpu_lines_close(struct dpu_lines *lines);
/* libdw's handle (Dwarf *), for what else the debug information has. */
void *dpu_lines_dwarf(struct dpu_lines *lines);
/* File and line of an instruction (its address carries IRAM's mark); file lives as long as lines. */
bool dpu_lines_find(struct dpu_lines *lines, uint32_t address, const char **file,
		    unsigned int *line);

#endif
