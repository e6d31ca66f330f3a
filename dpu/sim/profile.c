// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Profiles: instructions and cycles by instruction.
 *
 * During a profile every turn is taken in order (issue.c), and the functions of instructions (fast.c) are the one of
 * this file, which counts and calls the real one. Without a profile there is no cost.
 */
#include <stdlib.h>
#include <string.h>

#include "dpu/sim/dpu-internal.h"

struct dpu_profile {
	struct dpu_cost cost[DPU_IRAM_WORDS + 1];
	dpu_turn_fn *turn[DPU_IRAM_WORDS + 1];		/* the real functions */
	uint64_t last;					/* cycle of the last turn */
};

/* due is the begin of a thread's wait for its turn: when it is ready, also after a transfer. */
static void count_turn(struct dpu *dpu, struct dpu_thread *t, unsigned int index, uint64_t cycle)
{
	struct dpu_profile *p = dpu->profile;
	struct dpu_cost *cost = &p->cost[index];

	cost->instructions++;
	cost->cycles += cycle - p->last;
	cost->dispatch += cycle - t->due;
	p->last = cycle;
	t->due = cycle + dpu->timing.dispatch_interval;
}

static void profiled_turn(struct dpu *dpu, struct dpu_thread *t, const struct dpu_uop *u, uint32_t left,
			  uint64_t cycle)
{
	unsigned int index = u - dpu->code;

	count_turn(dpu, t, index, cycle);
	dpu->profile->turn[index](dpu, t, u, left, cycle);
}

void dpu_profile_turn(struct dpu *dpu, struct dpu_thread *t, uint64_t cycle)
{
	count_turn(dpu, t, t->at - dpu->code, cycle);
}

void dpu_profile_transfer(struct dpu *dpu, struct dpu_thread *t, uint64_t cycles)
{
	dpu->profile->cost[t->at - dpu->code].dma += cycles;
}

void dpu_profile_prepare(struct dpu *dpu, uint32_t index)
{
	struct dpu_uop *u = &dpu->code[index];

	if (!dpu->profile)
		return;
	dpu->profile->turn[index] = u->turn;
	u->turn = profiled_turn;
}

bool dpu_profile_new(struct dpu *dpu)
{
	dpu->profile = calloc(1, sizeof(*dpu->profile));
	if (!dpu->profile)
		return false;
	dpu->profile->last = dpu->cycle;
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++)
		dpu->threads[i].due = dpu->threads[i].ready;
	return true;
}

void dpu_profile_free(struct dpu *dpu)
{
	free(dpu->profile);
	dpu->profile = NULL;
}

const struct dpu_cost *dpu_profile(struct dpu *dpu)
{
	return dpu->profile ? dpu->profile->cost : NULL;
}

void dpu_profile_clear(struct dpu *dpu)
{
	memset(dpu->profile->cost, 0, sizeof(dpu->profile->cost));
	dpu->profile->last = dpu->cycle;
}
