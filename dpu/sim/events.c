// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Executes the turns that other threads can observe, one after the other; the turns between them are
 * only counted (rounds.c).
 *
 * After each of them the thread runs ahead. A thread that waits for an atomic bit repeats one
 * instruction in each of its turns until the bit is released. Then it is checked again, unless
 * others that wait for the bit come before it.
 */
#include "dpu/sim/dpu-internal.h"

#define COST_OF_EVENT 2	/* relative to a turn in order, which takes over if there are too many */

static uint32_t key_of(uint32_t round, unsigned int slot)
{
	return round << DPU_SLOT_BITS | slot;
}

static unsigned int slot_of(uint32_t key)
{
	return key & ((1 << DPU_SLOT_BITS) - 1);
}

/* The place from which the thread of a slot runs ahead, and the number of rounds. */
static void run_ahead(struct dpu *dpu, unsigned int slot)
{
	struct dpu_thread *t = &dpu->threads[dpu->rounds.slots[slot].thread];

	if (!dpu_fast_waits(t->at)) {
		dpu_ahead_run(dpu, t);
		dpu->rounds.keys[slot] += key_of(t->credit, 0);
	}
}

/* The first sleeper joins the ring; key is the earliest one so far. */
static void join(struct dpu *dpu, uint32_t key)
{
	struct dpu_rounds *r = &dpu->rounds;
	unsigned int slot = dpu_rounds_insert(dpu, dpu_thread_join(dpu));

	run_ahead(dpu, slot);
	key += slot_of(key) >= slot;
	r->expected = r->keys[slot] < key ? r->keys[slot] : key;
	r->after = slot_of(r->expected);
}

/* Threads that were rolled back must be checked in their next turn. */
static void look_again(struct dpu *dpu, uint32_t round, unsigned int slot)
{
	struct dpu_rounds *r = &dpu->rounds;

	for (unsigned int i = 0; i < r->count; i++)
		if (r->slots[i].wait < 0 && !dpu->threads[r->slots[i].thread].credit)
			r->keys[i] = key_of(round + (i < slot), i);
}

/* The first thread after this one that waits for the bit will get it, or another one that comes before. */
static void bit_released(struct dpu *dpu, int bit, uint32_t round, unsigned int slot)
{
	struct dpu_rounds *r = &dpu->rounds;

	for (unsigned int n = 1; r->waiting && n < r->count; n++) {
		unsigned int i = slot + n < r->count ? slot + n : slot + n - r->count;

		if (r->slots[i].wait != bit)
			continue;
		r->slots[i].wait = -1;
		r->waiting--;
		r->keys[i] = key_of(round + (i < slot), i);
		return;
	}
}

static inline bool is_transfer(const struct dpu_uop *u)
{
	return u->op == DPU_OP_ldma || u->op == DPU_OP_sdma;
}

/* After an instruction of a thread that stays in the ring. */
static void go_on(struct dpu *dpu, const struct dpu_uop *u, uint32_t round, unsigned int slot)
{
	struct dpu_rounds *r = &dpu->rounds;
	struct dpu_thread *t = &dpu->threads[r->slots[slot].thread];

	r->keys[slot] = key_of(round + 1, slot);
	if (u->op == DPU_OP_acquire && t->at == u && t->result) {
		r->slots[slot].wait = dpu_bit_index(t, u);
		r->waiting++;
		r->keys[slot] = key_of(DPU_ROUND_NEVER, slot);
		return;
	}
	if (u->op == DPU_OP_release)
		bit_released(dpu, dpu_bit_index(t, u), round, slot);
	dpu->ahead.cost += COST_OF_EVENT;
	run_ahead(dpu, slot);
}

/*
 * Other instructions than acquire and release: they may read the clock, roll back, sleep, stop or
 * fault.
 */
static void execute_plain(struct dpu *dpu, struct dpu_thread *t, uint32_t key, uint64_t cycle)
{
	const struct dpu_uop *u = t->at;
	struct dpu_rounds *r = &dpu->rounds;

	dpu->cycle = cycle;
	r->key = key;
	r->exact = r->settled = false;
	if (!is_transfer(u))
		dpu_plain_step(dpu, t - dpu->threads);
	else if (dpu_dma(dpu, t - dpu->threads, u->op, t->r[u->ra], t->r[u->rb], u->imm))
		t->at++;
	if (r->settled)
		look_again(dpu, key >> DPU_SLOT_BITS, slot_of(key));
}

