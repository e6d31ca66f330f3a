/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parameters of the simulator, from the environment. */
#ifndef LIBMON_DPU_TIMING_H
#define LIBMON_DPU_TIMING_H

#include "libmon/upmem/internal.h"
#include "upmem/model.h"

struct dpu_host_timing {
#define DPU_HOST(field, ...) uint32_t field;
#include "libmon/upmem/host.def"
};

/* LIBMON_DPU_TIMING=name=value,...: of the model (timing.def) and of the host (host.def). */
dpu_error_t dpu_timing_parse(struct dpu_timing *model, struct dpu_host_timing *host);

#endif
