/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the check share. */
#ifndef MON_MODELS_UPMEM_CHECK_INTERNAL_H
#define MON_MODELS_UPMEM_CHECK_INTERNAL_H

#include "upmem/check.h"
#include "upmem/dpu-internal.h"

#define STACK_REGISTER 22

/* tasklet << CLOCK_BITS | its clock */
struct shadow {
	uint32_t write, reads[2];
	uint16_t write_pc, read_pcs[2];
};

struct dpu_check {
	uint32_t clocks[DPU_MAX_THREADS][DPU_MAX_THREADS];
	uint32_t stopped[DPU_MAX_THREADS][DPU_MAX_THREADS];
	uint32_t bits[DPU_ATOMIC_BITS][DPU_MAX_THREADS];
	struct shadow wram[DPU_WRAM_SIZE];
	uint8_t state[DPU_WRAM_SIZE];
	struct shadow *mram;		/* of 8 bytes each; pages come when they are touched */
	uint8_t *mram_written;		/* a bit for each of them */
	uint32_t stack_table;		/* {size, address} of each tasklet's stack, where start-up code reads it */
	struct {
		uint32_t base, size;	/* of the stack; size 0: not known */
		uint32_t length;	/* of a DMA that is being made */
		uint16_t length_pc;
		bool has_length;
		bool has_stack;		/* start-up code has set the stack pointer */
		struct dpu_finding *overflow;
	} tasklets[DPU_MAX_THREADS];
	uint32_t cache, cache_size;	/* buffers of compiled accesses to MRAM, which round down intentionally */
	bool waits[DPU_IRAM_WORDS];	/* a load in a loop that waits */
	bool copies[DPU_IRAM_WORDS];	/* of a function that copies any bytes */
	struct dpu_finding_list list;
};

#endif
