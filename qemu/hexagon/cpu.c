/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of a thread.
 *
 * A block that follows itself, as in every inner loop, only increments its repetitions. The sums are added when
 * another block comes, at a system call, and from time to time. So the published counts of a running thread lack
 * the last block and its repetitions, and a program that is killed or crashes loses them. The counts of a program
 * that exits by itself are exact.
 */
#include "hexagon/profile.h"
#include "qemu/hexagon/plugin.h"

struct cpu cpus[HEXAGON_MAX_CPUS];
struct hexagon_feed *feed;
struct hexagon_profile *profile;

void flush_cpu(struct cpu *cpu)
{
	const struct block *block = cpu->block;
	uint64_t repeat = cpu->repeat;
	uint64_t *count = cpu->count;

	if (!repeat)
		return;
	if (block->vector && !cpu->vector) {
		cpu->vector = true;
		pthread_mutex_lock(&lock);
		hexagon_threads_vector(&threads, cpu - cpus, block->first_vector);
		pthread_mutex_unlock(&lock);
		count[HEXAGON_VECTOR_PACKETS] -= block->first_vector;
	}
	for (unsigned int i = 0; i < HOT_COUNTS; i++)
		count[i] += repeat * block->add[i];
	for (unsigned int i = 0; i < block->rare_count; i++)
		count[block->rare[i].counter] += repeat * block->rare[i].add;
	if (cpu->end != block->pc && cpu->end) {
		count[HEXAGON_CHANGED_FLOW]++;
		count[HEXAGON_ENDLOOP] += cpu->loop_end;
	}
	/* each execution after the first began with a jump from the block's end to its start */
	count[HEXAGON_CHANGED_FLOW] += repeat - 1;
	if (block->loop_end)
		count[HEXAGON_ENDLOOP] += repeat - 1;
	if (cpu->vector)
		count[HEXAGON_VECTOR_PACKETS] += repeat * block->add[HEXAGON_PACKETS];
	if (profile)
		for (unsigned int i = 0; i < block->place_count; i++)
			hexagon_profile_add(profile, block->places[i].cost, HEXAGON_COST_PACKETS,
					    repeat);
	cpu->end = block->end;
	cpu->loop_end = block->loop_end;
	cpu->repeat = 0;
}
