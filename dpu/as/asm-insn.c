// SPDX-License-Identifier: GPL-2.0-only
/* Instructions: finds the first encoding that the operands fit. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/as/asm-internal.h"
#include "dpu/isa/dpu_isa.h"

#define MAX_OPERANDS 12

struct operands {
	char *text[MAX_OPERANDS];
	unsigned int count;
};

static bool register_number(const char *text, char letter, int32_t *value)
{
	static const char *const constants[] = {
		"zero", "one", "lneg", "mneg", "id", "id2", "id4", "id8"
	};
	char *end;
	long n;

	for (int i = 0; i < 8; i++) {
		if (!strcmp(text, constants[i])) {
			*value = DPU_REG_ZERO + i;
			return letter != 'd';
		}
	}
	if (text[0] != letter || !isdigit((unsigned char)text[1]))
		return false;
	n = strtol(text + 1, &end, 10);
	*value = n;
	return !*end && n < DPU_REG_ZERO;
}

static bool looks_like_register(const char *text)
{
	int32_t n;

	return register_number(text, 'r', &n) || register_number(text, 'd', &n) ||
	       register_number(text, 's', &n);
}

static enum dpu_cond condition(const char *text, enum dpu_cc_class class)
{
	bool compare = class == DPU_CC_SUB_NZ || class == DPU_CC_EXT_SUB_SET ||
		       class == DPU_CC_SUB_SET;

	/* After a subtraction the carry means "no borrow"; UPMEM's assembler has names for these conditions. */
	if (compare && !strcmp(text, "eq"))
		return DPU_COND_Z;
	if (compare && !strcmp(text, "neq"))
		return DPU_COND_NZ;
	if (compare && !strcmp(text, "c"))
		return DPU_COND_GEU;
	if (compare && !strcmp(text, "nc"))
		return DPU_COND_LTU;
	for (int i = 0; i < DPU_COND_INVALID; i++)
		if (!strcmp(text, dpu_cond_name(i)))
			return i;
	return DPU_COND_INVALID;
}

static bool insn_fits(const struct dpu_operand *o, int64_t n)
{
	unsigned int width = o->width ? o->width : 32;

	if (o->kind == DPU_KIND_WORD)
		return n >= INT32_MIN && n <= UINT32_MAX;
	/* A jump's offset is an address in the text; a call's may be negative. */
	if (o->kind == DPU_KIND_PC)
		return n >= -(INT64_C(1) << (width - 1)) && n < INT64_C(1) << width;
	if (o->is_signed)
		return n >= -(INT64_C(1) << (width - 1)) && n < INT64_C(1) << (width - 1);
	return n >= 0 && n < INT64_C(1) << width;
}

/* Sign-extends a branch offset that was written as an unsigned address. */
static int32_t normal(const struct dpu_operand *o, int64_t n)
{
	unsigned int width = o->width;

	if (o->kind != DPU_KIND_PC || width >= 32)
		return n;
	n &= (INT64_C(1) << width) - 1;
	if (o->is_signed && n >> (width - 1))
		n -= INT64_C(1) << width;
	return n;
}

static bool match_operand(struct as *as, const struct dpu_operand *o, const char *text,
			  struct dpu_insn *insn)
{
	int32_t *value = &insn->value[o->slot];
	enum dpu_cond cond;
	int64_t n;

	switch (o->kind) {
	case DPU_KIND_REG:
		return register_number(text, 'r', value);
	case DPU_KIND_PAIR:
		return register_number(text, 'd', value);
	case DPU_KIND_SAFE:
		return register_number(text, 's', value) || register_number(text, 'r', value);
	case DPU_KIND_ZERO:
		return !strcmp(text, "zero");
	case DPU_KIND_NUM:
	case DPU_KIND_WORD:
	case DPU_KIND_HEX:
	case DPU_KIND_PC:
		if (looks_like_register(text))
			return false;
		/* "z" and so on are conditions, unless the program has a symbol of that name. */
		if (condition(text, DPU_CC_ADD_NZ) != DPU_COND_INVALID &&
		    !as_symbol(as, text, strlen(text), false))
			return false;
		n = as_number(as, text);
		*value = normal(o, n);
		return insn_fits(o, n);
	default:
		cond = condition(text, o->kind - DPU_KIND_CC);
		if (cond == DPU_COND_INVALID)
			return false;
		*value = dpu_cond_cc(o->kind - DPU_KIND_CC, cond);
		return *value >= 0;
	}
}

