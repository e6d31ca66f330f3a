/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dpu_profiler.h - for host programs that include it (UPMEM SDK 2025.1). The functions behind it
 * patch DPU programs and are not here: dpu-run(1) and perf(1) profile without that.
 */
#ifndef DPU_PROFILER_H
#define DPU_PROFILER_H

#include "dpu_management.h"

enum dpu_profiling_type_e {
	DPU_PROFILING_NOP,
	DPU_PROFILING_MCOUNT,
	DPU_PROFILING_STATS,
	DPU_PROFILING_SAMPLES,
	DPU_PROFILING_SECTIONS
};

#endif