/*
 * The first sleeper begins a transfer in its next turn and sleeps again, if that can be done at once: nothing else
 * happens before, and one of the ring has its turn in each cycle. Fewer turns than left come before.
 */
static bool visit(struct dpu *dpu, uint32_t key, uint32_t left)
{
	struct dpu_rounds *r = &dpu->rounds;
	struct dpu_thread *t = dpu->asleep;
	const struct dpu_uop *u = t->at;
	uint32_t turns;

	if (!is_transfer(u) || r->count < r->interval ||
	    !dpu_dma_fits(dpu, t - dpu->threads, u->op, t->r[u->ra], t->r[u->rb], u->imm))
		return false;
	turns = dpu_rounds_before_new(dpu);
	if (turns > dpu_rounds_turns(dpu, key) || turns >= left ||
	    (t->next != t && t->next->ready <= r->now + turns))
		return false;
	dpu_rounds_visit(dpu, turns);
	execute_plain(dpu, t, r->next, r->last);
	if (!r->settled) {
		r->expected = key;
		r->after = slot_of(key);
	}
	return true;
}

/* A turn that must be executed in a cycle, unless its thread can run ahead. */
static void execute(struct dpu *dpu, uint32_t key, uint32_t turns, uint64_t cycle)
{
	struct dpu_rounds *r = &dpu->rounds;
	uint32_t round = key >> DPU_SLOT_BITS, slot = slot_of(key);
	struct dpu_thread *t = &dpu->threads[r->slots[slot].thread];
	const struct dpu_uop *u = t->at;

	t->credit = 0;
	r->after = slot + 1 < r->count ? slot + 1 : 0;
	r->expected = key_of(round + !r->after, r->after);
	if (u->op == DPU_OP_acquire || u->op == DPU_OP_release) {
		dpu_atomic_bit(dpu, r->slots[slot].thread, u);
		go_on(dpu, u, round, slot);
		return;
	}
	if (!is_transfer(u)) {
		run_ahead(dpu, slot);
		if (t->credit)
			return;
		u = t->at;
	}
	execute_plain(dpu, t, key, cycle);
	if (!t->queued) {
		dpu_rounds_remove(dpu, key, turns, cycle);
	} else if (dpu->state == DPU_RUNNING) {
		go_on(dpu, u, round, slot);
	} else {
		r->keys[slot] = key_of(round + 1, slot);
		dpu_rounds_advance(dpu, turns + 1);
	}
}

/* The next turn that matters, or sleeper. False where no more turns are wanted, or running ahead costs too much. */
static inline bool next_event(struct dpu *dpu, uint64_t end)
{
	struct dpu_rounds *r = &dpu->rounds;
	uint32_t key = r->keys[r->after] == r->expected ? r->expected : dpu_rounds_next(dpu);
	uint32_t turns = dpu_rounds_turns(dpu, key), left = end - dpu->instructions;
	uint64_t cycle = dpu_rounds_cycle(dpu, turns);
	bool wakes = dpu->wake <= cycle;

	if (wakes)
		turns = dpu_rounds_until(dpu, dpu->wake);
	if (turns >= left || dpu->ahead.cost > dpu->ahead.limit) {
		dpu_rounds_advance(dpu, turns < left ? turns : left);
		return false;
	}
	if (!wakes) {
		execute(dpu, key, turns, cycle);
		return true;
	}
	dpu_rounds_pass(dpu, turns, dpu->wake);
	if (!visit(dpu, key, left - turns))
		join(dpu, key);
	return true;
}

bool dpu_events_run(struct dpu *dpu, uint64_t end)
{
	uint64_t before = dpu->instructions;

	if (!dpu_rounds_begin(dpu))
		return false;
	while (dpu->state == DPU_RUNNING && dpu->rounds.count && next_event(dpu, end))
		;
	dpu_rounds_end(dpu);
	return dpu->instructions != before;
}
