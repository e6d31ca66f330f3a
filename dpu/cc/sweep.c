// SPDX-License-Identifier: GPL-2.0-only
/*
 * Selects what a program needs.
 *
 * Of the program's own units it drops functions that nothing refers to. Of the library it keeps only functions that
 * are referred to, and what is around them in their units. A function is the text between its label and its .size.
 * Constants with a compiler's label (.L) are treated alike. What debuggers are told of dropped text stays, and so do the
 * labels in it, at the place where it was.
 */
#include <stdlib.h>
#include <string.h>

#include "dpu/cc/sweep.h"

/* A range of lines: a function, a constant, or the text between them (no name). */
struct part {
	const char *text, *name;
	size_t length, name_length;
	bool kept, silent;	/* silent: for debuggers, which need nothing */
};

struct swept {
	struct part *parts;
	size_t count, space;
	bool taken;
};

/* Names that kept text refers to, still to be looked up. */
struct sweep {
	const struct cc_unit *units;
	struct swept *swept;
	unsigned int count, own;
	struct part **work;
	size_t work_count, work_space;
};

static const char *blank(const char *p)
{
	return p + strspn(p, " \t");
}

static size_t sweep_name(const char *p)
{
	size_t n = 0;

	while (cc_name_char(p[n]))
		n++;
	return n;
}

static const char *next_line(const char *p)
{
	p += strcspn(p, "\n");
	return p + (*p == '\n');
}

static bool same_name(const struct part *part, const char *name, size_t length)
{
	return part->name && part->name_length == length && !memcmp(part->name, name, length);
}

/* Does the unit declare the name as a function? Finds its end. */
static bool is_function(const char *text, const char *name, size_t length)
{
	bool typed = false, sized = false;

	for (const char *p = text; *p; p = next_line(p)) {
		const char *q = blank(p);
		bool type = cc_starts_with(q, ".type"), size = cc_starts_with(q, ".size");

		if (!type && !size)
			continue;
		q = blank(q + strlen(".type"));
		if (sweep_name(q) != length || memcmp(q, name, length))
			continue;
		typed |= type && memmem(q, strcspn(q, "\n"), "@function", strlen("@function"));
		sized |= size;
	}
	return typed && sized;
}

static struct part *add_part(struct swept *s, const char *text)
{
	s->parts = cc_grow(s->parts, s->count, &s->space, sizeof(*s->parts));
	s->parts[s->count] = (struct part){ .text = text };
	return &s->parts[s->count++];
}

/* Directives that continue a constant; any other one ends it. */
static bool holds_data(const char *p)
{
	static const char *const names[] = {
		".byte", ".short", ".half", ".long", ".word", ".quad", ".ascii", ".asciz", ".string", ".zero",
		".space", ".2byte", ".4byte", ".8byte"
	};
	size_t n = sweep_name(p);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == n && !memcmp(names[i], p, n))
			return true;
	return false;
}

static bool ends_function(const char *p, const struct part *f)
{
	return cc_starts_with(p, ".size") && !strncmp(blank(p + strlen(".size")), f->name, f->name_length) &&
	       !cc_name_char(blank(p + strlen(".size"))[f->name_length]);
}

static void divide(const char *text, struct swept *s)
{
	bool in_text = true, constant = false, debug = false;
	struct part *part = add_part(s, text);

	for (const char *line = text, *next; *line; line = next) {
		const char *p = blank(line);
		size_t n = sweep_name(p);
		bool label = n && p[n] == ':', last = false;

		next = next_line(line);
		if (cc_starts_with(p, ".section") || cc_starts_with(p, ".text") || cc_starts_with(p, ".data") ||
		    cc_starts_with(p, ".bss")) {
			in_text = cc_starts_with(p, ".text") || cc_starts_with(p, ".section\t.text") ||
				  cc_starts_with(p, ".section .text");
			debug = cc_starts_with(p, ".section") && cc_starts_with(blank(p + n), ".debug_");
			if (debug != part->silent) {
				part = add_part(s, line);
				part->silent = debug;
				constant = false;
			}
		}
		if (part->name && !constant)
			last = ends_function(p, part);
		else if (constant && n && !holds_data(p))
			constant = false, part = add_part(s, line);
		if (label && !debug && !part->name && (in_text ? is_function(text, p, n) : cc_starts_with(p, ".L"))) {
			part = add_part(s, line);
			part->name = p;
			part->name_length = n;
			constant = !in_text;
		}
		part->length = next - part->text;
		if (last)
			part = add_part(s, next);
	}
}

static void keep(struct sweep *w, struct part *part)
{
	if (part->kept)
		return;
	part->kept = true;
	w->work = cc_grow(w->work, w->work_count, &w->work_space, sizeof(*w->work));
	w->work[w->work_count++] = part;
}

static void take(struct sweep *w, unsigned int unit)
{
	w->swept[unit].taken = true;
	for (size_t i = 0; i < w->swept[unit].count; i++)
		if (!w->swept[unit].parts[i].name)
			keep(w, &w->swept[unit].parts[i]);
}

/* The name that a directive or label defines: .globl NAME, or NAME: outside functions. */
static bool line_defines(const char *p, const char *directive, const char *name, size_t length)
{
	if (directive) {
		if (!cc_starts_with(p, directive))
			return false;
		p = blank(p + strlen(directive));
	}
	return !strncmp(p, name, length) && !cc_name_char(p[length]) && (directive || p[length] == ':');
}

