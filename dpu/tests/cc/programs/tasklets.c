// SPDX-License-Identifier: GPL-2.0-only
/* Tasklets that work together. Results do not depend on their order. */
#include <alloc.h>
#include <barrier.h>
#include <defs.h>
#include <handshake.h>
#include <mutex.h>
#include <mutex_pool.h>
#include <sem.h>

#include "program.h"

BARRIER_INIT(all, NR_TASKLETS);
MUTEX_INIT(lock);
MUTEX_POOL_INIT(pool, 4);
SEMAPHORE_INIT(slots, 2);
SEMAPHORE_INIT(ready, 0);

static uint32_t total, parts[NR_TASKLETS], buckets[8], inside, most, failures;
static void *blocks[NR_TASKLETS];

/* Every tasklet takes part; the first one prints. */
#define ALL(name) \
	do { \
		barrier_wait(&all); \
		if (!me()) \
			printf("# " #name "\n"); \
		barrier_wait(&all); \
		name(); \
		barrier_wait(&all); \
	} while (0)

static void __attribute__((noinline)) barriers(void)
{
	for (int round = 0; round < 5; round++) {
		parts[me()] = me() * 10 + round;
		barrier_wait(&all);
		if (parts[(me() + 1) % NR_TASKLETS] != (me() + 1) % NR_TASKLETS * 10 + round)
			failures++;
		barrier_wait(&all);
	}
	if (!me())
		printf("%u\n", failures);
}

static void __attribute__((noinline)) mutexes(void)
{
	for (int i = 0; i < 20; i++) {
		mutex_lock(lock);
		total += me() + i;
		mutex_unlock(lock);
	}
	barrier_wait(&all);
	if (!me())
		printf("%u\n", total);
}

static void __attribute__((noinline)) attempts(void)
{
	bool free;

	if (!me()) {
		free = mutex_trylock(lock);
		printf("%d ", free);
		free = mutex_trylock(lock);
		printf("%d\n", free);
		mutex_unlock(lock);
	}
}

static void __attribute__((noinline)) pools(void)
{
	for (unsigned int i = 0; i < 40; i++) {
		mutex_pool_lock(&pool, i % 8);
		buckets[i % 8] += i;
		mutex_pool_unlock(&pool, i % 8);
	}
	barrier_wait(&all);
	if (!me())
		for (int i = 0; i < 8; i++)
			printf("%u%c", buckets[i], i == 7 ? '\n' : ' ');
}

static void __attribute__((noinline)) semaphores(void)
{
	for (int i = 0; i < 5; i++) {
		sem_take(&slots);
		mutex_lock(lock);
		inside++;
		if (inside > most)
			most = inside;
		mutex_unlock(lock);
		mutex_lock(lock);
		inside--;
		mutex_unlock(lock);
		sem_give(&slots);
	}
	barrier_wait(&all);
	if (!me())
		printf("%u %d\n", inside, most <= 2);
}

static void __attribute__((noinline)) producers(void)
{
	if (me() == 0) {
		for (int i = 1; i < NR_TASKLETS; i++)
			sem_take(&ready);
		printf("%u\n", parts[NR_TASKLETS - 1]);
	} else {
		parts[me()] = 1000 + me();
		sem_give(&ready);
	}
}

static void __attribute__((noinline)) handshakes(void)
{
	/* A chain: each tasklet adds its value to that of its neighbour. */
	if (!me())
		parts[0] = 1;
	else
		handshake_wait_for(me() - 1);
	if (me())
		parts[me()] = parts[me() - 1] * 2 + me();
	if (me() != NR_TASKLETS - 1)
		handshake_notify();
	else
		printf("%u\n", parts[me()]);
}

static void __attribute__((noinline)) allocation(void)
{
	uint8_t *p = mem_alloc(24);

	memset(p, me(), 24);
	blocks[me()] = p;
	barrier_wait(&all);
	failures = 0;
	for (int i = 0; i < 24; i++)
		failures += ((uint8_t *)blocks[(me() + 3) % NR_TASKLETS])[i] != (me() + 3) % NR_TASKLETS;
	barrier_wait(&all);
	if (!me())
		printf("%u %d\n", failures, (int)((uintptr_t)p % 8));
}

static void __attribute__((noinline)) buddies(void)
{
	uint8_t *a, *b, *c;

	if (me())
		return;
	buddy_init(4096);
	a = buddy_alloc(100);
	b = buddy_alloc(1000);
	c = buddy_alloc(32);
	memset(a, 1, 100);
	memset(b, 2, 1000);
	memset(c, 3, 32);
	printf("%d %d %d ", a[99], b[999], c[31]);
	buddy_free(b);
	a = buddy_realloc(a, 300);
	printf("%d %d ", a[0], a[99]);
	buddy_free(a);
	buddy_free(c);
	a = buddy_alloc(4096);
	printf("%d %d\n", a != NULL, buddy_alloc(32) == NULL);
	buddy_free(a);
}

static void __attribute__((noinline)) fixed_blocks(void)
{
	fsb_allocator_t f;
	void *p[4];

	if (me())
		return;
	f = fsb_alloc(20, 3);
	for (int i = 0; i < 4; i++) {
		p[i] = fsb_get(f);
		if (p[i])
			memset(p[i], i, 20);
	}
	printf("%d %d %d ", ((uint8_t *)p[0])[19], ((uint8_t *)p[2])[19], p[3] == NULL);
	fsb_free(f, p[1]);
	printf("%d\n", fsb_get(f) == p[1]);
}

static void __attribute__((noinline)) printing(void)
{
	/* One after the other, because the order of lines is part of the output. */
	for (unsigned int i = 0; i < NR_TASKLETS; i++) {
		if (me() == i)
			printf("tasklet %u of %d\n", me(), NR_TASKLETS);
		barrier_wait(&all);
	}
}

int main(void)
{
	ALL(barriers);
	ALL(mutexes);
	ALL(attempts);
	ALL(pools);
	ALL(semaphores);
	ALL(producers);
	ALL(handshakes);
	ALL(allocation);
	ALL(buddies);
	ALL(fixed_blocks);
	ALL(printing);
	return 0;
}
