// SPDX-License-Identifier: GPL-2.0-only
/* Decoder and encoder: both walk the same table. */
#include <pthread.h>
#include <string.h>

#include "formats/dpu_isa.h"

/*
 * Predicates: what a mask cannot say. A field of an instruction may not take the values that
 * select another encoding.
 */
enum {
	P_CC_ACQ = 1 << 0,	/* acquire: cc 0 is release */
	P_CC_BOOT = 1 << 1,	/* 0..5, 12..15 */
	P_CC_DIV = 1 << 2,	/* 0, 1, 12..15 */
	P_CC_NZ4 = 1 << 3,	/* 0..5, 8, 9, 12..15 of 4 bits */
	P_CC_NZ5 = 1 << 4,	/* the same and 16..31 of 5 bits */
	P_CC_SHIFT = 1 << 5,	/* 5 bits, the upper one apart */
	P_CC_ISHIFT = 1 << 6,	/* the same without 28, 29 */
	P_CC_SET = 1 << 7,	/* 6, 7, 10, 11 and their neighbours */
	P_CC_EXT = 1 << 8,	/* set forms of a comparison */
	P_CC_EXT0 = 1 << 9,
	P_CC_EXT1 = 1 << 10,
	P_CC4 = 1 << 11,	/* cc is not 0 */
	P_CC5 = 1 << 12,
	P_CC5_SHIFT = 1 << 13,
	P_NOT_SAFE = 1 << 14,	/* not a stack form (adds, subs) */
	P_NOT_ADDSUB = 1 << 15,	/* a multiplication */
	P_NOT_LD = 1 << 16,
	P_RB = 1 << 17,		/* rb is a register, not the mark of an immediate */
	P_RA_NZ = 1 << 18,	/* ra is not zero (24) */
	P_RA_GPR = 1 << 19,	/* ra is not a constant */
	P_RC = 1 << 20,		/* rc is a register */
	P_RX = 1 << 21,		/* the same in the second layout */
	P_NOT_7 = 1 << 22,
};

enum operand_id {
	OP_NONE,
#define DPU_OPERAND(name, slot, kind, width, is_signed, slices) OP_##name,
#include "formats/dpu_operand.def"
#undef DPU_OPERAND
	OP_COUNT
};

#define S(hi, lo, shift) {hi, lo, shift},
#define B8_11 S(15, 15, 8) S(14, 14, 9) S(13, 13, 10) S(12, 12, 11)
#define B0_11 S(23, 20, 0) S(19, 16, 4) B8_11
#define ST0_11 S(23, 20, 0) S(41, 39, 4) S(24, 24, 7) B8_11
#define SIGN16 S(4, 0, 12) S(5, 5, 16) S(6, 6, 16) S(7, 7, 16) S(8, 8, 16) S(9, 9, 16) \
	S(10, 10, 16) S(11, 11, 16)
#define NOTHING
#define DPU_KIND_CC_(class) (DPU_KIND_CC + DPU_CC_##class)
#define DPU_KIND_CC_ACQUIRE DPU_KIND_CC_(ACQUIRE)
#define DPU_KIND_CC_RELEASE DPU_KIND_CC_(RELEASE)
#define DPU_KIND_CC_BOOT DPU_KIND_CC_(BOOT)
#define DPU_KIND_CC_DIV DPU_KIND_CC_(DIV)
#define DPU_KIND_CC_DIV_NZ DPU_KIND_CC_(DIV_NZ)
#define DPU_KIND_CC_TRUE_FALSE DPU_KIND_CC_(TRUE_FALSE)
#define DPU_KIND_CC_TRUE DPU_KIND_CC_(TRUE)
#define DPU_KIND_CC_FALSE DPU_KIND_CC_(FALSE)
#define DPU_KIND_CC_LOG_SET DPU_KIND_CC_(LOG_SET)
#define DPU_KIND_CC_SUB_SET DPU_KIND_CC_(SUB_SET)
#define DPU_KIND_CC_LOG_NZ DPU_KIND_CC_(LOG_NZ)
#define DPU_KIND_CC_COUNT_NZ DPU_KIND_CC_(COUNT_NZ)
#define DPU_KIND_CC_MUL_NZ DPU_KIND_CC_(MUL_NZ)
#define DPU_KIND_CC_IMM_SHIFT_NZ DPU_KIND_CC_(IMM_SHIFT_NZ)
#define DPU_KIND_CC_SHIFT_NZ DPU_KIND_CC_(SHIFT_NZ)
#define DPU_KIND_CC_ADD_NZ DPU_KIND_CC_(ADD_NZ)
#define DPU_KIND_CC_SUB_NZ DPU_KIND_CC_(SUB_NZ)
#define DPU_KIND_CC_EXT_SUB_SET DPU_KIND_CC_(EXT_SUB_SET)

