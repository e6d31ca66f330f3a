/* SPDX-License-Identifier: GPL-2.0-only */
/* Callbacks of packets: the accesses that the cache model gets. */
#include "qemu/hexagon/plugin.h"

/* A thread hands over its notes after this many clocks, however few they are. */
#define NOTE_CLOCKS 65536

#define TAKEN 2		/* at this value and above, a branch is predicted taken */

/* The conditional branch at the end of the last block has gone to pc. */
static void predict(struct cpu *cpu, const struct block *block, uint64_t pc)
{
	uint8_t *prediction = &cpu->predictions[(block->end - 4) / 4 % PREDICTIONS];
	bool taken = pc != block->end;

	if ((*prediction >= TAKEN) != taken)
		note(cpu, HEXAGON_ORDER_REDIRECT, &block->places[block->place_count - 1], cpu->clock,
		     0);
	if (taken)
		*prediction += *prediction < 3;
	else
		*prediction -= *prediction > 0;
}

void begin_block(struct cpu *cpu, const struct block *block)
{
	if (forked)
		return;
	cpu->clock = cpu->next_clock;
	cpu->next_clock += block->add[HEXAGON_PACKETS];
	if (cpu->noted && cpu->clock - cpu->notes[0].clock > NOTE_CLOCKS)
		hand_over(cpu, cpu->clock);
	note_vector(cpu, cpu->clock);
	if (block->vector && !cpu->vector_noted) {
		cpu->vector_noted = true;
		cpu->vector_clock = cpu->clock + block->first_vector;
	}
	if (stalls) {
		if (cpu->branch && cpu->branch->conditional)
			predict(cpu, cpu->branch, block->pc);
		cpu->branch = block;
	}
	if (!cpu->noted)
		hexagon_order_horizon(&order, cpu->slot, cpu->clock);
}

void on_fetch(unsigned int cpu_index, void *data)
{
	struct cpu *cpu = &cpus[cpu_index];
	const struct place *place = data;
	unsigned int shift = order.memory.l1i.shift;
	uint32_t last = (place->pc + place->size - 1) >> shift;

	if (forked)
		return;
	for (uint32_t line = place->pc >> shift; line <= last; line++) {
		if (line == cpu->line)
			continue;
		cpu->line = line;
		note(cpu, HEXAGON_FETCH, place, cpu->clock + place->index, line << shift);
	}
}

/* The accesses of the vector unit and of dczeroa come in pieces. */
static bool is_piece(const struct cpu *cpu, enum hexagon_access access, uint64_t clock,
		     uint32_t address, unsigned int shift)
{
	for (unsigned int i = cpu->noted; i && cpu->notes[i - 1].clock == clock; i--)
		if (cpu->notes[i - 1].access == access &&
		    cpu->notes[i - 1].address >> shift == address >> shift)
			return true;
	return false;
}

void on_access(unsigned int cpu_index, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	struct cpu *cpu = &cpus[cpu_index];
	const struct place *place = data;
	bool store = qemu_plugin_mem_is_store(info);
	uint64_t clock = cpu->clock + place->index;
	enum hexagon_access access = store ? HEXAGON_STORE : HEXAGON_LOAD;
	unsigned int shift = order.memory.l1d.shift;

	if (forked)
		return;
	if (place->vector && !(store ? place->scalar_store : place->scalar_load)) {
		access = store ? HEXAGON_VECTOR_STORE : HEXAGON_VECTOR_LOAD;
		shift = order.memory.l2.shift;
	} else if (place->zero && store) {
		access = HEXAGON_ZERO;
	} else {
		note(cpu, access, place, clock, address);
		return;
	}
	if (!is_piece(cpu, access, clock, address, shift))
		note(cpu, access, place, clock, address);
}
