/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files that write a program as C share. */
#ifndef MON_QEMU_UPMEM_TRANSLATE_H
#define MON_QEMU_UPMEM_TRANSLATE_H

#include <stdio.h>

#include "upmem/dpu-internal.h"

struct dpu_text {
	const struct dpu *dpu;
	FILE *file;
	uint8_t entries[DPU_IRAM_WORDS + 1];
	uint32_t used, changed;		/* registers */
};

/* translate-insn.c: an instruction after which so many follow in its block; where the program goes on. */
void dpu_put_insn(struct dpu_text *t, unsigned int index, unsigned int unused);
void dpu_put_goto(struct dpu_text *t, unsigned int index, unsigned int unused);
/* The variable of a register, or the value of a constant one. */
const char *dpu_put_name(unsigned int reg);

#endif
