// SPDX-License-Identifier: GPL-2.0-only
/*
 * DPU programs whose bottleneck is known by construction, one for each PART: what monctl says about them is in
 * tests/guest/monctl-known.sh. The host sets "rounds".
 */
#include <barrier.h>
#include <defs.h>
#include <mram.h>
#include <mutex.h>
#include <stdint.h>

#define BLOCK 2048

__host uint32_t rounds;

static __dma_aligned uint8_t buffers[NR_TASKLETS][BLOCK];
__mram_noinit uint8_t input[NR_TASKLETS * BLOCK];
MUTEX_INIT(one);
BARRIER_INIT(all, NR_TASKLETS);

static uint32_t sums[NR_TASKLETS];

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
#endif
	}
	return 0;
}
