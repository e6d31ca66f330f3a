/* SPDX-License-Identifier: MIT */
/* MRAM: 64 MiB that only DMA accesses. Addresses in both memories, and sizes, are multiples of 8. */
#ifndef DPU_CC_MRAM_H
#define DPU_CC_MRAM_H

#include <attributes.h>
#include <stdint.h>

#define DPU_MRAM_HEAP_POINTER ((__mram_ptr void *)(&__sys_used_mram_end))
extern __mram_ptr __attribute__((aligned(8))) uint8_t __sys_used_mram_end[0];

/* Largest transfer, in bytes. */
#define MRAM_MIN_TRANSFER 8
#define MRAM_MAX_TRANSFER 2048

/*
 * The field of a length above the address in WRAM: bytes / 8 - 1 from bit 24 on. In assembly, so that every clang makes
 * the one instruction by which dpu-run --check sees the length.
 */
static inline __attribute__((always_inline)) uint32_t __mram_length(uint32_t nb_of_bytes)
{
	uint32_t field;

	__asm__("lsl %0, %1, 21" : "=r" (field) : "r" (nb_of_bytes));
	return (field - (1U << 24)) & 0xff000000U;
}

/* The instruction holds a constant length; a variable one is added to the address in WRAM. */
#define __MRAM_TRANSFER(op, wram, mram, nb_of_bytes) \
	do { \
		if (__builtin_constant_p(nb_of_bytes)) \
			__asm__ volatile(op " %0, %1, %2" : : "r"(wram), "r"(mram), \
					 "i"(__builtin_constant_p(nb_of_bytes) ? \
					     ((nb_of_bytes) / 8 - 1) & 0xff : 0) : "memory"); \
		else \
			__asm__ volatile(op " %0, %1, 0" : : \
					 "r"((uint32_t)(wram) | __mram_length(nb_of_bytes)), \
					 "r"(mram) : "memory"); \
	} while (0)

/* A warning for a constant length that no transfer has. */
#define __MRAM_LENGTH(nb_of_bytes) \
	__attribute__((diagnose_if((nb_of_bytes) < MRAM_MIN_TRANSFER || (nb_of_bytes) > MRAM_MAX_TRANSFER || \
				   (nb_of_bytes) % 8, \
				   "the length of a transfer is 8 to 2048 bytes, a multiple of 8", "warning")))

static inline __attribute__((always_inline)) void
mram_read(const __mram_ptr void *from, void *to, unsigned int nb_of_bytes) __MRAM_LENGTH(nb_of_bytes);
static inline __attribute__((always_inline)) void
mram_write(const void *from, __mram_ptr void *to, unsigned int nb_of_bytes) __MRAM_LENGTH(nb_of_bytes);

static inline __attribute__((always_inline)) void
mram_read(const __mram_ptr void *from, void *to, unsigned int nb_of_bytes)
{
	__MRAM_TRANSFER("ldma", to, from, nb_of_bytes);
}

static inline __attribute__((always_inline)) void
mram_write(const void *from, __mram_ptr void *to, unsigned int nb_of_bytes)
{
	__MRAM_TRANSFER("sdma", from, to, nb_of_bytes);
}

#endif
