/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Assembler: makes an ELF program from DPU assembly in one step, without a linker.
 *
 * The syntax is that of UPMEM's listings; directives are those of GNU as (see dpu-as(1)).
 */
#ifndef DPU_AS_ASM_H
#define DPU_AS_ASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dpu/include/dpu_arch.h"

struct dpu_asm_source {
	const char *name;	/* for messages; .include searches its folder first */
	const char *text;
};

struct dpu_asm_options {
	const struct dpu_arch *arch;
	unsigned int tasklets;		/* 1..24 */
	uint32_t stack_size;		/* bytes a tasklet, a multiple of 8, 0 for none */
	bool stack_down;		/* r22 starts at the end of the stack, which grows down */
	bool no_runtime;		/* without the start-up code */
	bool lines;			/* debug information with the sources' own lines where they have no .loc */
	const char *const *include_dirs;
	size_t include_count;
};

/* A whole file ("-": standard input) with a NUL after it, which the caller frees; NULL with errno. */
char *dpu_asm_read(const char *path);

#define DPU_ASM_ERROR_SIZE 512

/*
 * Assembles all sources into one program. On success the caller frees image. On failure error is
 * "FILE:LINE: what, why".
 */
bool dpu_assemble(const struct dpu_asm_source *sources, size_t count,
		  const struct dpu_asm_options *options, void **image, size_t *size,
		  char error[DPU_ASM_ERROR_SIZE]);

#endif
