// SPDX-License-Identifier: GPL-2.0-only
/* y = A x with a matrix that is mostly 0: of each row, the numbers that are not and their columns. */
#include <barrier.h>
#include <defs.h>
#include <mram.h>
#include <seqread.h>
#include <stdint.h>

#include "spmv.h"

__mram_noinit uint32_t first[ROWS + 2];		/* of row n's numbers; ROWS: the end */
__mram_noinit struct element elements[NUMBERS];
__mram_noinit int32_t x[COLUMNS];
__mram_noinit int64_t y[ROWS];

BARRIER_INIT(all, NR_TASKLETS);

static __dma_aligned int32_t vector[COLUMNS];

int main(void)
{
	seqreader_t reader;
	seqreader_buffer_t buffer = seqread_alloc();

	if (!me())
		mram_read(x, vector, sizeof(vector));
	barrier_wait(&all);
	for (uint32_t row = me(); row < ROWS; row += NR_TASKLETS) {
		uint32_t count = first[row + 1] - first[row];
		const struct element *e = seqread_init(buffer, &elements[first[row]], &reader);
		int64_t sum = 0;

		while (count--) {
			sum += (int64_t)e->value * vector[e->column];
			e = seqread_get((void *)e, sizeof(*e), &reader);
		}
		y[row] = sum;
	}
	return 0;
}
