/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A DPU's memories, and the marks in addresses of symbols and segments (UPMEM SDK, linker script).
 */
#ifndef UPMEM_MEMORY_H
#define UPMEM_MEMORY_H

#define DPU_IRAM_WORDS 4096
#define DPU_WRAM_SIZE 65536
#define DPU_MRAM_SIZE (64u << 20)
#define DPU_ATOMIC_BITS 256
#define DPU_WORK_REGISTERS 24	/* of a tasklet */
#define DPU_MRAM_FLAG 0x08000000u	/* added to MRAM addresses */
#define DPU_IRAM_FLAG 0x80000000u	/* added to IRAM addresses; WRAM addresses have no mark */

enum dpu_memory { DPU_IRAM, DPU_WRAM, DPU_MRAM };

/* Splits an address into memory and byte offset. */
static inline enum dpu_memory dpu_address(unsigned int address, unsigned int *offset)
{
	if (address & DPU_IRAM_FLAG) {
		*offset = address & ~DPU_IRAM_FLAG;
		return DPU_IRAM;
	}
	if (address & DPU_MRAM_FLAG) {
		*offset = address & ~DPU_MRAM_FLAG;
		return DPU_MRAM;
	}
	*offset = address;
	return DPU_WRAM;
}

#endif
