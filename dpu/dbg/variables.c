// SPDX-License-Identifier: GPL-2.0-only
/*
 * Variables by the debug information. A local variable has a place if it is a slot of the stack, at a distance from the
 * stack pointer (r22) of the function's body. Others are optimized out: which registers hold a variable after dpu-cc's
 * translation is not known.
 */
#include <string.h>

#include "dpu/dbg/types.h"

#ifdef HAVE_LIBDW

#define STACK_POINTER 22

static bool is_scope(unsigned int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine;
}

static bool find_inner(Dwarf_Die *parent, uint32_t address, Dwarf_Die *scope)
{
	for (int more = dwarf_child(parent, scope); !more; more = dwarf_siblingof(scope, scope))
		if (is_scope(dwarf_tag(scope)) && dwarf_haspc(scope, address) > 0)
			return true;
	return false;
}

/* The next unit; start with offset 0. */
static bool next_unit(struct dbg *d, Dwarf_Off *offset, Dwarf_Die *unit)
{
	Dwarf_Off next;
	size_t header;

	Dwarf *dwarf = d->dwarf ? elf_lines_dwarf(d->dwarf) : NULL;

	while (dwarf && !dwarf_nextcu(dwarf, *offset, &next, &header, NULL, NULL, NULL)) {
		bool ok = dwarf_offdie(dwarf, *offset + header, unit);

		*offset = next;
		if (ok)
			return true;
	}
	return false;
}

/* The selected frame. A caller's instruction is its call. */
static bool selected(struct dbg *d, struct frame *frame)
{
	struct frame frames[MAX_FRAMES];
	unsigned int count = d->dpu ? find_frames(d, d->thread, frames) : 0;

	if (d->frame >= count)
		return false;
	*frame = frames[d->frame];
	return true;
}

unsigned int find_scopes_at(struct dbg *d, unsigned int pc, Dwarf_Die scopes[MAX_SCOPES])
{
	const uint32_t address = DPU_IRAM_FLAG + 8 * pc;
	Dwarf_Off offset = 0;
	unsigned int count = 0;
	Dwarf_Die unit;

	while (next_unit(d, &offset, &unit)) {
		if (!find_inner(&unit, address, &scopes[0]))
			continue;
		for (count = 1; count < MAX_SCOPES && find_inner(&scopes[count - 1], address, &scopes[count]);)
			count++;
		return count;
	}
	return 0;
}

unsigned int find_scopes(struct dbg *d, Dwarf_Die scopes[MAX_SCOPES])
{
	struct frame frame;

	return selected(d, &frame) ? find_scopes_at(d, frame.pc, scopes) : 0;
}

unsigned int body_of(struct dbg *d, unsigned int pc)
{
	uint32_t address = DPU_IRAM_FLAG + 8 * pc;
	Dwarf_Die unit, function, entry;
	Dwarf_Attribute attribute;
	Dwarf_Off offset = 0;
	Dwarf_Lines *lines;
	bool slots = false;
	size_t count;

	while (next_unit(d, &offset, &unit)) {
		if (!find_inner(&unit, address, &function) || dwarf_getsrclines(&unit, &lines, &count))
			continue;
		for (int more = dwarf_child(&function, &entry); !more; more = dwarf_siblingof(&entry, &entry))
			slots |= dwarf_tag(&entry) == DW_TAG_formal_parameter &&
				 dwarf_attr(&entry, DW_AT_location, &attribute);
		for (size_t i = 0; slots && i < count; i++) {
			Dwarf_Line *line = dwarf_onesrcline(lines, i);
			Dwarf_Addr at;
			bool end;

			if (!dwarf_lineprologueend(line, &end) && end && !dwarf_lineaddr(line, &at) &&
			    dwarf_haspc(&function, at) > 0)
				return (at - DPU_IRAM_FLAG) / 8;
		}
		break;
	}
	return pc;
}

/* In the entries inside one. */
static unsigned int find_inlined_in(Dwarf_Die *parent, const char *name, unsigned int pc[DPU_MAX_THREADS],
				    unsigned int count)
{
	Dwarf_Addr base, first, end;
	Dwarf_Die entry;

	for (int more = dwarf_child(parent, &entry); !more; more = dwarf_siblingof(&entry, &entry)) {
		const char *own = dwarf_diename(&entry);

		if (dwarf_tag(&entry) == DW_TAG_inlined_subroutine && own && !strcmp(own, name) &&
		    count < DPU_MAX_THREADS && dwarf_ranges(&entry, 0, &base, &first, &end) > 0)
			pc[count++] = (first - DPU_IRAM_FLAG) / 8;
		if (is_scope(dwarf_tag(&entry)))
			count = find_inlined_in(&entry, name, pc, count);
	}
	return count;
}

unsigned int find_inlined(struct dbg *d, const char *name, unsigned int pc[DPU_MAX_THREADS], unsigned int count)
{
	Dwarf_Off offset = 0;
	Dwarf_Die unit;

	while (next_unit(d, &offset, &unit))
		count = find_inlined_in(&unit, name, pc, count);
	return count;
}

/* The length of up to so many words, or 0 if there are fewer. */
static size_t words_length(const char *text, unsigned int count)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	size_t length = 0;

	while (count--) {
		size_t word = strspn(text + length, letters);

		if (!word)
			return 0;
		length += word + (count ? strspn(text + length + word, " ") : 0);
	}
	return length;
}

