// SPDX-License-Identifier: GPL-2.0-only
/* Prints values by their types, as gdb does. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "dpu/dbg/types.h"

static void put_binary(uint64_t value, uint32_t size)
{
	int bit = 8 * size - 1;

	while (bit && !(value >> bit & 1))
		bit--;
	for (; bit >= 0; bit--)
		putchar('0' + (value >> bit & 1));
}

void put_value(uint64_t value, uint32_t size, char letter)
{
	unsigned int unused = 64 - 8 * size;
	long long is_signed = (long long)(value << unused) >> unused;

	switch (letter) {
	case 'x':
		printf("0x%0*llx", (int)(2 * size), (unsigned long long)value);
		break;
	case 'd':
		printf("%lld", is_signed);
		break;
	case 't':
		put_binary(value, size);
		break;
	case 'c':
		printf("%lld '%c'", is_signed, isprint((int)(value & 0xff)) ? (int)value & 0xff : '.');
		break;
	default:
		printf("%llu", (unsigned long long)value);
	}
}

#ifdef HAVE_LIBDW

#define FEWEST_REPEATED 10	/* equal elements that are printed once, as gdb does */

struct style {
	char letter;		/* 0: as the type says */
	uint32_t size;
	bool inner;		/* in an array or a structure: pointers without their types */
	uint32_t left;		/* elements that may still be printed */
};

static bool put_at(struct dbg *d, Dwarf_Die *type, uint32_t address, struct style *s);

/* "\001", "\n", or the character; quote is ' or ". */
static void put_character(unsigned int c, char quote)
{
	static const char letters[] = "\a\a\b\b\f\f\n\n\r\r\t\t\v\v", names[] = "aabbffnnrrttvv";
	const char *letter = c ? strchr(letters, c) : NULL;

	if (letter)
		printf("\\%c", names[letter - letters]);
	else if (c == (unsigned char)quote || c == '\\')
		printf("\\%c", c);
	else if (c < 128 && isprint((int)c))
		putchar(c);
	else
		printf("\\%03o", c);
}

static void put_enumerator(Dwarf_Die *type, uint64_t value)
{
	Dwarf_Die child;

	for (int more = dwarf_child(type, &child); !more; more = dwarf_siblingof(&child, &child)) {
		if (dwarf_tag(&child) != DW_TAG_enumerator ||
		    (uint32_t)type_constant(&child, DW_AT_const_value, 0) != (uint32_t)value)
			continue;
		printf("%s", dwarf_diename(&child));
		return;
	}
	printf("%lld", (long long)value);
}

static void put_float(uint64_t value, uint32_t size)
{
	double number;
	float single;
	uint32_t word = value;

	memcpy(&single, &word, sizeof(single));
	memcpy(&number, &value, sizeof(number));
	if (size == 4)
		number = single;
	if (isnan(number) || isinf(number))
		printf("%s%s", signbit(number) ? "-" : "", isnan(number) ? "nan" : "inf");
	else
		printf("%.*g", size == 4 ? 9 : 17, number);
}

static bool is_character(Dwarf_Die *type)
{
	Dwarf_Die plain;
	uint64_t encoding;

	if (plain_type(type, &plain) != DW_TAG_base_type || type_size(&plain) != 1)
		return false;
	encoding = type_constant(&plain, DW_AT_encoding, 0);
	return encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char;
}

/* A string in memory: up to its 0, or `count` characters, of which a last 0 is left out. */
static bool put_string(struct dbg *d, uint32_t address, uint32_t count)
{
	uint64_t c = 1;
	uint32_t n = 0;

	if (!peek(d, address, &c, 1))
		return false;
	putchar('"');
	for (; (count ? n < count : c != 0) && n < MOST_PRINTED && peek(d, address + n, &c, 1); n++)
		if (c || (count && n + 1 < count))
			put_character(c, '"');
	printf(n == MOST_PRINTED ? "\"..." : "\"");
	return true;
}

static void put_pointer_to(struct dbg *d, Dwarf_Die *type, uint32_t value, bool inner)
{
	Dwarf_Die plain, pointee;
	bool known = plain_type(type, &plain) == DW_TAG_pointer_type && type_of(&plain, &pointee);
	bool code = known && dwarf_tag(&pointee) == DW_TAG_subroutine_type;
	bool text = known && is_character(&pointee);

	if (!inner && !text) {
		putchar('(');
		type_text(type, "", false, stdout);
		printf(") ");
	}
	printf("0x%x", value);
	/* a pointer to code is an instruction's number */
	if (code && value)
		put_symbol(d, DPU_IRAM_FLAG + 8 * value);
	else if (text && value) {
		putchar(' ');
		put_string(d, value >= DPU_WRAM_SIZE && value < DPU_MRAM_SIZE ? value | DPU_MRAM_FLAG : value, 0);
	} else if (value && variable_at(d, value) && variable_at(d, value)->value <= value) {
		put_symbol(d, value);
	}
}

