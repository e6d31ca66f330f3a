/* SPDX-License-Identifier: MIT */
/* More mutexes than the DPU has atomic bits: each is a bit in WRAM; a few atomic bits protect them. */
#ifndef DPU_CC_VMUTEX_H
#define DPU_CC_VMUTEX_H

#include <mutex.h>

struct vmutex {
	uint8_t *vm, *hw_mutexes;
	uint8_t hw_mutexes_mask;
};

/* Multiples of 8 of the one, a power of two of the other. */
#define VMUTEX_INIT(NAME, NB_VMUTEXES, NB_MUTEXES) \
	_Static_assert((NB_VMUTEXES) % 8 == 0, "virtual mutexes: a multiple of 8"); \
	_Static_assert((NB_MUTEXES) > 0 && ((NB_MUTEXES) & ((NB_MUTEXES) - 1)) == 0, \
		       "mutexes: a power of two"); \
	uint8_t __atomic_bit __vmutex_bits_##NAME[NB_MUTEXES]; \
	uint8_t __vmutex_##NAME[(NB_VMUTEXES) / 8]; \
	struct vmutex NAME = { __vmutex_##NAME, __vmutex_bits_##NAME, (NB_MUTEXES) - 1 };

static inline void vmutex_lock(struct vmutex *vm, uint16_t id)
{
	const uint8_t *guard = &vm->hw_mutexes[(id >> 3) & vm->hw_mutexes_mask];
	volatile uint8_t *byte = &vm->vm[id >> 3];
	uint8_t mask = 1 << (id & 7), before;

	do {
		__atomic_bit_acquire(guard);
		before = *byte;
		*byte = before | mask;
		__atomic_bit_release(guard);
	} while (before & mask);
}

static inline void vmutex_unlock(struct vmutex *vm, uint16_t id)
{
	const uint8_t *guard = &vm->hw_mutexes[(id >> 3) & vm->hw_mutexes_mask];
	volatile uint8_t *byte = &vm->vm[id >> 3];

	__atomic_bit_acquire(guard);
	*byte = *byte & ~(1 << (id & 7));
	__atomic_bit_release(guard);
}

#endif
