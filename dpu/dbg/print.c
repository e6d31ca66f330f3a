// SPDX-License-Identifier: GPL-2.0-only
/* Prints and changes registers, variables and memory. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/dbg/types.h"

struct format {
	uint64_t count;
	char letter;		/* x d u c s i t, 0: not given */
	uint32_t size;		/* 1, 2, 4, 8, 0: not given */
};

static bool parse_format(struct dbg *d, const char *text, struct format *f)
{
	*f = (struct format){ .count = 1 };
	if (isdigit((unsigned char)*text)) {
		f->count = 0;
		while (isdigit((unsigned char)*text) && f->count < 100000)
			f->count = 10 * f->count + *text++ - '0';
	}
	for (; *text; text++) {
		const char *sizes = "bhwg", *size = strchr(sizes, *text);

		if (size)
			f->size = 1u << (size - sizes);
		else if (strchr("xducsit", *text))
			f->letter = *text;
		else
			return wrong(d, "format /%c: x, d, u, t, c, s or i, and b, h, w or g", *text);
	}
	return true;
}

static bool put_text(struct dbg *d, uint32_t address)
{
	uint64_t c;

	putchar('"');
	for (unsigned int n = 0; n < MOST_PRINTED; n++) {
		if (!peek(d, address + n, &c, 1))
			return no_memory(d, address + n);
		if (!c)
			break;
		printf(isprint((int)c) ? "%c" : "\\%03o", (unsigned int)c);
	}
	putchar('"');
	return true;
}

static bool put_elements(struct dbg *d, const struct thing *thing, const struct format *f)
{
	uint32_t size = f->size ? f->size : f->letter == 'c' ? 1 : thing->element;
	uint32_t count = size ? thing->size / size : 0;
	uint64_t value;

	if (!count)
		return wrong(d, "the variable has no size: use x/FORMAT with its address");
	if (f->letter == 's')
		return put_text(d, thing->address);
	if (count > 1)
		putchar('{');
	for (uint32_t i = 0; i < count && i < MOST_PRINTED; i++) {
		if (!peek(d, thing->address + i * size, &value, size))
			return no_memory(d, thing->address + i * size);
		printf("%s", i ? ", " : "");
		put_value(value, size, f->letter);
	}
	if (count > MOST_PRINTED)
		printf("...");
	if (count > 1)
		putchar('}');
	return true;
}

/* A number's possible meaning as a pointer: code, or the start of a variable. Small numbers are rarely pointers. */
static void put_pointer(const struct dbg *d, uint32_t value)
{
	const struct dpu_program_symbol *s = variable_at(d, value);

	if (value & DPU_IRAM_FLAG || (s && s->value == value))
		put_symbol(d, value);
}

#ifdef HAVE_LIBDW
/* FIRST@COUNT: so many elements from an object in memory on. at: the text after @; text: both. */
static enum known print_several(struct dbg *d, const char *text, const char *at, const struct format *f)
{
	char *first = strndup(text, at - 1 - text);
	struct value v = { 0 }, n;
	enum known known = first ? evaluate(d, first, &v) : KNOWN_NOT;
	uint64_t count = 0;
	bool ok = true;

	free(first);
	if (known == KNOWN_WRONG)
		return known;
	if (known == KNOWN_NOT || !v.in_memory || !v.has_type || v.bits || !type_size(&v.type))
		return wrong(d, "%s: only a variable in memory whose type is known can be repeated: see x/FORMAT ADDRESS",
			     text) ? KNOWN : KNOWN_WRONG;
	if (!parse_number(at, &count) && (evaluate(d, at, &n) != KNOWN || !number_of(d, &n, &count)))
		count = 0;
	if (!count || count > UINT32_MAX / type_size(&v.type))
		return wrong(d, "%s: after @ there must be a number of elements", text) ? KNOWN : KNOWN_WRONG;
	printf("%s = {", text);
	for (uint64_t i = 0; ok && i < count && i < MOST_PRINTED; i++, v.address += type_size(&v.type))
		ok = (!i || printf(", ")) && put_typed(d, &v, f->letter, f->size, false);
	puts(count > MOST_PRINTED ? "...}" : "}");
	return ok ? KNOWN : KNOWN_WRONG;
}

static enum known print_typed(struct dbg *d, const char *text, const struct format *f)
{
	const char *at = strchr(text, '@');
	enum known known;
	struct value v;

