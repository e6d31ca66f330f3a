/* SPDX-License-Identifier: GPL-2.0-only */
#include <stdlib.h>
#include <unistd.h>

#include "qemu/hexagon/plugin.h"

/* Accesses that a thread notes before it hands them over. */
#define NOTES 4096

/* Accesses of one packet, at most: a vector scatter of bytes. They are not torn apart. */
#define PACKET_NOTES 256

/* Accesses that may wait for slower threads, and how long a fast one then rests at most. */
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

	pthread_mutex_lock(&lock);
	waiting = hexagon_order_add(&order, cpu->slot, cpu->notes, cpu->noted, clock);
	cpu->noted = 0;
	for (int i = 0; i < RESTS && waiting > WAITING_MAX; i++) {
		pthread_mutex_unlock(&lock);
		usleep(REST_US);
		pthread_mutex_lock(&lock);
		waiting = hexagon_order_add(&order, cpu->slot, NULL, 0, clock);
	}
	/* the others are not coming: a system call holds them up that is not known to wait */
	if (waiting > WAITING_MAX) {
		hexagon_order_finish(&order);
		feed->slips++;
	}
	pthread_mutex_unlock(&lock);
}

void note(struct cpu *cpu, unsigned int access, const struct place *place, uint64_t clock,
	  uint32_t address)
{
	if (cpu->noted >= NOTES && (cpu->notes[cpu->noted - 1].clock != clock ||
				    cpu->noted == NOTES + PACKET_NOTES))
		hand_over(cpu, clock);
	cpu->notes[cpu->noted++] = (struct hexagon_order_entry){
		.clock = clock, .address = address, .access = access, .cost = place->cost,
	};
}
