// SPDX-License-Identifier: LGPL-2.1-or-later
/* Decoder and encoder of the DPU's instructions, from the table dpu_insn.def. */
#include <pthread.h>
#include <string.h>

#include "dpu/isa/dpu_isa.h"

/*
 * Predicates: conditions that mask and match cannot express. They exclude values of a field that select another
 * encoding.
 *
 * PREDICATE(name, bit, patterns): no pattern fits the bits from this one downwards; a dot is any bit.
 */
#define PREDICATES \
	PREDICATE(CC_ACQ, 25, "00")			/* acquire: cc 0 is release */ \
	PREDICATE(CC_BOOT, 27, "011. 10..")		/* 0 to 5, 12 to 15 */ \
	PREDICATE(CC_DIV, 27, "001. 01.. 10..")		/* 0, 1, 12 to 15 */ \
	PREDICATE(CC_NZ4, 27, "011. 101.")		/* 0 to 5, 8, 9, 12 to 15 */ \
	PREDICATE(CC_NZ5, 28, "0011. 0101.")		/* the same and 16 to 31 */ \
	PREDICATE(CC_SHIFT, 29, "0.011. ..101. 1.0...")	/* bit 29 is the upper one of five */ \
	PREDICATE(CC_ISHIFT, 29, "0.011. ..101. 1.0... 1.110.")	/* the same without 28 and 29 */ \
	PREDICATE(CC_SET, 27, "00.. 11..")		/* 6, 7, 10, 11 and their neighbours */ \
	PREDICATE(CC_EXT, 30, "0..00.. 0..11.. 0....0. 0.1....")	/* set forms of a comparison */ \
	PREDICATE(CC_EXT0, 30, "0.00000") \
	PREDICATE(CC_EXT1, 30, "1.00000") \
	PREDICATE(CC4, 27, "0000")			/* cc is not 0 */ \
	PREDICATE(CC5, 28, "00000") \
	PREDICATE(CC5_SHIFT, 29, "0.0000") \
	PREDICATE(NOT_SAFE, 28, "10000")		/* not a stack form (adds, subs) */ \
	PREDICATE(NOT_ADDSUB, 23, "11")			/* a multiplication */ \
	PREDICATE(NOT_LD, 26, "11") \
	PREDICATE(RB, 33, "11")			/* rb is a register, not the mark of an immediate */ \
	PREDICATE(RA_NZ, 38, "11000")			/* ra is not zero (24) */ \
	PREDICATE(RA_GPR, 38, "11")			/* ra is not a constant */ \
	PREDICATE(RC, 43, "11")			/* rc is a register */ \
	PREDICATE(RX, 45, "11")			/* the same in the second layout */ \
	PREDICATE(NOT_7, 46, "111")

enum {
#define PREDICATE(name, ...) PREDICATE_##name,
	PREDICATES
#undef PREDICATE
	PREDICATE_COUNT
};

enum {
#define PREDICATE(name, ...) P_##name = 1 << PREDICATE_##name,
	PREDICATES
#undef PREDICATE
};

enum operand_id {
	OP_NONE,
#define DPU_OPERAND(name, slot, kind, width, is_signed, slices) OP_##name,
#include "dpu/isa/dpu_operand.def"
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
#include "dpu/isa/dpu_operand.def"
};

#define DPU_INSN(name, op, ext, form, mask, match, predicates, ...) \
	{ name, mask, match, predicates, DPU_OP_##op, DPU_EXT_##ext, DPU_FORM_##form, \
	  { __VA_ARGS__ } },
const struct dpu_encoding dpu_encodings[] = {
#include "dpu/isa/dpu_insn.def"
};
const size_t dpu_encoding_count = sizeof(dpu_encodings) / sizeof(dpu_encodings[0]);

static uint32_t isa_bits(uint64_t word, int hi, int lo)
{
	return word >> lo & ((UINT64_C(1) << (hi - lo + 1)) - 1);
}

static bool picture_fits(const char *picture, int bit, uint64_t word)
{
	for (; *picture && *picture != ' '; picture++, bit--)
		if (*picture != '.' && (uint64_t)(*picture - '0') != (word >> bit & 1))
			return false;
	return true;
}

static bool predicate_holds(unsigned int predicate, uint64_t word)
{
	static const struct {
		uint8_t bit;
		const char *pictures;
	} table[] = {
#define PREDICATE(name, bit, pictures) \
	{ bit, pictures },
		PREDICATES
#undef PREDICATE
	};

	for (const char *p = table[predicate].pictures; p; p = strchr(p, ' ')) {
		p += *p == ' ';
		if (picture_fits(p, table[predicate].bit, word))
			return false;
	}
	return true;
}

static bool predicates_hold(uint32_t predicates, uint64_t word)
{
	for (unsigned int i = 0; i < PREDICATE_COUNT; i++)
		if (predicates >> i & 1 && !predicate_holds(i, word))
			return false;
	return true;
}

/* Encodings by the word's top nibble, in table order: at most 60 comparisons instead of 1000. */
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

static const struct dpu_encoding *isa_find(uint64_t word)
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
		value |= isa_bits(word, o->slice[i].hi, o->slice[i].lo) << o->slice[i].shift;
	if (o->is_signed && value >> (o->width - 1))
		value |= ~UINT32_C(0) << (o->width - 1);
	return value;
}

bool dpu_decode(uint64_t word, struct dpu_insn *insn)
{
	memset(insn, 0, sizeof(*insn));
	insn->value[DPU_SLOT_RC] = DPU_REG_ZERO;
	insn->encoding = isa_find(word);
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
	if (isa_find(w) != e)
		return false;
	*word = w;
	return true;
}

static const struct {
	uint8_t class, cc, cond;
} cc_table[] = {
#define DPU_CC(class, cc, cond) { DPU_CC_##class, cc, DPU_COND_##cond },
#include "dpu/isa/dpu_cond.def"
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
