/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs compiled for the host by the system's compiler (dpu/docs/upmem-model.md). */
#ifndef MON_MODELS_UPMEM_BLOCKS_H
#define MON_MODELS_UPMEM_BLOCKS_H

#include "dpu/include/model.h"

enum dpu_blocks {
	DPU_BLOCKS_OFF,
	DPU_BLOCKS_ON,		/* while the program runs, once it has run for a while */
	DPU_BLOCKS_NOW		/* before it runs */
};

/* Parses "off", "on" or "now"; the value of LIBMON_DPU_BLOCKS, if set. */
bool dpu_blocks_parse(const char *text, enum dpu_blocks *blocks);
bool dpu_blocks_environment(enum dpu_blocks *blocks);
/* Call it while the DPU does not run. Off at first. Results and counts do not depend on it. */
void dpu_set_blocks(struct dpu *dpu, enum dpu_blocks blocks);
/* True if compiled code executes the program. Else problem has the reason, or is empty. */
#define DPU_BLOCKS_PROBLEM 512
bool dpu_blocks_used(const struct dpu *dpu, char problem[DPU_BLOCKS_PROBLEM]);

#endif
