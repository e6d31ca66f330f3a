// SPDX-License-Identifier: GPL-2.0-only
/* Expressions of C about variables of the debug information: members, elements, pointers, sums. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/dbg/types.h"

#ifdef HAVE_LIBDW

/* The text that is left; deep: brackets around it. */
struct cursor {
	const char *p;
	unsigned int deep;
};

#define MOST_DIMENSIONS 8
#define MOST_NESTED 50
#define SIZEOF "sizeof"

static void skip(struct cursor *c)
{
	while (isspace((unsigned char)*c->p))
		c->p++;
}

static size_t word_length(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	return n;
}

static bool take(struct cursor *c, const char *text)
{
	skip(c);
	if (strncmp(c->p, text, strlen(text)))
		return false;
	c->p += strlen(text);
	return true;
}

/* A value as a number; of what is in memory, it is read. */
bool number_of(struct dbg *d, const struct value *v, uint64_t *number)
{
	Dwarf_Die type;
	uint32_t size = 4;
	unsigned int tag = 0;

	*number = v->number;
	if (!v->in_memory)
		return true;
	if (v->has_type) {
		Dwarf_Die plain = v->type;

		tag = plain_type(&plain, &type);
		size = type_size(&type);
	}
	if (tag == DW_TAG_structure_type || tag == DW_TAG_union_type || size > 8)
		return wrong(d, "a structure is no number: name one of its members");
	if (tag == DW_TAG_array_type) {	/* as in C, its address */
		*number = v->address;
		return true;
	}
	if (!peek(d, v->address, number, size))
		return no_memory(d, v->address);
	if (v->bits)
		*number = *number >> v->shift & ((UINT64_C(1) << v->bits) - 1);
	if (v->has_type && tag == DW_TAG_base_type && (type_constant(&type, DW_AT_encoding, 0) == DW_ATE_signed ||
						       type_constant(&type, DW_AT_encoding, 0) == DW_ATE_signed_char)) {
		unsigned int unused = 64 - (v->bits ? v->bits : 8 * size);

		*number = (int64_t)(*number << unused) >> unused;
	}
	return true;
}

/* What a pointer or an array's name is followed by [0] or * is: element number `index`. */
static bool element(struct dbg *d, struct value *v, int64_t index)
{
	Dwarf_Die plain, inner;
	unsigned int tag = v->has_type ? plain_type(&v->type, &plain) : 0;
	uint64_t pointer;
	uint32_t size, count;

	if (v->is_address) {
		*v = (struct value){ .type = v->type, .has_type = true, .in_memory = true,
				     .address = v->number + (uint32_t)(index * type_size(&v->type)) };
		return true;
	}
	if (tag == DW_TAG_array_type && array_dimensions(&plain) > 1)
		return wrong(d, "name one element, with %u indices", array_dimensions(&plain));
	if ((tag != DW_TAG_array_type && tag != DW_TAG_pointer_type) || !type_of(&plain, &inner))
		return wrong(d, "only pointers and arrays have [INDEX] and *");
	size = type_size(&inner);
	if (!size)
		return wrong(d, "the size of what is there is not known");
	if (tag == DW_TAG_array_type) {
		count = array_count(&plain, 0);
		if (count && (index < 0 || index >= count))
			return wrong(d, "index %lld: there are %u elements", (long long)index, count);
		pointer = v->address;
	} else {
		if (!number_of(d, v, &pointer))
			return false;
		/* UPMEM's pointers to MRAM lack its mark; from the end of WRAM on, they cannot be anything else */
		if (pointer >= DPU_WRAM_SIZE && pointer < DPU_MRAM_SIZE)
			pointer |= DPU_MRAM_FLAG;
	}
	*v = (struct value){ .type = inner, .has_type = true, .in_memory = true,
			     .address = pointer + (uint32_t)(index * size) };
	return true;
}

/* [I][J] of an array with two dimensions. */
static bool element_of_many(struct dbg *d, struct value *v, const int64_t *index, unsigned int count)
{
	Dwarf_Die plain, inner;
	uint64_t place = 0;

	if (plain_type(&v->type, &plain) != DW_TAG_array_type || array_dimensions(&plain) != count ||
	    !type_of(&plain, &inner))
		return wrong(d, "name one element, with as many indices as the array has");
	for (unsigned int i = 0; i < count; i++) {
		uint32_t bound = array_count(&plain, i);

		if (index[i] < 0 || (bound && index[i] >= bound))
			return wrong(d, "index %lld: there are %u elements", (long long)index[i], bound);
		place = place * bound + index[i];
	}
	*v = (struct value){ .type = inner, .has_type = true, .in_memory = true,
			     .address = v->address + (uint32_t)(place * type_size(&inner)) };
	return true;
}

