/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * perfcounter.h - a DPU's performance counter, seen from the host.
 *
 * The UPMEM SDK has these functions on the DPU, where they are the instructions time and time_cfg
 * (for DPU programs: dpu-cc's perfcounter.h, or these instructions in dpu-as). Here a host program
 * gets the same interface to the DPU that perfcounter_bind() names. Values are those of the PMU
 * upmem's dpu_cycles and dpu_instructions, cut to 36 bits and to multiples of 16 as a DPU program
 * would see them. This counter is independent of the one that the DPU program configures. Each
 * thread has its own binding and counter.
 *
 * The SDK also declares CLOCKS_PER_SEC here. On the host that is <time.h>'s macro, which this
 * header leaves alone: read the DPU's clock rate with dpu_copy_from(dpu, "CLOCKS_PER_SEC", ...).
 */
#ifndef PERFCOUNTER_H
#define PERFCOUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "dpu_error.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MON_API
#define MON_API __attribute__((visibility("default")))
#endif

struct dpu_set_t;

typedef uint64_t perfcounter_t;

typedef struct {
	perfcounter_t cycles;
	perfcounter_t instr;
} perfcounter_pair_t;

typedef enum _perfcounter_config_t {
	COUNT_SAME = 0,			/* continue with the previous mode */
	COUNT_CYCLES = 1,
	COUNT_INSTRUCTIONS = 2,
	COUNT_NOTHING = 3,
	COUNT_DISABLE_BOTH = 6,		/* v1B */
	COUNT_ENABLE_BOTH = 7		/* v1B: cycles and instructions */
} perfcounter_config_t;

/*
 * Selects the DPU for the functions below. DPU_ERR_INTERNAL: not one DPU, or its events do not
 * open; mon_error() gives the reason. Extension: the SDK's functions run on the DPU itself.
 */
MON_API dpu_error_t perfcounter_bind(struct dpu_set_t dpu);
/* Releases the DPU. */
MON_API void perfcounter_unbind(void);
/*
 * Configures the counter, clears it if reset_value is true, and returns its value before. Returns
 * 0, and mon_error() gives the reason, if no DPU is bound or its version does not have the mode.
 */
MON_API perfcounter_t perfcounter_config(perfcounter_config_t config, bool reset_value);
/* The counter's value; undefined before the first configuration (0 here). */
MON_API perfcounter_t perfcounter_get(void);
/* Both counters of COUNT_ENABLE_BOTH, from one instant; 0 and 0 on v1A. */
MON_API perfcounter_pair_t perfcounter_get_both(bool should_reset);

#ifdef __cplusplus
}
#endif
#endif
