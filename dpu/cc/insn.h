/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The translator's instructions: clang's RISC-V code in terms of the DPU's registers and
 * operations.
 *
 * A function is a list of them; the passes change it in place.
 */
#ifndef MON_DPU_CC_INSN_H
#define MON_DPU_CC_INSN_H

#include <setjmp.h>
#include <stdint.h>

#include "dpu/cc/text.h"

enum {
	REG_LINK = 10,		/* r10 to r13 belong to the translator: return address of helpers, operand, */
	REG_OPERAND = 11,	/* and the pair for mul_step and div_step */
	REG_HIGH = 12,
	REG_LOW = 13,
	REG_STACK = 22,
	REG_RETURN = 23,
	REG_COUNT = 24,
	REG_ZERO = 24,
	REG_ID = 28,
	REG_ID8 = 31,
	REG_NONE = 255
};

enum cc_op {
	/* Not executed. */
	OP_LABEL, OP_DIRECTIVE,
	/* rd = ra op (rb or immediate) */
	OP_MOVE, OP_ADD, OP_SUB, OP_RSUB, OP_AND, OP_OR, OP_XOR, OP_ANDN, OP_ORN, OP_NXOR,
	OP_LSL, OP_LSR, OP_ASR, OP_ROL, OP_ROR, OP_LSL_ADD, OP_LSL_SUB,
	OP_CLZ, OP_CAO, OP_EXTSB, OP_EXTUB, OP_EXTSH, OP_EXTUH,
	OP_ADDC, OP_SUBC, OP_SETC, OP_MUL8,	/* OP_SETC: OP_SUBC cond as a value */
	OP_SET,			/* rd = 1 if ra cond rb, else 0 */
	/* Expand to several instructions. */
	OP_CTZ, OP_REV8, OP_SELECT,	/* rd = ra if ra cond rb, else rb */
	OP_MUL16, OP_MUL, OP_MULHU, OP_MULH, OP_MULHSU, OP_DIV, OP_DIVU, OP_REM, OP_REMU,
	/* Memory: rd or rb, at ra + immediate. */
	OP_LBU, OP_LBS, OP_LHU, OP_LHS, OP_LW, OP_LD, OP_SB, OP_SH, OP_SW, OP_SD,
	/* Control. */
	OP_BRANCH,		/* to target if ra cond rb */
	OP_JUMP, OP_JUMP_REG, OP_TAIL, OP_CALL, OP_CALL_REG, OP_RETURN, OP_FAULT,
	OP_ASM			/* an asm line of the program */
};

enum cc_cond {
	COND_NONE, COND_EQ, COND_NEQ, COND_LTU, COND_GEU, COND_LTS, COND_GES, COND_LES, COND_GTS,
	COND_LEU, COND_GTU,
	COND_TRUE, COND_Z, COND_NZ, COND_PL, COND_MI	/* of a result */
};

struct cc_insn {
	enum cc_op op;
	uint8_t rd, ra, rb;	/* rb is REG_NONE if the second operand is an immediate */
	uint8_t rc;		/* the upper half for OP_LD and OP_SD; rd and rb are the lower half */
	uint8_t shift;		/* of OP_LSL_ADD and OP_LSL_SUB; bits 0, 1 of OP_MUL8: ra, rb signed */
	enum cc_cond cond;	/* OP_BRANCH, OP_SET, OP_SELECT; else of a jump on the result */
	int32_t imm;
	const char *sym;	/* symbol that is added to imm; NULL: none */
	const char *target;	/* of a jump; name of a label; text of a directive or an asm line */
	uint32_t mentioned;	/* registers that a line of OP_ASM names */
	bool carries;		/* the next instruction adds its carry */
	bool dead;		/* deleted */
};

struct cc_function {
	const char *name;
	struct cc_insn *insns;
	size_t count, space;
};

struct cc_translation {
	struct cc_pool pool;
	struct cc_text out;
	struct cc_function function;
	const char *const *taken;	/* labels whose address is in data */
	size_t taken_count;
	unsigned int line, labels;
	const char *name;
	char *error;
	jmp_buf failed;
};

#define CC_ERROR_SIZE 512

/* fail.c */
void cc_fail(struct cc_translation *t, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/*
 * Translates clang's assembly for 32-bit RISC-V into assembly for dpu-as. Returns NULL on failure,
 * with "NAME:LINE: what, why" in error. The caller frees the result.
 */
char *cc_translate(const char *name, const char *assembly, char error[CC_ERROR_SIZE]);

/* parse.c: parses one RISC-V instruction and appends it to the function. */
void cc_parse(struct cc_translation *t, const char *line);
/* An asm line of the program: replaces names of RISC-V's registers by the DPU's. */
void cc_parse_asm(struct cc_translation *t, const char *line);
struct cc_insn *cc_append(struct cc_translation *t, enum cc_op op);

/* flow.c */
#define REG_BIT(r) ((r) < REG_COUNT ? 1u << (r) : 0)
struct cc_flow {
	size_t *start;		/* first instruction of each block; count + 1 entries */
	uint32_t *live_out;	/* registers that are live after the block */
	size_t *next;		/* two for each block, or SIZE_MAX */
	size_t count;
	bool *indirect;		/* the block ends in a jump to any label whose address is taken */
	bool *entered;		/* by such a jump */
};
void cc_flow_make(struct cc_translation *t, struct cc_flow *flow);
void cc_flow_free(struct cc_flow *flow);
uint32_t cc_reads(const struct cc_insn *i);
/* Registers that an instruction may write, and those that it always overwrites. */
uint32_t cc_writes(const struct cc_insn *i);
uint32_t cc_kills(const struct cc_insn *i);
bool cc_is_arithmetic(const struct cc_insn *i);
/* Marks instructions as dead whose results nothing reads. */
void cc_remove_dead(struct cc_translation *t);

/* constant.c: replaces registers with known values by immediates. */
void cc_fold_constants(struct cc_translation *t);

/* fuse.c: makes one instruction of two or more. */
void cc_fuse(struct cc_translation *t);

/* pair.c: chooses registers so that 64 bits are loaded and stored at once. */
void cc_make_pairs(struct cc_translation *t);

/* emit.c */
void cc_emit(struct cc_translation *t);

enum cc_cond cc_swap(enum cc_cond cond);
enum cc_cond cc_negate(enum cc_cond cond);

#endif
