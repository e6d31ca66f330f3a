// SPDX-License-Identifier: GPL-2.0-only
/* Directives of GNU as that compilers and people use for a DPU. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/as/asm-internal.h"

#define MAX_PIECES 64

void as_emit(struct as *as, const void *bytes, uint32_t count)
{
	struct as_buffer *s = &as->sections[as->current];

	if (as->pass == 2) {
		if (s->size + count > s->allocated)
			as_fail(as, "the program changed between the passes");
		memcpy(s->bytes + s->size, bytes, count);
	}
	if (s->size + count < s->size || s->size + count > DPU_MRAM_SIZE)
		as_fail(as, "section too large");
	s->size += count;
}

/* Fills with zeroes, without a loop: MRAM variables may be large. */
static void directive_reserve(struct as *as, int64_t count)
{
	struct as_buffer *s = &as->sections[as->current];

	if (count < 0 || count > (int64_t)DPU_MRAM_SIZE - s->size)
		as_fail(as, "cannot reserve %lld bytes", (long long)count);
	s->size += count;
	if (as->pass == 2 && s->size > s->allocated)
		as_fail(as, "the program changed between the passes");
}

unsigned int as_split(struct as *as, char *text, char **pieces, unsigned int max)
{
	unsigned int count = 0, depth = 0;
	bool quoted = false, more = true;

	while (isspace((unsigned char)*text))
		text++;
	if (!*text)
		return 0;
	while (more) {
		char *start = text, *end;

		for (; *text && (quoted || depth || *text != ','); text++) {
			if (*text == '\\' && text[1])
				text++;
			else if (*text == '"')
				quoted = !quoted;
			else if (*text == '(' && !quoted)
				depth++;
			else if (*text == ')' && !quoted && depth)
				depth--;
		}
		more = *text == ',';
		end = text;
		if (more)
			text++;
		while (isspace((unsigned char)*start))
			start++;
		while (end > start && isspace((unsigned char)end[-1]))
			end--;
		*end = '\0';
		if (count == max)
			as_fail(as, "too many operands");
		pieces[count++] = start;
	}
	return count;
}

/* Parses a directive's operands; argument comes from its row in the table. */
struct operands {
	char *text[MAX_PIECES];
	unsigned int count;
	unsigned int argument;
	const char *name;		/* of the directive */
};

static void directive_numbers(struct as *as, const struct operands *o)
{
	unsigned int size = o->argument;

	for (unsigned int i = 0; i < o->count; i++) {
		int64_t n = as_number(as, o->text[i]);
		uint8_t bytes[8];

		if (size < 8 && (n < -(INT64_C(1) << (8 * size - 1)) || n >= INT64_C(1) << (8 * size)))
			as_fail(as, "%lld does not fit %u bytes", (long long)n, size);
		for (unsigned int j = 0; j < size; j++)
			bytes[j] = (uint64_t)n >> (8 * j);
		as_emit(as, bytes, size);
	}
}

enum { UNSIGNED, SIGNED };

/* LEB128: seven bits a byte. */
static void directive_leb(struct as *as, const struct operands *o)
{
	for (unsigned int i = 0; i < o->count; i++) {
		int64_t n = as_number(as, o->text[i]), rest = n;
		bool more = true;

		while (more) {
			uint8_t byte = rest & 0x7f;

			rest = o->argument == SIGNED ? rest >> 7 : (int64_t)((uint64_t)rest >> 7);
			more = o->argument == SIGNED ? rest != (byte & 0x40 ? -1 : 0) : rest;
			byte |= more ? 0x80 : 0;
			as_emit(as, &byte, 1);
		}
	}
}

static unsigned int octal(const char **p)
{
	unsigned int c = 0;

	for (int i = 0; i < 3 && **p >= '0' && **p <= '7'; i++)
		c = c * 8 + *(*p)++ - '0';
	return c;
}

enum { BARE, TERMINATED };

