/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reader of DPU programs: ELF files of machine 245, of any compiler.
 *
 * Every offset and size is checked against the file and the memories, so a program that opens can
 * be loaded. Source: UPMEM SDK, host library and linker script.
 */
#ifndef MON_FORMATS_UPMEM_PROGRAM_H
#define MON_FORMATS_UPMEM_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DPU_ELF_MACHINE 245
#define DPU_ELF_FLAGS 0x02800000
#define DPU_ELF_ENTRY 0x80000000u
#define DPU_ELF_ATOMIC 0xf0000000u	/* address of atomic bit 0 */
#define DPU_ELF_CORE 0xa0000000u	/* type of a segment that is not loaded */

/* Section of a program with source lines: pairs of words, an instruction and the variable that it has the address of. */
#define DPU_REFERENCES ".dpu.references"

/* Symbol at the end of the program's MRAM; the SDK gives the rest of MRAM to it. */
#define DPU_HEAP_SYMBOL "__sys_used_mram_end"

enum dpu_program_error {
	DPU_PROGRAM_OK,
	DPU_PROGRAM_NOT_ELF,
	DPU_PROGRAM_NOT_DPU,	/* ELF of another machine, class or kind */
	DPU_PROGRAM_BROKEN,	/* truncated, or a segment outside its memory */
	DPU_PROGRAM_MEMORY
};

struct dpu_segment {
	uint32_t address;	/* as linked: addresses in IRAM and MRAM carry their marks */
	const uint8_t *data;
	uint32_t file_size;	/* bytes of data */
	uint32_t size;		/* bytes in memory; those after the data are zero */
	const char *section;	/* object files: name of the section; NULL in a program */
	uint32_t index;		/* object files: number of the section */
};

struct dpu_program_symbol {
	const char *name;
	uint32_t value;
	uint32_t size;
	bool host;		/* the host API may access it: __host, __mram and three of the runtime */
	bool absolute;
	bool function;
	uint32_t section;	/* number of its section; in an object file value is relative to it */
};

struct dpu_program {
	char arch[8];		/* "v1A", "v1B" or empty */
	uint32_t tasklets;	/* NR_TASKLETS, 0 when the program does not say */
	struct dpu_segment *segments;
	size_t segment_count;
	struct dpu_program_symbol *symbols;
	size_t symbol_count;
	const uint8_t *references;	/* NULL: not known */
	size_t references_size;
	bool object;		/* an object file, not linked */
	void *image;		/* the file's bytes, which data and names point into */
	size_t image_size;
	void *elf;
};

/* Opens a copy of a file's bytes; close it with dpu_program_close(). */
enum dpu_program_error dpu_program_open(const void *image, size_t size,
					struct dpu_program **program);
/* The same for a file; DPU_PROGRAM_NOT_ELF with errno set if it cannot be read. */
enum dpu_program_error dpu_program_read(const char *path, struct dpu_program **program);
/*
 * Opens a relocatable object as well. Its code has no addresses yet: each section with instructions is a segment at
 * the start of IRAM. It cannot be loaded.
 */
enum dpu_program_error dpu_program_read_any(const char *path, struct dpu_program **program);
void dpu_program_close(struct dpu_program *program);

/* A symbol by name, or NULL. */
const struct dpu_program_symbol *dpu_program_symbol(const struct dpu_program *program,
						    const char *name);
/* The last symbol at or before an address in IRAM, or NULL. */
const struct dpu_program_symbol *dpu_program_around(const struct dpu_program *program,
						    uint32_t address);
const char *dpu_program_error_text(enum dpu_program_error error);

#endif
