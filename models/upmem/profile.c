// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Profiles: instructions and cycles by instruction.
 *
 * During a profile the functions of instructions for their turn and, if they may branch, for
 * running ahead (fast.c) are those of this file, which count and call the real ones. Without a
 * profile there is no cost.
 *
 * Instructions ahead are stored as blocks without a branch, and counted when their turns come: by
 * differences from one instruction to the next, so that the cost of a block does not depend on its
 * length.
 */
#include <stdlib.h>
#include <string.h>

#include "upmem/dpu-internal.h"

/* Instructions that were executed ahead, in their order. */
struct block {
	uint16_t start, length;
};

struct ahead {
	struct block blocks[DPU_AHEAD + 1];
	unsigned int first, count;
};

struct dpu_profile {
	struct dpu_cost cost[DPU_IRAM_WORDS + 1];
	struct dpu_cost step[DPU_IRAM_WORDS + 2];	/* how much more than at the index before */
	dpu_turn_fn *turn[DPU_IRAM_WORDS + 1];		/* the real functions */
	dpu_ahead_fn *ahead[DPU_IRAM_WORDS + 1];
	uint64_t last;					/* cycle of the last turn */
	struct ahead threads[DPU_MAX_THREADS];
	struct ahead *running;				/* the thread that runs ahead */
	uint32_t left;					/* what it had left when its block began */
};

static void profile_push(struct ahead *a, unsigned int start, unsigned int length)
{
	a->blocks[a->count++] = (struct block){ start, length };
}

/* The next instructions ahead, at most n and of one block. */
static struct block pop(struct ahead *a, unsigned int n)
{
	struct block *b = &a->blocks[a->first], taken = *b;

	if (taken.length > n) {
		taken.length = n;
		b->start += n;
		b->length -= n;
		return taken;
	}
	if (++a->first == a->count)
		a->first = a->count = 0;
	return taken;
}

static struct ahead *ahead_of(struct dpu *dpu, const struct dpu_thread *t)
{
	return &dpu->profile->threads[t - dpu->threads];
}

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
	unsigned int index = t->credit ? pop(ahead_of(dpu, t), 1).start : t->at - dpu->code;

	count_turn(dpu, t, index, cycle);
}

/* An instruction that may branch ends a block. */
static void profiled_ahead(struct dpu *dpu, struct dpu_thread *t, const struct dpu_uop *u, uint32_t left)
{
	struct dpu_profile *p = dpu->profile;
	unsigned int index = u - dpu->code, length = p->left - left + 1;

	profile_push(p->running, index + 1 - length, length);
	p->left = left - 1;
	p->ahead[index](dpu, t, u, left);
}

void dpu_profile_ahead_begin(struct dpu *dpu, const struct dpu_thread *t, uint32_t count)
{
	dpu->profile->running = ahead_of(dpu, t);
	dpu->profile->left = count;
}

void dpu_profile_ahead_end(struct dpu *dpu, const struct dpu_thread *t)
{
	struct dpu_profile *p = dpu->profile;
	unsigned int length = p->left - dpu->left;

	if (length)
		profile_push(p->running, t->at - dpu->code - length, length);
}

static void add_steps(struct dpu_profile *p, struct block b, uint64_t cycles, uint64_t dispatch)
{
	struct dpu_cost *from = &p->step[b.start], *to = from + b.length;

	from->instructions++;
	from->cycles += cycles;
	from->dispatch += dispatch;
	to->instructions--;
	to->cycles -= cycles;
	to->dispatch -= dispatch;
}

void dpu_profile_rounds(struct dpu *dpu, struct dpu_thread *t, uint64_t first, uint64_t rounds,
			uint64_t period, uint64_t gap)
{
	struct ahead *a = ahead_of(dpu, t);
	uint64_t dispatch = period - dpu->timing.dispatch_interval;

	count_turn(dpu, t, pop(a, 1).start, first);
	for (uint64_t n = rounds - 1; n;) {
		struct block b = pop(a, n);

		add_steps(dpu->profile, b, gap, dispatch);
		n -= b.length;
	}
	t->due = first + (rounds - 1) * period + dpu->timing.dispatch_interval;
}

void dpu_profile_rounds_end(struct dpu *dpu)
{
	dpu->profile->last = dpu->cycle;
}

void dpu_profile_transfer(struct dpu *dpu, struct dpu_thread *t, uint64_t cycles)
{
	dpu->profile->cost[t->at - dpu->code].dma += cycles;
}

void dpu_profile_forget(struct dpu *dpu, const struct dpu_thread *t)
{
	struct ahead *a = ahead_of(dpu, t);

	a->first = a->count = 0;
}

void dpu_profile_halt(struct dpu *dpu)
{
	memset(dpu->profile->threads, 0, sizeof(dpu->profile->threads));
}

void dpu_profile_prepare(struct dpu *dpu, uint32_t index, bool branch_ahead)
{
	struct dpu_uop *u = &dpu->code[index];

	if (!dpu->profile)
		return;
	dpu->profile->turn[index] = u->turn;
	dpu->profile->ahead[index] = u->ahead;
	u->turn = profiled_turn;
	if (branch_ahead)
		u->ahead = profiled_ahead;
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

/* Adds the steps to the instructions. */
static void take_steps(struct dpu_profile *p)
{
	struct dpu_cost sum = { 0 };

	for (unsigned int i = 0; i <= DPU_IRAM_WORDS; i++) {
		sum.instructions += p->step[i].instructions;
		sum.cycles += p->step[i].cycles;
		sum.dispatch += p->step[i].dispatch;
		p->cost[i].instructions += sum.instructions;
		p->cost[i].cycles += sum.cycles;
		p->cost[i].dispatch += sum.dispatch;
	}
	memset(p->step, 0, sizeof(p->step));
}

const struct dpu_cost *dpu_profile(struct dpu *dpu)
{
	if (!dpu->profile)
		return NULL;
	take_steps(dpu->profile);
	return dpu->profile->cost;
}

void dpu_profile_clear(struct dpu *dpu)
{
	take_steps(dpu->profile);
	memset(dpu->profile->cost, 0, sizeof(dpu->profile->cost));
	dpu->profile->last = dpu->cycle;
}
