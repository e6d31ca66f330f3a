// SPDX-License-Identifier: GPL-2.0-only
/* Tracepoints: found in tracefs, described for us and for perf. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/monctl/base/monctl.h"
#include "tools/monctl/record/tracepoint.h"

#define TRACEFS "/sys/kernel/tracing/events"

/* A file of tracefs, whose size is not known before. NULL if it cannot be read. */
static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	size_t room = 0;
	ssize_t n;

	if (!file)
		return NULL;
	n = getdelim(&text, &room, '\0', file);
	fclose(file);
	*size = n > 0 ? n : 0;
	return text;
}

static char *read_event_file(const char *dir, const char *name, size_t *size)
{
	char *path = format_text("%s/%s", dir, name), *text = read_file(path, size);

	free(path);
	return text;
}

static void add_tracepoint(struct tracepoints *list, const char *dir)
{
	size_t size;
	char *id = read_event_file(dir, "id", &size), *format = read_event_file(dir, "format", &size);
	const char *system = dir + strlen(TRACEFS "/"), *event = strrchr(dir, '/') + 1;

	if (id && format) {
		list->item = grow(list->item, list->count, sizeof(*list->item));
		list->item[list->count++] = (struct tracepoint){
			.system = format_text("%.*s", (int)(event - 1 - system), system),
			.is_begin = !strcmp(event, "run_begin"),
			.id = strtoull(id, NULL, 10), .format = format,
		};
		format = NULL;
	}
	free(format);
	free(id);
}

void tracepoints_find(struct tracepoints *list)
{
	glob_t found;

	*list = (struct tracepoints){ 0 };
	if (glob(TRACEFS "/*/run_begin", 0, NULL, &found) |
	    glob(TRACEFS "/*/run_end", GLOB_APPEND, NULL, &found))
		found.gl_pathc = found.gl_pathc && found.gl_pathv ? found.gl_pathc : 0;
	for (size_t i = 0; i < found.gl_pathc; i++)
		add_tracepoint(list, found.gl_pathv[i]);
	globfree(&found);
}

void tracepoints_free(struct tracepoints *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->item[i].system);
		free(list->item[i].format);
	}
	free(list->item);
}

/* "	field:char device[32];	offset:8;	size:32;	signed:0;" */
static bool find_field(const char *format, const char *name, unsigned int *offset, unsigned int *size)
{
	const char *line = format;

	while ((line = strstr(line, "field:"))) {
		const char *end = line + strcspn(line, ";"), *word = end;

		while (word > line && word[-1] != ' ')
			word--;
		if (!strncmp(word, name, strlen(name)) && strchr("[;", word[strlen(name)]))
			return sscanf(end, "; offset:%u; size:%u", offset, size) == 2;
		line = end;
	}
	return false;
}

bool tracepoint_describe(const struct tracepoint *point, size_t attr, FILE *out)
{
	static const char *const names[] = { "device", "place", "pid", "user" };
	unsigned int offset[4], size[4];

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!find_field(point->format, names[i], &offset[i], &size[i]))
			return false;
	fprintf(out, "mark\t%zu\t%s\t%s\t%u:%u\t%u\t%u\t%u:%u", attr, point->system,
		point->is_begin ? "begin" : "end", offset[0], size[0], offset[1], offset[2], offset[3],
		size[3]);
	if (find_field(point->format, "about", &offset[0], &size[0]))
		fprintf(out, "\t%u:%u", offset[0], size[0]);
	fputc('\n', out);
	return true;
}

static void put_u32(FILE *out, uint32_t value)
{
	fwrite(&value, sizeof(value), 1, out);
}

static void put_u64(FILE *out, uint64_t value)
{
	fwrite(&value, sizeof(value), 1, out);
}

static void put_file(FILE *out, const char *name)
{
	char *path = format_text(TRACEFS "/%s", name), *text;
	size_t size = 0;

	text = read_file(path, &size);
	fwrite(name, strlen(name) + 1, 1, out);
	put_u64(out, size);
	fwrite(text, 1, size, out);
	free(text);
	free(path);
}

static size_t systems_count(const struct tracepoints *list)
{
	size_t n = 0, i, k;

	for (i = 0; i < list->count; i++) {
		for (k = 0; k < i && strcmp(list->item[k].system, list->item[i].system); k++)
			;
		n += k == i;
	}
	return n;
}

static void put_system(FILE *out, const struct tracepoints *list, size_t first)
{
	const char *system = list->item[first].system;
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < list->count; i++)
		n += !strcmp(list->item[i].system, system);
	fwrite(system, strlen(system) + 1, 1, out);
	put_u32(out, n);
	for (i = first; i < list->count; i++) {
		if (strcmp(list->item[i].system, system))
			continue;
		put_u64(out, strlen(list->item[i].format));
		fputs(list->item[i].format, out);
	}
}

/* The layout is what tools/perf/util/trace-event-read.c of Linux reads. */
char *tracepoints_data(const struct tracepoints *list, size_t *size)
{
	static const char magic[] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };
	static const uint16_t order = 0x0100;
	char *data = NULL;
	FILE *out;
	size_t i, k;

	*size = 0;
	if (!list->count)
		return NULL;
	out = text_open(&data, size);
	fwrite(magic, sizeof(magic), 1, out);
	fwrite("0.6", 4, 1, out);
	fputc(*(const unsigned char *)&order, out);	/* 1: big endian */
	fputc(sizeof(long), out);
	put_u32(out, sysconf(_SC_PAGESIZE));
	put_file(out, "header_page");
	put_file(out, "header_event");
	put_u32(out, 0);		/* events of ftrace itself */
	put_u32(out, systems_count(list));
	for (i = 0; i < list->count; i++) {
		for (k = 0; k < i && strcmp(list->item[k].system, list->item[i].system); k++)
			;
		if (k == i)
			put_system(out, list, i);
	}
	put_u32(out, 0);		/* kernel symbols */
	put_u32(out, 0);		/* formats of trace_printk() */
	put_u64(out, 0);		/* names of processes */
	text_close(out);
	return data;
}
