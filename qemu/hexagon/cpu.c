/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of a thread.
 *
 * A block that follows itself, as in every inner loop, only increments its repetitions. The sums are added when
 * another block comes, at a system call, and at the end of a slice. Of several threads each run of a block is handed
 * over by itself, so that a count ends at the model's clock.
 */
#include "qemu/hexagon/plugin.h"

struct cpu cpus[HEXAGON_MAX_CPUS];
struct hexagon_feed *feed;
struct hexagon_profile *profile;

void flush_cpu(struct cpu *cpu)
{
	const struct block *block = cpu->block;
	uint64_t repeat = cpu->repeat;
	unsigned int how = 0;

	if (!repeat)
		return;
	if (cpu->end != block->pc && cpu->end)
		how = HEXAGON_BLOCK_ENTERED | (cpu->loop_end ? HEXAGON_BLOCK_LOOPED : 0);
	if (block->counts.vector && !cpu->vector) {
		cpu->vector = true;
		how |= HEXAGON_BLOCK_FIRST;
	}
	if (cpu->vector)
		how |= HEXAGON_BLOCK_VECTOR;
	cpu->packets += repeat * block->counts.add[HEXAGON_PACKETS];
	if (several || stalls || profile) {
		note(cpu, HEXAGON_TIME_BLOCK, HEXAGON_TIME_RUN(repeat, how), cpu->packets, block->number);
	} else {
		hexagon_block_add(cpu->count, &block->counts, repeat, how);
	}
	cpu->end = block->end;
	cpu->loop_end = block->counts.loop_end;
	cpu->repeat = 0;
}
