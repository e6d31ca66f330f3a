/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts of a thread.
 *
 * A block that follows itself, as in every inner loop, only increments its repetitions, which the block keeps when another one
 * comes. The sums are added at a system call and at the end of a slice. Of several threads each run of a block is handed over by
 * itself, so that a count ends at the model's clock.
 */
#include <string.h>

#include "qemu/hexagon/plugin.h"

struct cpu cpus[HEXAGON_MAX_CPUS];
struct hexagon_feed *feed;
struct hexagon_profile *profile;

static void keep(struct cpu *cpu, struct block *block, unsigned int how)
{
	if (!block->rows.rows) {
		block->next = cpu->first;
		cpu->first = block;
	}
	block->rows.times += cpu->repeat;
	block->rows.rows++;
	block->rows.entered += how & HEXAGON_BLOCK_ENTERED;
	block->rows.looped += (how & HEXAGON_BLOCK_LOOPED) > 0;
}

void gather_blocks(struct cpu *cpu)
{
	for (; cpu->first; cpu->first = cpu->first->next) {
		hexagon_block_add_rows(cpu->count, &cpu->first->counts, &cpu->first->rows);
		memset(&cpu->first->rows, 0, sizeof(cpu->first->rows));
	}
}

void flush_cpu(struct cpu *cpu)
{
	struct block *block = cpu->block;
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
	if (in_order())
		note(cpu, HEXAGON_TIME_BLOCK, HEXAGON_TIME_RUN(repeat, how), cpu->packets, block->number);
	else if (cpu->vector)
		hexagon_block_add(cpu->count, &block->counts, repeat, how);
	else
		keep(cpu, block, how);
	cpu->end = block->end;
	cpu->loop_end = block->counts.loop_end;
	cpu->repeat = 0;
}