/* Indices that a value takes: those of an array, or a pointer's one. */
static unsigned int dimensions_of(const struct value *v)
{
	Dwarf_Die plain, type = v->type;
	unsigned int count = v->has_type && plain_type(&type, &plain) == DW_TAG_array_type ? array_dimensions(&plain) : 1;

	return count < MOST_DIMENSIONS ? count : MOST_DIMENSIONS;
}

bool find_member(Dwarf_Die *type, const char *name, size_t length, struct value *v)
{
	Dwarf_Die plain, member;
	unsigned int tag = plain_type(type, &plain);

	if (tag != DW_TAG_structure_type && tag != DW_TAG_union_type)
		return false;
	for (int more = dwarf_child(&plain, &member); !more; more = dwarf_siblingof(&member, &member)) {
		const char *own = dwarf_diename(&member);
		uint64_t bits = type_constant(&member, DW_AT_bit_size, 0), bytes, at;
		struct value inner = *v;

		if (dwarf_tag(&member) != DW_TAG_member || !type_of(&member, &inner.type))
			continue;
		inner.has_type = true;
		inner.address += type_constant(&member, DW_AT_data_member_location, 0);
		if (!own) {	/* members of one without a name are the outer one's */
			if (!find_member(&inner.type, name, length, &inner))
				continue;
			*v = inner;
			return true;
		}
		if (strlen(own) != length || memcmp(own, name, length))
			continue;
		inner.bits = bits;
		bytes = type_constant(&member, DW_AT_byte_size, type_size(&inner.type));
		/* DWARF 2 counts from the highest bit of the member's storage, DWARF 4 and later from the structure's start */
		at = type_constant(&member, DW_AT_data_bit_offset, UINT64_MAX);
		if (bits && at != UINT64_MAX) {
			inner.address = v->address + at / (8 * bytes) * bytes;
			inner.shift = at % (8 * bytes);
		} else if (bits) {
			inner.shift = 8 * bytes - bits - type_constant(&member, DW_AT_bit_offset, 0);
		}
		*v = inner;
		return true;
	}
	return false;
}

static bool sum(struct dbg *d, struct cursor *c, struct value *v);
static bool unary(struct dbg *d, struct cursor *c, struct value *v);

/* sizeof EXPRESSION, sizeof (TYPE) */
static bool size_of(struct dbg *d, struct cursor *c, struct value *v)
{
	struct value of = { 0 };
	unsigned int stars = 0;
	size_t length;

	skip(c);
	length = *c->p == '(' ? strcspn(c->p, ")") : 0;
	if (length && c->p[length]) {
		char *inside = strndup(c->p + 1, length - 1);
		bool is_type = inside && evaluate_type(d, inside, &of, &stars);

		free(inside);
		c->p += is_type ? length + 1 : 0;
		length = is_type;
	} else {
		length = 0;
	}
	if (!length && !unary(d, c, &of))
		return false;
	stars += of.is_address;
	if (of.bits || (of.has_type && !stars && !type_size(&of.type)))
		return wrong(d, "sizeof: this has no size");
	*v = (struct value){ .number = of.has_type && !stars ? type_size(&of.type) : 4 };
	return true;
}

static enum known primary(struct dbg *d, struct cursor *c, struct value *v)
{
	size_t length;
	char *end;

	skip(c);
	length = word_length(c->p);
	if (take(c, "(")) {
		if (!sum(d, c, v))
			return KNOWN_WRONG;
		return take(c, ")") || wrong(d, "a ) is missing") ? KNOWN : KNOWN_WRONG;
	}
	*v = (struct value){ .number = 0 };
	if (*c->p == '$' || isdigit((unsigned char)*c->p)) {
		if (*c->p == '$') {
			char name[8] = "";
			struct thing thing;

			length = word_length(c->p + 1);
			if (length < sizeof(name))
				memcpy(name, c->p + 1, length);
			if (!find_dollar(d, name, &thing))
				return KNOWN_WRONG;
			v->number = thing.address;
			c->p += 1 + length;
		} else {
			v->number = strtoull(c->p, &end, 0);
			c->p = end;
		}
		return KNOWN;
	}
	if (!length)
		return wrong(d, "a variable or a number is missing at '%s'", c->p) ? KNOWN : KNOWN_WRONG;
	c->p += length;
	if (length == strlen(SIZEOF) && !memcmp(c->p - length, SIZEOF, length))
		return size_of(d, c, v) ? KNOWN : KNOWN_WRONG;
	return find_variable(d, c->p - length, length, v);
}

