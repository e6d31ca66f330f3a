// SPDX-License-Identifier: GPL-2.0-only
/* Types of the debug information: their sizes, and what they are called in C. */
#include <stdlib.h>
#include <string.h>

#include "dpu/dbg/types.h"

#ifdef HAVE_LIBDW

uint64_t type_constant(Dwarf_Die *entry, unsigned int attribute, uint64_t otherwise)
{
	Dwarf_Attribute found;
	Dwarf_Word value;

	if (!dwarf_attr_integrate(entry, attribute, &found) || dwarf_formudata(&found, &value))
		return otherwise;
	return value;
}

bool type_of(Dwarf_Die *entry, Dwarf_Die *type)
{
	Dwarf_Attribute found;

	return dwarf_attr_integrate(entry, DW_AT_type, &found) && dwarf_formref_die(&found, type);
}

static bool is_qualifier(unsigned int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
	       tag == DW_TAG_atomic_type;
}

unsigned int plain_type(Dwarf_Die *type, Dwarf_Die *plain)
{
	unsigned int tag;

	*plain = *type;
	while ((tag = dwarf_tag(plain)) == DW_TAG_typedef || is_qualifier(tag)) {
		Dwarf_Die inner;

		if (!type_of(plain, &inner))
			return DW_TAG_unspecified_type;
		*plain = inner;
	}
	return tag;
}

/* The n-th entry of a tag inside another one. */
static bool child_of(Dwarf_Die *parent, unsigned int tag, unsigned int n, Dwarf_Die *child)
{
	for (int more = dwarf_child(parent, child); !more; more = dwarf_siblingof(child, child))
		if ((unsigned int)dwarf_tag(child) == tag && !n--)
			return true;
	return false;
}

unsigned int array_dimensions(Dwarf_Die *array)
{
	unsigned int count = 0;
	Dwarf_Die child;

	while (child_of(array, DW_TAG_subrange_type, count, &child))
		count++;
	return count;
}

uint32_t array_count(Dwarf_Die *array, unsigned int dimension)
{
	Dwarf_Die child;

	if (!child_of(array, DW_TAG_subrange_type, dimension, &child))
		return 0;
	return type_constant(&child, DW_AT_count, type_constant(&child, DW_AT_upper_bound, UINT64_MAX) + 1);
}

uint32_t type_size(Dwarf_Die *type)
{
	Dwarf_Die plain, inner;
	uint64_t size = 1;

	switch (plain_type(type, &plain)) {
	case DW_TAG_pointer_type:
		return 4;
	case DW_TAG_array_type:
		for (unsigned int i = 0; i < array_dimensions(&plain) && size <= UINT32_MAX; i++)
			size *= array_count(&plain, i);
		size = type_of(&plain, &inner) ? size * type_size(&inner) : 0;
		return size <= UINT32_MAX ? size : 0;
	default:
		return type_constant(&plain, DW_AT_byte_size, 0);
	}
}

uint32_t type_element(Dwarf_Die *type)
{
	Dwarf_Die plain, inner;
	uint32_t size;

	switch (plain_type(type, &plain)) {
	case DW_TAG_array_type:
		return type_of(&plain, &inner) ? type_element(&inner) : 1;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return child_of(&plain, DW_TAG_member, 0, &inner) && type_of(&inner, &plain) ? type_element(&plain) : 1;
	default:
		size = type_size(&plain);
		return size == 8 || size == 4 || size == 2 ? size : 1;
	}
}

static const char *tag_word(unsigned int tag)
{
	return tag == DW_TAG_structure_type ? "struct" : tag == DW_TAG_union_type ? "union" :
	       tag == DW_TAG_enumeration_type ? "enum" : NULL;
}

static void put_members(Dwarf_Die *type, unsigned int depth, FILE *out);

/* The part of a type's name before the declared name. */
static void put_base(Dwarf_Die *type, bool members, unsigned int depth, FILE *out)
{
	unsigned int tag = dwarf_tag(type);
	const char *name = dwarf_diename(type), *word = tag_word(tag);
	Dwarf_Die inner;

	if (is_qualifier(tag)) {
		fprintf(out, "%s ", tag == DW_TAG_const_type ? "const" : tag == DW_TAG_volatile_type ? "volatile" :
			tag == DW_TAG_restrict_type ? "restrict" : "_Atomic");
		if (type_of(type, &inner))
			put_base(&inner, members, depth, out);
		else
			fprintf(out, "void");
		return;
	}
	if (word)
		fprintf(out, "%s%s", word, name ? " " : "");
	if (name)
		fprintf(out, "%s", name);
	if (word && (members || !name)) {
		fprintf(out, " {");
		put_members(type, depth, out);
		fprintf(out, "}");
	}
}

