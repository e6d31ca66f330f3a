/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls and returns, for the profile: a call is seen at the start of the block that it leads to, as is a return. */
#include "qemu/hexagon/plugin.h"

/* The last row of the feed is for several threads. */
static bool is_alone(const struct cpu *cpu)
{
	int row = hexagon_threads_row(&threads, cpu - cpus);

	return row >= 0 && row < HEXAGON_SOFTWARE_ROWS - 1;
}

static void begin_call(struct cpu *cpu, struct block *caller, uint64_t to)
{
	if (cpu->depth == HEXAGON_CALLS_DEPTH) {
		cpu->beyond++;
		return;
	}
	if (!is_alone(cpu))
		return;
	if (caller->call.number < 0 || caller->call.to != to) {
		pthread_mutex_lock(&lock);
		caller->call.to = to;
		caller->call.number = hexagon_profile_call(profile, caller->last, to);
		pthread_mutex_unlock(&lock);
		if (caller->call.number < 0)
			return;
	}
	cpu->returns[cpu->depth++] = caller->end;
	note(cpu, HEXAGON_TIME_CALL, 0, cpu->packet, caller->call.number);
}

/* A function may return to the caller of its caller, by a jump at its end or by longjmp(). */
static void end_calls(struct cpu *cpu, uint64_t to)
{
	unsigned int depth = cpu->depth;

	while (depth && cpu->returns[depth - 1] != to)
		depth--;
	if (!depth)
		return;
	if (cpu->beyond && depth == cpu->depth) {
		cpu->beyond--;
		return;
	}
	note(cpu, HEXAGON_TIME_RETURN, 0, cpu->packet, cpu->depth - depth + 1);
	cpu->depth = depth - 1;
	cpu->beyond = 0;
}

void follow_calls(struct cpu *cpu, struct block *block)
{
	struct block *caller = cpu->caller;

	cpu->caller = block->calls ? block : NULL;
	if (forked)
		return;
	if (block->pc != cpu->went_on) {
		if (caller)
			begin_call(cpu, caller, block->pc);
		else
			end_calls(cpu, block->pc);
	}
	cpu->went_on = block->end;
}
