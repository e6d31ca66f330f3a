// SPDX-License-Identifier: GPL-2.0-only
/* How often each byte occurs: a histogram for each tasklet, added up at the end. */
#include <barrier.h>
#include <defs.h>
#include <mram.h>
#include <stdint.h>

#define COUNT (1 << 15)
#define BLOCK 512
#define BINS 256

__mram_noinit uint8_t input[COUNT];
__host uint32_t histogram[BINS];

BARRIER_INIT(all, NR_TASKLETS);

static uint16_t parts[NR_TASKLETS][BINS];
static __dma_aligned uint8_t buffers[NR_TASKLETS][BLOCK];

int main(void)
{
	uint8_t *buffer = buffers[me()];
	uint16_t *part = parts[me()];

	for (int i = 0; i < BINS; i++)
		part[i] = 0;
	for (uint32_t at = me() * BLOCK; at < COUNT; at += NR_TASKLETS * BLOCK) {
		mram_read(&input[at], buffer, BLOCK);
		for (int i = 0; i < BLOCK; i++)
			part[buffer[i]]++;
	}
	barrier_wait(&all);
	for (uint32_t bin = me(); bin < BINS; bin += NR_TASKLETS) {
		uint32_t sum = 0;

		for (int i = 0; i < NR_TASKLETS; i++)
			sum += parts[i][bin];
		histogram[bin] = sum;
	}
	return 0;
}