static void directive_strings(struct as *as, const struct operands *o)
{
	for (unsigned int i = 0; i < o->count; i++) {
		const char *p = o->text[i];

		if (*p++ != '"')
			as_fail(as, "expected a string in quotes");
		while (*p && *p != '"') {
			char c = *p++;

			if (c == '\\' && *p >= '0' && *p <= '7') {
				c = octal(&p);
			} else if (c == '\\' && *p) {
				c = *p++;
				c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
			}
			as_emit(as, &c, 1);
		}
		if (*p != '"')
			as_fail(as, "string without its closing quote");
		if (o->argument == TERMINATED)
			as_emit(as, "", 1);
	}
}

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/* The name of a debugger's section is the place where a source's part of it begins. */
static void name_section(struct as *as, const char *name)
{
	struct as_symbol *s;

	as_local(as, name, strlen(name));
	s = as_symbol(as, name, strlen(name), true);
	if (s->section == AS_UNDEFINED) {
		s->section = as->current;
		s->offset = as->sections[as->current].size;
	}
}

static void enter_section(struct as *as, const char *name)
{
	/* Longer names first: .data.x also starts with .data. */
	static const struct {
		const char *prefix;
		enum as_section section;
	} names[] = {
		{ ".text", AS_TEXT }, { ".data.__sys_host", AS_HOST }, { ".dpu_host", AS_HOST },
		{ ".data", AS_DATA }, { ".rodata", AS_DATA }, { ".bss", AS_BSS },
		{ ".mram.noinit", AS_MRAM_NOINIT }, { ".mram", AS_MRAM }, { ".atomic", AS_ATOMIC },
	};
	static const struct {
		const char *name;
		enum as_section section;
	} debug[] = {
		{ ".debug_info", AS_INFO }, { ".debug_abbrev", AS_ABBREV }, { ".debug_str", AS_STR },
		{ ".debug_ranges", AS_RANGES }, { ".debug_loc", AS_LOC },
	};
	/* Other sections for linkers and debuggers. */
	static const char *const skipped[] = {
		".debug_", ".note", ".stack_size", ".comment", ".eh_frame", ".llvm"
	};

	as->skipping = false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (starts_with(name, names[i].prefix)) {
			as->current = names[i].section;
			return;
		}
	}
	for (size_t i = 0; i < sizeof(debug) / sizeof(debug[0]); i++) {
		if (!strcmp(name, debug[i].name)) {
			as->current = debug[i].section;
			name_section(as, name);
			return;
		}
	}
	for (size_t i = 0; i < sizeof(skipped) / sizeof(skipped[0]); i++)
		as->skipping |= starts_with(name, skipped[i]);
	if (!as->skipping)
		as_fail(as, "unknown section '%s'; use .text, .data, .bss, .dpu_host, .mram, "
			".mram.noinit or .atomic", name);
}

static void directive_section(struct as *as, const struct operands *o)
{
	char *name = o->text[0];
	size_t length = strlen(name);

	if (length > 1 && name[0] == '"' && name[length - 1] == '"') {
		name[length - 1] = '\0';
		name++;
	}
	enter_section(as, name);
}

static void own_section(struct as *as, const struct operands *o)
{
	enter_section(as, o->name);
}

static void space(struct as *as, const struct operands *o)
{
	int64_t count = as_number(as, o->text[0]);
	int64_t value = o->count == 2 ? as_number(as, o->text[1]) : 0;
	struct as_buffer *s = &as->sections[as->current];

	directive_reserve(as, count);
	if (as->pass == 2 && value)
		memset(s->bytes + s->size - count, value, count);
}

static void align_to(struct as *as, int64_t to)
{
	uint32_t size = as->sections[as->current].size;

	if (to <= 0 || to > 65536 || to & (to - 1))
		as_fail(as, "cannot align to %lld bytes: not a power of two up to 65536", (long long)to);
	if (as->current == AS_TEXT && to > 8)
		as_fail(as, "instructions are aligned to 8 bytes only");
	directive_reserve(as, -size & (to - 1));
}

static void align(struct as *as, const struct operands *o)
{
	align_to(as, as_number(as, o->text[0]));
}

static void align_power(struct as *as, const struct operands *o)
{
	align_to(as, INT64_C(1) << (as_number(as, o->text[0]) & 31));
}

static void origin(struct as *as, const struct operands *o)
{
	int64_t offset = as_number(as, o->text[0]);

	if (offset < as->sections[as->current].size)
		as_fail(as, ".org %lld is before this place", (long long)offset);
	directive_reserve(as, offset - as->sections[as->current].size);
}

static struct as_symbol *directive_symbol(struct as *as, const char *name)
{
	return as_symbol(as, name, strlen(name), true);
}

static void global(struct as *as, const struct operands *o)
{
	for (unsigned int i = 0; i < o->count; i++)
		directive_symbol(as, o->text[i])->global = true;
}

