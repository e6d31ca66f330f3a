// SPDX-License-Identifier: GPL-2.0-only
/*
 * DPU programs whose bottleneck is known by construction, one for each PART: what monctl says about them is in
 * tests/guest/monctl-known.sh. The host sets "rounds".
 */
#include <barrier.h>
#include <defs.h>
#include <mram.h>
#include <mutex.h>
#include <sem.h>
#include <stdint.h>

#define BLOCK 2048

__host uint32_t rounds;

static __dma_aligned uint8_t buffers[NR_TASKLETS][BLOCK];
__mram_noinit uint8_t input[NR_TASKLETS * BLOCK];
MUTEX_INIT(one);
BARRIER_INIT(all, NR_TASKLETS);
SEMAPHORE_INIT(done, 0);

static volatile uint32_t sums[NR_TASKLETS];

/* Adds in registers. */
static inline __attribute__((unused)) void add(uint32_t count)
{
	uint32_t sum = sums[me()];

	for (uint32_t i = 0; i < count; i++)
		__asm__ volatile ("add %0, %0, 1" : "+r" (sum));
	sums[me()] = sum;
}

static inline __attribute__((unused)) void transfer(uint32_t bytes)
{
	mram_read(&input[me() * BLOCK], buffers[me()], bytes);
}

/* 64 bits, which a DPU multiplies in many instructions. */
static inline __attribute__((unused)) void multiply(uint32_t count)
{
	uint64_t product = sums[me()] + rounds;

	for (uint32_t i = 0; i < count; i++)
		product = product * product + i;
	sums[me()] += product;
}

/* Loads of words that no engine moves. */
static inline __attribute__((unused)) void walk(void)
{
	const volatile uint32_t *word = (const volatile uint32_t *)buffers[me()];

	for (uint32_t i = 0; i < BLOCK / sizeof(*word); i++)
		(void)word[i];
}

int main(void)
{
	for (uint32_t i = 0; i < rounds; i++) {
#if PART == 1			/* work alone */
		add(100);
#elif PART == 2			/* one lock around all the work */
		mutex_lock(one);
		add(100);
		mutex_unlock(one);
#elif PART == 3			/* transfers alone */
		transfer(BYTES);
#elif PART == 4			/* one tasklet works, the others wait at a barrier */
		if (!me())
			add(100 * NR_TASKLETS);
		barrier_wait(&all);
#elif PART == 5
		multiply(20);
#elif PART == 6
		walk();
#elif PART == 7			/* an engine that works less than the pipeline */
		transfer(BYTES);
		add(200);
#elif PART == 8			/* writes alone */
		mram_write(buffers[me()], &input[me() * BLOCK], BYTES);
#elif PART == 9			/* one transfer at a time, as one lock is around it */
		mutex_lock(one);
		transfer(BYTES);
		mutex_unlock(one);
#elif PART == 10		/* one tasklet works, the others wait for it at a semaphore */
		if (me()) {
			sem_take(&done);
			continue;
		}
		add(100 * NR_TASKLETS);
		for (int k = 1; k < NR_TASKLETS; k++)
			sem_give(&done);
#elif PART == 11		/* unequal work between barriers */
		add(500 * (me() + 1));
		barrier_wait(&all);
#elif PART == 12		/* an odd number of rounds: adds, else transfers */
		if (rounds % 2)
			add(579);
		else
			transfer(BYTES);
#endif
	}
	return 0;
}
