// SPDX-License-Identifier: GPL-2.0-only
/* Reads a profile in callgrind's format. Its lines of costs belong to the last names before them. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/callgrind.h"
#include "tools/monctl/monctl.h"

/* Larger numbers of names than any program has: a damaged file must not ask for all memory. */
#define MOST_NAMES (1u << 24)

struct call_block {
	struct call_block *next;
	max_align_t memory[];
};

/* Names that were given a number: "(3) main" the first time, "(3)" from then on. */
struct names {
	const char **name;
	size_t count;
};

/* "event: Ir : Instructions"; they come before the names of the events. */
struct description {
	struct description *next;
	const char *name, *text;
};

struct reader {
	struct callgrind *profile;
	const char *path;
	unsigned long line;
	long thread;			/* the one that is wanted; -1: all */
	bool skips;			/* lines of another thread */
	const char *wanted_event;
	struct description *descriptions;
	size_t positions;		/* numbers before the costs of a line */
	size_t column;			/* of the event, from 0 */
	bool has_events, has_thread;
	struct names objects, files, functions;
	const char *object, *file, *called_object, *called_file, *called_name;
	struct call_function *function;
	struct call_arc *arc;		/* the next line has its cost */
	bool ignores_next;		/* the line after a jump */
	void *function_tree, *arc_tree;
	struct call_function **last_function;
	struct call_arc **last_arc;
};

__attribute__((noreturn)) static void bad(const struct reader *r, const char *what)
{
	die("%s: line %lu: %s: give a file in callgrind's format", r->path, r->line, what);
}

/* Zeros, which callgrind_free() gives back. */
static void *allocate(struct callgrind *profile, size_t size)
{
	struct call_block *block = calloc(1, sizeof(*block) + size);

	if (!block)
		die("out of memory");
	block->next = profile->blocks;
	profile->blocks = block;
	return block->memory;
}

static const char *copy_of(struct callgrind *profile, const char *text)
{
	size_t size = strlen(text) + 1;

	return memcpy(allocate(profile, size), text, size);
}

/* The name of "name", "(3) name" or "(3)". */
static const char *find_name(struct reader *r, struct names *names, const char *text)
{
	unsigned long number;
	char *end;

	if (text[0] != '(' || !isdigit((unsigned char)text[1]))
		return copy_of(r->profile, text);
	number = strtoul(text + 1, &end, 10);
	if (*end != ')' || number >= MOST_NAMES)
		bad(r, "not the number of a name");
	if (number >= names->count) {
		size_t count = number + 1 + names->count;

		names->name = realloc(names->name, count * sizeof(*names->name));
		if (!names->name)
			die("out of memory");
		memset(names->name + names->count, 0, (count - names->count) * sizeof(*names->name));
		names->count = count;
	}
	end += 1 + strspn(end + 1, " ");
	if (*end && !names->name[number])
		names->name[number] = copy_of(r->profile, end);
	if (!names->name[number])
		bad(r, "the number of a name that was not given");
	return names->name[number];
}

static int by_names(const void *a, const void *b)
{
	const struct call_function *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = strcmp(x->file, y->file);
	return order ? order : strcmp(x->object, y->object);
}

static struct call_function *find_function(struct reader *r, const char *object, const char *file, const char *name)
{
	struct call_function key = { .object = object, .file = file, .name = name }, *function, **found;

	found = tfind(&key, &r->function_tree, by_names);
	if (found)
		return *found;
	function = allocate(r->profile, sizeof(*function));
	*function = key;
	function->index = r->profile->function_count++;
	if (!tsearch(function, &r->function_tree, by_names))
		die("out of memory");
	*r->last_function = function;
	r->last_function = &function->next;
	return function;
}

static int by_ends(const void *a, const void *b)
{
	const struct call_arc *x = a, *y = b;

	if (x->from != y->from)
		return x->from->index < y->from->index ? -1 : 1;
	return (x->to->index > y->to->index) - (x->to->index < y->to->index);
}

