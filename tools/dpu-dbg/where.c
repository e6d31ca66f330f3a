// SPDX-License-Identifier: GPL-2.0-only
/* The program's lines, functions and variables, and the places that users name. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dpu-dbg/dbg.h"

bool wrong(struct dbg *d, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	putchar('\n');
	d->failed = true;
	return false;
}

const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static uint64_t word_at(const struct dpu_program *program, unsigned int pc)
{
	for (size_t i = 0; i < program->segment_count; i++) {
		const struct dpu_segment *s = &program->segments[i];
		uint32_t offset, at = 8 * pc;
		uint64_t word = 0;

		if (dpu_address(s->address, &offset) == DPU_IRAM && at >= offset &&
		    at - offset + 8 <= s->file_size) {
			memcpy(&word, s->data + at - offset, 8);
			return word;
		}
	}
	return 0;
}

void take_program(struct dbg *d, struct dpu_program *program)
{
	if (d->program == program)
		return;
	if (d->dwarf)
		dpu_lines_close(d->dwarf);
	dpu_program_close(d->program);
	d->program = program;
	d->dwarf = dpu_lines_open(program);
	d->list_file = NULL;
	for (unsigned int pc = 0; pc < DPU_IRAM_WORDS; pc++) {
		d->lines[pc] = (struct line){ NULL, 0 };
		if (!dpu_decode(word_at(program, pc), &d->code[pc]))
			d->code[pc].encoding = NULL;
		else if (d->dwarf)
			dpu_lines_find(d->dwarf, DPU_IRAM_FLAG + 8 * pc, &d->lines[pc].file,
				       &d->lines[pc].number);
	}
}

const struct dpu_program_symbol *function_at(const struct dbg *d, unsigned int pc)
{
	uint32_t address = DPU_IRAM_FLAG + 8 * pc;

	for (size_t i = 0; i < d->program->symbol_count; i++) {
		const struct dpu_program_symbol *s = &d->program->symbols[i];

		if (s->function && !s->absolute && address >= s->value && address - s->value < s->size)
			return s;
	}
	return dpu_program_around(d->program, address);
}

const struct dpu_program_symbol *variable_at(const struct dbg *d, uint32_t address)
{
	const struct dpu_program_symbol *best = NULL;

	for (size_t i = 0; i < d->program->symbol_count; i++) {
		const struct dpu_program_symbol *s = &d->program->symbols[i];

		if (!s->absolute && !s->function && address >= s->value && address - s->value < s->size &&
		    (!best || s->size < best->size))
			best = s;
	}
	return best;
}

bool has_line(const struct dbg *d, unsigned int pc)
{
	return pc < DPU_IRAM_WORDS && d->lines[pc].file && d->lines[pc].number;
}

bool same_line(const struct dbg *d, unsigned int pc, unsigned int other)
{
	return d->lines[pc].number == d->lines[other].number && has_line(d, pc) && has_line(d, other) &&
	       !strcmp(d->lines[pc].file, d->lines[other].file);
}

bool parse_number(const char *text, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 0);
	while (isspace((unsigned char)*end))
		end++;
	return *text && !*end && !errno;
}

/*
 * The first instruction of a line in each function; in a function without code for the line that of the next line
 * with code.
 */
static unsigned int find_line(struct dbg *d, const char *file, unsigned int number, unsigned int pc[])
{
	unsigned int best = 0, count = 0;

	for (unsigned int i = 0; i < DPU_IRAM_WORDS; i++)
		if (has_line(d, i) && !strcmp(base_of(d->lines[i].file), base_of(file)) &&
		    d->lines[i].number >= number && (!best || d->lines[i].number < best))
			best = d->lines[i].number;
	for (unsigned int i = 0; best && i < DPU_IRAM_WORDS && count < DPU_MAX_THREADS; i++)
		if (has_line(d, i) && !strcmp(base_of(d->lines[i].file), base_of(file)) &&
		    d->lines[i].number == best &&
		    (!count || function_at(d, pc[count - 1]) != function_at(d, i)))
			pc[count++] = i;
	return count;
}

/* The file of a line number without one: the selected tasklet's, or main's. */
static const char *current_file(struct dbg *d)
{
	const struct dpu_program_symbol *main = dpu_program_symbol(d->program, "main");
	unsigned int pc = d->dpu ? dpu_pc(d->dpu, d->thread) : DPU_IRAM_WORDS;
	uint32_t offset;

	if (has_line(d, pc))
		return d->lines[pc].file;
	if (main && dpu_address(main->value, &offset) == DPU_IRAM && has_line(d, offset / 8))
		return d->lines[offset / 8].file;
	return "";
}

static unsigned int find_address(struct dbg *d, const char *text, unsigned int pc[])
{
	struct thing thing;
	uint32_t offset;

	if (!find_thing(d, text, &thing))
		return 0;
	if (dpu_address(thing.address, &offset) != DPU_IRAM || offset % 8 || offset >= 8 * DPU_IRAM_WORDS) {
		wrong(d, "0x%08x is no instruction: use *0x80000000 and multiples of 8 from there", thing.address);
		return 0;
	}
	pc[0] = offset / 8;
	return 1;
}

static unsigned int find_file_line(struct dbg *d, const char *text, unsigned int pc[])
{
	const char *colon = strrchr(text, ':');
	char *file = colon ? strndup(text, colon - text) : strdup(current_file(d));
	uint64_t number;
	unsigned int count = 0;

	if (file && parse_number(colon ? colon + 1 : text, &number))
		count = find_line(d, file, number, pc);
	free(file);
	if (!count)
		wrong(d, "no code for %s: compile with -g, or name a function", text);
	return count;
}

