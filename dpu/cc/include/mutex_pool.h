/* SPDX-License-Identifier: MIT */
/* Many locks from a few mutexes: lock n uses mutex n modulo the pool's size. */
#ifndef DPU_CC_MUTEX_POOL_H
#define DPU_CC_MUTEX_POOL_H

#include <mutex.h>

struct mutex_pool {
	mutex_id_t hw_mutexes;
	uint16_t nb_mutexes;
};

/* The number of mutexes is a power of two. */
#define MUTEX_POOL_INIT(NAME, NB_MUTEXES) \
	_Static_assert(((NB_MUTEXES) & ((NB_MUTEXES) - 1)) == 0, "not a power of two"); \
	uint8_t __atomic_bit __mutex_pool_bits_##NAME[NB_MUTEXES]; \
	struct mutex_pool NAME = { __mutex_pool_bits_##NAME, NB_MUTEXES };

static inline void mutex_pool_lock(const struct mutex_pool *pool, uint16_t lock_id)
{
	mutex_lock(pool->hw_mutexes + (lock_id & (pool->nb_mutexes - 1)));
}

static inline void mutex_pool_unlock(const struct mutex_pool *pool, uint16_t lock_id)
{
	mutex_unlock(pool->hw_mutexes + (lock_id & (pool->nb_mutexes - 1)));
}

#endif
