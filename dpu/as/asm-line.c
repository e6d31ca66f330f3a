// SPDX-License-Identifier: GPL-2.0-only
/*
 * Source lines of instructions as DWARF 4: from a compiler's .file and .loc, or with -g the assembler's own. Types and
 * variables come from the compiler's sections, whose units all have this one table of lines.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dpu/as/asm-internal.h"

static unsigned int file_index(struct as *as, const char *name)
{
	for (size_t i = 0; i < as->line_file_count; i++)
		if (!strcmp(as->line_files[i].name, name))
			return i;
	as->line_files = as_grow(as, as->line_files, as->line_file_count, &as->line_file_space,
				 sizeof(as->line_files[0]));
	as->line_files[as->line_file_count].name = strdup(name);
	if (!as->line_files[as->line_file_count].name)
		as_fail(as, "out of memory");
	return as->line_file_count++;
}

/* Reads the next quoted string and moves text past it; false if there is none. */
static bool quoted(const char **text, char *string, size_t size)
{
	const char *start = strchr(*text, '"'), *end = start ? strchr(start + 1, '"') : NULL;

	if (!end || (size_t)(end - start) > size)
		return false;
	memcpy(string, start + 1, end - start - 1);
	string[end - start - 1] = '\0';
	*text = end + 1;
	return true;
}

/* .file "name" does not define a number; .file NUMBER "name" and .file NUMBER "directory" "name" do. */
void as_line_file(struct as *as, const char *text)
{
	char first[1024], second[1024], path[2050];
	struct as_numbered_file *f;
	char *end;
	unsigned long number = strtoul(text, &end, 10);
	bool two;

	if (end == text || as->pass != 2 || !quoted(&text, first, sizeof(first)))
		return;
	two = quoted(&text, second, sizeof(second));
	if (two && second[0] != '/')
		snprintf(path, sizeof(path), "%s/%s", first, second);
	else
		snprintf(path, sizeof(path), "%s", two ? second : first);
	as->numbered = as_grow(as, as->numbered, as->numbered_count, &as->numbered_space,
			       sizeof(as->numbered[0]));
	f = &as->numbered[as->numbered_count++];
	*f = (struct as_numbered_file){ as->file, number, file_index(as, path) };
}

void as_line_loc(struct as *as, const char *text)
{
	unsigned int number, line;

	if (as->pass != 2 || sscanf(text, "%u %u", &number, &line) != 2)
		return;
	for (size_t i = 0; i < as->numbered_count; i++) {
		const struct as_numbered_file *f = &as->numbered[i];

		if (f->source != as->file || f->number != number)
			continue;
		as->loc_file = f->index;
		as->loc_line = line;
		as->loc_source = as->file;
		as->loc_body = strstr(text, "prologue_end");
	}
}

void as_line_insn(struct as *as)
{
	struct as_line l = { .index = as->sections[AS_TEXT].size / 8 };

	if (as->pass != 2 || !as->file)
		return;
	if (as->loc_source == as->file && as->loc_line) {
		l.file = as->loc_file;
		l.line = as->loc_line;
		l.body = as->loc_body;
		as->loc_body = false;
	} else if (as->options->lines) {
		l.file = file_index(as, as->file_name);
		l.line = as->line;
	} else {
		return;
	}
	as->lines = as_grow(as, as->lines, as->line_count, &as->line_space, sizeof(l));
	as->lines[as->line_count++] = l;
}

/* Bytes of a debug section. */
struct bytes {
	uint8_t *data;
	size_t size, space;
};

static void line_put(struct as *as, struct bytes *b, uint64_t value, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++) {
		b->data = as_grow(as, b->data, b->size, &b->space, 1);
		b->data[b->size++] = value >> (8 * i);
	}
}

static void put_text(struct as *as, struct bytes *b, const char *text)
{
	do
		line_put(as, b, (uint8_t)*text, 1);
	while (*text++);
}

static void put_uleb(struct as *as, struct bytes *b, uint32_t value)
{
	for (; value >= 0x80; value >>= 7)
		line_put(as, b, value | 0x80, 1);
	line_put(as, b, value, 1);
}

static void put_sleb(struct as *as, struct bytes *b, int32_t value)
{
	for (; value >= 64 || value < -64; value >>= 7)
		line_put(as, b, (value & 0x7f) | 0x80, 1);
	line_put(as, b, value & 0x7f, 1);
}

static void patch32(struct bytes *b, size_t at, uint32_t value)
{
	memcpy(b->data + at, &value, 4);
}

static void put_header(struct as *as, struct bytes *b)
{
	/* operands of the standard opcodes 1 to 12 */
	static const uint8_t lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
	size_t header;

	line_put(as, b, 0, 4);		/* length, filled in below */
	line_put(as, b, 4, 2);		/* version */
	header = b->size;
	line_put(as, b, 0, 4);		/* length of the header */
	line_put(as, b, 1, 1);		/* shortest instruction, in addresses */
	line_put(as, b, 1, 1);		/* operations an instruction */
	line_put(as, b, 1, 1);		/* each row begins a statement */
	line_put(as, b, -5, 1);		/* line base and range, unused */
	line_put(as, b, 14, 1);
	line_put(as, b, sizeof(lengths) + 1, 1);
	for (size_t i = 0; i < sizeof(lengths); i++)
		line_put(as, b, lengths[i], 1);
	line_put(as, b, 0, 1);		/* no directories */
	for (size_t i = 0; i < as->line_file_count; i++) {
		put_text(as, b, as->line_files[i].name);
		line_put(as, b, 0, 3);	/* directory, time, length: unknown */
	}
	line_put(as, b, 0, 1);
	patch32(b, header, b->size - header - 4);
}