static void put_scalar(struct dbg *d, Dwarf_Die *type, uint64_t value, unsigned int bits, const struct style *s)
{
	Dwarf_Die plain;
	unsigned int tag = plain_type(type, &plain);
	uint64_t encoding = tag == DW_TAG_base_type ? type_constant(&plain, DW_AT_encoding, 0) : 0;
	bool is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	uint32_t size = type_size(&plain);
	unsigned int unused = bits ? 64 - bits : 64 - 8 * size;

	if (s->letter && s->letter != 's')
		put_value(value, s->size && s->size < size ? s->size : size, s->letter);
	else if (tag == DW_TAG_pointer_type)
		put_pointer_to(d, type, value, s->inner);
	else if (tag == DW_TAG_enumeration_type)
		put_enumerator(&plain, value);
	else if (encoding == DW_ATE_float)
		put_float(value, size);
	else if (encoding == DW_ATE_boolean && value <= 1)
		printf(value ? "true" : "false");
	else if (is_signed)
		printf("%lld", (long long)(value << unused) >> unused);
	else
		printf("%llu", (unsigned long long)value);
	if ((!s->letter || s->letter == 's') && is_character(&plain)) {
		printf(" '");
		put_character(value & 0xff, '\'');
		putchar('\'');
	}
}

static bool put_members(struct dbg *d, Dwarf_Die *type, uint32_t address, struct style *s)
{
	Dwarf_Die member;
	unsigned int n = 0;

	putchar('{');
	for (int more = dwarf_child(type, &member); !more; more = dwarf_siblingof(&member, &member)) {
		struct value whole = { .type = *type, .has_type = true, .in_memory = true, .address = address }, v = whole;
		const char *name = dwarf_diename(&member);
		uint64_t number;

		if (dwarf_tag(&member) != DW_TAG_member || !type_of(&member, &v.type))
			continue;
		printf("%s", n++ ? ", " : "");
		if (name)
			printf("%s = ", name);
		if (type_constant(&member, DW_AT_bit_size, 0)) {
			if (!name || !find_member(type, name, strlen(name), &whole) || !number_of(d, &whole, &number))
				return false;
			put_scalar(d, &v.type, number, whole.bits, s);
		} else if (!put_at(d, &v.type, address + (uint32_t)type_constant(&member, DW_AT_data_member_location, 0), s)) {
			return false;
		}
	}
	putchar('}');
	return true;
}

static bool same_bytes(struct dbg *d, uint32_t a, uint32_t b, uint32_t size)
{
	uint64_t x, y;

	for (uint32_t i = 0; i < size; i++)
		if (!peek(d, a + i, &x, 1) || !peek(d, b + i, &y, 1) || x != y)
			return false;
	return true;
}

/* Dimension number `dimension` of an array, and those inside it. */
static bool put_array(struct dbg *d, Dwarf_Die *array, unsigned int dimension, uint32_t address, struct style *s)
{
	bool last = dimension + 1 >= array_dimensions(array);
	uint32_t count = array_count(array, dimension), size;
	Dwarf_Die inner;

	if (!type_of(array, &inner))
		return wrong(d, "the array has no type");
	size = type_size(&inner);
	for (unsigned int i = dimension + 1; i < array_dimensions(array); i++)
		size *= array_count(array, i);
	if (last && count && is_character(&inner) && (!s->letter || s->letter == 's'))
		return put_string(d, address, count) || no_memory(d, address);
	putchar('{');
	for (uint32_t i = 0, run; i < count && s->left; i += run) {
		for (run = 1; i + run < count && same_bytes(d, address + i * size, address + (i + run) * size, size);)
			run++;
		if (run < FEWEST_REPEATED)
			run = 1;
		printf("%s", i ? ", " : "");
		if (last ? !put_at(d, &inner, address + i * size, s) :
		    !put_array(d, array, dimension + 1, address + i * size, s))
			return false;
		if (run > 1)
			printf(" <repeats %u times>", run);
		if (i + run < count && !s->left)
			printf("...");
	}
	putchar('}');
	return true;
}

static bool put_at(struct dbg *d, Dwarf_Die *type, uint32_t address, struct style *s)
{
	Dwarf_Die plain;
	unsigned int tag = plain_type(type, &plain);
	struct style inner = *s;
	uint32_t size = type_size(&plain);
	uint64_t value;
	bool ok;

	inner.inner = true;
	if (tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_array_type) {
		ok = tag == DW_TAG_array_type ? put_array(d, &plain, 0, address, &inner) :
		     put_members(d, &plain, address, &inner);
		s->left = inner.left;
		return ok;
	}
	if (!size || size > 8)
		return wrong(d, "<incomplete type>");
	if (!peek(d, address, &value, size))
		return no_memory(d, address);
	s->left -= s->left > 0;
	put_scalar(d, type, value, 0, s);
	return true;
}

bool put_typed(struct dbg *d, const struct value *v, char letter, uint32_t size, bool inner)
{
	struct style s = { letter, size, inner, MOST_PRINTED };
	Dwarf_Die type = v->type;
	uint64_t number;

	if (v->in_memory && !v->bits)
		return put_at(d, &type, v->address, &s);
	if (!number_of(d, v, &number))
		return false;
	if (v->is_address && !letter) {
		putchar('(');
		type_text(&type, "*", false, stdout);
		printf(") 0x%x", (uint32_t)number);
		put_symbol(d, number);
	} else if (v->has_type && !v->is_address) {
		put_scalar(d, &type, number, v->bits, &s);
	} else {
		put_value((uint32_t)number, 4, letter ? letter : 'd');
	}
	return true;
}

#endif
