/* SPDX-License-Identifier: MIT */
/* Sizes of transfers. */
#ifndef DPU_CC_MEMMRAM_UTILS_H
#define DPU_CC_MEMMRAM_UTILS_H

#define ALIGN_MASK(x, mask) (((x) + (mask)) & ~(mask))
#define ALIGN(x, a) ALIGN_MASK(x, (a) - 1)
#define DMA_ALIGNMENT 8
#define DMA_OFF_MASK (DMA_ALIGNMENT - 1)
#define DMA_ALIGNED(x) ALIGN(x, DMA_ALIGNMENT)
#define MRAM_CACHE_SIZE 8
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

#endif