static bool postfix(struct dbg *d, struct cursor *c, struct value *v)
{
	const char *start = c->p;
	enum known known = primary(d, c, v);

	if (known == KNOWN_NOT)
		return wrong(d, "no variable %.*s", (int)(c->p - start), start);
	while (known == KNOWN) {
		bool arrow = take(c, "->"), dot = !arrow && take(c, ".");
		size_t length;

		if (arrow || dot) {
			if (arrow && !element(d, v, 0))
				return false;
			skip(c);
			length = word_length(c->p);
			if (!v->has_type || !v->in_memory || !find_member(&v->type, c->p, length, v))
				return wrong(d, "there is no member %.*s: see ptype", (int)length, c->p);
			c->p += length;
		} else if (take(c, "[")) {
			int64_t index[MOST_DIMENSIONS];
			unsigned int count = 0, dimensions = dimensions_of(v);

			do {
				struct value at;
				uint64_t number;

				if (!sum(d, c, &at) || !number_of(d, &at, &number))
					return false;
				if (!take(c, "]"))
					return wrong(d, "a ] is missing");
				index[count++] = number;
			} while (count < dimensions && take(c, "["));
			if (dimensions == 1 ? !element(d, v, index[0]) : !element_of_many(d, v, index, count))
				return false;
		} else {
			return true;
		}
	}
	return false;
}

static bool unary(struct dbg *d, struct cursor *c, struct value *v)
{
	bool star = take(c, "*"), address = !star && take(c, "&"), minus = !star && !address && take(c, "-");

	if (!star && !address && !minus)
		return postfix(d, c, v);
	if (++c->deep > MOST_NESTED)
		return wrong(d, "too many operators");
	if (!unary(d, c, v))
		return false;
	c->deep--;
	if (star)
		return element(d, v, 0);
	if (address) {
		if (!v->in_memory || v->bits)
			return wrong(d, "& takes something in memory");
		*v = (struct value){ .type = v->type, .has_type = v->has_type, .is_address = true, .number = v->address };
		return true;
	}
	if (!number_of(d, v, &v->number))
		return false;
	*v = (struct value){ .number = -v->number };
	return true;
}

static bool is_pointer(const struct value *v)
{
	Dwarf_Die plain, type = v->type;
	unsigned int tag = v->has_type ? plain_type(&type, &plain) : 0;

	return v->is_address || tag == DW_TAG_pointer_type || tag == DW_TAG_array_type;
}

/* Pointers move by elements, as in C. */
static bool sum(struct dbg *d, struct cursor *c, struct value *v)
{
	if (++c->deep > MOST_NESTED)
		return wrong(d, "too many brackets");
	if (!unary(d, c, v))
		return false;
	c->deep--;
	for (;;) {
		bool plus = take(c, "+"), minus = !plus && *c->p == '-' && c->p[1] != '>' && take(c, "-");
		uint64_t left, right;
		struct value w;
		Dwarf_Die plain, inner;
		unsigned int tag;

		if (!plus && !minus)
			return true;
		if (!unary(d, c, &w))
			return false;
		if (plus && !is_pointer(v)) {
			struct value first = *v;

			*v = w;
			w = first;
		}
		if (!number_of(d, v, &left) || !number_of(d, &w, &right))
			return false;
		tag = v->has_type ? plain_type(&v->type, &plain) : 0;
		if (v->is_address)
			right *= type_size(&v->type);
		else if ((tag == DW_TAG_pointer_type || tag == DW_TAG_array_type) && type_of(&plain, &inner))
			right *= type_size(&inner);
		if (tag != DW_TAG_pointer_type && !v->is_address)
			v->has_type = false;
		v->in_memory = false;
		v->bits = 0;
		v->number = plus ? left + right : left - right;
	}
}

bool evaluate_type(struct dbg *d, const char *text, struct value *v, unsigned int *stars)
{
	size_t length;

	*v = (struct value){ .has_type = true };
	text += strspn(text, " \t");
	length = find_type(d, text, &v->type);
	if (!length)
		return false;
	for (text += length; *text == '*' || isspace((unsigned char)*text); text++)
		*stars += *text == '*';
	return !*text;
}

enum known evaluate(struct dbg *d, const char *text, struct value *v)
{
	const char *p = text + strspn(text, "*&(- \t");
	struct cursor c = { text, 0 };
	size_t length = word_length(p);
	enum known known;

	if (!d->dwarf || !length || isdigit((unsigned char)*p))
		return KNOWN_NOT;
	if (length != strlen(SIZEOF) || memcmp(p, SIZEOF, length)) {
		known = find_variable(d, p, length, v);
		if (known != KNOWN)
			return known;
	}
	if (!sum(d, &c, v))
		return KNOWN_WRONG;
	skip(&c);
	return *c.p ? wrong(d, "unexpected '%s'", c.p) ? KNOWN : KNOWN_WRONG : KNOWN;
}

#endif
