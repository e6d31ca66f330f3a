/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Findings about a DPU program while it runs: reads of what nobody wrote, races, stacks that are too
 * small, DMA that does not do what it says. docs/upmem-check.md says what is found and what is not.
 */
#ifndef MON_MODELS_UPMEM_CHECK_H
#define MON_MODELS_UPMEM_CHECK_H

#include <stdio.h>

#include "formats/dpu_program.h"
#include "upmem/model.h"

struct dpu_lines;

enum dpu_finding_kind {
	DPU_FINDING_UNWRITTEN,		/* read in WRAM */
	DPU_FINDING_UNWRITTEN_MRAM,	/* the same, after a transfer from MRAM */
	DPU_FINDING_RACE,
	DPU_FINDING_STACK,		/* size: bytes beyond the end */
	DPU_FINDING_DMA_WRAM,		/* address that is no multiple of 8 */
	DPU_FINDING_DMA_MRAM,
	DPU_FINDING_DMA_LENGTH,		/* size: what the program asked for */
	DPU_FINDING_DMA_RANGE
};

struct dpu_finding {
	enum dpu_finding_kind kind;
	uint32_t address;		/* with the mark of MRAM */
	uint32_t size;
	uint16_t pc, other_pc;		/* other: of a race, the access before */
	uint8_t thread, other;
	bool write, other_write;
};

/*
 * Checks from now on; the DPU does not run, and what its memories hold counts as unwritten: load the program
 * afterwards. Counts stay what they are. False when memory is short.
 */
bool dpu_set_check(struct dpu *dpu, bool on);
/* What a program says about itself, after it was loaded: where stacks are, which functions copy memory. */
void dpu_check_program(struct dpu *dpu, const struct dpu_program *program);
/* What has been found, each once. */
size_t dpu_findings(const struct dpu *dpu, const struct dpu_finding **findings);
#define DPU_MAX_FINDINGS 256

/* Findings of several DPUs with one program. */
struct dpu_finding_list {
	struct dpu_finding findings[DPU_MAX_FINDINGS];
	size_t count;
};

/* Is it another one than those in the list? Then it is added. */
bool dpu_finding_add(struct dpu_finding_list *list, const struct dpu_finding *finding);
/*
 * Prints what a DPU's findings have that the list has not, one line each, with source lines where the
 * program has them. lines may be NULL.
 */
void dpu_findings_print(struct dpu_finding_list *list, const struct dpu *dpu, const char *prefix, FILE *file,
			const struct dpu_program *program, struct dpu_lines *lines);

#endif
