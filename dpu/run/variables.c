// SPDX-License-Identifier: GPL-2.0-only
/* Moves a DPU's variables and memories from and to the command line and files. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/output.h"
#include "dpu/run/run.h"

struct place {
	enum dpu_memory memory;
	uint32_t offset, size;
};

/* A copy of text; the caller frees it. */
static char *copy_of(const char *text, size_t length)
{
	char *copy = strndup(text, length);

	if (!copy)
		die(text, "out of memory");
	return copy;
}

/* The heap's symbol has no size: it extends to the end of MRAM. */
static struct place place_of(const struct dpu_program *program, const char *name)
{
	const struct dpu_program_symbol *s = dpu_program_symbol(program, name);
	struct place p;

	if (!s)
		die(name, "no such symbol in the program");
	p.memory = dpu_address(s->value, &p.offset);
	p.size = s->size;
	if (!strcmp(name, DPU_HEAP_SYMBOL))
		p.size = DPU_MRAM_SIZE - p.offset;
	return p;
}

/* The memories take whole words only, so this extends a place to them. */
static uint8_t *read_place(struct dpu *dpu, const struct place *p, const char *name, uint32_t *before,
			   uint32_t *size)
{
	uint32_t align = p->memory == DPU_WRAM ? 4 : 8;
	uint8_t *bytes;

	*before = p->offset % align;
	*size = (*before + p->size + align - 1) & -align;
	bytes = malloc(*size + 1);
	if (!bytes || !dpu_read(dpu, p->memory, p->offset - *before, bytes, *size))
		die(name, "outside its memory");
	return bytes;
}

static void write_place(struct dpu *dpu, const struct place *p, const char *name, const void *data)
{
	uint32_t before, size;
	uint8_t *bytes = read_place(dpu, p, name, &before, &size);

	memcpy(bytes + before, data, p->size);
	if (!dpu_write(dpu, p->memory, p->offset - before, bytes, size))
		die(name, "outside its memory");
	free(bytes);
}

/* A file name with the DPU's number for %d. */
static void number_path(char *path, size_t size, const char *name, unsigned int number)
{
	const char *mark = strstr(name, "%d");

	if (mark)
		snprintf(path, size, "%.*s%u%s", (int)(mark - name), name, number, mark + 2);
	else
		snprintf(path, size, "%s", name);
}

static uint8_t *read_file(const char *name, unsigned int number, uint32_t most, uint32_t *size)
{
	uint8_t *bytes = malloc((size_t)most + 1);
	char path[4096];
	FILE *file;

	if (!bytes)
		die(name, "out of memory");
	number_path(path, sizeof(path), name, number);
	file = fopen(path, "rb");
	if (!file)
		die(path, strerror(errno));
	*size = fread(bytes, 1, (size_t)most + 1, file);
	if (ferror(file))
		die(name, strerror(errno));
	if (*size > most)
		die(name, "longer than what it is for");
	fclose(file);
	return bytes;
}

static uint64_t number_of(const char *text, const char *what)
{
	char *end;
	uint64_t n;

	errno = 0;
	n = strtoull(text, &end, 0);
	if (!*text || *end || errno)
		die(what, "not a number");
	return n;
}

static void set_number(struct dpu *dpu, struct place *p, const char *name, const char *text)
{
	uint64_t n = number_of(text, text);
	bool fits = p->size >= 8 || !(n >> (8 * p->size)) ||
		    (text[0] == '-' && (int64_t)n >= -(INT64_C(1) << (8 * p->size - 1)));

	if (!p->size || p->size > 8)
		die(name, "is no number of 1 to 8 bytes: give its bytes with =@FILE");
	if (!fits)
		die(text, "does not fit the variable");
	write_place(dpu, p, name, &n);
}

void set_variable(struct dpu *dpu, unsigned int number, const struct dpu_program *program, const char *arg)
{
	const char *equals = strchr(arg, '=');
	struct place p;
	uint8_t *bytes;
	char *name;

	if (!equals)
		die(arg, "must be SYMBOL=VALUE or SYMBOL=@FILE");
	name = copy_of(arg, equals - arg);
	p = place_of(program, name);
	if (equals[1] == '@') {
		bytes = read_file(equals + 2, number, p.size, &p.size);
		write_place(dpu, &p, name, bytes);
		free(bytes);
	} else {
		set_number(dpu, &p, name, equals + 1);
	}
	free(name);
}

void set_mram(struct dpu *dpu, unsigned int number, const char *arg)
{
	const char *equals = strchr(arg, '=');
	struct place p = { DPU_MRAM, 0, 0 };
	uint8_t *bytes;
	uint64_t offset;
	char *text;

	if (!equals || equals[1] != '@')
		die(arg, "must be OFFSET=@FILE");
	text = copy_of(arg, equals - arg);
	offset = number_of(text, arg);
	if (offset >= DPU_MRAM_SIZE)
		die(arg, "MRAM has 64 MiB");
	p.offset = offset;
	bytes = read_file(equals + 2, number, DPU_MRAM_SIZE - p.offset, &p.size);
	write_place(dpu, &p, arg, bytes);
	free(bytes);
	free(text);
}

static void dump_hex(const uint8_t *bytes, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		printf("%s%02x%s", i % 16 ? " " : "", bytes[i], i % 16 == 15 || i + 1 == size ? "\n" : "");
}

/* MRAM:OFFSET:LENGTH, or a symbol. */
static struct place dumped(const struct dpu_program *program, char *what)
{
	struct place p = { DPU_MRAM, 0, 0 };
	char *colon = strchr(what, ':');
	uint64_t offset, size;

	if (strncmp(what, "MRAM:", 5))
		return place_of(program, what);
	colon = strchr(what + 5, ':');
	if (!colon)
		die(what, "must be MRAM:OFFSET:LENGTH");
	*colon = '\0';
	offset = number_of(what + 5, what);
	size = number_of(colon + 1, what);
	*colon = ':';
	if (offset >= DPU_MRAM_SIZE || size > DPU_MRAM_SIZE - offset)
		die(what, "MRAM has 64 MiB");
	p.offset = offset;
	p.size = size;
	return p;
}

void dump_memory(struct dpu *dpu, unsigned int number, const struct dpu_program *program, const char *arg)
{
	const char *equals = strchr(arg, '=');
	char *what = copy_of(arg, equals ? (size_t)(equals - arg) : strlen(arg));
	struct place p = dumped(program, what);
	uint32_t before, size;
	uint8_t *bytes = read_place(dpu, &p, what, &before, &size);
	char path[4096];
	FILE *file;

	if (equals) {
		number_path(path, sizeof(path), equals + 1, number);
		file = output_open(path);
		if (!file)
			die(path, strerror(errno));
		fwrite(bytes + before, 1, p.size, file);
		if (!output_close(file, path))
			die(path, strerror(errno));
	} else {
		dump_hex(bytes + before, p.size);
	}
	free(bytes);
	free(what);
}

void print_variable(struct dpu *dpu, const struct dpu_program *program, const char *name)
{
	struct place p = place_of(program, name);
	uint32_t before, size, step;
	uint8_t *bytes;

	if (!dpu_program_symbol(program, name)->size)
		p.size = 8;
	step = p.size % 8 ? p.size % 4 ? 1 : 4 : 8;
	bytes = read_place(dpu, &p, name, &before, &size);
	printf("%s =", name);
	for (uint32_t i = 0; i < p.size; i += step) {
		uint64_t n = 0;

		memcpy(&n, bytes + before + i, step);
		printf(" %" PRIu64, n);
	}
	printf("\n");
	free(bytes);
}
