/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* debug.c: what dpu-dbg has to do with DPUs of the simulator. */
#ifndef LIBMON_DPU_DEBUG_H
#define LIBMON_DPU_DEBUG_H

#include "libmon/upmem/internal.h"
#include "dpu/include/model.h"

/* Does dpu-dbg want to execute this DPU? */
bool dpu_debug_is(uint32_t rank, unsigned int dpu);
/* Has it do that, from the launch to the end. */
enum dpu_state dpu_debug_run(struct dpu *dpu, const struct dpu_program *program, uint64_t max_turns);
/* Writes the core of a DPU that has faulted, if LIBMON_DPU_CORE says where. */
void dpu_debug_core(const struct dpu *dpu, const struct dpu_program *program, uint32_t rank, unsigned int index);
/* The same for DPUs of a device, which offers their state. */
void dpu_debug_device_cores(struct dpu_rank_t *rank, uint64_t mask);

#endif
