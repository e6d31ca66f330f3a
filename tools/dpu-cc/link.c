// SPDX-License-Identifier: GPL-2.0-only
/*
 * Objects are assembly, for dpu-as takes a whole program at a time. Of the library, the units come
 * along that define a name which the program uses and nobody else defines.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/dpu-cc/driver.h"
#include "tools/dpu-as/asm.h"

#define MAX_UNITS 512

struct names {
	char **names;
	size_t count, space;
};

static int link_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool link_has(const struct names *n, const char *name)
{
	return bsearch(&name, n->names, n->count, sizeof(n->names[0]), link_compare) != NULL;
}

static void sort(struct names *n)
{
	size_t kept = 0;

	if (n->count)
		qsort(n->names, n->count, sizeof(n->names[0]), link_compare);
	for (size_t i = 0; i < n->count; i++) {
		if (kept && !strcmp(n->names[kept - 1], n->names[i]))
			free(n->names[i]);
		else
			n->names[kept++] = n->names[i];
	}
	n->count = kept;
}

static void names_add(struct names *n, const char *name, size_t length)
{
	n->names = cc_grow(n->names, n->count, &n->space, sizeof(n->names[0]));
	n->names[n->count] = cc_realloc(NULL, length + 1);
	memcpy(n->names[n->count], name, length);
	n->names[n->count++][length] = '\0';
}

static void names_free(struct names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->names[i]);
	free(n->names);
	*n = (struct names){ NULL, 0, 0 };
}

/* Names among a line's operands; none of them is a local label or in a string. */
static void scan_operands(const char *p, size_t length, struct names *used)
{
	const char *end = p + length;

	while (p < end) {
		size_t n = 0;

		if (*p == '"') {
			for (p++; p < end && *p != '"'; p++)
				p += p[0] == '\\';
			p++;
			continue;
		}
		if (*p == '#' || (*p == '/' && p[1] == '/'))
			return;
		while (p + n < end && cc_name_char(p[n]))
			n++;
		if (n && *p != '.' && (*p < '0' || *p > '9'))
			names_add(used, p, n);
		p += n ? n : 1;
	}
}

/* What a unit uses, what it defines, and what of that others can use. */
static void link_scan(const char *text, struct names *used, struct names *defined,
		      struct names *global)
{
	static const char *const silent[] = { ".local", ".size", ".type", ".file", ".section" };

	while (*text) {
		const char *p = text, *end = text + strcspn(text, "\n");
		size_t n;

		text = end + (*end == '\n');
		for (;;) {
			while (p < end && (*p == ' ' || *p == '\t'))
				p++;
			for (n = 0; p + n < end && cc_name_char(p[n]); n++)
				;
			if (!n || p[n] != ':')
				break;
			if (*p != '.' && (*p < '0' || *p > '9'))
				names_add(defined, p, n);
			p += n + 1;
		}
		for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
			if (strlen(silent[i]) == n && !memcmp(silent[i], p, n))
				p = end;
		/* What comes first is an instruction or a directive. */
		if (p + n < end)
			scan_operands(p + n, end - p - n, global && cc_starts_with(p, ".globl") ? global : used);
	}
}

struct library {
	struct cc_unit units[MAX_UNITS];
	struct names used[MAX_UNITS], defined[MAX_UNITS], global[MAX_UNITS];
	bool taken[MAX_UNITS];
	unsigned int count;
};

static int compare_units(const void *a, const void *b)
{
	return strcmp(((const struct cc_unit *)a)->name, ((const struct cc_unit *)b)->name);
}