static bool safe_form(enum dpu_form form)
{
	return form == DPU_FORM_esii || form == DPU_FORM_esir || form == DPU_FORM_ersi ||
	       form == DPU_FORM_ssi || form == DPU_FORM_sss;
}

static bool match(struct as *as, const struct dpu_encoding *e, const struct operands *ops,
		  uint64_t *word)
{
	struct dpu_insn insn = { .encoding = e };
	unsigned int used = 0;

	insn.value[DPU_SLOT_RC] = DPU_REG_ZERO;
	for (int i = 0; i < DPU_MAX_OPERANDS && e->operands[i]; i++) {
		const struct dpu_operand *o = &dpu_operands[e->operands[i]];

		if (o->kind == DPU_KIND_ENDIAN) {
			if (used < ops->count && !strcmp(ops->text[used], "!big")) {
				insn.value[o->slot] = 1;
				used++;
			} else if (used < ops->count && !strcmp(ops->text[used], "!little")) {
				used++;
			}
			continue;
		}
		if (o->kind == DPU_KIND_CC + DPU_CC_FALSE) {
			if (used < ops->count && !strcmp(ops->text[used], "false"))
				used++;
			continue;
		}
		if (used >= ops->count || !match_operand(as, o, ops->text[used], &insn))
			return false;
		used++;
	}
	return used == ops->count && dpu_encode(&insn, word);
}

static bool insn_find(struct as *as, const char *name, const struct operands *ops, uint64_t *word)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < dpu_encoding_count; i++) {
		const struct dpu_encoding *e = &dpu_encodings[i];
		bool safe = safe_form(e->form);
		size_t own = strlen(e->name);
		bool named = !strcmp(e->name, name);

		if (safe && length == own + 1 && !strncmp(e->name, name, own) && name[own] == 's')
			named = true;
		/* A safe form without its s is written with s registers. */
		else if (safe && !(named && ops->count && !strcmp(ops->text[0], "!big")))
			named = false;
		if (named && match(as, e, ops, word))
			return true;
	}
	return false;
}

static void insert_operand(struct operands *ops, unsigned int at, char *text)
{
	memmove(&ops->text[at + 1], &ops->text[at], (ops->count - at) * sizeof(ops->text[0]));
	ops->text[at] = text;
	ops->count++;
}

static void insn_append(struct operands *ops, char *text)
{
	insert_operand(ops, ops->count, text);
}

/* jeq and so on: a comparison without result, with a condition and a target. */
static bool expand_jump(char *name, struct operands *ops)
{
	static const char *const conditions[] = {
		"eq", "neq", "ltu", "geu", "lts", "ges", "les", "gts", "leu", "gtu"
	};

	if (name[0] != 'j')
		return false;
	if ((!strcmp(name, "jz") || !strcmp(name, "jnz")) && ops->count == 2) {
		insert_operand(ops, 1, "0");
		insert_operand(ops, 2, name[1] == 'z' ? "eq" : "neq");
	} else {
		unsigned int i = 0;

		while (i < 10 && strcmp(conditions[i], name + 1))
			i++;
		if (i == 10 || ops->count != 3)
			return false;
		insert_operand(ops, 2, (char *)conditions[i]);
	}
	insert_operand(ops, 0, "zero");
	strcpy(name, "sub");
	return true;
}

static bool named(const char *name, const char *one, const char *other)
{
	return !strcmp(name, one) || !strcmp(name, other);
}