#define DPU_OPERAND(name, slot, kind, width, is_signed, slices) [OP_##name] = { \
	DPU_SLOT_##slot, DPU_KIND_##kind, width, is_signed, \
	sizeof((struct dpu_slice[]){ slices {0, 0, 0} }) / sizeof(struct dpu_slice) - 1, \
	{ slices {0, 0, 0} } },
const struct dpu_operand dpu_operands[OP_COUNT] = {
#include "formats/dpu_operand.def"
};

#define DPU_INSN(name, op, ext, form, mask, match, predicates, ...) \
	{ name, mask##ULL, match##ULL, predicates, DPU_OP_##op, DPU_EXT_##ext, DPU_FORM_##form, \
	  { __VA_ARGS__ } },
const struct dpu_encoding dpu_encodings[] = {
#include "formats/dpu_insn.def"
};
const size_t dpu_encoding_count = sizeof(dpu_encodings) / sizeof(dpu_encodings[0]);

static uint32_t bits(uint64_t word, int hi, int lo)
{
	return word >> lo & ((UINT64_C(1) << (hi - lo + 1)) - 1);
}

static bool cc_nz(uint32_t cc)
{
	return cc < 6 || cc == 8 || cc == 9 || cc > 11;
}

static bool cc_set(uint32_t cc)
{
	return (cc >> 2 & 1) != (cc >> 3 & 1);
}

static bool predicates_hold(uint32_t p, uint64_t w)
{
	uint32_t cc4 = bits(w, 27, 24), cc5 = bits(w, 28, 24);
	bool b28 = bits(w, 28, 28), b29 = bits(w, 29, 29), b30 = bits(w, 30, 30);

	if (p & P_RB && bits(w, 33, 32) == 3)
		return false;
	if (p & P_RC && bits(w, 43, 42) == 3)
		return false;
	if (p & P_RX && bits(w, 45, 44) == 3)
		return false;
	if (p & P_NOT_7 && bits(w, 46, 44) == 7)
		return false;
	if (p & P_RA_NZ && bits(w, 38, 34) == DPU_REG_ZERO)
		return false;
	if (p & P_RA_GPR && bits(w, 38, 37) == 3)
		return false;
	if (p & P_NOT_LD && bits(w, 26, 25) == 3)
		return false;
	if (p & P_NOT_ADDSUB && (bits(w, 23, 20) & 0xc) == 0xc)
		return false;
	if (p & P_NOT_SAFE && b28 && !cc4)
		return false;
	if (p & P_CC_ACQ && !bits(w, 25, 24))
		return false;
	if (p & P_CC_BOOT && cc4 >= 6 && cc4 <= 11)
		return false;
	if (p & P_CC_DIV && cc4 >= 2 && cc4 <= 11)
		return false;
	if (p & P_CC_NZ4 && !cc_nz(cc4))
		return false;
	if (p & P_CC_NZ5 && !cc_nz(cc5))
		return false;
	if (p & P_CC_SHIFT && (b29 ? cc4 != 8 && cc4 != 9 && cc4 < 12 : !cc_nz(cc4)))
		return false;
	if (p & P_CC_ISHIFT && (b29 ? cc4 != 8 && cc4 != 9 && cc4 < 14 : !cc_nz(cc4)))
		return false;
	if (p & P_CC_SET && !cc_set(cc4))
		return false;
	if (p & P_CC_EXT && !b30 && !(cc_set(cc4) && bits(w, 25, 25) && !b28))
		return false;
	if (p & P_CC_EXT0 && !b30 && !cc5)
		return false;
	if (p & P_CC_EXT1 && b30 && !cc5)
		return false;
	if (p & P_CC4 && !cc4)
		return false;
	if (p & P_CC5 && !cc5)
		return false;
	if (p & P_CC5_SHIFT && !b29 && !cc4)
		return false;
	return true;
}

/* The encodings by the word's top nibble, in table order: a search of 60 instead of 1000. */
static uint16_t candidates[16][1024];
static uint16_t candidate_count[16];
static pthread_once_t candidates_once = PTHREAD_ONCE_INIT;