static void read_library(const struct cc_options *options, struct library *l)
{
	char folder[4000], path[4400];
	struct dirent *entry;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s/lib", options->library);
	dir = opendir(folder);
	if (!dir)
		return;
	while ((entry = readdir(dir)) && l->count < MAX_UNITS) {
		size_t length = strlen(entry->d_name);

		if (length < 6 || strcmp(entry->d_name + length - 5, ".unit"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		l->units[l->count].text = cc_read_file(path);
		if (l->units[l->count].text)
			l->units[l->count++].name = strdup(path);
	}
	closedir(dir);
	qsort(l->units, l->count, sizeof(l->units[0]), compare_units);
	for (unsigned int i = 0; i < l->count; i++) {
		link_scan(l->units[i].text, &l->used[i], &l->defined[i], &l->global[i]);
		sort(&l->global[i]);
		sort(&l->used[i]);
		sort(&l->defined[i]);
	}
}

/* Whether the unit has what the program needs: a name used and not defined so far. */
static bool needed(const struct names *unit, const struct names *used, const struct names *defined)
{
	for (size_t i = 0; i < unit->count; i++)
		if (link_has(used, unit->names[i]) && !link_has(defined, unit->names[i]))
			return true;
	return false;
}

static void link_take(struct names *into, const struct names *from)
{
	for (size_t i = 0; i < from->count; i++)
		names_add(into, from->names[i], strlen(from->names[i]));
	sort(into);
}

static unsigned int select_units(struct library *l, struct dpu_asm_source *sources, unsigned int count)
{
	struct names used = { NULL, 0, 0 }, defined = { NULL, 0, 0 };
	bool more = true;

	for (unsigned int i = 0; i < count; i++)
		link_scan(sources[i].text, &used, &defined, NULL);
	sort(&used);
	sort(&defined);
	while (more) {
		more = false;
		for (unsigned int i = 0; i < l->count && count < MAX_UNITS; i++) {
			if (l->taken[i] || !needed(&l->global[i], &used, &defined))
				continue;
			l->taken[i] = more = true;
			link_take(&used, &l->used[i]);
			link_take(&defined, &l->defined[i]);
			sources[count++] = (struct dpu_asm_source){ l->units[i].name, l->units[i].text };
		}
	}
	names_free(&used);
	names_free(&defined);
	return count;
}

static void free_library(struct library *l)
{
	for (unsigned int i = 0; i < l->count; i++) {
		free(l->units[i].text);
		free((char *)l->units[i].name);
		names_free(&l->used[i]);
		names_free(&l->defined[i]);
		names_free(&l->global[i]);
	}
	free(l);
}

/*
 * Line 0 stands for the whole program; lines of what was compiled are those of its assembly, which
 * nobody has seen.
 */
static void report(const char *error)
{
	const char *line = strstr(error, ".c:"), *rest = line ? strstr(line + 3, ": ") : NULL;
	const char *hint = !strstr(error, "'__builtin_") ? "" :
		"; built_ins.h has the DPU's instructions: include it, or see there what they are called";

	if (strstr(error, ":0: "))
		fprintf(stderr, "dpu-cc: %s%s\n", strstr(error, ":0: ") + 4, hint);
	else if (rest)
		fprintf(stderr, "%.*s: error: %s%s\n", (int)(line + 2 - error), error, rest + 2, hint);
	else
		fprintf(stderr, "dpu-cc: %s%s\n", error, hint);
}

bool cc_link(const struct cc_options *options, struct cc_unit *units, unsigned int count)
{
	struct dpu_asm_options as = {
		.arch = dpu_arch_find(options->arch), .tasklets = options->tasklets,
		.stack_size = (options->stack_size + 15) & ~15u, .stack_down = true,
	};
	static struct dpu_asm_source sources[MAX_UNITS];
	struct library *l = calloc(1, sizeof(*l));
	char error[DPU_ASM_ERROR_SIZE];
	size_t size = 0;
	void *image;
	bool ok;

	if (!l)
		return false;
	for (unsigned int i = 0; i < count; i++)
		sources[i] = (struct dpu_asm_source){ units[i].name, units[i].text };
	if (!options->no_library) {
		read_library(options, l);
		count = select_units(l, sources, count);
	}
	ok = dpu_assemble(sources, count, &as, &image, &size, error);
	free_library(l);
	if (!ok) {
		report(error);
		return false;
	}
	ok = cc_write_file(options->output ? options->output : "a.out", image, size);
	free(image);
	return ok;
}
