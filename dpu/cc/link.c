// SPDX-License-Identifier: GPL-2.0-only
/* Links a program. Objects are assembly, because dpu-as assembles a whole program at a time. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "dpu/cc/driver.h"
#include "dpu/cc/sweep.h"
#include "dpu/as/asm.h"
#include "dpu/include/dpu_stack.h"

#define MAX_UNITS 512

static int compare_units(const void *a, const void *b)
{
	return strcmp(((const struct cc_unit *)a)->name, ((const struct cc_unit *)b)->name);
}

/* Appends the library's units to the program's. */
static unsigned int read_library(const struct cc_options *options, struct cc_unit *units, unsigned int count,
				 struct cc_pool *names)
{
	unsigned int first = count;
	char folder[4000], path[4400];
	struct dirent *entry;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s/lib", options->library);
	dir = opendir(folder);
	if (!dir)
		return count;
	while ((entry = readdir(dir)) && count < MAX_UNITS) {
		size_t length = strlen(entry->d_name);

		if (length < 6 || strcmp(entry->d_name + length - 5, ".unit"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		units[count].text = dpu_asm_read(path);
		if (units[count].text)
			units[count++].name = cc_pool_string(names, path, strlen(path));
	}
	closedir(dir);
	qsort(units + first, count - first, sizeof(units[0]), compare_units);
	return count;
}

/* What to use instead of a function that is not defined. */
static const char *hint_for(const char *error)
{
	static const char *const hints[][2] = {
		{ "'__builtin_", "built_ins.h has the DPU's instructions: include it, or see there what they are called" },
		{ "'__atomic_", "a DPU has no atomic access to memory: use mutex.h, mutex_pool.h or vmutex.h" },
		{ "'__sync_", "a DPU has no atomic access to memory: use mutex.h, mutex_pool.h or vmutex.h" },
		{ "'mram_", "include mram.h" },
		{ "'mutex_", "include mutex.h" },
		{ "'perfcounter_", "include perfcounter.h" },
		{ "'me'", "include defs.h" },
		{ "'malloc'", "use mem_alloc() of alloc.h, buddy_alloc.h or fsb_allocator.h" },
	};

	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++)
		if (strstr(error, hints[i][0]))
			return hints[i][1];
	return NULL;
}

/*
 * Prints an error of the assembler. Line 0 means the whole program. For compiled code the line is
 * one of its assembly, which users do not see.
 */
static void report(const char *error)
{
	const char *line = strstr(error, ".c:"), *rest = line ? strstr(line + 3, ": ") : NULL;
	const char *hint = hint_for(error);

	if (strstr(error, ":0: "))
		fprintf(stderr, "dpu-cc: %s", strstr(error, ":0: ") + 4);
	else if (rest)
		fprintf(stderr, "%.*s: error: %s", (int)(line + 2 - error), error, rest + 2);
	else
		fprintf(stderr, "dpu-cc: %s", error);
	fprintf(stderr, "%s%s\n", hint ? "; " : "", hint ? hint : "");
}

/* Warns if the tasklets' stacks are too small for the functions that main calls. */
static void check_stack(const void *image, size_t size, uint32_t bytes)
{
	struct dpu_program *program = NULL;
	char text[DPU_STACK_TEXT_SIZE];

	if (dpu_program_open(image, size, &program))
		return;
	if (dpu_stack_text(program, bytes, 0, text))
		fprintf(stderr, "dpu-cc: warning: %s\n", text);
	dpu_program_close(program);
}

bool cc_link(const struct cc_options *options, struct cc_unit *units, unsigned int count)
{
	struct dpu_asm_options as = {
		.arch = dpu_arch_find(options->arch), .tasklets = options->tasklets,
		.stack_size = (options->stack_size + 15) & ~15u, .stack_down = true,
		.no_runtime = options->no_start,
	};
	static struct dpu_asm_source sources[MAX_UNITS];
	static struct cc_unit all[MAX_UNITS];
	struct cc_pool names = { NULL, 0, 0 };
	char error[DPU_ASM_ERROR_SIZE];
	unsigned int own = count;
	size_t size = 0;
	void *image;
	bool ok;

	if (as.tasklets > as.arch->threads) {
		fprintf(stderr, "dpu-cc: %u tasklets: %s has %u; use -mcpu=v1A\n", as.tasklets, as.arch->name,
			as.arch->threads);
		return false;
	}
	/* cc_sweep() owns the texts from here on */
	for (unsigned int i = 0; i < count; i++) {
		all[i] = units[i];
		units[i].text = NULL;
	}
	if (!options->no_library)
		count = read_library(options, all, count, &names);
	count = cc_sweep(all, count, own);
	for (unsigned int i = 0; i < count; i++)
		sources[i] = (struct dpu_asm_source){ all[i].name, all[i].text };
	ok = dpu_assemble(sources, count, &as, &image, &size, error);
	for (unsigned int i = 0; i < count; i++)
		free(all[i].text);
	cc_pool_free(&names);
	if (!ok) {
		report(error);
		return false;
	}
	check_stack(image, size, as.stack_size);
	ok = cc_write_file(options->output ? options->output : "a.out", image, size);
	free(image);
	return ok;
}
