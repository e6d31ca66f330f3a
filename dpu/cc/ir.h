/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rewrites of LLVM's intermediate code, as text, between clang's front end and its code generator
 * for RISC-V.
 */
#ifndef MON_DPU_CC_IR_H
#define MON_DPU_CC_IR_H

#include <stdint.h>

#include "dpu/cc/text.h"

/* A part of a longer text. */
struct cc_piece {
	const char *text;
	size_t length;
};

/*
 * Makes the front end's code into code for RISC-V: another target, without features of the first
 * one's processors. Sizes and alignments are part of the code already.
 */
void cc_ir_retarget(const char *ir, struct cc_text *out);

/*
 * Replaces accesses to MRAM (address space 255) by transfers to and from the tasklet's buffer in WRAM, and removes
 * calling conventions that need registers that the DPU does not have. clang: its version, for example 14. wide:
 * keeps 64-bit values together. Returns NULL, or the error.
 */
const char *cc_ir_lower(const char *ir, unsigned int clang, bool wide, struct cc_text *out);

/* variables.c: removes places of local variables that are not certain. */
void cc_ir_variables(const char *ir, struct cc_text *out);

/* lines.c: gives code that was inlined from files of a folder the line of the call. */
void cc_ir_lines(const char *ir, const char *folder, struct cc_text *out);

/*
 * address.c: goes from a pointer ("TYPE NAME") of a function back to what it was made of with constant indexes.
 * Returns the offset in bytes from there.
 */
int32_t cc_ir_address(const char *ir, const char *function, struct cc_piece *pointer);

/* wide.c: rewrites a line of a function about 64 bits; false if it is none. n makes names unique. */
bool cc_ir_wide(const char *ir, const char *function, const char *line, struct cc_text *out, unsigned int n);

/* Log records for printf() and puts() of constant texts (record.c). */
struct cc_records {
	struct cc_text constants;
	unsigned int count;
	bool opaque;			/* pointers without a type */
};

/*
 * If the line is such a call, writes ir up to the call's first argument. Returns the rest of the line, or NULL.
 */
const char *cc_ir_record(const char *ir, const char *line, struct cc_records *records, struct cc_text *out);
/* Writes the data that the calls refer to, and frees it. */
void cc_ir_records_end(struct cc_records *records, struct cc_text *out);

#endif
