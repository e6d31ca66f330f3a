// SPDX-License-Identifier: GPL-2.0-only
/* dpu-as: assembles DPU programs. */
#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/output.h"
#include "dpu/as/asm.h"

#define MAX_FILES 64

struct arguments {
	struct dpu_asm_options options;
	struct dpu_asm_source files[MAX_FILES];
	size_t file_count;
	const char *output;
	const char *dirs[MAX_FILES];
};

enum { KEY_ARCH = 256, KEY_STACK, KEY_STACK_DOWN, KEY_NO_RUNTIME };

static const struct argp_option options[] = {
	{ "output", 'o', "FILE", 0, "Write the program to FILE (default: a.dpu)", 0 },
	{ "tasklets", 't', "N", 0, "Number of tasklets, 1 to 24 (default: 1)", 0 },
	{ "arch", KEY_ARCH, "v1A|v1B", 0, "Architecture (default: v1B)", 0 },
	{ "stack", KEY_STACK, "BYTES", 0, "Stack of each tasklet (default: 1024)", 0 },
	{ "stack-down", KEY_STACK_DOWN, 0, 0, "Stacks grow downwards, as code of dpu-cc wants", 0 },
	{ "include", 'I', "DIR", 0, "Look for .include files in DIR, too", 0 },
	{ "lines", 'g', 0, 0, "Put the sources' lines into the program, for profiles and error messages", 0 },
	{ "no-runtime", KEY_NO_RUNTIME, 0, 0, "Leave out the start-up code: instruction 0 is yours", 0 },
	{ 0 }
};

static unsigned long dpu_as_number(const char *text, unsigned long min, unsigned long max,
				   struct argp_state *state, const char *what)
{
	char *end;
	unsigned long n = strtoul(text, &end, 0);

	if (!*text || *end || n < min || n > max)
		argp_error(state, "%s '%s': must be %lu to %lu", what, text, min, max);
	return n;
}

static error_t as_parse(int key, char *arg, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'o':
		a->output = arg;
		break;
	case 't':
		a->options.tasklets = dpu_as_number(arg, 1, DPU_MAX_THREADS, state, "tasklets");
		break;
	case KEY_ARCH:
		a->options.arch = dpu_arch_find(arg);
		if (!a->options.arch)
			argp_error(state, "architecture '%s': must be v1A or v1B", arg);
		break;
	case KEY_STACK:
		a->options.stack_size = dpu_as_number(arg, 0, DPU_WRAM_SIZE, state, "stack") & ~7ul;
		break;
	case 'I':
		if (a->options.include_count == MAX_FILES)
			argp_error(state, "more than %d include folders", MAX_FILES);
		a->dirs[a->options.include_count++] = arg;
		break;
	case KEY_STACK_DOWN:
		a->options.stack_down = true;
		break;
	case 'g':
		a->options.lines = true;
		break;
	case KEY_NO_RUNTIME:
		a->options.no_runtime = true;
		break;
	case ARGP_KEY_ARG:
		if (a->file_count == MAX_FILES)
			argp_error(state, "more than %d files", MAX_FILES);
		a->files[a->file_count].text = dpu_asm_read(arg);
		if (!a->files[a->file_count].text)
			argp_failure(state, EXIT_FAILURE, errno, "%s", arg);
		a->files[a->file_count++].name = arg;
		break;
	case ARGP_KEY_END:
		if (!a->file_count)
			argp_error(state, "no input file");
		if (a->options.tasklets > a->options.arch->threads)
			argp_error(state, "%u tasklets: %s has %u", a->options.tasklets,
				   a->options.arch->name, a->options.arch->threads);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		options, as_parse, "FILE...", "Assembles UPMEM DPU programs.", NULL, NULL, NULL
	};
	static struct arguments a = {
		.options = { .tasklets = 1, .stack_size = 1024 }, .output = "a.dpu"
	};
	char error[DPU_ASM_ERROR_SIZE];
	void *image;
	size_t size;
	FILE *out;

	a.options.arch = &dpu_archs[DPU_ARCH_V1B];
	a.options.include_dirs = a.dirs;
	argp_parse(&argp, argc, argv, 0, NULL, &a);
	if (!dpu_assemble(a.files, a.file_count, &a.options, &image, &size, error)) {
		fprintf(stderr, "dpu-as: %s\n", error);
		return EXIT_FAILURE;
	}
	out = output_open(a.output);
	if (!out || fwrite(image, 1, size, out) != size || !output_close(out, a.output)) {
		fprintf(stderr, "dpu-as: %s: %s\n", a.output, strerror(errno));
		return EXIT_FAILURE;
	}
	free(image);
	for (size_t i = 0; i < a.file_count; i++)
		free((char *)a.files[i].text);
	return EXIT_SUCCESS;
}
