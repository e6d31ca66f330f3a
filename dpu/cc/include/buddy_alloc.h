/* SPDX-License-Identifier: MIT */
/* The buddy allocator: blocks of any size, 32 bytes at least, in an area from mem_alloc(). */
#ifndef DPU_CC_BUDDY_ALLOC_H
#define DPU_CC_BUDDY_ALLOC_H

#include <stddef.h>

/* The area's size: a power of two from 2048 to 32768. */
void buddy_init(size_t size_of_heap);
/* Gives all blocks back. */
void buddy_reset(void);
/* Aligned to 8 bytes; NULL if no block is large enough. */
void *buddy_alloc(size_t size);
void buddy_free(void *pointer);
void *buddy_realloc(void *pointer, size_t size);

#endif
