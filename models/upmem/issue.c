// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Dispatch: the thread whose instruction is executed in each cycle.
 *
 * One instruction a cycle at most; a thread's next one not before dispatch_interval cycles after
 * its last; among those that are ready, the one that has been ready longest. The ring is a circular
 * list of threads in the order of their ready times; it begins with the next one.
 *
 * Order matters only between instructions that threads can observe in each other: memory, DMA,
 * atomic and run bits, the timer. The others (arithmetic, branches), and accesses to memory that nobody
 * else uses at the time, are executed before their turn (ahead.c); their turns are only counted when
 * they come ("credit"). What the program computes, and in which cycle, is the same.
 */
#include "upmem/debug.h"
#include "upmem/dpu-internal.h"

#define RETRY 256	/* turns until running ahead is tried again after a thread had to wait */
#define COST_OF_WAITING 3	/* of a turn that could not be executed ahead, relative to COST_OF_SETTLING */

static uint64_t next_cycle(const struct dpu_thread *t, uint64_t last)
{
	return last + 1 > t->ready ? last + 1 : t->ready;
}

/*
 * The cycles of the next turn of each thread. False when the rounds after it do not repeat with a fixed
 * period: a round takes too long.
 */
static bool next_round(const struct dpu *dpu, uint64_t period, uint64_t cycles[])
{
	const struct dpu_thread *t = dpu->ring;
	uint64_t last = dpu->cycle;

	for (unsigned int i = 0; i < dpu->ring_size; i++, t = t->next) {
		cycles[i] = next_cycle(t, last);
		last = cycles[i];
	}
	return last - cycles[0] < period;
}

/* The turns, in rounds of this period, until one would be as late as the next sleeper. */
static uint64_t turns_until_wake(const struct dpu *dpu, uint64_t period, const uint64_t cycles[])
{
	unsigned int n = dpu->ring_size, rest = 0;
	uint64_t late = dpu->wake - cycles[0], rounds;

	if (dpu->wake <= cycles[0])
		return 0;
	if (late > period * (DPU_BLOCKS_AHEAD + 1))
		return UINT64_MAX;
	rounds = (uint32_t)late / (uint32_t)period;
	while (rest < n && cycles[rest] + rounds * period < dpu->wake)
		rest++;
	return rounds * n + rest;
}

/* The turns that come before the first one of a thread without credit. */
static uint64_t turns_of_credit(const struct dpu *dpu)
{
	const struct dpu_thread *t = dpu->ring;
	unsigned int n = dpu->ring_size;
	uint64_t least = UINT64_MAX;

	for (unsigned int i = 0; i < n; i++, t = t->next)
		if ((uint64_t)t->credit * n + i < least)
			least = (uint64_t)t->credit * n + i;
	return least;
}

/* Takes the turns in which threads only use up their credit, all at once. Returns how many. */
static uint64_t take_credit(struct dpu *dpu, uint64_t max_turns)
{
	unsigned int n = dpu->ring_size, interval = dpu->timing.dispatch_interval, rest;
	uint64_t period = n > interval ? n : interval, cycles[DPU_MAX_THREADS], turns, limit, rounds;
	struct dpu_thread *t = dpu->ring;

	turns = turns_of_credit(dpu);
	if (!turns || !next_round(dpu, period, cycles))
		return 0;
	limit = turns_until_wake(dpu, period, cycles);
	turns = turns < limit ? turns : limit;
	turns = turns < max_turns ? turns : max_turns;
	if (!turns)
		return 0;
	rounds = (uint32_t)turns / n;
	rest = turns - rounds * n;
	for (unsigned int i = 0; i < n; i++, t = t->next) {
		uint64_t gap = i ? cycles[i] - cycles[i - 1] : cycles[0] + period - cycles[n - 1];
		uint32_t taken = rounds + (i < rest);

		if (!taken)
			break;
		if (dpu->profile)
			dpu_profile_rounds(dpu, t, cycles[i], taken, period, gap);
		t->credit -= taken;
		t->ready = cycles[i] + (taken - 1) * period + interval;
		dpu->cycle = t->ready - interval;
		if (i + 1 == rest)
			dpu->ring = t->next;
	}
	if (rest)
		dpu->cycle = cycles[rest - 1] + rounds * period;
	dpu->instructions += turns;
	if (dpu->profile)
		dpu_profile_rounds_end(dpu);
	return turns;
}

/* Lets a thread run ahead. True if it has credit then. */
static bool has_credit(struct dpu *dpu, struct dpu_thread *t)
{
	if (!t->credit && !dpu_fast_waits(dpu, t->at))
		dpu_ahead_run(dpu, t);
	return t->credit;
}

/* A thread that left the ring gave its place to the next one. */
static void turn_done(struct dpu *dpu, struct dpu_thread *t)
{
	dpu->instructions++;
	if (t->queued && dpu->ring == t)
		dpu->ring = t->next;
}

