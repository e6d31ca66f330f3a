/* SPDX-License-Identifier: MIT */
/* Mutexes. A tasklet that waits for a mutex tries again at each of its turns. */
#ifndef DPU_CC_MUTEX_H
#define DPU_CC_MUTEX_H

#include <atomic_bit.h>
#include <stdbool.h>

typedef uint8_t *mutex_id_t;

#define MUTEX_GET(name) (&ATOMIC_BIT_GET(mutex_##name))
#define MUTEX_INIT(name) \
	ATOMIC_BIT_INIT(mutex_##name); \
	const mutex_id_t name = MUTEX_GET(name);

static inline void mutex_lock(mutex_id_t mutex)
{
	__atomic_bit_acquire(mutex);
}

/* Tries to take the mutex; true if it was free. */
static inline bool mutex_trylock(mutex_id_t mutex)
{
	uint32_t taken;

	__asm__ volatile ("move %0, 1\n\tacquire %1, 0, nz, .+2\n\tmove %0, 0"
			  : "=&r" (taken) : "r" (mutex) : "memory");
	return !taken;
}

static inline void mutex_unlock(mutex_id_t mutex)
{
	__atomic_bit_release(mutex);
}

#endif
