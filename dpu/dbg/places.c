// SPDX-License-Identifier: GPL-2.0-only
/* Places that users name: functions and lines, variables and addresses. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/dbg/types.h"

/* A string of this kind is freed at the end of its scope. */
#define AUTO_FREE __attribute__((cleanup(free_text)))
static void free_text(char **text)
{
	free(*text);
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
	AUTO_FREE char *file = colon ? strndup(text, colon - text) : strdup(current_file(d));
	uint64_t number;
	unsigned int count = 0;

	if (file && parse_number(colon ? colon + 1 : text, &number))
		count = find_line(d, file, number, pc);
	if (!count)
		wrong(d, "no code for %s: compile with -g, or name a function", text);
	return count;
}

unsigned int find_places(struct dbg *d, const char *text, unsigned int pc[DPU_MAX_THREADS])
{
	const struct dpu_program_symbol *s;
	unsigned int count = 0;
	uint32_t offset;

	if (!d->program) {
		wrong(d, "no program yet");
		return 0;
	}
	if (*text == '*')
		return find_address(d, text + 1, pc);
	s = dpu_program_symbol(d->program, text);
	if (s && !s->absolute && dpu_address(s->value, &offset) == DPU_IRAM && !(s->value & 0x40000000)) {
		pc[0] = body_of(d, offset / 8);
		count = 1;
	}
	count = find_inlined(d, text, pc, count);
	if (count)
		return count;
	if (isdigit((unsigned char)*text) || strchr(text, ':'))
		return find_file_line(d, text, pc);
	wrong(d, "no function %s: use FUNCTION, LINE, FILE:LINE or *ADDRESS", text);
	return 0;
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

#ifdef HAVE_LIBDW
/* A thing by the debug information; false: there is none, or `known` says that it is wrong. */
static bool find_typed(struct dbg *d, const char *text, struct thing *thing, bool *is_wrong)
{
	struct value v;
	enum known known = evaluate(d, text, &v);
	Dwarf_Die plain;

	*is_wrong = known == KNOWN_WRONG;
	if (known != KNOWN)
		return false;
	*thing = (struct thing){ .reg = -1, .is_value = !v.in_memory, .address = v.in_memory ? v.address : v.number };
	if (v.bits) {
		*is_wrong = true;
		return wrong(d, "%s is a bit field: only print takes it", text);
	}
	if (v.in_memory) {
		thing->size = type_size(&v.type);
		thing->element = type_element(&v.type);
		thing->points = plain_type(&v.type, &plain) == DW_TAG_pointer_type;
	}
	return true;
}
#else
static bool find_typed(struct dbg *d, const char *text, struct thing *thing, bool *is_wrong)
{
	(void)d;
	(void)text;
	(void)thing;
	*is_wrong = false;
	return false;
}
#endif

bool find_object(struct dbg *d, const char *text, struct thing *thing)
{
	bool is_wrong;
	uint64_t address;

	if (find_typed(d, text, thing, &is_wrong))
		return true;
	if (is_wrong)
		return false;
	if (*text != '*')
		return find_thing(d, text, thing);
	if (!find_thing(d, text + 1, thing))
		return false;
	address = thing->address;
	if (!thing->is_value && !peek(d, thing->address, &address, 4))
		return no_memory(d, thing->address);
	*thing = (struct thing){ .address = address, .size = 4, .element = 4, .reg = -1 };
	return true;
}

bool find_thing(struct dbg *d, const char *text, struct thing *thing)
{
	AUTO_FREE char *name = trimmed(text), *variable = NULL;
	char *plus, *bracket;
	uint64_t offset = 0;
	bool ok, is_wrong;

	if (find_typed(d, text, thing, &is_wrong) || is_wrong)
		return !is_wrong;
	if (!name || !*name)
		return wrong(d, "what of? name a variable, $register or address");
	plus = strchr(name, '+');
	bracket = strchr(name, '[');
	if (plus && !bracket) {
		if (!parse_number(plus + 1, &offset))
			return wrong(d, "%s: no number after +", text);
		while (plus > name && isspace((unsigned char)plus[-1]))
			plus--;
		*plus = '\0';
	}
	if (bracket) {
		variable = strndup(name, bracket - name);
		return variable && find_name(d, variable, thing) && take_index(d, bracket, thing);
	}
	ok = find_name(d, name, thing);
	thing->address += offset;
	thing->size = thing->size > offset ? thing->size - offset : 0;
	return ok;
}
