/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps from C to a program, and what the command line chose for them. */
#ifndef MON_DPU_CC_DRIVER_H
#define MON_DPU_CC_DRIVER_H

#include <stdint.h>

#include "tools/dpu-cc/text.h"

#define CC_MAX_ARGUMENTS 512

enum cc_step { CC_PREPROCESS, CC_CHECK, CC_ASSEMBLY, CC_OBJECT, CC_PROGRAM };

struct cc_options {
	enum cc_step last;
	const char *output;		/* NULL: from the input's name */
	const char *inputs[CC_MAX_ARGUMENTS];
	unsigned int input_count;
	const char *clang_args[CC_MAX_ARGUMENTS];	/* for the front end */
	unsigned int clang_arg_count;
	const char *level;		/* -O2 */
	const char *arch;		/* v1A or v1B */
	const char *clang;
	const char *headers, *library;	/* folders with include/ and lib/ */
	unsigned int tasklets;
	uint32_t stack_size;
	bool debug, verbose, no_library, no_headers;
};

/* compile.c: C to assembly for dpu-as. False, with clang's or our message printed, on failure. */
bool cc_compile(const struct cc_options *options, const char *input, struct cc_text *assembly);
/* Runs the front end alone, for -E, -M and -fsyntax-only. Returns its exit status. */
int cc_front_end(const struct cc_options *options, const char *input);

/* link.c: objects, which are assembly, and what they need of the library, to a program. */
struct cc_unit {
	const char *name;
	char *text;
};

bool cc_link(const struct cc_options *options, struct cc_unit *units, unsigned int count);

/* file.c: a whole file, with a NUL behind it; NULL with errno. */
char *cc_read_file(const char *path);
bool cc_write_file(const char *path, const void *bytes, size_t size);

#endif
