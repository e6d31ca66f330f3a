// SPDX-License-Identifier: GPL-2.0-only
/* v1B: cycles and instructions of a loop, five times; ../both.c prints CPI and IPC. */
#include <attributes.h>
#include <perfcounter.h>

__host perfcounter_pair_t results[5];

int main(void)
{
	perfcounter_config(COUNT_ENABLE_BOTH, true);
	for (int n = 0; n < 5; n++) {
		for (int i = 100000; i; i--)
			__asm__ volatile ("");	/* otherwise the compiler leaves the loop out */
		results[n] = perfcounter_get_both(true);
	}
	return 0;
}
