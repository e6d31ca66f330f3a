/* SPDX-License-Identifier: GPL-2.0-only */
/* Notes of what threads do, and their hand-over to the model of time. */
#include <stdlib.h>
#include <string.h>

#include "qemu/hexagon/plugin.h"

/* Number of notes that a thread makes before it hands them over. */
#define NOTES 4096

/* ... and of one more packet, whose accesses stay together. */
#define ROOM (NOTES + PACKET_ACCESSES)

struct hexagon_time model;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool make_notes(struct cpu *cpu)
{
	cpu->notes = malloc(ROOM * sizeof(cpu->notes[0]));
	return cpu->notes != NULL;
}

void free_notes(struct cpu *cpu)
{
	free(cpu->notes);
	cpu->notes = NULL;
}

static void add_note(struct cpu *cpu, const struct hexagon_time_entry *entry)
{
	if (cpu->noted >= NOTES && (cpu->notes[cpu->noted - 1].packet != entry->packet ||
				    cpu->noted == ROOM)) {
		pthread_mutex_lock(&lock);
		hand_over(cpu, entry->packet);
		hexagon_time_run(&model);
		pthread_mutex_unlock(&lock);
	}
	/* a thread that has no hardware thread yet keeps its notes */
	if (cpu->noted < ROOM)
		cpu->notes[cpu->noted++] = *entry;
}

static void do_at_once(struct cpu *cpu, unsigned int what, uint32_t address)
{
	if (what == HEXAGON_TIME_L2FETCH)
		cpu->count[HEXAGON_L2FETCHES]++;
	else
		hexagon_memory_access(&model.memory, cpu->count, what, address);
}

void note(struct cpu *cpu, unsigned int what, uint32_t cost, uint64_t packet, uint32_t address)
{
	struct hexagon_time_entry entry = {
		.packet = packet, .address = address, .what = what, .cost = cost,
	};

	if (!in_order()) {
		do_at_once(cpu, what, address);
		return;
	}
	if (__builtin_expect(cpu->vector_packet <= packet, 0)) {
		struct hexagon_time_entry vector = {
			.packet = cpu->vector_packet, .what = HEXAGON_TIME_VECTOR,
		};

		cpu->vector_packet = UINT64_MAX;
		add_note(cpu, &vector);
	}
	add_note(cpu, &entry);
}

void hand_over(struct cpu *cpu, uint64_t packets)
{
	unsigned int self = cpu - cpus;

	cpu->pieces.n = 0;
	if (cpu->slot < 0 || hexagon_threads_slot(&threads, self) != cpu->slot ||
	    hexagon_threads_turns(&threads, self) != cpu->turns)
		return;
	if (__builtin_expect(cpu->vector_packet < packets, 0)) {
		cpu->notes[cpu->noted++] = (struct hexagon_time_entry){
			.packet = cpu->vector_packet, .what = HEXAGON_TIME_VECTOR,
		};
		cpu->vector_packet = UINT64_MAX;
	}
	hexagon_time_add(&model, cpu->slot, cpu->notes, cpu->noted, packets);
	cpu->noted = 0;
	if (cpu->vector)
		hexagon_threads_vector(&threads, self);
	if (in_order())
		return;
	gather_blocks(cpu);
	hexagon_time_count(&model, cpu->slot, cpu->count);
	memset(cpu->count, 0, sizeof(cpu->count));
}
