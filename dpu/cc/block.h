/* SPDX-License-Identifier: GPL-2.0-only */
/* A block: instructions between two labels or jumps, of which all run or none. */
#ifndef MON_DPU_CC_BLOCK_H
#define MON_DPU_CC_BLOCK_H

#include <stdint.h>

#include "dpu/cc/insn.h"

struct cc_block {
	struct cc_insn *insns;
	size_t start, end;
	uint32_t live_out;	/* registers that later blocks read */
};

/* False for labels, directives and what an earlier step removed. */
bool cc_active(const struct cc_insn *i);
/* The last instruction before `at` that writes r; SIZE_MAX: none in the block. */
size_t cc_definition(const struct cc_block *b, size_t at, uint8_t r);
/* True if no instruction reads the value of r after instruction `at`. */
bool cc_dead_after(const struct cc_block *b, size_t at, uint8_t r);
/* True if no instruction strictly between, except `except`, writes `written` or reads `read`. */
bool cc_untouched(const struct cc_block *b, size_t from, size_t to, size_t except, uint32_t written,
		  uint32_t read);
/* The next instruction after `at` that reads r; SIZE_MAX: r is written first, or the block ends. */
size_t cc_next_reader(const struct cc_block *b, size_t at, uint8_t r);
/* True for an operation that does not jump and leaves no carry. */
bool cc_plain(const struct cc_insn *i, enum cc_op op);
/* True for a comparison of ra with 0, equal or not. */
bool cc_compares_with_zero(const struct cc_insn *i);
/* True if the second operand is a register or a number from -limit to limit - 1. */
bool cc_short_immediate(const struct cc_insn *i, int32_t limit);
/* Moves the instruction at `from` to right before `to`. */
void cc_move_down(struct cc_block *b, size_t from, size_t to);

/* Makes an instruction of two or more. True if it changed the block at `at`. */
bool cc_fuse_branch(struct cc_block *b, size_t at);
bool cc_fuse_jump(struct cc_block *b, size_t at);
bool cc_fuse_equality(struct cc_block *b, size_t at);
bool cc_fuse_wide_branch(struct cc_block *b, size_t at);

#endif
