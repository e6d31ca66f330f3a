/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared by the files that write a program as C. */
#ifndef MON_MODELS_UPMEM_TRANSLATE_H
#define MON_MODELS_UPMEM_TRANSLATE_H

#include <stdio.h>

#include "dpu/sim/dpu-internal.h"

struct dpu_text {
	const struct dpu *dpu;
	FILE *file;
	uint8_t entries[DPU_IRAM_WORDS + 1];
	uint32_t used, changed;		/* registers */
	unsigned int start;		/* of the block */
	uint64_t allowed;		/* bits: its accesses that a test at its start allows */
	uint32_t low[DPU_REG_COUNT];	/* at<register> is the register and that */
};

#define DPU_MAX_BLOCK 64	/* instructions */

/*
 * translate-access.c: the test of a block's accesses, which otherwise goes to S<start>; false: none is worth it. Opens a
 * brace.
 */
#define DPU_MAX_SEEN 2	/* registers whose tests are remembered */
bool dpu_put_tests(struct dpu_text *t, unsigned int length);
/* Declares the address of an access. True if a statement for what is not allowed has to follow. */
bool dpu_put_address(struct dpu_text *t, unsigned int index);
/* Bits of the registers that an instruction writes; the variable of one, or the value of a constant one. */
uint32_t dpu_written(const struct dpu_uop *u);
const char *dpu_put_name(unsigned int reg);
/* translate-insn.c: an instruction after which so many follow in its block; where the program goes on. */
void dpu_put_insn(struct dpu_text *t, unsigned int index, unsigned int unused);
void dpu_put_goto(struct dpu_text *t, unsigned int index, unsigned int unused);

#endif