static void sort_candidates(void)
{
	for (size_t i = 0; i < dpu_encoding_count; i++) {
		unsigned int mask = dpu_encodings[i].mask >> 44;
		unsigned int match = dpu_encodings[i].match >> 44;

		for (unsigned int top = 0; top < 16; top++)
			if ((top & mask) == match)
				candidates[top][candidate_count[top]++] = i;
	}
}

static const struct dpu_encoding *find(uint64_t word)
{
	if (word >> 48)
		return NULL;
	pthread_once(&candidates_once, sort_candidates);
	for (unsigned int i = 0; i < candidate_count[word >> 44]; i++) {
		const struct dpu_encoding *e = &dpu_encodings[candidates[word >> 44][i]];

		if ((word & e->mask) == e->match && predicates_hold(e->predicates, word))
			return e;
	}
	return NULL;
}

static int32_t operand_get(const struct dpu_operand *o, uint64_t word)
{
	uint32_t value = 0;

	if (o->kind == DPU_KIND_ZERO)
		return DPU_REG_ZERO;
	for (int i = 0; i < o->slices; i++)
		value |= bits(word, o->slice[i].hi, o->slice[i].lo) << o->slice[i].shift;
	if (o->is_signed && value >> (o->width - 1))
		value |= ~UINT32_C(0) << (o->width - 1);
	return value;
}

bool dpu_decode(uint64_t word, struct dpu_insn *insn)
{
	memset(insn, 0, sizeof(*insn));
	insn->value[DPU_SLOT_RC] = DPU_REG_ZERO;
	insn->encoding = find(word);
	if (!insn->encoding)
		return false;
	for (int i = 0; i < DPU_MAX_OPERANDS && insn->encoding->operands[i]; i++) {
		const struct dpu_operand *o = &dpu_operands[insn->encoding->operands[i]];

		insn->value[o->slot] = operand_get(o, word);
	}
	return true;
}

static uint64_t operand_put(const struct dpu_operand *o, int32_t value)
{
	uint64_t word = 0;

	for (int i = 0; i < o->slices; i++) {
		const struct dpu_slice *s = &o->slice[i];
		uint64_t field = (uint32_t)value >> s->shift;

		word |= (field & ((UINT64_C(1) << (s->hi - s->lo + 1)) - 1)) << s->lo;
	}
	return word;
}

bool dpu_encode(const struct dpu_insn *insn, uint64_t *word)
{
	const struct dpu_encoding *e = insn->encoding;
	uint64_t w = e->match;

	for (int i = 0; i < DPU_MAX_OPERANDS && e->operands[i]; i++) {
		const struct dpu_operand *o = &dpu_operands[e->operands[i]];
		uint64_t field = operand_put(o, insn->value[o->slot]);

		if (operand_get(o, field) != insn->value[o->slot] || field & e->mask & ~e->match)
			return false;
		w |= field;
	}
	if (find(w) != e)
		return false;
	*word = w;
	return true;
}

static const struct {
	uint8_t class, cc, cond;
} cc_table[] = {
#define DPU_CC(class, cc, cond) { DPU_CC_##class, cc, DPU_COND_##cond },
#include "formats/dpu_cond.def"
#undef DPU_CC
};

#define CC_TABLE_SIZE (sizeof(cc_table) / sizeof(cc_table[0]))

enum dpu_cond dpu_cc_cond(enum dpu_cc_class class, unsigned int cc)
{
	for (size_t i = 0; i < CC_TABLE_SIZE; i++)
		if (cc_table[i].class == class && cc_table[i].cc == cc)
			return cc_table[i].cond;
	return DPU_COND_INVALID;
}

int dpu_cond_cc(enum dpu_cc_class class, enum dpu_cond cond)
{
	for (size_t i = 0; i < CC_TABLE_SIZE; i++)
		if (cc_table[i].class == class && cc_table[i].cond == cond)
			return cc_table[i].cc;
	return -1;
}

enum dpu_cond dpu_insn_cond(const struct dpu_insn *insn, bool *has_condition)
{
	*has_condition = false;
	for (int i = 0; i < DPU_MAX_OPERANDS && insn->encoding->operands[i]; i++) {
		const struct dpu_operand *o = &dpu_operands[insn->encoding->operands[i]];

		if (o->slot != DPU_SLOT_CC || o->kind == DPU_KIND_CC + DPU_CC_FALSE)
			continue;
		*has_condition = true;
		return dpu_cc_cond(o->kind - DPU_KIND_CC, insn->value[DPU_SLOT_CC]);
	}
	return DPU_COND_FALSE;
}
