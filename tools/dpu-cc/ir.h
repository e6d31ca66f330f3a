/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * LLVM's intermediate code, as text, on its way from clang's front end to its code for RISC-V.
 */
#ifndef MON_DPU_CC_IR_H
#define MON_DPU_CC_IR_H

#include "tools/dpu-cc/text.h"

/*
 * The front end's code becomes code for RISC-V: another target, without features of the first one's
 * processors. Sizes and alignments are in the code already.
 */
void cc_ir_retarget(const char *ir, struct cc_text *out);

/*
 * Accesses to MRAM (address space 255) become transfers to and from the tasklet's buffer in WRAM;
 * calling conventions that need registers that the DPU does not have go. clang is its version, such as 14.
 * wide: values of 64 bits stay together. NULL, or what is wrong.
 */
const char *cc_ir_lower(const char *ir, unsigned int clang, bool wide, struct cc_text *out);

/* lines.c: the lines of what is inlined from files of a folder become those of the call. */
void cc_ir_lines(const char *ir, const char *folder, struct cc_text *out);

/* wide.c: a line about 64 bits, rewritten; false if it is none. n makes names unique. */
bool cc_ir_wide(const char *line, struct cc_text *out, unsigned int n);

/* Records that printf() and puts() of constant texts become (record.c). */
struct cc_records {
	struct cc_text constants;
	unsigned int count;
	bool opaque;			/* pointers without a type */
};

/*
 * A line of ir is written up to the call's first argument if it is such a call. Returns what of the line
 * is left, or NULL.
 */
const char *cc_ir_record(const char *ir, const char *line, struct cc_records *records, struct cc_text *out);
/* Writes what the calls refer to, and frees it. */
void cc_ir_records_end(struct cc_records *records, struct cc_text *out);

#endif
