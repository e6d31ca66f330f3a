/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The DPU's instruction set: words, decoded instructions, text.
 *
 * An instruction is a 48-bit word, kept in 8 bytes (little endian, upper 16 bits zero) in ELF files
 * and in IRAM. The encodings are in dpu_insn.def.
 */
#ifndef DPU_ISA_H
#define DPU_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dpu_op {
#define DPU_OP(name) DPU_OP_##name,
#include "dpu/isa/dpu_op.def"
#undef DPU_OP
	DPU_OP_COUNT
};

enum dpu_form {
#define DPU_FORM(name) DPU_FORM_##name,
#include "dpu/isa/dpu_op.def"
#undef DPU_FORM
};

/* What an instruction does with its 32-bit result. */
enum dpu_ext { DPU_EXT_r, DPU_EXT_z, DPU_EXT_s, DPU_EXT_u, DPU_EXT_d };

enum dpu_cond {
#define DPU_COND(name, text) DPU_COND_##name,
#include "dpu/isa/dpu_cond.def"
#undef DPU_COND
	DPU_COND_INVALID
};

/* The last condition that depends on z, n, C, V and the old ZF alone. */
#define DPU_COND_LAST_FLAGS DPU_COND_XGTU

enum dpu_operand_slot {
	DPU_SLOT_RC, DPU_SLOT_RA, DPU_SLOT_RB, DPU_SLOT_IMM, DPU_SLOT_OFF, DPU_SLOT_CC, DPU_SLOT_PC,
	DPU_SLOT_ENDIAN, DPU_SLOT_COUNT
};

enum dpu_operand_kind {
	DPU_KIND_REG, DPU_KIND_PAIR, DPU_KIND_SAFE, DPU_KIND_ZERO, DPU_KIND_ENDIAN,
	DPU_KIND_NUM,	/* signed, decimal */
	DPU_KIND_WORD,	/* 32 bits */
	DPU_KIND_HEX,	/* unsigned and small */
	DPU_KIND_PC,	/* instruction index */
	DPU_KIND_CC	/* first of the condition classes; class = kind - DPU_KIND_CC */
};

enum dpu_cc_class {
	DPU_CC_ACQUIRE, DPU_CC_RELEASE, DPU_CC_BOOT, DPU_CC_DIV, DPU_CC_DIV_NZ, DPU_CC_TRUE_FALSE,
	DPU_CC_TRUE, DPU_CC_FALSE, DPU_CC_LOG_SET, DPU_CC_SUB_SET, DPU_CC_LOG_NZ, DPU_CC_COUNT_NZ,
	DPU_CC_MUL_NZ, DPU_CC_IMM_SHIFT_NZ, DPU_CC_SHIFT_NZ, DPU_CC_ADD_NZ, DPU_CC_SUB_NZ,
	DPU_CC_EXT_SUB_SET, DPU_CC_COUNT
};

#define DPU_MAX_OPERANDS 6
#define DPU_MAX_SLICES 16

struct dpu_slice {
	uint8_t hi, lo, shift;
};

/* Bits of an operand in the word, and its notation; see dpu_operand.def. */
struct dpu_operand {
	uint8_t slot;		/* enum dpu_operand_slot */
	uint8_t kind;		/* enum dpu_operand_kind, plus the class for conditions */
	uint8_t width;		/* bits of a number */
	bool is_signed;
	uint8_t slices;
	struct dpu_slice slice[DPU_MAX_SLICES];
};

/* One encoding; see dpu_insn.def. */
struct dpu_encoding {
	const char *name;	/* mnemonic with the extension, such as "add.s" */
	uint64_t mask, match;
	uint32_t predicates;
	uint8_t op, ext, form;
	uint8_t operands[DPU_MAX_OPERANDS];	/* indexes into dpu_operands, terminated by 0 */
};

extern const struct dpu_encoding dpu_encodings[];
extern const size_t dpu_encoding_count;
extern const struct dpu_operand dpu_operands[];

/* Registers with a fixed value, 24 to 31: zero, one, lneg, mneg, id, id2, id4, id8. */
#define DPU_REG_ZERO 24
#define DPU_REG_ID 28
#define DPU_REG_COUNT 32

/*
 * A decoded instruction. Fields that the encoding does not have are 0; rc is DPU_REG_ZERO if there
 * is no destination. Numbers are sign-extended to 32 bits where the encoding says so.
 */
struct dpu_insn {
	const struct dpu_encoding *encoding;
	int32_t value[DPU_SLOT_COUNT];	/* by slot */
};

/* Decodes a word; false when no encoding matches (an illegal instruction). */
bool dpu_decode(uint64_t word, struct dpu_insn *insn);

/*
 * Encodes an instruction; bits that the encoding ignores are 0. Returns false when a value does not
 * fit its field or the encoding does not allow the condition: decoding the word would then give
 * another instruction.
 */
bool dpu_encode(const struct dpu_insn *insn, uint64_t *word);

/* The meaning of a condition number, DPU_COND_INVALID when it has none. */
enum dpu_cond dpu_cc_cond(enum dpu_cc_class class, unsigned int cc);
/* The number of a condition in a class, or -1. */
int dpu_cond_cc(enum dpu_cc_class class, enum dpu_cond cond);
const char *dpu_cond_name(enum dpu_cond cond);
/* The condition of an instruction. Without one has_condition is false and so is the return value. */
enum dpu_cond dpu_insn_cond(const struct dpu_insn *insn, bool *has_condition);

enum dpu_text_style {
	DPU_TEXT_OBJDUMP,	/* numbers in decimal, as in UPMEM's printed listings */
	DPU_TEXT_SDK		/* 32-bit words, shifts and DMA lengths in hexadecimal */
};

#define DPU_TEXT_SIZE 96

/* Writes the assembler text of an instruction, branch targets as instruction indexes. */
void dpu_insn_text(const struct dpu_insn *insn, enum dpu_text_style style,
		   char text[DPU_TEXT_SIZE]);

#endif
