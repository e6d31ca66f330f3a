/* SPDX-License-Identifier: MIT */
/* Blocks of changing sizes, 32 bytes at least, in an area of mem_alloc()'s memory. */
#ifndef DPU_CC_BUDDY_ALLOC_H
#define DPU_CC_BUDDY_ALLOC_H

#include <stddef.h>

/* The area's size: a power of two from 2048 to 32768. */
void buddy_init(size_t size_of_heap);
/* Aligned to 8 bytes; NULL if there is no such block. */
void *buddy_alloc(size_t size);
void buddy_free(void *pointer);
void *buddy_realloc(void *pointer, size_t size);

#endif