static void local(struct as *as, const struct operands *o)
{
	for (unsigned int i = 0; i < o->count; i++)
		as_local(as, o->text[i], strlen(o->text[i]));
}

static void size_of(struct as *as, const struct operands *o)
{
	int64_t n = as_number(as, o->text[1]);
	struct as_symbol *s = directive_symbol(as, o->text[0]);

	/* A difference of addresses in .text is in instructions; a size is in bytes. */
	s->size = s->section == AS_TEXT ? n * 8 : n;
}

static void type_of(struct as *as, const struct operands *o)
{
	struct as_symbol *s = directive_symbol(as, o->text[0]);

	s->function = strstr(o->text[1], "function");
	s->object = strstr(o->text[1], "object");
}

void as_assign(struct as *as, const char *name, size_t length, const char *value)
{
	int64_t n = as_number(as, value);
	struct as_symbol *s = as_symbol(as, name, length, true);

	s->section = AS_ABSOLUTE;
	s->offset = n;
}

static void directive_set(struct as *as, const struct operands *o)
{
	as_assign(as, o->text[0], strlen(o->text[0]), o->text[1]);
}

/* .comm and .lcomm: a variable without a value, in the section for these. */
static void common(struct as *as, const struct operands *o)
{
	enum as_section current = as->current;

	as->current = AS_BSS;
	align_to(as, o->count == 3 ? as_number(as, o->text[2]) : 8);
	as_label(as, o->text[0], strlen(o->text[0]));
	directive_symbol(as, o->text[0])->size = as_number(as, o->text[1]);
	directive_reserve(as, as_number(as, o->text[1]));
	as->current = current;
}

static void directive_ignore(struct as *as, const struct operands *o)
{
	(void)as;
	(void)o;
}

char *dpu_asm_read(const char *path)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
	char *text = NULL, *longer;
	size_t size = 0, n;

	if (!file)
		return NULL;
	do {
		longer = realloc(text, size + 65537);
		n = longer ? fread(longer + size, 1, 65536, file) : 0;
		text = longer ? longer : text;
		size += n;
		if (longer)
			text[size] = '\0';
	} while (n);
	if (file != stdin)
		fclose(file);
	if (!longer) {
		free(text);
		text = NULL;
	}
	return text;
}

struct as_file *as_keep_file(struct as *as, const char *path)
{
	struct as_file *file = calloc(1, sizeof(*file));

	if (!file)
		as_fail(as, "out of memory");
	file->next = as->files;
	as->files = file;
	file->path = strdup(path);
	if (!file->path)
		as_fail(as, "out of memory");
	return file;
}

static void include(struct as *as, const struct operands *o)
{
	const char *slash = strrchr(as->file_name, '/');
	char *name = o->text[0];
	size_t length = strlen(name);
	struct as_file *file;
	char *read, path[4096];

	if (length < 2 || name[0] != '"' || name[length - 1] != '"')
		as_fail(as, ".include needs a file name in quotes");
	name[length - 1] = '\0';
	name++;
	snprintf(path, sizeof(path), "%.*s%s", slash ? (int)(slash - as->file_name + 1) : 0,
		 as->file_name, name);
	read = dpu_asm_read(path);
	for (size_t i = 0; !read && i < as->options->include_count; i++) {
		snprintf(path, sizeof(path), "%s/%s", as->options->include_dirs[i], name);
		read = dpu_asm_read(path);
	}
	if (!read)
		as_fail(as, "cannot read \"%s\": %s; give its folder with -I", name, strerror(errno));
	file = as_keep_file(as, path);
	file->text = read;
	as->read(as, file->path, 1, read);
}