static struct call_arc *find_arc(struct reader *r, struct call_function *from, struct call_function *to)
{
	struct call_arc key = { .from = from, .to = to }, *arc, **found = tfind(&key, &r->arc_tree, by_ends);

	if (found)
		return *found;
	arc = allocate(r->profile, sizeof(*arc));
	*arc = key;
	if (!tsearch(arc, &r->arc_tree, by_ends))
		die("out of memory");
	*r->last_arc = arc;
	r->last_arc = &arc->next;
	return arc;
}

/* "events: Ir Cycles": which column is the wanted one. */
static void take_events(struct reader *r, char *list)
{
	const char *names = copy_of(r->profile, list), *chosen = NULL, *first = NULL;
	char *rest = list, *name;
	size_t n = 0;

	while ((name = strsep(&rest, " \t"))) {
		if (!*name)
			continue;
		if (!first)
			first = name;
		if (!strcmp(name, r->wanted_event ? r->wanted_event : "Cycles")) {
			chosen = name;
			r->column = n;
		}
		n++;
	}
	if (!first)
		bad(r, "no events");
	if (!chosen && r->wanted_event)
		die("%s: no event %s: it has %s", r->path, r->wanted_event, names);
	if (!chosen) {
		chosen = first;
		r->column = 0;
	}
	if (!r->profile->event)
		r->profile->event = copy_of(r->profile, chosen);
	for (struct description *d = r->descriptions; d && !r->profile->event_text; d = d->next)
		if (!strcmp(d->name, r->profile->event))
			r->profile->event_text = d->text;
	r->has_events = true;
}

/* A line of numbers: positions, which may be relative or the same as before, then costs. */
static uint64_t take_cost(struct reader *r, const char *at)
{
	uint64_t value = 0;
	char *end;

	if (!r->has_events)
		bad(r, "costs before the names of events");
	for (size_t i = 0; i < r->positions; i++) {
		at += strcspn(at, " \t");
		at += strspn(at, " \t");
	}
	for (size_t i = 0; i <= r->column && *at; i++) {
		errno = 0;
		value = strtoull(at, &end, 0);
		if (end == at || errno || *at == '-' || (*end && !isspace((unsigned char)*end)))
			bad(r, "not a cost");
		at = end + strspn(end, " \t");
		if (i == r->column)
			return value;
	}
	/* zeros at the end are left out */
	return 0;
}

static void take_numbers(struct reader *r, const char *line)
{
	uint64_t cost = take_cost(r, line);

	if (r->ignores_next) {
		r->ignores_next = false;
	} else if (r->arc) {
		r->arc->cost += cost;
		if (r->arc->from != r->arc->to)
			r->arc->from->below += cost;
		r->arc = NULL;
	} else if (r->function) {
		r->function->self += cost;
		r->profile->total += cost;
	} else {
		bad(r, "a cost without a function");
	}
}

/* "fn=main" and its like. */
static bool take_name(struct reader *r, const char *line)
{
	const char *text = strchr(line, '=');
	size_t n;

	if (!text)
		return false;
	n = text++ - line;
	if (n == 2 && !strncmp(line, "ob", n)) {
		r->object = find_name(r, &r->objects, text);
	} else if (n == 2 && !strncmp(line, "fl", n)) {
		r->file = find_name(r, &r->files, text);
	} else if (n == 2 && (!strncmp(line, "fi", n) || !strncmp(line, "fe", n))) {
		/* lines of an inlined function belong to the one around it */
		find_name(r, &r->files, text);
	} else if (n == 2 && !strncmp(line, "fn", n)) {
		r->function = find_function(r, r->object, r->file, find_name(r, &r->functions, text));
	} else if (n == 3 && !strncmp(line, "cob", n)) {
		r->called_object = find_name(r, &r->objects, text);
	} else if (n == 3 && (!strncmp(line, "cfi", n) || !strncmp(line, "cfl", n))) {
		r->called_file = find_name(r, &r->files, text);
	} else if (n == 3 && !strncmp(line, "cfn", n)) {
		r->called_name = find_name(r, &r->functions, text);
	} else if (n == 5 && !strncmp(line, "calls", n)) {
		if (!r->function || !r->called_name)
			bad(r, "calls without a function");
		r->arc = find_arc(r, r->function, find_function(r, r->called_object ? r->called_object : r->object,
								r->called_file ? r->called_file : r->file, r->called_name));
		r->arc->times += strtoull(text, NULL, 10);
		r->called_object = r->called_file = r->called_name = NULL;
	} else if ((n == 4 && !strncmp(line, "jump", n)) || (n == 4 && !strncmp(line, "jcnd", n))) {
		r->ignores_next = true;
	} else {
		return false;
	}
	return true;
}

