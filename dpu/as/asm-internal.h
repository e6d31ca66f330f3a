/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the assembler share. */
#ifndef DPU_AS_ASM_INTERNAL_H
#define DPU_AS_ASM_INTERNAL_H

#include <ctype.h>
#include <setjmp.h>

#include "dpu/as/asm.h"

/* In the order in the file; sections in WRAM follow each other from address 0. Those of debuggers are not loaded. */
enum as_section {
	AS_TEXT, AS_DATA, AS_HOST, AS_BSS, AS_STACKS, AS_MRAM_NOINIT, AS_MRAM, AS_ATOMIC,
	AS_INFO, AS_ABBREV, AS_STR, AS_RANGES, AS_LOC,
	AS_SECTIONS, AS_ABSOLUTE = AS_SECTIONS, AS_UNDEFINED
};

#define AS_LINE_SIZE 4096

#define AS_LOADED AS_INFO	/* number of sections that are not for debuggers */

struct as_buffer {
	enum as_section section;
	uint8_t *bytes;			/* set in the second pass */
	uint32_t size, allocated;
	uint32_t address;		/* of its memory, without the memory's mark; a debugger's section: 0 */
};

struct as_symbol {
	char *name;
	enum as_section section;
	uint32_t offset;		/* offset in the section in bytes, or the value */
	uint32_t size;
	bool function, object, global;
	unsigned int file;		/* for a local name (.L..., .local), else 0 */
};

/* A label such as 1: that 1b and 1f refer to. */
struct as_digit {
	unsigned int number, order;
	enum as_section section;
	uint32_t offset;
};

struct as_value {
	int64_t number;			/* text: instruction index; other sections: address */
	enum as_section section;	/* AS_ABSOLUTE for plain numbers */
	bool undefined;			/* unknown in this pass */
};

/* An included file, or the name of one (no text), kept until the end. */
struct as_file {
	struct as_file *next;
	char *path, *text;
};

/* A source file of lines; .file's number, or the index of one of the assembler's own sources. */
struct as_line_file {
	char *name;
};

struct as_numbered_file {
	unsigned int source, number, index;
};

/* The source line of an instruction. */
struct as_line {
	unsigned int index, file, line;
	bool body;			/* the first one after a function's prologue */
};

struct as_debug {
	const char *name;
	uint8_t *bytes;
	size_t size;
};

#define AS_DEBUG_SECTIONS 6

/* An instruction whose operand is the address of a variable, as ELF has it. */
struct as_reference {
	uint32_t index, address;
};

struct as_text {
	char *bytes;
	size_t size, space;
};

/* .if and what belongs to it; now: its current branch is assembled, taken: one of them was. */
struct as_condition {
	bool outer, taken, now, last;
};

/* A macro or repetition that is being read, and the place that uses it. */
struct as_expansion {
	const struct as_expansion *outer;
	const char *name, *file_name;
	unsigned int line;
	struct as_text text;
};

struct as {
	const struct dpu_asm_options *options;
	/* Reads the lines of a file, or of a macro that begins in a line. */
	void (*read)(struct as *as, const char *name, unsigned int line, const char *text);
	struct as_buffer sections[AS_SECTIONS];
	enum as_section current;
	bool skipping;			/* in a section that does not go into the program */
	bool block;			/* in a comment of several lines */
	struct as_symbol *symbols;
	size_t symbol_count, symbol_space;
	struct as_digit *digits;
	size_t digit_count, digit_space;
	unsigned int order;		/* of the statement */
	int pass;			/* 1 sizes, 2 bytes */
	unsigned int file;
	const char *file_name;
	unsigned int line, depth;
	struct as_file *files;
	struct as_body *bodies, *reading;	/* of macros and repetitions; reading: the one whose end is to come */
	const struct as_expansion *expansion;
	unsigned int expansions, nesting;
	bool leaving;			/* after .exitm */
	struct as_condition *conditions;
	size_t condition_count, condition_space, conditions_outside;
	int64_t *decisions;
	size_t decision_count, decision_space, decided;
	struct as_line_file *line_files;
	size_t line_file_count, line_file_space;
	struct as_numbered_file *numbered;
	size_t numbered_count, numbered_space;
	struct as_line *lines;
	size_t line_count, line_space;
	struct as_reference *references;
	size_t reference_count, reference_space;
	unsigned int loc_file, loc_line, loc_source;	/* of the last .loc */
	bool loc_body;			/* it had prologue_end */
	jmp_buf failed;
	char *error;
};

static inline bool as_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

static inline size_t as_name_length(const char *p)
{
	size_t n = 0;

	while (as_name_char(p[n]))
		n++;
	return n;
}

/* asm-fail.c */
void as_fail(struct as *as, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));
void *as_grow(struct as *as, void *array, size_t count, size_t *space, size_t size);

/* asm-symbol.c */
struct as_symbol *as_symbol(struct as *as, const char *name, size_t length, bool create);
/* Makes the name local to this file (.local). */
void as_local(struct as *as, const char *name, size_t length);
void as_label(struct as *as, const char *name, size_t length);
/* Parses an expression and moves text past it. */
struct as_value as_expression(struct as *as, const char **text);
/* What addresses of a section's memory have in ELF, in addition to the place in the memory. */
uint32_t as_mark(enum as_section section);
/* The value of a complete text; undefined symbols are errors in the second pass. */
int64_t as_number(struct as *as, const char *text);

/* asm-insn.c: one instruction at the current place of .text. */
void as_instruction(struct as *as, const char *mnemonic, size_t length, char *operands);

/* asm-directive.c */
void as_directive(struct as *as, const char *name, size_t length, char *operands);
/* NAME = VALUE, as .set */
void as_assign(struct as *as, const char *name, size_t length, const char *value);
/* A name that stays until the end. */
struct as_file *as_keep_file(struct as *as, const char *path);
void as_emit(struct as *as, const void *bytes, uint32_t count);
/* Splits at commas outside quotes and parentheses; trims. Returns the number of pieces. */
unsigned int as_split(struct as *as, char *text, char **pieces, unsigned int max);

/* asm-macro.c: false if the name is neither a directive of it nor a macro. */
bool as_macro(struct as *as, const char *name, size_t length, char *operands);
/* Takes a statement that is part of a body or that a condition leaves out; else false. */
bool as_macro_keeps(struct as *as, char *statement);
/* The end of a line, and what it is if it is a preprocessor's. */
void as_macro_line(struct as *as, const char *marker);
/* The end of a file or an expansion. */
void as_macro_end(struct as *as);
void as_macro_free(struct as *as);

/* asm-line.c: .file, .loc and the lines of instructions. */
void as_line_file(struct as *as, const char *text);
void as_line_loc(struct as *as, const char *text);
void as_line_insn(struct as *as);
/* Makes the debug sections, whose bytes the caller frees: those of the sources, and lines. */
void as_line_sections(struct as *as, struct as_debug debug[AS_DEBUG_SECTIONS]);
void as_line_free(struct as *as);

/* asm-elf.c */
void as_write_elf(struct as *as, void **image, size_t *size);

#endif
