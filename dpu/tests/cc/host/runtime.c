// SPDX-License-Identifier: GPL-2.0-only
/* Starts main(), named program_main() here, in NR_TASKLETS threads. */
#include "runtime.h"

int program_main(void);

__thread unsigned int tasklet;

static sem_t notified[24];

void handshake_wait_for(unsigned int who)
{
	sem_wait(&notified[who]);
}

void handshake_notify(void)
{
	sem_post(&notified[tasklet]);
}

static bool full;

void *buddy_alloc(size_t size)
{
	if (full)
		return NULL;
	full = size == 4096;
	return malloc(size);
}

void buddy_free(void *p)
{
	full = false;
	free(p);
}

fsb_allocator_t fsb_alloc(unsigned int size, unsigned int count)
{
	fsb_allocator_t pool = calloc(1, sizeof(*pool));

	while (count--)
		pool->blocks[pool->count++] = malloc(size);
	return pool;
}

void *fsb_get(fsb_allocator_t pool)
{
	return pool->count ? pool->blocks[--pool->count] : NULL;
}

void fsb_free(fsb_allocator_t pool, void *block)
{
	pool->blocks[pool->count++] = block;
}

static void *run(void *number)
{
	tasklet = (uintptr_t)number;
	program_main();
	return NULL;
}

int main(void)
{
	pthread_t threads[24];

	for (int i = 0; i < 24; i++)
		sem_init(&notified[i], 0, 0);
	for (uintptr_t i = 1; i < NR_TASKLETS; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)i))
			return 1;
	run(NULL);
	for (int i = 1; i < NR_TASKLETS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
