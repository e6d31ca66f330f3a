// SPDX-License-Identifier: GPL-2.0-only
/* c = a + b on 32-bit numbers in MRAM, a block at a time, every tasklet its own blocks. */
#include <defs.h>
#include <mram.h>
#include <stdint.h>

#define SIZE (2 << 20)			/* bytes of each vector, at most */
#define BLOCK 1024

__mram_noinit uint32_t a[SIZE / 4];
__mram_noinit uint32_t b[SIZE / 4];
__mram_noinit uint32_t c[SIZE / 4];
__host uint32_t size = SIZE;		/* bytes to add; a multiple of BLOCK */

static __dma_aligned uint32_t buffers[NR_TASKLETS][2][BLOCK / 4];

int main(void)
{
	uint32_t *x = buffers[me()][0], *y = buffers[me()][1];

	for (uint32_t at = me() * BLOCK / 4; at < size / 4; at += NR_TASKLETS * BLOCK / 4) {
		mram_read(&a[at], x, BLOCK);
		mram_read(&b[at], y, BLOCK);
		for (int i = 0; i < BLOCK / 4; i++)
			x[i] += y[i];
		mram_write(x, &c[at], BLOCK);
	}
	return 0;
}
