/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps from C to a program, and their options. */
#ifndef MON_DPU_CC_DRIVER_H
#define MON_DPU_CC_DRIVER_H

#include <stdint.h>

#include "dpu/cc/text.h"

#define CC_MAX_ARGUMENTS 512

enum cc_step { CC_PREPROCESS, CC_CHECK, CC_ASSEMBLY, CC_OBJECT, CC_PROGRAM };

struct cc_options {
	enum cc_step last;
	const char *output;		/* NULL: from the input's name */
	const char *inputs[CC_MAX_ARGUMENTS];
	unsigned int input_count;
	const char *clang_args[CC_MAX_ARGUMENTS];	/* arguments for the front end */
	unsigned int clang_arg_count;
	const char *depend_args[CC_MAX_ARGUMENTS];	/* -M..., for the preprocessor alone */
	unsigned int depend_arg_count;
	bool depend, depend_file, depend_target;	/* -MD or -MMD, -MF, -MT or -MQ */
	const char *level;		/* -O2 */
	const char *arch;		/* v1A or v1B; NULL: the one that has so many tasklets */
	const char *clang;
	const char *headers, *library;	/* folders with include/ and lib/ */
	unsigned int tasklets;
	uint32_t stack_size, largest_stack;	/* largest: of those of single tasklets */
	bool debug, verbose, no_library, no_headers, no_start;
};

/* compile.c: C, C++ or assembly with directives of the preprocessor (.S) to assembly for dpu-as. False on failure, after clang's message or one of ours. */
bool cc_compile(const struct cc_options *options, const char *input, struct cc_text *assembly);
/* Runs the front end alone, for -E, -M and -fsyntax-only. Returns its exit status. */
int cc_front_end(const struct cc_options *options, const char *input);

/* link.c: makes a program of objects, which are assembly, and the library functions that they need. */
struct cc_unit {
	const char *name;
	char *text;
};

bool cc_link(const struct cc_options *options, struct cc_unit *units, unsigned int count);

/* file.c */
bool cc_write_file(const char *path, const void *bytes, size_t size);

#endif
