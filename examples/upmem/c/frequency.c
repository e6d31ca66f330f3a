// SPDX-License-Identifier: GPL-2.0-only
/* Counts the cycles of a loop of ten million rounds; ../frequency.c turns them into seconds. */
#include <attributes.h>
#include <perfcounter.h>

__host uint32_t nb_cycles;

int main(void)
{
	perfcounter_config(COUNT_CYCLES, true);
	for (int i = 10000000; i; i--)
		__asm__ volatile ("");	/* otherwise the compiler leaves the loop out */
	nb_cycles = perfcounter_get();
	return 0;
}
