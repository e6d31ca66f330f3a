/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Findings about a DPU program while it runs: reads of unwritten memory, races, stacks that are too
 * small, wrong DMA. dpu/docs/upmem-check.md lists what is found and what is not.
 */
#ifndef MON_MODELS_UPMEM_CHECK_H
#define MON_MODELS_UPMEM_CHECK_H

#include <stdio.h>

#include "dpu/include/dpu_program.h"
#include "dpu/include/model.h"

struct elf_lines;

enum dpu_finding_kind {
	DPU_FINDING_UNWRITTEN,		/* read in WRAM */
	DPU_FINDING_UNWRITTEN_MRAM,	/* the same, after a transfer from MRAM */
	DPU_FINDING_RACE,
	DPU_FINDING_STACK,		/* the first access beyond the stack; size: most bytes that were used */
	DPU_FINDING_DMA_WRAM,		/* address that is no multiple of 8 */
	DPU_FINDING_DMA_MRAM,
	DPU_FINDING_DMA_LENGTH,		/* size: what the program asked for */
	DPU_FINDING_DMA_RANGE,
	DPU_FINDING_GIVEN_BACK,		/* access to a block of the heap after mem_reset(), buddy_free() or fsb_free() */
	DPU_FINDING_FREED_TWICE,
	DPU_FINDING_BOUNDS,		/* beyond the object that the pointer belongs to */
	DPU_FINDING_DEADLOCK,		/* size: the tasklets, a bit each; address: the first argument of the function */
	DPU_FINDING_MUTEX_HELD,		/* by a tasklet that has returned; address: the atomic bit in ELF */
	DPU_FINDING_MUTEX_FREE,		/* unlocked while no tasklet holds it */
	DPU_FINDING_MUTEX_OTHER,	/* unlocked while the tasklet `other` has it */
	DPU_FINDING_MUTEX_WAIT,		/* for ever, by the tasklets in size, for that of the tasklet `other` */
	DPU_FINDING_NULL,		/* access through a NULL pointer */
	DPU_FINDING_MEMORY,		/* a pointer to the other memory; object: what it belongs to */
	DPU_FINDING_RETURNED,		/* access to the stack of a function that has returned */
	DPU_FINDING_RUNNING		/* at the end of the run, the tasklets in size */
};

enum dpu_place_kind { DPU_PLACE_VARIABLE, DPU_PLACE_LOCAL, DPU_PLACE_BLOCK, DPU_PLACE_STACK };

/* What bytes belong to. */
struct dpu_place {
	enum dpu_place_kind kind;
	uint32_t start, size;
	uint16_t pc;			/* of a block: where it was allocated */
	uint8_t thread;			/* of a stack */
};

struct dpu_finding {
	enum dpu_finding_kind kind;
	uint32_t address;		/* with the mark of MRAM */
	uint32_t size;
	uint32_t room;			/* of a stack: the bytes that it has */
	struct dpu_place in, object;	/* what the address is in; of bounds: what the pointer belongs to */
	uint16_t pc, other_pc;		/* other: of a race, the access before */
	uint8_t thread, other;
	bool write, other_write;
	bool running;			/* of tasklets that wait: others have not ended */
};

/*
 * Checks from now on. The DPU must not run, and its memories count as unwritten: load the program
 * afterwards. Counts do not change. False: out of memory.
 */
bool dpu_set_check(struct dpu *dpu, bool on);
/*
 * Facts about a program, to be given after it was loaded: its stacks, and functions that copy
 * memory.
 */
void dpu_check_program(struct dpu *dpu, const struct dpu_program *program);
/*
 * After that: a local variable of the function that has the addresses from first to end, at a distance from its stack
 * pointer. opaque is the DPU. Only for stacks that grow down, as dpu-cc's do.
 */
void dpu_check_local(void *opaque, uint32_t first, uint32_t end, int32_t distance, uint32_t size);
/* The launch goes no further: findings of the tasklets that have not ended. */
void dpu_check_end(struct dpu *dpu);
/* The findings, each once, in the order in which they were found. */
size_t dpu_findings(const struct dpu *dpu, const struct dpu_finding **findings);
#define DPU_MAX_FINDINGS 256

/* Findings of several DPUs with one program. */
struct dpu_finding_list {
	struct dpu_finding findings[DPU_MAX_FINDINGS];
	size_t count;
};

/* Adds a finding unless it is in the list; true if it was added. */
bool dpu_finding_add(struct dpu_finding_list *list, const struct dpu_finding *finding);
/*
 * Prints those of a DPU's findings that are not in the list, with source lines if the program has
 * them: stacks that overflowed first, those of one place in one line. lines may be NULL.
 */
void dpu_findings_print(struct dpu_finding_list *list, const struct dpu *dpu, const char *prefix, FILE *file,
			const struct dpu_program *program, struct elf_lines *lines);

#endif
