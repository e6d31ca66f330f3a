/* SPDX-License-Identifier: GPL-2.0-only */
/* Notes of threads' accesses, and their hand-over to the caches' model. */
#include <stdlib.h>
#include <unistd.h>

#include "qemu/hexagon/plugin.h"

/* Number of accesses that a thread notes before it hands them over. */
#define NOTES 4096

/* Largest number of accesses of one packet: a vector scatter of bytes. A packet's accesses stay together. */
#define PACKET_NOTES 256

/* Number of accesses that may wait for slower threads; above it a fast thread sleeps, at most RESTS times. */
#define WAITING_MAX (1 << 20)
#define REST_US 200
#define RESTS 10000

struct hexagon_order order;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool make_notes(struct cpu *cpu)
{
	cpu->notes = malloc((NOTES + PACKET_NOTES) * sizeof(cpu->notes[0]));
	return cpu->notes != NULL;
}

void free_notes(struct cpu *cpu)
{
	free(cpu->notes);
	cpu->notes = NULL;
}

void hand_over(struct cpu *cpu, uint64_t clock)
{
	size_t waiting;

	note_vector(cpu, clock);
	pthread_mutex_lock(&lock);
	waiting = hexagon_order_add(&order, cpu->slot, cpu->notes, cpu->noted, clock);
	cpu->noted = 0;
	for (int i = 0; i < RESTS && waiting > WAITING_MAX; i++) {
		pthread_mutex_unlock(&lock);
		usleep(REST_US);
		pthread_mutex_lock(&lock);
		waiting = hexagon_order_add(&order, cpu->slot, NULL, 0, clock);
	}
	/* the other threads do not catch up: they are in a system call that is not known to wait */
	if (waiting > WAITING_MAX) {
		hexagon_order_finish(&order);
		feed->slips++;
	}
	pthread_mutex_unlock(&lock);
}

static void add_note(struct cpu *cpu, unsigned int access, uint32_t cost, uint64_t clock, uint32_t address)
{
	if (cpu->noted >= NOTES && (cpu->notes[cpu->noted - 1].clock != clock ||
				    cpu->noted == NOTES + PACKET_NOTES))
		hand_over(cpu, clock);
	cpu->notes[cpu->noted++] = (struct hexagon_order_entry){
		.clock = clock, .address = address, .access = access, .cost = cost,
	};
}

void note_vector(struct cpu *cpu, uint64_t clock)
{
	uint64_t at = cpu->vector_clock;

	if (__builtin_expect(at > clock, 1))
		return;
	cpu->vector_clock = UINT64_MAX;
	add_note(cpu, HEXAGON_ORDER_VECTOR, 0, at, 0);
}

void note(struct cpu *cpu, unsigned int access, const struct place *place, uint64_t clock,
	  uint32_t address)
{
	note_vector(cpu, clock);
	add_note(cpu, access, place->cost, clock, address);
}
