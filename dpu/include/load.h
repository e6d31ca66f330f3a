/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs and logs on a modelled DPU, as UPMEM's host library handles them. */
#ifndef MON_MODELS_UPMEM_LOAD_H
#define MON_MODELS_UPMEM_LOAD_H

#include "dpu/include/model.h"
#include "dpu/include/dpu_program.h"

/*
 * Copies the program's segments, zeroes the rest of them, and writes the DPU's clock rate into
 * CLOCKS_PER_SEC. False if a segment does not fit the architecture's memories.
 */
bool dpu_load_program(struct dpu *dpu, const struct dpu_program *program);

#endif
