/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Assembler: DPU assembly text to an ELF program, in one step and without a linker.
 *
 * The syntax is that of UPMEM's listings; directives are those of GNU as (see dpu-as(1)).
 */
#ifndef MON_QEMU_UPMEM_ASM_H
#define MON_QEMU_UPMEM_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "upmem/model.h"

struct dpu_asm_source {
	const char *name;	/* for messages, and where .include looks first */
	const char *text;
};

struct dpu_asm_options {
	const struct dpu_arch *arch;
	unsigned int tasklets;		/* 1..24 */
	uint32_t stack_size;		/* bytes a tasklet, a multiple of 8, 0 for none */
	bool stack_down;		/* r22 starts at the end of the stack */
	bool no_runtime;		/* without the start-up code */
	bool lines;			/* with the sources' own lines where they name no others */
	const char *const *include_dirs;
	size_t include_count;
};

#define DPU_ASM_ERROR_SIZE 512

/*
 * Assembles all sources into one program. On success image is to be freed by the caller. On
 * failure error is "FILE:LINE: what, why".
 */
bool dpu_assemble(const struct dpu_asm_source *sources, size_t count,
		  const struct dpu_asm_options *options, void **image, size_t *size,
		  char error[DPU_ASM_ERROR_SIZE]);

#endif