static void put_declared(Dwarf_Die *type, const char *declared, bool members, unsigned int depth, FILE *out);

static void add_dimensions(Dwarf_Die *array, char *text, size_t size)
{
	for (unsigned int i = 0; i < array_dimensions(array); i++) {
		size_t used = strlen(text);
		uint32_t count = array_count(array, i);

		if (count)
			snprintf(text + used, size - used, "[%u]", count);
		else
			snprintf(text + used, size - used, "[]");
	}
}

static void add_parameters(Dwarf_Die *function, char *text, size_t size)
{
	Dwarf_Die parameter, type;
	char *list = NULL;
	size_t length, used = strlen(text);
	FILE *out = open_memstream(&list, &length);

	if (!out)
		return;
	for (unsigned int n = 0; child_of(function, DW_TAG_formal_parameter, n, &parameter); n++) {
		fprintf(out, "%s", n ? ", " : "");
		if (type_of(&parameter, &type))
			put_declared(&type, "", false, 0, out);
	}
	if (!ftell(out))
		fprintf(out, "void");
	fclose(out);
	snprintf(text + used, size - used, "(%s)", list);
	free(list);
}

/* A type in C: declared is what is inside, such as "*name" or "[3]". */
static void put_declared(Dwarf_Die *type, const char *declared, bool members, unsigned int depth, FILE *out)
{
	unsigned int tag = dwarf_tag(type), pointee;
	char text[TYPE_TEXT];
	Dwarf_Die inner;
	bool is_void = !type_of(type, &inner);

	if (tag == DW_TAG_typedef && members && !is_void) {
		put_declared(&inner, declared, members, depth, out);
		return;
	}
	if (is_qualifier(tag) && !is_void && dwarf_tag(&inner) == DW_TAG_pointer_type) {
		snprintf(text, sizeof(text), "%s%s%s", tag == DW_TAG_const_type ? "const" : tag == DW_TAG_volatile_type ?
			 "volatile" : "restrict", *declared ? " " : "", declared);
		put_declared(&inner, text, members, depth, out);
		return;
	}
	if (tag == DW_TAG_pointer_type) {
		pointee = is_void ? 0 : dwarf_tag(&inner);
		snprintf(text, sizeof(text), pointee == DW_TAG_array_type || pointee == DW_TAG_subroutine_type ? "(*%s)" :
			 "*%s", declared);
		if (is_void)
			fprintf(out, "void %s", text);
		else
			put_declared(&inner, text, members, depth, out);
		return;
	}
	if (tag == DW_TAG_array_type || tag == DW_TAG_subroutine_type) {
		snprintf(text, sizeof(text), "%s", declared);
		if (tag == DW_TAG_array_type)
			add_dimensions(type, text, sizeof(text));
		else
			add_parameters(type, text, sizeof(text));
		if (is_void)
			fprintf(out, "void %s", text);
		else
			put_declared(&inner, text, members, depth, out);
		return;
	}
	put_base(type, members, depth, out);
	if (*declared)
		fprintf(out, " %s", declared);
}

static void put_members(Dwarf_Die *type, unsigned int depth, FILE *out)
{
	bool is_enum = dwarf_tag(type) == DW_TAG_enumeration_type;
	Dwarf_Die member, inner;
	uint64_t next = 0;

	for (unsigned int n = 0; child_of(type, is_enum ? DW_TAG_enumerator : DW_TAG_member, n, &member); n++) {
		const char *name = dwarf_diename(&member);
		uint64_t bits = type_constant(&member, DW_AT_bit_size, 0);

		if (is_enum) {
			uint64_t value = type_constant(&member, DW_AT_const_value, 0);

			fprintf(out, "%s%s", n ? ", " : "", name);
			if (value != next)
				fprintf(out, " = %lld", (long long)value);
			next = value + 1;
			continue;
		}
		fprintf(out, "%s%*s", n ? "" : "\n", 4 * depth + 4, "");
		if (type_of(&member, &inner))
			put_declared(&inner, name ? name : "", !name, depth + 1, out);
		if (bits)
			fprintf(out, " : %u", (unsigned int)bits);
		fprintf(out, ";\n");
	}
	if (!is_enum)
		fprintf(out, "%*s", 4 * depth, "");
}

void type_text(Dwarf_Die *type, const char *declared, bool members, FILE *out)
{
	unsigned int tag = dwarf_tag(type);
	bool brackets = *declared && (tag == DW_TAG_array_type || tag == DW_TAG_subroutine_type);

	put_declared(type, brackets ? "(*)" : declared, members, 0, out);
}

#endif
