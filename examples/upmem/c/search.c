// SPDX-License-Identifier: GPL-2.0-only
/* Binary search: where in a sorted array in MRAM each of the numbers is; every step is a DMA of 8 bytes. */
#include <defs.h>
#include <mram.h>
#include <stdint.h>

#define COUNT 4096
#define QUERIES 128

__mram_noinit int64_t sorted[COUNT];
__mram_noinit int64_t queries[QUERIES];
__mram_noinit int64_t places[QUERIES];		/* -1: not there */

static int64_t find(int64_t what)
{
	int32_t low = 0, high = COUNT - 1;

	while (low <= high) {
		int32_t middle = (low + high) / 2;
		int64_t n = sorted[middle];

		if (n == what)
			return middle;
		if (n < what)
			low = middle + 1;
		else
			high = middle - 1;
	}
	return -1;
}

int main(void)
{
	for (uint32_t i = me(); i < QUERIES; i += NR_TASKLETS)
		places[i] = find(queries[i]);
	return 0;
}
