// SPDX-License-Identifier: GPL-2.0-only
/* y = A x: every tasklet its own pairs of rows, so that it writes 8 bytes of y. */
#include <barrier.h>
#include <defs.h>
#include <mram.h>
#include <stdint.h>

#define ROWS 64
#define COLUMNS 256

__mram_noinit int32_t a[ROWS][COLUMNS];
__mram_noinit int32_t x[COLUMNS];
__mram_noinit int32_t y[ROWS];

BARRIER_INIT(all, NR_TASKLETS);

static __dma_aligned int32_t vector[COLUMNS];
static __dma_aligned int32_t rows[NR_TASKLETS][COLUMNS];

static int32_t product(const int32_t *row)
{
	int32_t sum = 0;

	for (int i = 0; i < COLUMNS; i++)
		sum += row[i] * vector[i];
	return sum;
}

int main(void)
{
	int32_t *row = rows[me()];
	__dma_aligned int32_t results[2];

	if (!me())
		mram_read(x, vector, sizeof(vector));
	barrier_wait(&all);
	for (uint32_t r = 2 * me(); r < ROWS; r += 2 * NR_TASKLETS) {
		for (int i = 0; i < 2; i++) {
			mram_read(a[r + i], row, COLUMNS * sizeof(*row));
			results[i] = product(row);
		}
		mram_write(results, &y[r], sizeof(results));
	}
	return 0;
}
