/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dpu_bank_interface_pmc.h - the two counters of a DPU's bank interface (v1B), source compatible
 * with the UPMEM SDK 2025.1. Included by dpu.h.
 *
 * Every function takes one DPU, as DPU_FOREACH gives it; a set of ranks is DPU_ERR_INTERNAL. The
 * counters are perf events of the PMU upmem (man page upmem-pmu(7)): perf may count the same events
 * at the same time, and other events only in a counter that is free. mon_error() of mon.h has a
 * sentence for each DPU_ERR_INTERNAL.
 */
#ifndef DPU_BANK_INTERFACE_PMC_H
#define DPU_BANK_INTERFACE_PMC_H

#include <stdint.h>

#include "dpu_error.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MON_API
#define MON_API __attribute__((visibility("default")))
#endif

struct dpu_set_t;

/* What one count is: the man page upmem-pmu(7). */
typedef enum {
	BANK_INTERFACE_PMC_NONE = 0x0,
	BANK_INTERFACE_PMC_LDMA_INSTRUCTION = 0x1,
	BANK_INTERFACE_PMC_SDMA_INSTRUCTION = 0x2,
	BANK_INTERFACE_PMC_READ_64BIT_INSTRUCTION = 0x4,
	BANK_INTERFACE_PMC_WRITE_64BIT_INSTRUCTION = 0x8,
	BANK_INTERFACE_PMC_HOST_ACTIVATE_COMMAND = 0x10,
	BANK_INTERFACE_PMC_HOST_REFRESH_COMMAND = 0x20,
	BANK_INTERFACE_PMC_ROW_HAMMER_REFRESH_COMMAND = 0x40,
	BANK_INTERFACE_PMC_CYCLES = 0x80,
	BANK_INTERFACE_PMC_CYCLE = BANK_INTERFACE_PMC_CYCLES	/* as UPMEM's page spells it */
} bank_interface_pmc_event_t;

typedef enum {
	BANK_INTERFACE_PMC_32BIT_MODE = 0x0,	/* two counters */
	BANK_INTERFACE_PMC_64BIT_MODE = 0x1	/* one; both events must be the same */
} bank_interface_pmc_mode_t;

typedef struct {
	bank_interface_pmc_mode_t mode;
	bank_interface_pmc_event_t counter_1;
	bank_interface_pmc_event_t counter_2;
} bank_interface_pmc_config_t;

typedef struct {
	union {
		struct {
			uint32_t counter_1;
			uint32_t counter_2;
		} two_32bits;
		struct {
			uint64_t counter_1;
		} one_64bits;
	};
} bank_interface_pmc_result_t;

/*
 * Sets the counters up, clears and starts them; a second call does so again. DPU_ERR_INTERNAL: not
 * one DPU, not v1B, an invalid mode or event, two events in 64-bit mode, or the counters are taken.
 */
MON_API dpu_error_t dpu_bank_interface_pmc_enable(struct dpu_set_t set,
						  bank_interface_pmc_config_t config);
/* Gives the counters up. Reading afterwards gives 0. */
MON_API dpu_error_t dpu_bank_interface_pmc_disable(struct dpu_set_t set);
/* Both counters keep their values. */
MON_API dpu_error_t dpu_bank_interface_pmc_stop_counters(struct dpu_set_t set);
/* The counts since enable; stopped or not. DPU_ERR_INTERNAL: never enabled. */
MON_API dpu_error_t dpu_bank_interface_pmc_read_counters(struct dpu_set_t set,
							 bank_interface_pmc_result_t *result);

#ifdef __cplusplus
}
#endif
#endif