/* "events: Ir" and its like. */
static void take_header(struct reader *r, char *line)
{
	char *text = strchr(line, ':'), *name;

	if (!text)
		bad(r, "not a line of a profile");
	*text++ = '\0';
	text += strspn(text, " \t");
	if (!strcmp(line, "events")) {
		take_events(r, text);
	} else if (!strcmp(line, "positions")) {
		r->positions = 0;
		while ((name = strsep(&text, " \t")))
			r->positions += *name != '\0';
	} else if (!strcmp(line, "cmd")) {
		r->profile->program = copy_of(r->profile, text);
	} else if (!strcmp(line, "thread")) {
		r->skips = r->thread >= 0 && strtol(text, NULL, 10) != r->thread;
		r->has_thread |= !r->skips;
	} else if (!strcmp(line, "event")) {
		struct description *d = allocate(r->profile, sizeof(*d));

		name = strsep(&text, " \t:");
		d->next = r->descriptions;
		d->name = copy_of(r->profile, name);
		d->text = text ? copy_of(r->profile, text + strspn(text, " \t:")) : d->name;
		r->descriptions = d;
	}
}

static void take_line(struct reader *r, char *line)
{
	if (!*line || *line == '#')
		return;
	/* a new part may be of the wanted thread */
	if (r->skips && strncmp(line, "thread:", 7))
		return;
	if (isdigit((unsigned char)*line) || strchr("+-*", *line))
		take_numbers(r, line);
	else if (!take_name(r, line))
		take_header(r, line);
}

static void read_file(struct reader *r)
{
	FILE *file = fopen(r->path, "re");
	size_t size = 0;
	char *line = NULL;

	if (!file)
		die("%s: %s", r->path, strerror(errno));
	while (errno = 0, getline(&line, &size, file) >= 0) {
		r->line++;
		line[strcspn(line, "\r\n")] = '\0';
		take_line(r, line);
	}
	if (ferror(file))
		die("%s: cannot read: %s", r->path, strerror(errno));
	free(line);
	fclose(file);
	if (r->thread >= 0 && !r->has_thread)
		die("%s: no thread %ld: write the profile with --threads, and count from 0", r->path, r->thread);
	if (!r->has_events || !r->profile->functions)
		bad(r, "no costs");
}

/* What the trees point at belongs to the profile. */
static void keep(void *node)
{
	(void)node;
}

struct callgrind *callgrind_load(const char *path, const char *event, long thread)
{
	struct callgrind *profile = calloc(1, sizeof(*profile));
	struct reader r = {
		.profile = profile, .path = path, .thread = thread, .wanted_event = event, .positions = 1, .object = "",
		.file = "???", .last_function = &profile->functions, .last_arc = &profile->arcs,
	};

	if (!profile)
		die("out of memory");
	profile->program = "";
	read_file(&r);
	if (!profile->event_text)
		profile->event_text = profile->event;
	tdestroy(r.function_tree, keep);
	tdestroy(r.arc_tree, keep);
	free(r.objects.name);
	free(r.files.name);
	free(r.functions.name);
	return profile;
}

void callgrind_free(struct callgrind *profile)
{
	while (profile->blocks) {
		struct call_block *block = profile->blocks;

		profile->blocks = block->next;
		free(block);
	}
	free(profile);
}
