/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Functions and source lines of a linked program of any machine: symbols by libelf, lines by libdw.
 * Built without libdw no program has lines.
 */
#ifndef MON_FORMATS_ELF_TEXT_H
#define MON_FORMATS_ELF_TEXT_H

#include <stdint.h>

struct elf_text;

/* What an instruction is part of. Strings live as long as the elf_text. */
struct elf_place {
	const char *function;	/* by its size, or else the last label before; "(no symbol)" */
	const char *file;	/* "???" if it is not known */
	unsigned int line;	/* 0 if it is not known */
};

/* NULL, and errno, if the file cannot be read; ENOEXEC if it is no ELF file. */
struct elf_text *elf_text_open(const char *path);
void elf_text_close(struct elf_text *text);

struct elf_place elf_text_find(struct elf_text *text, uint64_t address);

#endif
