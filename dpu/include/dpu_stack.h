/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Upper bound of a DPU program's stack use, from its functions and the call graph. */
#ifndef DPU_ISA_STACK_H
#define DPU_ISA_STACK_H

#include "dpu/include/dpu_program.h"

struct dpu_stack_function {
	const char *name;
	uint32_t start, end;	/* byte offsets in IRAM */
	uint32_t own;		/* bytes of its frame, and of what helpers store beyond the stack pointer */
	uint32_t need;		/* with the deepest call chain; a recursive function counts once */
	/* Not included in the numbers: */
	bool recursive;		/* it, or a function that it calls, is recursive */
	bool indirect;		/* it, or a function that it calls, calls through a pointer */
	bool variable;		/* it, or a function that it calls, has arrays of variable length */
};

struct dpu_stack {
	struct dpu_stack_function *functions;	/* by address */
	size_t count;
};

/* NULL if out of memory. */
struct dpu_stack *dpu_stack_new(const struct dpu_program *program);
void dpu_stack_free(struct dpu_stack *stack);

#define DPU_STACK_TEXT_SIZE 320
/*
 * Says what main needs and how to give it, if that is more than room. room 0: the size of tasklet 0's stack. seen:
 * bytes that a tasklet has used, which count if the program alone does not tell. False: the stack is large enough.
 */
bool dpu_stack_text(const struct dpu_program *program, uint32_t room, uint32_t seen,
		    char text[DPU_STACK_TEXT_SIZE]);

#endif
