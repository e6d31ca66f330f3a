// SPDX-License-Identifier: GPL-2.0-only
/* The program's lines, functions and variables, registers and memory. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/dbg/dbg.h"

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
		elf_lines_close(d->dwarf);
	dpu_program_close(d->program);
	d->program = program;
	d->dwarf = elf_lines_open(program->elf);
	d->list_file = NULL;
	for (unsigned int pc = 0; pc < DPU_IRAM_WORDS; pc++) {
		d->lines[pc] = (struct line){ NULL, 0 };
		if (!dpu_decode(word_at(program, pc), &d->code[pc]))
			d->code[pc].encoding = NULL;
		else if (d->dwarf)
			elf_lines_find(d->dwarf, DPU_IRAM_FLAG + 8 * pc, &d->lines[pc].file,
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

/* A number of up to 8 bytes at an address as linked. */
bool peek(const struct dbg *d, uint32_t address, uint64_t *value, uint32_t size)
{
	uint32_t offset;
	enum dpu_memory memory = dpu_address(address, &offset);

	*value = 0;
	return d->dpu && dpu_peek(d->dpu, memory, offset, value, size);
}

bool no_memory(struct dbg *d, uint32_t address)
{
	if (!d->dpu)
		return wrong(d, "nothing runs: use run");
	if (address >= DPU_ELF_ATOMIC)
		return wrong(d, "an atomic bit has no bytes: use info locks");
	return wrong(d, "0x%08x is in no memory: WRAM begins at 0, MRAM at 0x08000000, IRAM at 0x80000000", address);
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

bool find_dollar(struct dbg *d, const char *name, struct thing *thing)
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

void put_symbol(const struct dbg *d, uint32_t address)
{
	uint32_t offset;
	const struct dpu_program_symbol *s = dpu_address(address, &offset) == DPU_IRAM && offset < 8 * DPU_IRAM_WORDS ?
					     function_at(d, offset / 8) : variable_at(d, address);

	if (s && address == s->value)
		printf(" <%s>", s->name);
	else if (s)
		printf(" <%s+%u>", s->name, address - s->value);
}
