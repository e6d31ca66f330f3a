// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prefix sums: every tasklet sums its part; when all have, each one knows the sum before its part,
 * and goes through it once more.
 */
#include <barrier.h>
#include <defs.h>
#include <mram.h>
#include <stdint.h>

#define COUNT 8192
#define BLOCK 512			/* bytes */
#define BLOCKS (COUNT * 8 / BLOCK)

__mram_noinit int64_t input[COUNT];
__mram_noinit int64_t output[COUNT];

BARRIER_INIT(all, NR_TASKLETS);

static int64_t sums[NR_TASKLETS];
static __dma_aligned int64_t buffers[NR_TASKLETS][BLOCK / 8];

int main(void)
{
	uint32_t from = BLOCKS * me() / NR_TASKLETS, to = BLOCKS * (me() + 1) / NR_TASKLETS;
	int64_t *buffer = buffers[me()], sum = 0;

	for (uint32_t block = from; block < to; block++) {
		mram_read(&input[block * BLOCK / 8], buffer, BLOCK);
		for (int i = 0; i < BLOCK / 8; i++)
			sum += buffer[i];
	}
	sums[me()] = sum;
	barrier_wait(&all);
	sum = 0;
	for (uint32_t i = 0; i < me(); i++)
		sum += sums[i];
	for (uint32_t block = from; block < to; block++) {
		mram_read(&input[block * BLOCK / 8], buffer, BLOCK);
		for (int i = 0; i < BLOCK / 8; i++) {
			sum += buffer[i];
			buffer[i] = sum;
		}
		mram_write(buffer, &output[block * BLOCK / 8], BLOCK);
	}
	return 0;
}
