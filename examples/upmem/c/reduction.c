// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sum of 64-bit numbers in MRAM: every tasklet sums its blocks, adds its part to the total under a
 * mutex, and after a barrier the last one reports.
 */
#include <barrier.h>
#include <defs.h>
#include <mram.h>
#include <mutex.h>
#include <stdint.h>

#define COUNT (1 << 16)
#define BLOCK 1024

__mram_noinit uint64_t input[COUNT];
__host uint32_t count = COUNT;		/* a multiple of BLOCK / 8 */
__host uint64_t sum;

MUTEX_INIT(total_mutex);
BARRIER_INIT(all, NR_TASKLETS);

static uint64_t total;
static __dma_aligned uint64_t buffers[NR_TASKLETS][BLOCK / 8];

int main(void)
{
	uint64_t *buffer = buffers[me()], part = 0;

	for (uint32_t at = me() * BLOCK / 8; at < count; at += NR_TASKLETS * BLOCK / 8) {
		mram_read(&input[at], buffer, BLOCK);
		for (int i = 0; i < BLOCK / 8; i++)
			part += buffer[i];
	}
	mutex_lock(total_mutex);
	total += part;
	mutex_unlock(total_mutex);
	barrier_wait(&all);
	if (me() == NR_TASKLETS - 1)
		sum = total;
	return 0;
}