unsigned int find_places(struct dbg *d, const char *text, unsigned int pc[DPU_MAX_THREADS])
{
	const struct dpu_program_symbol *s;
	uint32_t offset;

	if (!d->program) {
		wrong(d, "no program yet");
		return 0;
	}
	if (*text == '*')
		return find_address(d, text + 1, pc);
	s = dpu_program_symbol(d->program, text);
	if (s && !s->absolute && dpu_address(s->value, &offset) == DPU_IRAM && !(s->value & 0x40000000)) {
		pc[0] = offset / 8;
		return 1;
	}
	if (isdigit((unsigned char)*text) || strchr(text, ':'))
		return find_file_line(d, text, pc);
	wrong(d, "no function %s: use FUNCTION, LINE, FILE:LINE or *ADDRESS", text);
	return 0;
}

/* r0 to r23, d0 to d22, sp, lr, pc, cycle and the constants; -1: none */
static int find_register(const char *name)
{
	static const char *const constants[] = { "zero", "one", "lneg", "mneg", "id", "id2", "id4", "id8" };
	uint64_t number;

	if (name[0] == 'r' && isdigit((unsigned char)name[1]) && parse_number(name + 1, &number) &&
	    number < DPU_REG_ZERO)
		return number;
	for (int i = 0; i < 8; i++)
		if (!strcmp(name, constants[i]))
			return DPU_REG_ZERO + i;
	return !strcmp(name, "sp") ? 22 : !strcmp(name, "lr") ? 23 : -1;
}

static bool find_dollar(struct dbg *d, const char *name, struct thing *thing)
{
	uint64_t number;

	*thing = (struct thing){ .reg = -1, .is_value = true };
	if (!d->dpu)
		return wrong(d, "nothing runs: use run");
	thing->reg = find_register(name);
	if (thing->reg >= 0)
		thing->address = dpu_register(d->dpu, d->thread, thing->reg);
	else if (!strcmp(name, "pc"))
		thing->address = DPU_IRAM_FLAG + 8 * dpu_pc(d->dpu, d->thread);
	else if (name[0] == 'd' && parse_number(name + 1, &number) && number < DPU_REG_ZERO && !(number % 2))
		return wrong(d, "$%s is a pair: print $r%u and $r%u", name, (unsigned int)number,
			     (unsigned int)number + 1);
	else
		return wrong(d, "no register $%s: $r0 to $r23, $pc, $sp, $lr", name);
	return true;
}

/* The heap's symbol has no size of its own. */
static uint32_t element_of(uint32_t size)
{
	return size == 8 ? 8 : size % 4 ? size % 2 ? 1 : size == 2 ? 2 : 1 : 4;
}

static bool find_name(struct dbg *d, const char *name, struct thing *thing)
{
	const struct dpu_program_symbol *s;
	uint64_t number;

	*thing = (struct thing){ .reg = -1 };
	if (*name == '$')
		return find_dollar(d, name + 1, thing);
	if (isdigit((unsigned char)*name)) {
		thing->is_value = true;
		if (!parse_number(name, &number) || number > UINT32_MAX)
			return wrong(d, "%s is no number of 32 bits", name);
		thing->address = number;
		return true;
	}
	s = d->program ? dpu_program_symbol(d->program, *name == '&' ? name + 1 : name) : NULL;
	if (!s)
		return wrong(d, "no variable %s in the program; registers are $r0 to $r23", name);
	thing->address = s->value;
	thing->size = s->size;
	thing->element = element_of(s->size);
	thing->is_value = s->absolute || s->function || *name == '&';
	return true;
}

/* NAME[INDEX] names one element. */
static bool take_index(struct dbg *d, char *bracket, struct thing *thing)
{
	char *end = strchr(bracket, ']');
	struct thing index;

	if (!end || end[1])
		return wrong(d, "a ] is missing");
	*end = '\0';
	if (!find_thing(d, bracket + 1, &index))
		return false;
	if (!index.is_value)
		return wrong(d, "the index must be a number or a register");
	if (!thing->element || index.address >= thing->size / thing->element)
		return wrong(d, "index %u: there are %u elements of %u bytes", index.address,
			     thing->element ? thing->size / thing->element : 0, thing->element);
	thing->address += index.address * thing->element;
	thing->size = thing->element;
	return true;
}

static char *trimmed(const char *text)
{
	size_t length;

	while (isspace((unsigned char)*text))
		text++;
	length = strlen(text);
	while (length && isspace((unsigned char)text[length - 1]))
		length--;
	return strndup(text, length);
}

bool find_thing(struct dbg *d, const char *text, struct thing *thing)
{
	char *name = trimmed(text), *plus, *bracket;
	uint64_t offset = 0;
	bool ok;

	if (!name || !*name) {
		free(name);
		return wrong(d, "what of? name a variable, $register or address");
	}
	plus = strchr(name, '+');
	bracket = strchr(name, '[');
	if (plus && !bracket) {
		if (!parse_number(plus + 1, &offset)) {
			free(name);
			return wrong(d, "%s: no number behind +", text);
		}
		while (plus > name && isspace((unsigned char)plus[-1]))
			plus--;
		*plus = '\0';
	}
	if (bracket) {
		char *copy = strndup(name, bracket - name);

		ok = copy && find_name(d, copy, thing) && take_index(d, bracket, thing);
		free(copy);
	} else {
		ok = find_name(d, name, thing);
		thing->address += offset;
		thing->size = thing->size > offset ? thing->size - offset : 0;
	}
	free(name);
	return ok;
}