/*
 * move, also with a condition and a target. A copy is an or with 0. A number is an or with zero or, for a pair, an
 * and with lneg.
 */
static void expand_move(char *name, struct operands *ops)
{
	bool reg = looks_like_register(ops->text[1]), plain = ops->count == 2;
	char extension = name[4] ? name[5] : 0;

	if (extension)
		sprintf(name, reg ? "or.%c" : "and.%c", extension);
	else
		strcpy(name, "or");
	if (reg)
		insert_operand(ops, 2, "0");
	else
		insert_operand(ops, 1, extension ? "lneg" : "zero");
	if (reg && plain && !extension)
		insn_append(ops, "false");
}

/* Pseudo-instructions of the assembler (UPMEM assembler documentation). */
static void expand(char *name, struct operands *ops)
{
	if (expand_jump(name, ops))
		return;
	if (!strcmp(name, "move") && ops->count >= 2) {
		expand_move(name, ops);
	} else if (named(name, "move.s", "move.u") && ops->count >= 2) {
		expand_move(name, ops);
	} else if (named(name, "movd", "swapd") && ops->count == 2) {
		insn_append(ops, "false");
		insn_append(ops, "0");
	} else if (!strcmp(name, "neg") && ops->count >= 2) {
		strcpy(name, "sub");
		insert_operand(ops, 1, "0");
	} else if (!strcmp(name, "not") && ops->count >= 2) {
		strcpy(name, "xor");
		insert_operand(ops, 2, "-1");
	} else if (named(name, "bkp", "fault") && !ops->count) {
		strcpy(name, "fault");
		insn_append(ops, "0");
	} else if (!strcmp(name, "stop") && !ops->count) {
		insn_append(ops, "true");
		insn_append(ops, ".");
	} else if (!strcmp(name, "jump") && (ops->count == 1 || ops->count == 2)) {
		strcpy(name, "call");
		if (ops->count == 1 && looks_like_register(ops->text[0]))
			insn_append(ops, "0");
		else if (ops->count == 1)
			insert_operand(ops, 0, "zero");
		insert_operand(ops, 0, "zero");
	} else if (!strcmp(name, "call") && ops->count == 2) {
		if (looks_like_register(ops->text[1]))
			insn_append(ops, "0");
		else
			insert_operand(ops, 1, "zero");
	} else if (!strcmp(name, "time_cfg") && ops->count == 1) {
		insert_operand(ops, 0, "zero");
	}
}

static bool insn_known(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < dpu_encoding_count; i++) {
		size_t own = strlen(dpu_encodings[i].name);

		if (!strncmp(dpu_encodings[i].name, name, own) &&
		    (own == length || (own + 1 == length && name[own] == 's' &&
				       safe_form(dpu_encodings[i].form))))
			return true;
	}
	return false;
}

void as_instruction(struct as *as, const char *mnemonic, size_t length, char *text)
{
	char name[24], written[24];
	struct operands ops;
	uint64_t word = 0;
	uint8_t slot[8];

	if (as->current != AS_TEXT)
		as_fail(as, "an instruction outside of .text; write .text first");
	if (length >= sizeof(name))
		as_fail(as, "unknown instruction '%.*s'", (int)length, mnemonic);
	memcpy(name, mnemonic, length);
	name[length] = '\0';
	strcpy(written, name);
	ops.count = as_split(as, text, ops.text, MAX_OPERANDS - 4);
	expand(name, &ops);
	if (as->pass == 1) {
		if (!insn_known(name))
			as_fail(as, "unknown instruction '%s'", written);
	} else if (!insn_find(as, name, &ops, &word)) {
		as_fail(as, "no form of '%s' takes these operands, or a number is out of range", written);
	}
	as_line_insn(as);
	for (int i = 0; i < 8; i++)
		slot[i] = word >> (8 * i);
	as_emit(as, slot, sizeof(slot));
}
