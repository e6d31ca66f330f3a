/* SPDX-License-Identifier: MIT */
/* Blocks of one size. */
#ifndef DPU_CC_FSB_ALLOCATOR_H
#define DPU_CC_FSB_ALLOCATOR_H

#include <stddef.h>

typedef void *fsb_allocator_t;

fsb_allocator_t fsb_alloc(unsigned int block_size, unsigned int nb_of_blocks);
/* NULL if all are in use. */
void *fsb_get(fsb_allocator_t allocator);
void fsb_free(fsb_allocator_t allocator, void *block);

#endif
