/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Faults of a DPU as text, for device, tools and host library. */
#ifndef DPU_ISA_FAULT_H
#define DPU_ISA_FAULT_H

#include <stddef.h>
#include <stdint.h>

/* Numbers of struct upmem_fault (events/upmem/uapi.h). */
enum dpu_fault_kind {
	DPU_FAULT_NONE,
	DPU_FAULT_INSN,		/* the fault instruction; code is its number */
	DPU_FAULT_MEMORY,	/* a load or store outside WRAM or not aligned; code is the address */
	DPU_FAULT_DMA,		/* a transfer that leaves WRAM, IRAM or MRAM; code is the address */
	DPU_FAULT_ILLEGAL,	/* a word that no encoding matches */
	DPU_FAULT_PC,		/* execution left IRAM; code is the instruction index */
	DPU_FAULT_UNDEFINED	/* an instruction with an undocumented effect */
};

#define DPU_FAULT_TEXT_SIZE 160

/* Describes a fault without its place; word: the instruction that caused it, 0 if unknown. */
void dpu_fault_what(enum dpu_fault_kind kind, uint32_t code, uint64_t word,
		    char text[DPU_FAULT_TEXT_SIZE]);

#endif
