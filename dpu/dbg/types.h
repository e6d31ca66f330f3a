/* SPDX-License-Identifier: GPL-2.0-only */
/* Types, variables and expressions of programs with debug information (DWARF), which libdw reads. */
#ifndef DPU_DBG_TYPES_H
#define DPU_DBG_TYPES_H

#include "dpu/dbg/dbg.h"

/* variables.c */
/* The first instruction after a function's prologue, if its parameters are in the stack only from there on; or pc. */
unsigned int body_of(struct dbg *d, unsigned int pc);

/* The first instructions of a function where it was compiled into others; count: places that pc already has. */
unsigned int find_inlined(struct dbg *d, const char *name, unsigned int pc[DPU_MAX_THREADS], unsigned int count);
/*
 * arguments.c: the function of a tasklet's frame with its arguments and line, and for code of another function the
 * caller that contains it. False, and nothing is printed: not known.
 */
bool put_function(struct dbg *d, const struct frame *frame);
/* The line of an instruction in the function that has a frame: where that calls what the compiler put into it. */
struct line line_in_function(struct dbg *d, unsigned int pc);

#ifdef HAVE_LIBDW
#include <dwarf.h>
#include <elfutils/libdw.h>

#define TYPE_TEXT 512

/* The value of an expression: something in memory, or a number. */
struct value {
	Dwarf_Die type;			/* of no use for a plain number */
	bool has_type, in_memory;
	bool is_address;		/* the number is the address of something of the type */
	uint32_t address;		/* address in memory, as linked */
	uint64_t number;		/* else */
	unsigned int bits, shift;	/* of a bit field, which is this far from the lowest bit; bits 0: none */
};

/* types.c: the type that an entry has; false: none (void). */
bool type_of(Dwarf_Die *entry, Dwarf_Die *type);
/* The same without names and qualifiers; returns its tag. */
unsigned int plain_type(Dwarf_Die *type, Dwarf_Die *plain);
uint32_t type_size(Dwarf_Die *type);
/* The size of one number of it. */
uint32_t type_element(Dwarf_Die *type);
/* Elements in an array's dimension, and the bytes of each; 0 if it is open. */
uint32_t array_count(Dwarf_Die *array, unsigned int dimension);
unsigned int array_dimensions(Dwarf_Die *array);
uint64_t type_constant(Dwarf_Die *entry, unsigned int attribute, uint64_t otherwise);
/* As C writes it, or with "*" a pointer to it; with members if `members`. */
void type_text(Dwarf_Die *type, const char *declared, bool members, FILE *out);
/* variables.c: a variable at the selected frame, or a global one. */
enum known { KNOWN_NOT, KNOWN, KNOWN_WRONG };
enum known find_variable(struct dbg *d, const char *name, size_t length, struct value *v);
/* A type by its name in C: "struct point", "uint32_t", "unsigned int". Returns the length of the name in text; 0: none. */
size_t find_type(struct dbg *d, const char *text, Dwarf_Die *type);
/* The entries around the selected frame's instruction, from the outermost; returns their number. */
#define MAX_SCOPES 32
unsigned int find_scopes(struct dbg *d, Dwarf_Die scopes[MAX_SCOPES]);
/* The same of an instruction. */
unsigned int find_scopes_at(struct dbg *d, unsigned int pc, Dwarf_Die scopes[MAX_SCOPES]);
/* Place or value of a variable's entry; KNOWN_NOT: it has none here. */
enum known locate(struct dbg *d, Dwarf_Die *function, Dwarf_Die *variable, struct value *v);

/* expressions.c: KNOWN_NOT if the expression does not begin with a variable of the debug information. */
enum known evaluate(struct dbg *d, const char *text, struct value *v);
/* The name of a type, and the stars after it; the value is a type alone. */
bool evaluate_type(struct dbg *d, const char *text, struct value *v, unsigned int *stars);
/* A value as a number, which is read if it is in memory. */
bool number_of(struct dbg *d, const struct value *v, uint64_t *number);
/* A member of the structure or union v. */
bool find_member(Dwarf_Die *type, const char *name, size_t length, struct value *v);

/* values.c; inner: pointers without their types */
bool put_typed(struct dbg *d, const struct value *v, char letter, uint32_t size, bool inner);

#endif
#endif