enum { ADVANCE_PC = 2, COPY = 1, ADVANCE_LINE = 3, SET_FILE = 4, PROLOGUE_END = 10, END_SEQUENCE = 1, SET_ADDRESS = 2 };

static void put_rows(struct as *as, struct bytes *b)
{
	unsigned int file = 1, line = 1, index = as->lines[0].index;

	line_put(as, b, 0, 1);
	put_uleb(as, b, 5);
	line_put(as, b, SET_ADDRESS, 1);
	line_put(as, b, DPU_IRAM_FLAG + 8 * index, 4);
	for (size_t i = 0; i < as->line_count; i++) {
		const struct as_line *l = &as->lines[i];

		line_put(as, b, ADVANCE_PC, 1);
		put_uleb(as, b, 8 * (l->index - index));
		if (l->file + 1 != file) {
			line_put(as, b, SET_FILE, 1);
			put_uleb(as, b, l->file + 1);
		}
		line_put(as, b, ADVANCE_LINE, 1);
		put_sleb(as, b, (int32_t)l->line - (int32_t)line);
		if (l->body)
			line_put(as, b, PROLOGUE_END, 1);
		line_put(as, b, COPY, 1);
		file = l->file + 1;
		line = l->line;
		index = l->index;
	}
	line_put(as, b, ADVANCE_PC, 1);
	put_uleb(as, b, 8);
	line_put(as, b, 0, 1);
	put_uleb(as, b, 1);
	line_put(as, b, END_SEQUENCE, 1);
}

/* One compilation unit: its entry has the line table's place and the range of addresses. */
static void put_unit(struct as *as, struct bytes *abbrev, struct bytes *info)
{
	/* attribute and form: producer, language, name, directory, line table, lowest and highest address */
	static const uint8_t attributes[][2] = {
		{ 0x25, 0x08 }, { 0x13, 0x05 }, { 0x03, 0x08 }, { 0x1b, 0x08 }, { 0x10, 0x17 },
		{ 0x11, 0x01 }, { 0x12, 0x01 }, { 0, 0 }
	};
	char *directory = getcwd(NULL, 0);
	size_t offset = abbrev->size, start = info->size;

	line_put(as, abbrev, 1, 1);
	line_put(as, abbrev, 0x11, 1);	/* a compilation unit */
	line_put(as, abbrev, 0, 1);		/* without children */
	for (size_t i = 0; i < sizeof(attributes); i++)
		line_put(as, abbrev, attributes[i / 2][i % 2], 1);
	line_put(as, abbrev, 0, 1);
	line_put(as, info, 0, 4);		/* length, filled in below */
	line_put(as, info, 4, 2);		/* version */
	line_put(as, info, offset, 4);	/* in .debug_abbrev */
	line_put(as, info, 4, 1);		/* bytes of an address */
	line_put(as, info, 1, 1);
	put_text(as, info, "dpu-as");
	line_put(as, info, 0x8001, 2);	/* assembler */
	put_text(as, info, as->line_files[0].name);
	put_text(as, info, directory ? directory : ".");
	line_put(as, info, 0, 4);		/* offset in .debug_line */
	line_put(as, info, DPU_IRAM_FLAG + 8 * as->lines[0].index, 4);
	line_put(as, info, DPU_IRAM_FLAG + 8 * as->lines[as->line_count - 1].index + 8, 4);
	patch32(info, start, info->size - start - 4);
	free(directory);
}

/* A copy of what the sources have in a section, to which more can be added. */
static struct bytes line_copy(struct as *as, enum as_section section)
{
	const struct as_buffer *s = &as->sections[section];
	struct bytes b = { malloc(s->size + 1), s->size, s->size + 1 };

	if (!b.data)
		as_fail(as, "out of memory");
	memcpy(b.data, s->bytes, s->size);
	return b;
}

void as_line_sections(struct as *as, struct as_debug debug[AS_DEBUG_SECTIONS])
{
	static const struct {
		enum as_section section;
		const char *name;
	} sections[] = {
		{ AS_ABBREV, ".debug_abbrev" }, { AS_INFO, ".debug_info" }, { AS_STR, ".debug_str" },
		{ AS_RANGES, ".debug_ranges" }, { AS_LOC, ".debug_loc" },
	};
	struct bytes all[AS_DEBUG_SECTIONS] = { { 0 } };

	for (int i = 1; i < AS_DEBUG_SECTIONS; i++)
		all[i] = line_copy(as, sections[i - 1].section);
	if (as->line_count) {
		put_header(as, &all[0]);
		put_rows(as, &all[0]);
		patch32(&all[0], 0, all[0].size - 4);
		put_unit(as, &all[1], &all[2]);
	}
	debug[0] = (struct as_debug){ ".debug_line", all[0].data, all[0].size };
	for (int i = 1; i < AS_DEBUG_SECTIONS; i++)
		debug[i] = (struct as_debug){ sections[i - 1].name, all[i].data, all[i].size };
}

void as_line_free(struct as *as)
{
	for (size_t i = 0; i < as->line_file_count; i++)
		free(as->line_files[i].name);
	free(as->line_files);
	free(as->numbered);
	free(as->lines);
}
