/* SPDX-License-Identifier: GPL-2.0-only */
/* Callbacks of packets: the accesses that the cache model gets. */
#include "qemu/hexagon/plugin.h"

#define TAKEN 2		/* at this value and above, a branch is predicted taken */

void end_branch(struct cpu *cpu, const struct block *next)
{
	uint8_t *prediction = &cpu->predictions[(cpu->branch.end - 4) / 4 % PREDICTIONS];
	bool taken = next->pc != cpu->branch.end;

	if (!cpu->branch.open || forked)
		return;
	if ((*prediction >= TAKEN) != taken)
		note(cpu, HEXAGON_TIME_REDIRECT, cpu->branch.cost, cpu->next_packet - 1, 0);
	if (taken)
		*prediction += *prediction < 3;
	else
		*prediction -= *prediction > 0;
}

void begin_block(struct cpu *cpu, const struct block *block)
{
	if (forked)
		return;
	cpu->packet = cpu->next_packet;
	cpu->next_packet += block->counts.add[HEXAGON_PACKETS];
	if (!stalls)
		return;
	/* kept by value: the block may be dropped before the next one begins */
	cpu->branch.open = block->conditional;
	if (block->conditional) {
		cpu->branch.end = block->end;
		cpu->branch.cost = block->places[block->place_count - 1].cost;
	}
}

void on_fetch(unsigned int cpu_index, void *data)
{
	struct cpu *cpu = &cpus[cpu_index];
	const struct place *place = data;
	unsigned int shift = model.memory.l1i.shift;
	uint32_t last = (place->pc + place->size - 1) >> shift;

	if (forked)
		return;
	for (uint32_t line = place->pc >> shift; line <= last; line++) {
		if (line == cpu->line)
			continue;
		cpu->line = line;
		note(cpu, HEXAGON_FETCH, place->cost, cpu->packet + place->index, line << shift);
	}
}

/* The accesses of the vector unit and of dczeroa come in pieces: has the packet touched this line in the same way? */
static bool is_seen(struct cpu *cpu, enum hexagon_access access, uint64_t packet, uint32_t line)
{
	unsigned int n = cpu->pieces.packet == packet ? cpu->pieces.n : 0;

	for (unsigned int i = n; i; i--)
		if (cpu->pieces.seen[i - 1].access == access && cpu->pieces.seen[i - 1].line == line)
			return true;
	if (n == PACKET_ACCESSES)
		return false;
	cpu->pieces.packet = packet;
	cpu->pieces.seen[n].access = access;
	cpu->pieces.seen[n].line = line;
	cpu->pieces.n = n + 1;
	return false;
}

/* Vectors are loaded in pieces of 8 bytes. */
static bool is_vector(const struct place *place, bool store, qemu_plugin_meminfo_t info)
{
	if (!place->vector)
		return false;
	if (store)
		return !place->scalar_store;
	return !place->scalar_load || (!place->loads_pair && qemu_plugin_mem_size_shift(info) == 3);
}

void on_access(unsigned int cpu_index, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	struct cpu *cpu = &cpus[cpu_index];
	const struct place *place = data;
	bool store = qemu_plugin_mem_is_store(info);
	uint64_t packet = cpu->packet + place->index;
	enum hexagon_access access = store ? HEXAGON_STORE : HEXAGON_LOAD;
	unsigned int shift = model.memory.l1d.shift;
	uint32_t last;

	if (forked)
		return;
	if (is_vector(place, store, info)) {
		access = store ? HEXAGON_VECTOR_STORE : HEXAGON_VECTOR_LOAD;
		shift = model.memory.l2.shift;
	} else if (place->zero && store) {
		access = HEXAGON_ZERO;
	} else {
		note(cpu, access, place->cost, packet, address);
		return;
	}
	/* a piece of a vector that is not aligned may be in two lines */
	last = (address + (1u << qemu_plugin_mem_size_shift(info)) - 1) >> shift;
	for (uint32_t line = address >> shift; line <= last; line++)
		if (!is_seen(cpu, access, packet, line))
			note(cpu, access, place->cost, packet, line << shift);
}
