/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs that run as code of the host, which the system's compiler makes of them (docs/upmem-model.md). */
#ifndef MON_QEMU_UPMEM_BLOCKS_H
#define MON_QEMU_UPMEM_BLOCKS_H

#include "upmem/model.h"

enum dpu_blocks {
	DPU_BLOCKS_OFF,
	DPU_BLOCKS_ON,		/* while the program runs, once it has run for a while */
	DPU_BLOCKS_NOW		/* before it runs */
};

/* "off", "on" or "now"; and what LIBMON_DPU_BLOCKS says, if it is there. */
bool dpu_blocks_parse(const char *text, enum dpu_blocks *blocks);
bool dpu_blocks_environment(enum dpu_blocks *blocks);
/* While the DPU does not run. Off at first. Nothing that a program computes or counts depends on it. */
void dpu_set_blocks(struct dpu *dpu, enum dpu_blocks blocks);
/* Does compiled code execute the program? problem says why not, or is empty. */
#define DPU_BLOCKS_PROBLEM 512
bool dpu_blocks_used(const struct dpu *dpu, char problem[DPU_BLOCKS_PROBLEM]);

#endif
