/* SPDX-License-Identifier: MIT */
/* The heap in WRAM, after the stacks. An allocation that does not fit is fault 1. */
#ifndef DPU_CC_ALLOC_H
#define DPU_CC_ALLOC_H

#include <stddef.h>

/* Aligned to 8 bytes; lives until mem_reset(). */
void *mem_alloc(size_t size);
/* Frees all memory of mem_alloc(); one tasklet calls it before the others allocate. */
void *mem_reset(void);

#include <buddy_alloc.h>
#include <fsb_allocator.h>

#endif
