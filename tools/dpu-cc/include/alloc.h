/* SPDX-License-Identifier: MIT */
/* Memory in WRAM, behind the stacks. What does not fit is fault 1. */
#ifndef DPU_CC_ALLOC_H
#define DPU_CC_ALLOC_H

#include <stddef.h>

/* Aligned to 8 bytes; lives until mem_reset(). */
void *mem_alloc(size_t size);
/* Forgets all of mem_alloc()'s memory; one tasklet does so, before the others ask for any. */
void *mem_reset(void);

#include <buddy_alloc.h>
#include <fsb_allocator.h>

#endif
