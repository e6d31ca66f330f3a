/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Threads that spin: that wait in a loop until another one has written a word. They do so if they execute `pause`, or a loop
 * that loads, always from the same addresses, and stores nothing. Which registers the loop writes tells the former; a store by
 * memw_locked may fail and is none.
 */
#include "qemu/hexagon/plugin.h"

/* Packets of the longest loop that is found, and packets after which a thread that shows no sign of it spins no more. */
#define LOOP_PACKETS 32

bool only_waits(const struct effects *effects)
{
	return effects->loads && !effects->stores && !(effects->writes & effects->addresses);
}

void add_effects(struct effects *to, const struct effects *from)
{
	to->loads |= from->loads;
	to->stores |= from->stores;
	to->pauses |= from->pauses;
	to->writes |= from->writes;
	to->addresses |= from->addresses;
}

/* A block begins. Has its loop only waited, for some rounds? */
static bool waits_in_loop(struct cpu *cpu, const struct block *block, uint64_t rounds)
{
	bool again = block == cpu->head;

	if (!again && cpu->head && cpu->packets - cpu->round_packet <= LOOP_PACKETS)
		return false;
	cpu->rounds = again && only_waits(&cpu->round) ? cpu->rounds + rounds : 0;
	cpu->head = block;
	cpu->round = (struct effects){ 0 };
	cpu->round_packet = cpu->packets;
	return cpu->rounds >= SPIN_ROUNDS;
}

void follow_loops(struct cpu *cpu, const struct block *block, uint64_t repeat)
{
	const struct block *last = cpu->block;
	bool waits;

	if (!last)
		return;
	/* most often: a block that computes, again */
	if (block == last && block == cpu->head && !cpu->spins && !block->effects.loads && !block->effects.pauses) {
		cpu->rounds = 0;
		cpu->round_packet = cpu->packets;
		return;
	}
	add_effects(&cpu->round, &last->effects);
	waits = waits_in_loop(cpu, block, block == last ? repeat : 1) || last->effects.pauses;
	if (waits && cpu->spins)
		feed->spun += cpu->packets - cpu->spun_packet;
	if (waits)
		cpu->spun_packet = cpu->packets;
	else if (!cpu->spins || (!last->effects.stores && cpu->packets - cpu->spun_packet <= LOOP_PACKETS))
		return;
	if (waits == cpu->spins)
		return;
	cpu->spins = waits;
	cpu->changes_pace = true;
	cpu->until = cpu->packets;
}
