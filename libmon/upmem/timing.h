/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parameters of the simulator, from the environment. */
#ifndef LIBMON_DPU_TIMING_H
#define LIBMON_DPU_TIMING_H

#include "libmon/upmem/internal.h"
#include "dpu/include/model.h"

struct dpu_host_timing {
#define DPU_HOST(field, ...) uint32_t field;
#include "libmon/upmem/host.def"
};

/* LIBMON_DPU_TIMING=name=value,...: of the model (timing.def) and of the host (host.def). */
dpu_error_t dpu_timing_parse(struct dpu_timing *model, struct dpu_host_timing *host);

/* Modelled seconds of the host's part of a launch of ranks. */
double dpu_host_launch(const struct dpu_host_timing *host, uint32_t ranks);

/*
 * A transfer: bytes with all DPUs together, at most so many DPUs of a rank; same: each gets the same bytes of the host,
 * or a copy from one DPU of several; wram: of WRAM or IRAM; first_read: the first one from MRAM since a launch.
 */
struct dpu_host_transfer {
	bool to, same, wram, first_read;
	uint64_t bytes;
	uint32_t ranks, dpus;
};

double dpu_host_transfer(const struct dpu_host_timing *host, const struct dpu_host_transfer *x);

#endif