/* The type that the unit has of a name, of which "struct " and so on was cut off and is the tag. */
static bool type_named(Dwarf_Die *unit, unsigned int tag, const char *name, size_t length, Dwarf_Die *type)
{
	for (int more = dwarf_child(unit, type); !more; more = dwarf_siblingof(type, type)) {
		unsigned int own_tag = dwarf_tag(type);
		const char *own = dwarf_diename(type);
		Dwarf_Attribute attribute;

		if ((tag ? own_tag == tag : own_tag == DW_TAG_typedef || own_tag == DW_TAG_base_type) && own &&
		    strlen(own) == length && !memcmp(own, name, length) && !dwarf_attr(type, DW_AT_declaration, &attribute))
			return true;
	}
	return false;
}

size_t find_type(struct dbg *d, const char *text, Dwarf_Die *type)
{
	static const struct {
		const char *word;
		unsigned int tag;
	} kinds[] = {
		{ "struct ", DW_TAG_structure_type }, { "union ", DW_TAG_union_type }, { "enum ", DW_TAG_enumeration_type },
		{ "", 0 }
	};
	unsigned int kind = 0;
	const char *name;
	Dwarf_Die unit;

	while (strncmp(text, kinds[kind].word, strlen(kinds[kind].word)))
		kind++;
	name = text + strlen(kinds[kind].word);
	name += strspn(name, " ");
	/* "unsigned long long" */
	for (unsigned int words = kinds[kind].tag ? 1 : 3; words; words--) {
		size_t length = words_length(name, words);
		Dwarf_Off offset = 0;

		while (length && next_unit(d, &offset, &unit))
			if (type_named(&unit, kinds[kind].tag, name, length, type))
				return name + length - text;
	}
	return 0;
}

static bool frame_base(struct dbg *d, Dwarf_Die *function, uint32_t *base)
{
	Dwarf_Attribute attribute;
	struct frame frame;
	Dwarf_Op *op;
	size_t count;

	return dwarf_attr(function, DW_AT_frame_base, &attribute) && !dwarf_getlocation(&attribute, &op, &count) &&
	       count == 1 && op->atom == DW_OP_reg0 + STACK_POINTER && selected(d, &frame) && frame_slots(d, &frame, base);
}

enum known locate(struct dbg *d, Dwarf_Die *function, Dwarf_Die *variable, struct value *v)
{
	Dwarf_Attribute attribute;
	uint32_t base;
	Dwarf_Op *op;
	size_t count;

	*v = (struct value){ .in_memory = true };
	v->has_type = type_of(variable, &v->type);
	if (!v->has_type)
		return KNOWN_NOT;
	if (dwarf_attr_integrate(variable, DW_AT_const_value, &attribute)) {
		Dwarf_Word number;

		v->in_memory = false;
		if (dwarf_formudata(&attribute, &number))
			return KNOWN_NOT;
		v->number = number;
		return KNOWN;
	}
	if (!dwarf_attr(variable, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &op, &count) || count != 1)
		return KNOWN_NOT;
	if (op->atom == DW_OP_addr) {
		v->address = op->number;
		return KNOWN;
	}
	if (op->atom != DW_OP_fbreg || !function || !frame_base(d, function, &base))
		return KNOWN_NOT;
	v->address = base + (int32_t)op->number;
	return KNOWN;
}

/* Is it the variable of that name, and not only its declaration? */
static bool is_named(Dwarf_Die *entry, const char *name, size_t length)
{
	unsigned int tag = dwarf_tag(entry);
	const char *own = dwarf_diename(entry);
	Dwarf_Attribute attribute;

	return (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) && own && strlen(own) == length &&
	       !memcmp(own, name, length) && !dwarf_attr(entry, DW_AT_declaration, &attribute);
}

static bool child_named(Dwarf_Die *parent, const char *name, size_t length, Dwarf_Die *child)
{
	for (int more = dwarf_child(parent, child); !more; more = dwarf_siblingof(child, child))
		if (is_named(child, name, length))
			return true;
	return false;
}

enum known find_variable(struct dbg *d, const char *name, size_t length, struct value *v)
{
	Dwarf_Die scopes[MAX_SCOPES], variable, unit;
	Dwarf_Off offset = 0;

	for (unsigned int n = find_scopes(d, scopes); n; n--) {
		if (!child_named(&scopes[n - 1], name, length, &variable))
			continue;
		if (locate(d, &scopes[0], &variable, v) == KNOWN)
			return KNOWN;
		wrong(d, "%.*s is <optimized out>: compile with -O0 to see it", (int)length, name);
		return KNOWN_WRONG;
	}
	while (next_unit(d, &offset, &unit))
		if (child_named(&unit, name, length, &variable) && locate(d, NULL, &variable, v) == KNOWN)
			return KNOWN;
	return KNOWN_NOT;
}

#else
unsigned int body_of(struct dbg *d, unsigned int pc)
{
	(void)d;
	return pc;
}

unsigned int find_inlined(struct dbg *d, const char *name, unsigned int pc[DPU_MAX_THREADS], unsigned int count)
{
	(void)d;
	(void)name;
	(void)pc;
	return count;
}
#endif