static const struct directive {
	const char *name;		/* prefix of a name that ends in a dot or underscore */
	void (*run)(struct as *as, const struct operands *o);
	unsigned int argument, min, max;	/* number of operands */
	void (*parse)(struct as *as, const char *text);	/* parses its operands itself */
} directives[] = {
	{ ".byte", directive_numbers, 1, 0, MAX_PIECES, NULL },
	{ ".2byte", directive_numbers, 2, 0, MAX_PIECES, NULL },
	{ ".short", directive_numbers, 2, 0, MAX_PIECES, NULL },
	{ ".half", directive_numbers, 2, 0, MAX_PIECES, NULL },
	{ ".hword", directive_numbers, 2, 0, MAX_PIECES, NULL },
	{ ".4byte", directive_numbers, 4, 0, MAX_PIECES, NULL },
	{ ".long", directive_numbers, 4, 0, MAX_PIECES, NULL },
	{ ".word", directive_numbers, 4, 0, MAX_PIECES, NULL },
	{ ".int", directive_numbers, 4, 0, MAX_PIECES, NULL },
	{ ".8byte", directive_numbers, 8, 0, MAX_PIECES, NULL },
	{ ".quad", directive_numbers, 8, 0, MAX_PIECES, NULL },
	{ ".uleb128", directive_leb, UNSIGNED, 0, MAX_PIECES, NULL },
	{ ".sleb128", directive_leb, SIGNED, 0, MAX_PIECES, NULL },
	{ ".ascii", directive_strings, BARE, 0, MAX_PIECES, NULL },
	{ ".asciz", directive_strings, TERMINATED, 0, MAX_PIECES, NULL },
	{ ".string", directive_strings, TERMINATED, 0, MAX_PIECES, NULL },
	{ ".zero", space, 0, 1, 2, NULL },
	{ ".space", space, 0, 1, 2, NULL }, { ".skip", space, 0, 1, 2, NULL },
	{ ".align", align, 0, 1, 3, NULL }, { ".balign", align, 0, 1, 3, NULL },
	{ ".p2align", align_power, 0, 1, 3, NULL }, { ".org", origin, 0, 1, 1, NULL },
	{ ".text", own_section, 0, 0, 1, NULL },
	{ ".data", own_section, 0, 0, 1, NULL }, { ".bss", own_section, 0, 0, 1, NULL },
	{ ".section", directive_section, 0, 1, MAX_PIECES, NULL },
	{ ".globl", global, 0, 1, MAX_PIECES, NULL }, { ".global", global, 0, 1, MAX_PIECES, NULL },
	{ ".size", size_of, 0, 2, 2, NULL }, { ".type", type_of, 0, 2, 2, NULL },
	{ ".set", directive_set, 0, 2, 2, NULL }, { ".equ", directive_set, 0, 2, 2, NULL },
	{ ".comm", common, 0, 2, 3, NULL }, { ".lcomm", common, 0, 2, 3, NULL },
	{ ".include", include, 0, 1, 1, NULL },
	/* for linkers and debuggers: ignored */
	{ ".file", NULL, 0, 0, 0, as_line_file }, { ".loc", NULL, 0, 0, 0, as_line_loc },
	{ ".ident", directive_ignore, 0, 0, MAX_PIECES, NULL },
	{ ".cfi_", directive_ignore, 0, 0, MAX_PIECES, NULL },
	{ ".addrsig", directive_ignore, 0, 0, MAX_PIECES, NULL },
	{ ".addrsig_sym", directive_ignore, 0, 0, MAX_PIECES, NULL },
	{ ".p2alignl", directive_ignore, 0, 0, MAX_PIECES, NULL },
	{ ".local", local, 0, 1, MAX_PIECES, NULL },
	{ ".weak", directive_ignore, 0, 0, MAX_PIECES, NULL },
	{ ".hidden", directive_ignore, 0, 0, MAX_PIECES, NULL },
	{ ".protected", directive_ignore, 0, 0, MAX_PIECES, NULL },
};

static bool is_named(const struct directive *d, const char *name, size_t length)
{
	size_t own = strlen(d->name);

	if (d->name[own - 1] == '_')
		return length >= own && !memcmp(d->name, name, own);
	return length == own && !memcmp(d->name, name, own);
}

static const struct directive *directive_find(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++)
		if (is_named(&directives[i], name, length))
			return &directives[i];
	return NULL;
}

static bool changes_section(const struct directive *d)
{
	return d && (d->run == directive_section || d->run == own_section);
}

void as_directive(struct as *as, const char *name, size_t length, char *operands)
{
	const struct directive *d = directive_find(name, length);
	struct operands o;

	if (as->skipping && !changes_section(d))
		return;
	if (!d)
		as_fail(as, "unknown directive '%.*s'", (int)length, name);
	if (d->run == directive_ignore)
		return;
	if (d->parse) {
		d->parse(as, operands);
		return;
	}
	o.count = as_split(as, operands, o.text, MAX_PIECES);
	o.argument = d->argument;
	o.name = d->name;
	if (o.count < d->min || o.count > d->max)
		as_fail(as, "'%s' takes %u to %u operands", d->name, d->min, d->max);
	d->run(as, &o);
}
