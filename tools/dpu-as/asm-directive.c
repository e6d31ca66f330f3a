// SPDX-License-Identifier: GPL-2.0-only
/* Directives: those of GNU as that compilers and people write for a DPU. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dpu-as/asm-internal.h"

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

/* Not one by one, because MRAM variables may be large. */
static void reserve(struct as *as, int64_t count, uint8_t value)
{
	struct as_buffer *s = &as->sections[as->current];

	if (count < 0 || count > (int64_t)DPU_MRAM_SIZE - s->size)
		as_fail(as, "cannot reserve %lld bytes", (long long)count);
	s->size += count;
	if (as->pass == 2 && s->size > s->allocated)
		as_fail(as, "the program changed between the passes");
	if (as->pass == 2 && value)
		memset(s->bytes + s->size - count, value, count);
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

static void numbers(struct as *as, char **pieces, unsigned int count, unsigned int size)
{
	for (unsigned int i = 0; i < count; i++) {
		int64_t n = as_number(as, pieces[i]);
		uint8_t bytes[8];

		if (size < 8 && (n < -(INT64_C(1) << (8 * size - 1)) || n >= INT64_C(1) << (8 * size)))
			as_fail(as, "%lld does not fit %u bytes", (long long)n, size);
		for (unsigned int j = 0; j < size; j++)
			bytes[j] = (uint64_t)n >> (8 * j);
		as_emit(as, bytes, size);
	}
}

static unsigned int octal(const char **p)
{
	unsigned int c = 0;

	for (int i = 0; i < 3 && **p >= '0' && **p <= '7'; i++)
		c = c * 8 + *(*p)++ - '0';
	return c;
}

static void strings(struct as *as, char **pieces, unsigned int count, bool terminated)
{
	for (unsigned int i = 0; i < count; i++) {
		const char *p = pieces[i];

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
		if (terminated)
			as_emit(as, "", 1);
	}
}

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static void section(struct as *as, const char *name)
{
	/* Longer names first: .data.x is .data. */
	static const struct {
		const char *prefix;
		enum as_section section;
	} names[] = {
		{ ".text", AS_TEXT }, { ".data.__sys_host", AS_HOST }, { ".dpu_host", AS_HOST },
		{ ".data", AS_DATA }, { ".rodata", AS_DATA }, { ".bss", AS_BSS },
		{ ".mram.noinit", AS_MRAM_NOINIT }, { ".mram", AS_MRAM }, { ".atomic", AS_ATOMIC },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (starts_with(name, names[i].prefix)) {
			as->current = names[i].section;
			return;
		}
	}
	as_fail(as, "unknown section '%s'; use .text, .data, .bss, .dpu_host, .mram, .mram.noinit or "
		".atomic", name);
}

static void align(struct as *as, int64_t to)
{
	uint32_t size = as->sections[as->current].size;

	if (to <= 0 || to > 65536 || to & (to - 1))
		as_fail(as, "cannot align to %lld bytes: not a power of two up to 65536", (long long)to);
	if (as->current == AS_TEXT && to > 8)
		as_fail(as, "instructions are aligned to 8 bytes only");
	reserve(as, -size & (to - 1), 0);
}

static void origin(struct as *as, int64_t offset)
{
	if (offset < as->sections[as->current].size)
		as_fail(as, ".org %lld is behind this place", (long long)offset);
	reserve(as, offset - as->sections[as->current].size, 0);
}

static void size_of(struct as *as, const char *name, const char *text)
{
	struct as_symbol *s = as_symbol(as, name, strlen(name), true);
	int64_t n = as_number(as, text);

	/* A difference of places in .text counts instructions; a size counts bytes. */
	s->size = s->section == AS_TEXT ? n * 8 : n;
}

static void type_of(struct as *as, const char *name, const char *type)
{
	struct as_symbol *s = as_symbol(as, name, strlen(name), true);

	s->function = strstr(type, "function");
	s->object = strstr(type, "object");
}

static void set(struct as *as, const char *name, const char *text)
{
	int64_t n = as_number(as, text);
	struct as_symbol *s = as_symbol(as, name, strlen(name), true);

	s->section = AS_ABSOLUTE;
	s->offset = n;
}

static char *read_text(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t size = 0, n;

	if (!file)
		return NULL;
	do {
		char *longer = realloc(text, size + 4097);

		if (!longer)
			break;
		text = longer;
		n = fread(text + size, 1, 4096, file);
		size += n;
		text[size] = '\0';
	} while (n);
	fclose(file);
	return text;
}

static void include(struct as *as, char *name)
{
	const char *slash = strrchr(as->file_name, '/');
	size_t length = strlen(name);
	struct as_file *file;
	char path[4096];

	if (length < 2 || name[0] != '"' || name[length - 1] != '"')
		as_fail(as, ".include needs a file name in quotes");
	if (as->depth >= 16)
		as_fail(as, ".include nested too deeply");
	name[length - 1] = '\0';
	name++;
	file = calloc(1, sizeof(*file));
	if (!file)
		as_fail(as, "out of memory");
	file->next = as->files;
	as->files = file;
	snprintf(path, sizeof(path), "%.*s%s", slash ? (int)(slash - as->file_name + 1) : 0,
		 as->file_name, name);
	file->text = read_text(path);
	for (size_t i = 0; !file->text && i < as->options->include_count; i++) {
		snprintf(path, sizeof(path), "%s/%s", as->options->include_dirs[i], name);
		file->text = read_text(path);
	}
	file->path = strdup(path);
	if (!file->text || !file->path)
		as_fail(as, "cannot read \"%s\": %s; give its folder with -I", name, strerror(errno));
	as->depth++;
	as_text(as, file->path, file->text);
	as->depth--;
}

void as_directive(struct as *as, const char *name, size_t length, char *operands)
{
	static const struct {
		const char *name;
		unsigned int size;
	} data[] = {
		{ ".byte", 1 }, { ".2byte", 2 }, { ".short", 2 }, { ".half", 2 }, { ".hword", 2 },
		{ ".4byte", 4 }, { ".long", 4 }, { ".word", 4 }, { ".int", 4 },
		{ ".8byte", 8 }, { ".quad", 8 },
	};
	static const char *const ignored[] = {
		".file", ".ident", ".loc", ".addrsig", ".addrsig_sym", ".p2alignl", ".weak",
		".hidden", ".protected"
	};
	char *pieces[MAX_PIECES], key[24];
	unsigned int count;

	if (length >= sizeof(key))
		as_fail(as, "unknown directive '%.*s'", (int)length, name);
	memcpy(key, name, length);
	key[length] = '\0';
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		if (!strcmp(key, ignored[i]))
			return;
	count = as_split(as, operands, pieces, MAX_PIECES);
	for (size_t i = 0; i < sizeof(data) / sizeof(data[0]); i++) {
		if (!strcmp(key, data[i].name)) {
			numbers(as, pieces, count, data[i].size);
			return;
		}
	}
	if (!strcmp(key, ".text") || !strcmp(key, ".data") || !strcmp(key, ".bss"))
		section(as, key);
	else if (!strcmp(key, ".section") && count >= 1)
		section(as, pieces[0]);
	else if (!strcmp(key, ".ascii"))
		strings(as, pieces, count, false);
	else if (!strcmp(key, ".asciz") || !strcmp(key, ".string"))
		strings(as, pieces, count, true);
	else if ((!strcmp(key, ".zero") || !strcmp(key, ".space") || !strcmp(key, ".skip")) && count >= 1)
		reserve(as, as_number(as, pieces[0]), count >= 2 ? as_number(as, pieces[1]) : 0);
	else if ((!strcmp(key, ".align") || !strcmp(key, ".balign")) && count >= 1)
		align(as, as_number(as, pieces[0]));
	else if (!strcmp(key, ".p2align") && count >= 1)
		align(as, INT64_C(1) << (as_number(as, pieces[0]) & 31));
	else if (!strcmp(key, ".org") && count == 1)
		origin(as, as_number(as, pieces[0]));
	else if ((!strcmp(key, ".globl") || !strcmp(key, ".global")) && count == 1)
		as_symbol(as, pieces[0], strlen(pieces[0]), true)->global = true;
	else if (!strcmp(key, ".local") && count == 1)
		as_local(as, pieces[0], strlen(pieces[0]));
	else if (!strcmp(key, ".size") && count == 2)
		size_of(as, pieces[0], pieces[1]);
	else if (!strcmp(key, ".type") && count == 2)
		type_of(as, pieces[0], pieces[1]);
	else if ((!strcmp(key, ".set") || !strcmp(key, ".equ")) && count == 2)
		set(as, pieces[0], pieces[1]);
	else if (!strcmp(key, ".include") && count == 1)
		include(as, pieces[0]);
	else
		as_fail(as, "unknown directive '%s', or wrong operands", key);
}
