// SPDX-License-Identifier: GPL-2.0-only
/* Binary search of 64-bit values in WRAM; it prints the sum of the places. */
#include <barrier.h>
#include <defs.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT 2048
#define SEARCHES 1000

uint64_t table[COUNT];
uint32_t places[NR_TASKLETS];
BARRIER_INIT(ready, NR_TASKLETS);

/* The first element that is not less. */
static uint32_t __noinline search(const uint64_t *in, uint64_t value)
{
	uint32_t low = 0, high = COUNT;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (in[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int main(void)
{
	uint64_t value = me();
	uint32_t sum = 0;

	for (uint32_t i = me(); i < COUNT; i += NR_TASKLETS)
		table[i] = (uint64_t)(i / 1024) << 32 | i % 1024 * 5;
	barrier_wait(&ready);
	for (uint32_t i = 0; i < SEARCHES; i++) {
		sum += search(table, value);
		value = (value + 0x100000777UL) & 0x100001fffUL;
	}
	places[me()] = sum;
	barrier_wait(&ready);
	if (me() == 0) {
		sum = 0;
		for (uint32_t i = 0; i < NR_TASKLETS; i++)
			sum += places[i];
		printf("%u\n", sum);
	}
	return 0;
}
