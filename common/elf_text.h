/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Functions and source lines of a linked program of any machine: symbols by libelf, lines by libdw.
 *
 * Without libdw no program has lines.
 */
#ifndef MON_FORMATS_ELF_TEXT_H
#define MON_FORMATS_ELF_TEXT_H

#include <stdint.h>

struct elf_text;

/* Function and source line of an instruction. Strings live as long as the elf_text. */
struct elf_place {
	const char *function;	/* found by its size, else the last label before; "(no symbol)" */
	const char *file;	/* "???" if unknown */
	unsigned int line;	/* 0 if unknown */
};

/* NULL, and errno, if the file cannot be read; ENOEXEC if it is no ELF file. */
struct elf_text *elf_text_open(const char *path);
void elf_text_close(struct elf_text *text);

struct elf_place elf_text_find(struct elf_text *text, uint64_t address);

#endif