	if (at)
		return print_several(d, text, at + 1, f);
	known = evaluate(d, text, &v);
	if (known != KNOWN)
		return known;
	if (v.in_memory && !d->dpu)
		return no_memory(d, v.address) ? KNOWN : KNOWN_WRONG;
	printf("%s = ", text);
	return put_typed(d, &v, f->letter, f->size, false) && putchar('\n') ? KNOWN : KNOWN_WRONG;
}

static bool put_type(struct dbg *d, const char *text, bool members)
{
	char declared[] = "********";
	unsigned int stars = 0;
	struct value v;
	enum known known = evaluate_type(d, text, &v, &stars) ? KNOWN : evaluate(d, text, &v);

	if (known == KNOWN_WRONG)
		return false;
	if (known == KNOWN_NOT || !v.has_type)
		return wrong(d, "no type of %s is known here: compile with -g", text);
	stars += v.is_address;
	if (stars >= sizeof(declared))
		return wrong(d, "%s: too many stars", text);
	declared[stars] = '\0';
	printf("type = ");
	type_text(&v.type, declared, members, stdout);
	putchar('\n');
	return true;
}

/* The bits of a number for a variable of floating point; false if it is none. */
static bool floating(struct dbg *d, const char *name, const char *text, uint64_t *bits)
{
	double number = strtod(text, NULL);
	float single = number;
	Dwarf_Die plain;
	struct value v;

	if (evaluate(d, name, &v) != KNOWN || !v.has_type || !v.in_memory ||
	    plain_type(&v.type, &plain) != DW_TAG_base_type || type_constant(&plain, DW_AT_encoding, 0) != DW_ATE_float)
		return false;
	*bits = 0;
	if (type_size(&plain) == sizeof(single))
		memcpy(bits, &single, sizeof(single));
	else
		memcpy(bits, &number, sizeof(number));
	return true;
}

/* The variables of the scopes around the selected frame's instruction, the innermost first. */
bool put_locals(struct dbg *d, bool arguments)
{
	Dwarf_Die scopes[MAX_SCOPES], entry;
	unsigned int tag = arguments ? DW_TAG_formal_parameter : DW_TAG_variable;
	bool any = false;

	for (unsigned int n = find_scopes(d, scopes); n; n--) {
		for (int more = dwarf_child(&scopes[n - 1], &entry); !more; more = dwarf_siblingof(&entry, &entry)) {
			const char *name = dwarf_diename(&entry);
			struct value v;

			if ((unsigned int)dwarf_tag(&entry) != tag || !name)
				continue;
			any = true;
			printf("%s = ", name);
			if (locate(d, &scopes[0], &entry, &v) != KNOWN)
				printf("<optimized out>");
			else if (!put_typed(d, &v, 0, 0, false))
				return false;
			putchar('\n');
		}
	}
	if (!any)
		puts(arguments ? "No arguments." : "No locals.");
	return true;
}
#else
static bool floating(struct dbg *d, const char *name, const char *text, uint64_t *bits)
{
	(void)d;
	(void)name;
	(void)text;
	(void)bits;
	return false;
}

enum known { KNOWN_NOT, KNOWN, KNOWN_WRONG };

static enum known print_typed(struct dbg *d, const char *text, const struct format *f)
{
	(void)d;
	(void)text;
	(void)f;
	return KNOWN_NOT;
}

static bool put_type(struct dbg *d, const char *text, bool members)
{
	(void)members;
	return wrong(d, "the type of %s is not known: dpu-dbg was built without libdw", text);
}

bool put_locals(struct dbg *d, bool arguments)
{
	(void)arguments;
	return wrong(d, "local variables are not known: dpu-dbg was built without libdw");
}
#endif

bool command_ptype(struct dbg *d, char *text)
{
	return put_type(d, text, true);
}

bool command_whatis(struct dbg *d, char *text)
{
	return put_type(d, text, false);
}

bool command_print(struct dbg *d, const char *format, char *text)
{
	struct format f;
	struct thing thing;
	enum known known;
	bool ok = true;

	if (!parse_format(d, format, &f))
		return false;
	while (isspace((unsigned char)*text))
		text++;
	known = print_typed(d, text, &f);
	if (known != KNOWN_NOT)
		return known == KNOWN;
	if (!find_object(d, text, &thing))
		return false;
	if (*text == '*' && f.size)
		thing.size = f.size;
	printf("%s = ", text);
	if (thing.is_value) {
		put_value(thing.address, 4, f.letter ? f.letter : thing.reg < 0 && *text != '$' ? 'x' : 'd');
		put_pointer(d, thing.address);
	} else {
		ok = put_elements(d, &thing, &f);
	}
	putchar('\n');
	return ok;
}

