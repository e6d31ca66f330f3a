/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How much of its stack a DPU program can need, from its functions and who calls whom. */
#ifndef MON_FORMATS_DPU_STACK_H
#define MON_FORMATS_DPU_STACK_H

#include "formats/dpu_program.h"

struct dpu_stack_function {
	const char *name;
	uint32_t start, end;	/* byte offsets in IRAM */
	uint32_t own;		/* bytes of its frame, and of what helpers keep behind the stack pointer */
	uint32_t need;		/* with the deepest chain of calls; a function that calls itself counts once */
	/* What the numbers leave out: */
	bool recursive;		/* it, or what it calls, calls itself, maybe through others */
	bool indirect;		/* it, or what it calls, calls through a pointer */
	bool variable;		/* it, or what it calls, has arrays of variable length */
};

struct dpu_stack {
	struct dpu_stack_function *functions;	/* by address */
	size_t count;
};

/* NULL when there is no memory. */
struct dpu_stack *dpu_stack_new(const struct dpu_program *program);
void dpu_stack_free(struct dpu_stack *stack);
/* A function by name, or NULL. */
const struct dpu_stack_function *dpu_stack_find(const struct dpu_stack *stack, const char *name);

#endif
