/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program that times itself by UPCYCLE, PKTCOUNT or UTIMER. The registers are written before the packet that reads one. QEMU
 * 7.2 takes the new value, and the clock is known, at the start of a block: such a program runs with blocks of one packet.
 */
#include <stdio.h>

#include "qemu/hexagon/plugin.h"

/* Numbers of the lower halves as the debugger has them. */
#define UPCYCLE 46
#define PKTCOUNT 50
#define UTIMER 62

static bool set_pair(unsigned int cpu, unsigned int number, uint64_t value)
{
	return mon_hexagon_set_register(cpu, number, value) && mon_hexagon_set_register(cpu, number + 1, value >> 32);
}

void on_clock(unsigned int cpu, void *data)
{
	static bool said;
	uint64_t clock, packets = 0;

	if (forked)
		return;
	clock = data ? clock_in_code(&cpus[cpu], &packets) : 0;
	if (data && set_pair(cpu, UPCYCLE, clock) && set_pair(cpu, PKTCOUNT, packets) && set_pair(cpu, UTIMER, utimer(clock)))
		return;
	if (!__atomic_exchange_n(&said, true, __ATOMIC_RELAXED))
		fprintf(stderr, "hexagon-feed: UPCYCLE, PKTCOUNT and UTIMER read 0: this qemu-hexagon exports no writes of registers, or "
			"the plugin was not given operations=2: use HAP_perf_get_pcycles(), or count from outside\n");
}
