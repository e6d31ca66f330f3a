/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program that times itself by UPCYCLE. The register is written before the packet that reads it. QEMU 7.2 takes the
 * new value at the start of a block, so such a program runs with blocks of one packet; 10.0 has no such write.
 */
#include <stdio.h>

#include "qemu/hexagon/plugin.h"
#include "qemu/compat.h"

#define UPCYCLELO 46
#define UPCYCLEHI 47

void on_clock(unsigned int cpu, void *data)
{
	static bool said;
	uint64_t clock;

	if (forked)
		return;
	clock = data ? clock_in_code(&cpus[cpu]) : 0;
	if (data && mon_hexagon_set_register(cpu, UPCYCLELO, clock) &&
	    mon_hexagon_set_register(cpu, UPCYCLEHI, clock >> 32))
		return;
	if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		fprintf(stderr, "hexagon-feed: UPCYCLE reads 0: this qemu-hexagon has no writes of registers, or the plugin "
			"was not given operations=2: count the program's cycles from outside\n");
}