static bool examine_code(struct dbg *d, uint32_t address, uint64_t count)
{
	uint32_t offset;

	if (dpu_address(address, &offset) != DPU_IRAM || offset % 8 || count > DPU_IRAM_WORDS ||
	    offset / 8 > DPU_IRAM_WORDS - count)
		return wrong(d, "0x%08x is no instruction", address);
	for (uint64_t i = 0; i < count; i++)
		put_instruction(d, offset / 8 + i, d->dpu && dpu_pc(d->dpu, d->thread) == offset / 8 + i ? "=> " :
				"   ");
	return true;
}

bool command_examine(struct dbg *d, const char *format, char *text)
{
	unsigned int columns;
	struct format f;
	struct thing thing;
	uint64_t value;
	uint32_t size;

	if (!parse_format(d, format, &f) || !find_thing(d, text, &thing))
		return false;
	if (thing.points) {
		if (!peek(d, thing.address, &value, 4))
			return no_memory(d, thing.address);
		thing.address = value >= DPU_WRAM_SIZE && value < DPU_MRAM_SIZE ? value | DPU_MRAM_FLAG : value;
	}
	size = f.size ? f.size : f.letter == 'c' ? 1 : 4;
	columns = size == 1 ? 8 : 16 / size;
	if (f.letter == 'i')
		return examine_code(d, thing.address, f.count);
	for (uint64_t i = 0; i < f.count; i++) {
		uint32_t address = thing.address + i * size;

		if (f.letter == 's' || !(i % columns)) {
			printf("0x%08x", address);
			put_symbol(d, address);
			putchar(':');
		}
		putchar('\t');
		if (f.letter == 's')
			return put_text(d, address) && putchar('\n');
		if (!peek(d, address, &value, size))
			return no_memory(d, address);
		put_value(value, size, f.letter ? f.letter : 'x');
		if (i % columns == columns - 1 || i + 1 == f.count)
			putchar('\n');
	}
	return true;
}

bool command_set(struct dbg *d, char *text)
{
	char *equals = strchr(text, '=');
	uint64_t number;
	struct thing thing, value;
	uint32_t offset;
	enum dpu_memory memory;

	if (!strncmp(text, "var ", 4))
		text += 4;
	if (!equals)
		return wrong(d, "use set VARIABLE = VALUE or set $register = VALUE");
	*equals = '\0';
	if (d->target->why_not)
		return wrong(d, "%s", d->target->why_not);
	if (!find_object(d, text, &thing))
		return false;
	if (!floating(d, text, equals + 1, &number) && !parse_number(equals + 1, &number)) {
		if (!find_object(d, equals + 1 + strspn(equals + 1, " \t"), &value))
			return false;
		number = value.address;
		if (!value.is_value && !peek(d, value.address, &number, value.element))
			return no_memory(d, value.address);
	}
	if (thing.reg >= 0 && thing.reg < DPU_REG_ZERO) {
		dpu_poke_register(d->dpu, d->thread, thing.reg, number);
		return true;
	}
	if (thing.is_value || !thing.element || thing.size != thing.element)
		return wrong(d, "%s: not a register or one number in memory; of several, name one with [INDEX]", text);
	memory = dpu_address(thing.address, &offset);
	return (d->dpu && dpu_poke(d->dpu, memory, offset, &number, thing.size)) || no_memory(d, thing.address);
}

void put_registers(struct dbg *d, const char *names)
{
	struct dpu_thread_view view;

	for (unsigned int i = 0; i < DPU_REG_ZERO; i++) {
		uint32_t value = dpu_register(d->dpu, d->thread, i);
		char name[8];

		snprintf(name, sizeof(name), "r%u", i);
		if (*names && strcmp(names, name) && !(*names == '$' && !strcmp(names + 1, name)))
			continue;
		printf("%-8s0x%08x  %d", name, value, (int)value);
		put_pointer(d, value);
		putchar('\n');
	}
	if (*names)
		return;
	dpu_view(d->dpu, d->thread, &view);
	printf("%-8s0x%08x", "pc", DPU_IRAM_FLAG + 8 * dpu_pc(d->dpu, d->thread));
	put_symbol(d, DPU_IRAM_FLAG + 8 * dpu_pc(d->dpu, d->thread));
	printf("\n%-8s%s%s%s\n", "flags", view.zero ? "ZF" : "", view.zero && view.carry ? " " : "",
	       view.carry ? "CF" : "");
}