static void plain_turn(struct dpu *dpu)
{
	struct dpu_thread *t = dpu->ring;
	unsigned int thread = t - dpu->threads;
	uint64_t cycle = next_cycle(t, dpu->cycle);

	dpu->cycle = cycle;
	if (dpu->profile)
		dpu_profile_turn(dpu, t, cycle);
	t->ready = cycle + dpu->timing.dispatch_interval;
	if (t->credit) {
		t->credit--;
	} else {
		if (dpu->trace)
			dpu->trace(dpu->trace_opaque, dpu, thread, t->at - dpu->code);
		dpu_plain_step(dpu, thread);
	}
	turn_done(dpu, t);
}

/* Turns by the fast interpreter; the one that it leaves is executed here. */
static uint64_t fast_turns(struct dpu *dpu, uint64_t max_turns)
{
	uint64_t turns = dpu_fast_turns(dpu, max_turns);

	dpu->instructions += turns;
	if (dpu->plain_turn) {
		struct dpu_thread *t = dpu->ring;

		dpu->plain_turn = false;
		dpu_plain_step(dpu, t - dpu->threads);
		turn_done(dpu, t);
		turns++;
	}
	return turns;
}

/* Brings the sleepers into the ring that are due before the next turn. */
static void wake_due(struct dpu *dpu)
{
	uint64_t cycle = dpu->ring ? next_cycle(dpu->ring, dpu->cycle) : dpu->wake;

	if (dpu->wake <= cycle)
		dpu_threads_wake(dpu, cycle);
}

static bool one_waits(const struct dpu *dpu)
{
	const struct dpu_thread *t = dpu->ring;

	do {
		if (!t->credit && dpu_fast_waits(dpu, t->at))
			return true;
		t = t->next;
	} while (t != dpu->ring);
	return false;
}

static uint64_t all_ahead(struct dpu *dpu, uint64_t max_turns)
{
	struct dpu_thread *t = dpu->ring;

	do {
		has_credit(dpu, t);
		t = t->next;
	} while (t != dpu->ring);
	return take_credit(dpu, max_turns);
}

/* Every thread runs ahead as far as it can, also in WRAM, and turns are only counted. */
static uint64_t turns_ahead(struct dpu *dpu, uint64_t max_turns)
{
	uint64_t turns = has_credit(dpu, dpu->ring) ? all_ahead(dpu, max_turns) : 0;

	if (turns)
		return turns;
	if (!dpu->ring->credit)
		dpu->ahead.cost += COST_OF_WAITING;
	plain_turn(dpu);
	return 1;
}

/* If threads use the same memory: turn by turn, and ahead only if no thread has to wait. */
static uint64_t turns_in_order(struct dpu *dpu, uint64_t max_turns, uint64_t *retry)
{
	uint64_t turns = 0;

	if (!*retry) {
		if (!one_waits(dpu))
			turns = all_ahead(dpu, max_turns);
		if (turns)
			return turns;
		*retry = RETRY;
	}
	turns = fast_turns(dpu, max_turns);
	*retry = *retry > turns ? *retry - turns : 0;
	return turns;
}

/* Strictly turn by turn, each instruction by the plain interpreter. */
static bool is_plain(const struct dpu *dpu)
{
	return dpu->trace || dpu->lockstep || dpu->reference || dpu->check;
}

static uint64_t run_some(struct dpu *dpu, uint64_t max_turns)
{
	bool plain = is_plain(dpu);
	uint64_t turns = 0, retry = 0;

	while (turns < max_turns && dpu->state == DPU_RUNNING) {
		if (!dpu->ring && !dpu->asleep) {
			dpu->state = DPU_IDLE;
			if (dpu->check)
				dpu_check_end(dpu);
			break;
		}
		wake_due(dpu);
		if (plain) {
			plain_turn(dpu);
			turns++;
		} else if (dpu->ahead.memory) {
			uint64_t done = dpu->blocks.run ? dpu_events_run(dpu, max_turns - turns) : 0;

			turns += done ? done : turns_ahead(dpu, max_turns - turns);
			if (dpu->ahead.cost > dpu->ahead.limit)
				dpu_ahead_pause(dpu);
		} else {
			turns += turns_in_order(dpu, max_turns - turns, &retry);
		}
	}
	return turns;
}

enum dpu_state dpu_run(struct dpu *dpu, uint64_t max_turns)
{
	bool plain = is_plain(dpu);
	uint64_t turns = 0, done = 0;

	dpu_blocks_begin(dpu);
	while (dpu->state == DPU_RUNNING && (!max_turns || turns < max_turns)) {
		uint64_t slice = DPU_PUBLISH_TURNS;

		if (max_turns && max_turns - turns < slice)
			slice = max_turns - turns;
		dpu_pace_begin(dpu);
		if (!plain)
			dpu_ahead_begin(dpu, done);
		done = run_some(dpu, slice);
		turns += done;
		dpu_publish(dpu);
		dpu_blocks_turns(dpu, done);
		dpu_pace_end(dpu);
		if (atomic_exchange(&dpu->stop, false))
			break;
	}
	dpu_ahead_end(dpu);
	return dpu->state;
}

int dpu_next(struct dpu *dpu)
{
	if (dpu->state != DPU_RUNNING || (!dpu->ring && !dpu->asleep))
		return -1;
	wake_due(dpu);
	return dpu->ring - dpu->threads;
}

void dpu_request_stop(struct dpu *dpu)
{
	atomic_store(&dpu->stop, true);
}