static bool gives(const char *text, const char *directive, const char *name, size_t length)
{
	for (const char *p = text; *p; p = next_line(p))
		if (line_defines(blank(p), directive, name, length))
			return true;
	return false;
}

/* Looks up a name in kept text of a unit: the unit's own, or one that another unit exports. */
static void refer(struct sweep *w, unsigned int from, const char *name, size_t length)
{
	bool local = *name == '.', found = false;

	for (unsigned int u = 0; u < w->count; u++) {
		if ((local && u != from) || !w->swept[u].taken)
			continue;
		for (size_t i = 0; i < w->swept[u].count; i++)
			if (same_name(&w->swept[u].parts[i], name, length))
				keep(w, &w->swept[u].parts[i]);
		found |= !local && (gives(w->units[u].text, NULL, name, length) ||
				    gives(w->units[u].text, ".comm", name, length));
	}
	for (unsigned int u = w->own; !local && !found && u < w->count; u++) {
		if (w->swept[u].taken || !gives(w->units[u].text, ".globl", name, length))
			continue;
		take(w, u);
		refer(w, u, name, length);
		return;
	}
}

/* The names in a line's operands, without strings and comments. */
static void refer_line(struct sweep *w, unsigned int unit, const char *p, const char *end)
{
	static const char *const silent[] = { ".globl", ".local", ".size", ".type", ".file", ".section", ".weak" };

	p = blank(p);
	for (size_t i = 0; i < sizeof(silent) / sizeof(silent[0]); i++)
		if (cc_starts_with(p, silent[i]))
			return;
	while (p < end) {
		size_t n = sweep_name(p);

		if (*p == '"') {
			for (p++; p < end && *p != '"'; p++)
				p += *p == '\\';
			p++;
			continue;
		}
		if (*p == '#' || (*p == '/' && p[1] == '/'))
			return;
		if (n && (*p < '0' || *p > '9') && p[n] != ':')
			refer(w, unit, p, n);
		p += n ? n : 1;
	}
}

static unsigned int unit_of(const struct sweep *w, const struct part *part)
{
	unsigned int u = 0;

	while (part < w->swept[u].parts || part >= w->swept[u].parts + w->swept[u].count)
		u++;
	return u;
}

static bool left_out(const struct swept *s, const char *name, size_t length)
{
	bool out = false;

	for (size_t i = 0; i < s->count; i++) {
		if (!same_name(&s->parts[i], name, length))
			continue;
		if (s->parts[i].kept)
			return false;
		out = true;
	}
	return out;
}

/* A label that a compiler sets for debuggers. */
static bool is_debug_label(const char *p)
{
	return (cc_starts_with(p, ".Lfunc_") || cc_starts_with(p, ".Ltmp")) && p[sweep_name(p)] == ':';
}

/* The kept text of a unit, without directives for dropped text. */
static char *rest(const struct swept *s)
{
	static const char *const about[] = { ".globl", ".local", ".size", ".type", ".weak" };
	struct cc_text out = { NULL, 0, 0 };

	cc_text_add(&out, "", 0);
	for (size_t i = 0; i < s->count; i++) {
		const struct part *part = &s->parts[i];
		const char *end = part->text + part->length, *next;

		for (const char *line = part->text; line < end; line = next) {
			const char *p = blank(line);
			bool drop = false;

			next = next_line(line);
			if (!part->kept && !is_debug_label(p))
				continue;
			for (size_t k = 0; k < sizeof(about) / sizeof(about[0]); k++) {
				const char *name = blank(p + strlen(about[k]));

				if (cc_starts_with(p, about[k]))
					drop |= left_out(s, name, sweep_name(name));
			}
			if (drop)
				cc_text_add(&out, "\n", 1);
			else
				cc_text_add(&out, line, next - line);
		}
	}
	return out.bytes;
}

unsigned int cc_sweep(struct cc_unit *units, unsigned int count, unsigned int own)
{
	struct sweep w = { .units = units, .count = count, .own = own };
	unsigned int kept = 0;

	w.swept = cc_realloc(NULL, (count + 1) * sizeof(*w.swept));
	memset(w.swept, 0, (count + 1) * sizeof(*w.swept));
	for (unsigned int u = 0; u < count; u++)
		divide(units[u].text, &w.swept[u]);
	for (unsigned int u = 0; u < own; u++)
		take(&w, u);
	refer(&w, 0, "main", strlen("main"));
	refer(&w, 0, "__bootstrap", strlen("__bootstrap"));
	for (size_t k = 0; k < w.work_count; k++) {
		const struct part *part = w.work[k];
		const char *end = part->text + part->length, *next;

		for (const char *line = part->text; line < end && !part->silent; line = next) {
			next = next_line(line);
			refer_line(&w, unit_of(&w, part), line, next);
		}
	}
	for (unsigned int u = 0; u < count; u++) {
		char *text = w.swept[u].taken ? rest(&w.swept[u]) : NULL;

		free(w.swept[u].parts);
		free(units[u].text);
		units[u].text = text;
		if (text)
			units[kept++] = units[u];
	}
	free(w.swept);
	free(w.work);
	return kept;
}
