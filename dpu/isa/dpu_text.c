// SPDX-License-Identifier: LGPL-2.1-or-later
/* Instructions as text, in the syntax of UPMEM's assembler. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "dpu/isa/dpu_isa.h"

const char *dpu_cond_name(enum dpu_cond cond)
{
	static const char *const names[] = {
#define DPU_COND(name, text) text,
#include "dpu/isa/dpu_cond.def"
#undef DPU_COND
		"???"
	};

	return names[cond];
}

struct text {
	char *buffer;
	size_t length;
	const char *separator;
};

static void __attribute__((format(printf, 2, 3))) text_put(struct text *t, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(t->buffer + t->length, DPU_TEXT_SIZE - t->length, format, args);
	va_end(args);
	if (n > 0)
		t->length += n;
	if (t->length >= DPU_TEXT_SIZE)
		t->length = DPU_TEXT_SIZE - 1;
}

static void next_operand(struct text *t)
{
	text_put(t, "%s", t->separator);
	t->separator = ", ";
}

static void put_register(struct text *t, char letter, int number)
{
	static const char *const constants[] = {
		"zero", "one", "lneg", "mneg", "id", "id2", "id4", "id8"
	};

	next_operand(t);
	if (number >= DPU_REG_ZERO)
		text_put(t, "%s", constants[number - DPU_REG_ZERO]);
	else
		text_put(t, "%c%d", letter, number);
}

static void put_pc(struct text *t, int32_t value)
{
	next_operand(t);
	text_put(t, "0x%" PRIx32, (uint32_t)value);
}

static uint32_t unsigned_field(const struct dpu_operand *o, int32_t value)
{
	return o->width < 32 ? value & ((UINT32_C(1) << o->width) - 1) : (uint32_t)value;
}

static void put_operand(struct text *t, const struct dpu_operand *o, const struct dpu_insn *insn,
			enum dpu_text_style style)
{
	int32_t value = insn->value[o->slot];

	switch (o->kind) {
	case DPU_KIND_REG:
		put_register(t, 'r', value);
		break;
	case DPU_KIND_PAIR:
		put_register(t, 'd', value);
		break;
	case DPU_KIND_SAFE:
		/* The mnemonic alone decides in the other cases: see safe_suffix(). */
		put_register(t, insn->value[DPU_SLOT_ENDIAN] ? 's' : 'r', value);
		break;
	case DPU_KIND_ZERO:
		put_register(t, 'r', DPU_REG_ZERO);
		break;
	case DPU_KIND_ENDIAN:
		if (value) {
			next_operand(t);
			text_put(t, "!big");
		}
		break;
	case DPU_KIND_NUM:
		next_operand(t);
		text_put(t, "%" PRId32, value);
		break;
	case DPU_KIND_WORD:
	case DPU_KIND_HEX:
		next_operand(t);
		if (style == DPU_TEXT_SDK)
			text_put(t, "0x%" PRIx32, unsigned_field(o, value));
		else
			text_put(t, "%" PRId32, value);
		break;
	case DPU_KIND_PC:
		put_pc(t, unsigned_field(o, value));
		break;
	default:
		if (o->kind - DPU_KIND_CC == DPU_CC_FALSE)
			break;
		next_operand(t);
		text_put(t, "%s", dpu_cond_name(dpu_cc_cond(o->kind - DPU_KIND_CC, value)));
	}
}

/* A little-endian sb with a safe register is written sbs; adds and subs always have the suffix. */
static bool safe_suffix(const struct dpu_insn *insn)
{
	switch (insn->encoding->form) {
	case DPU_FORM_esii:
	case DPU_FORM_esir:
	case DPU_FORM_ersi:
		return !insn->value[DPU_SLOT_ENDIAN];
	case DPU_FORM_ssi:
	case DPU_FORM_sss:
		return true;
	default:
		return false;
	}
}

static const char *compare_and_jump(int cc)
{
	switch (dpu_cc_cond(DPU_CC_SUB_NZ, cc)) {
	case DPU_COND_Z:
		return "jeq";
	case DPU_COND_NZ:
		return "jneq";
	case DPU_COND_LTU:
		return "jltu";
	case DPU_COND_GEU:
		return "jgeu";
	case DPU_COND_LTS:
		return "jlts";
	case DPU_COND_GES:
		return "jges";
	case DPU_COND_LES:
		return "jles";
	case DPU_COND_GTS:
		return "jgts";
	case DPU_COND_LEU:
		return "jleu";
	case DPU_COND_GTU:
		return "jgtu";
	default:
		return NULL;
	}
}

static bool put_alias(struct text *t, const struct dpu_insn *insn, enum dpu_text_style style)
{
	const struct dpu_encoding *e = insn->encoding;
	const int32_t *v = insn->value;
	const char *name;

	if (e->op == DPU_OP_or && e->form == DPU_FORM_rri && e->ext == DPU_EXT_r &&
	    v[DPU_SLOT_RA] == DPU_REG_ZERO) {
		text_put(t, "move");
		put_register(t, 'r', v[DPU_SLOT_RC]);
	} else if (e->op == DPU_OP_and && e->form == DPU_FORM_rki && v[DPU_SLOT_RA] == 26) {
		text_put(t, e->ext == DPU_EXT_s ? "move.s" : "move.u");
		put_register(t, 'd', v[DPU_SLOT_RC]);
	} else if (e->op == DPU_OP_call && e->form == DPU_FORM_zri) {
		text_put(t, "jump");
		if (v[DPU_SLOT_RA] != DPU_REG_ZERO)
			put_register(t, 'r', v[DPU_SLOT_RA]);
		if (v[DPU_SLOT_OFF] || v[DPU_SLOT_RA] == DPU_REG_ZERO)
			put_pc(t, v[DPU_SLOT_OFF] & 0xfffffff);
		return true;
	} else if (e->op == DPU_OP_sub && (e->form == DPU_FORM_zrici || e->form == DPU_FORM_zrrci)) {
		name = compare_and_jump(v[DPU_SLOT_CC]);
		if (!name)
			return false;
		text_put(t, "%s", name);
		put_register(t, 'r', v[DPU_SLOT_RA]);
		if (e->form == DPU_FORM_zrrci) {
			put_register(t, 'r', v[DPU_SLOT_RB]);
		} else {
			next_operand(t);
			text_put(t, "%" PRId32, v[DPU_SLOT_IMM]);
		}
		put_pc(t, v[DPU_SLOT_PC]);
		return true;
	} else if (e->op == DPU_OP_time_cfg && e->form == DPU_FORM_zr) {
		text_put(t, "time_cfg");
		put_register(t, 'r', v[DPU_SLOT_RB]);
		return true;
	} else {
		return false;
	}
	next_operand(t);
	if (style == DPU_TEXT_SDK)
		text_put(t, "0x%" PRIx32, (uint32_t)v[DPU_SLOT_IMM]);
	else
		text_put(t, "%" PRId32, v[DPU_SLOT_IMM]);
	return true;
}

void dpu_insn_text(const struct dpu_insn *insn, enum dpu_text_style style, char text[DPU_TEXT_SIZE])
{
	const struct dpu_encoding *e = insn->encoding;
	struct text t = { .buffer = text, .separator = " " };

	text[0] = '\0';
	if (put_alias(&t, insn, style))
		return;
	text_put(&t, "%s%s", e->name, safe_suffix(insn) ? "s" : "");
	for (int i = 0; i < DPU_MAX_OPERANDS && e->operands[i]; i++)
		put_operand(&t, &dpu_operands[e->operands[i]], insn, style);
}
