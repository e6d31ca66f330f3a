// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where a program spends its instructions and cycles.
 *
 * While a profile is made, every instruction's function for its turn (exec.c) is profiled_turn(), which
 * counts and calls the real one. Without a profile there is no trace of it.
 */
#include <stdlib.h>

#include "upmem/dpu-internal.h"

/* due is where a thread's wait for its turn begins: when it is ready, be it after a transfer. */
static void count_turn(struct dpu *dpu, struct dpu_thread *t, struct dpu_cost *cost, uint64_t cycle)
{
	struct dpu_profile *p = dpu->profile;

	cost->instructions++;
	cost->cycles += cycle - p->last;
	cost->dispatch += cycle - t->due;
	p->last = cycle;
	t->due = cycle + dpu->timing.dispatch_interval;
}

static void profiled_turn(struct dpu *dpu, struct dpu_thread *t, const struct dpu_uop *u, uint32_t left,
			  uint64_t cycle)
{
	struct dpu_profile *p = dpu->profile;
	unsigned int index = u - dpu->code;

	count_turn(dpu, t, &p->cost[index], cycle);
	p->turn[index](dpu, t, u, left, cycle);
}

void dpu_profile_prepare(struct dpu *dpu, uint32_t index)
{
	struct dpu_uop *u = &dpu->code[index];

	if (!dpu->profile)
		return;
	dpu->profile->turn[index] = u->turn;
	u->turn = profiled_turn;
}

void dpu_profile_turn(struct dpu *dpu, struct dpu_thread *t)
{
	count_turn(dpu, t, &dpu->profile->cost[t->at - dpu->code], dpu->cycle);
}

void dpu_profile_transfer(struct dpu *dpu, struct dpu_thread *t, uint64_t cycles)
{
	dpu->profile->cost[t->at - dpu->code].dma += cycles;
}

bool dpu_set_profile(struct dpu *dpu, bool on)
{
	if (on == !!dpu->profile)
		return true;
	free(dpu->profile);
	dpu->profile = on ? calloc(1, sizeof(*dpu->profile)) : NULL;
	if (dpu->profile)
		dpu->profile->last = dpu->cycle;
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++)
		dpu->threads[i].due = dpu->threads[i].ready;
	dpu_predecode(dpu, 0, DPU_IRAM_WORDS);
	return !on || dpu->profile;
}

const struct dpu_cost *dpu_profile(const struct dpu *dpu)
{
	return dpu->profile ? dpu->profile->cost : NULL;
}
