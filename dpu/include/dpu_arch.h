/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The generations of UPMEM DPUs. */
#ifndef DPU_ISA_ARCH_H
#define DPU_ISA_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "dpu/include/dpu_memory.h"

#define DPU_MAX_THREADS 24
enum dpu_arch_id { DPU_ARCH_V1A, DPU_ARCH_V1B };

/* Properties of a generation ("Performance counters" page, SDK linker scripts). */
struct dpu_arch {
	const char *name;		/* as in the ELF section .dpu.attributes */
	uint8_t chip_id;		/* dpu_chip_id_e of the ASIC with 8 control interfaces */
	uint8_t threads;
	uint32_t iram_words;		/* usable */
	uint32_t wram_size;		/* usable, bytes */
	uint32_t clock;			/* nominal, Hz */
	bool two_counters;		/* perfcounter_get_both, and the bank interface's counters */
};

extern const struct dpu_arch dpu_archs[];
/* "v1A" or "v1B", or NULL. */
const struct dpu_arch *dpu_arch_find(const char *name);

#endif
