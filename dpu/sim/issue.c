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
#include "dpu/include/check.h"
#include "dpu/include/debug.h"
#include "dpu/sim/dpu-internal.h"

static uint64_t next_cycle(const struct dpu_thread *t, uint64_t last)
{
	return last + 1 > t->ready ? last + 1 : t->ready;
}

/* A thread that left the ring gave its place to the next one. */
static void turn_done(struct dpu *dpu, struct dpu_thread *t)
{
	dpu_count_turns(dpu, 1);
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
static void fast_turns(struct dpu *dpu, uint64_t max_turns)
{
	struct dpu_thread *t;

	dpu_fast_turns(dpu, max_turns);
	if (!dpu->plain_turn)
		return;
	t = dpu->ring;
	dpu->plain_turn = false;
	dpu_plain_step(dpu, t - dpu->threads);
	turn_done(dpu, t);
}

/* Brings the sleepers into the ring that are due before the next turn. */
static void wake_due(struct dpu *dpu)
{
	uint64_t cycle = dpu->ring ? next_cycle(dpu->ring, dpu->cycle) : dpu->wake;

	if (dpu->wake <= cycle)
		dpu_threads_wake(dpu, cycle);
}

/* Strictly turn by turn, each instruction by the plain interpreter. */
static bool is_plain(const struct dpu *dpu)
{
	return dpu->trace || dpu->lockstep || dpu->reference || dpu->check;
}

/* No thread runs ahead: a profile sees each turn, and long intervals have no rounds. */
static bool is_in_order(const struct dpu *dpu)
{
	return is_plain(dpu) || dpu->profile || dpu->timing.dispatch_interval > DPU_ROUNDS_INTERVAL;
}

/* Threads run ahead, and turns are only counted. Threads that become ready in one cycle first take turns. */
static void turns_ahead(struct dpu *dpu, uint64_t end)
{
	if (!dpu_events_run(dpu, end))
		plain_turn(dpu);
	if (dpu->ahead.cost > dpu->ahead.limit)
		dpu_ahead_pause(dpu);
}

static void run_until(struct dpu *dpu, uint64_t end)
{
	bool plain = is_plain(dpu);

	while (dpu->instructions < end && dpu->state == DPU_RUNNING) {
		if (!dpu->ring && !dpu->asleep) {
			dpu->state = DPU_IDLE;
			if (dpu->check)
				dpu_check_end(dpu);
			break;
		}
		wake_due(dpu);
		if (plain)
			plain_turn(dpu);
		else if (dpu->ahead.on)
			turns_ahead(dpu, end);
		else
			fast_turns(dpu, end - dpu->instructions);
	}
}

enum dpu_state dpu_run(struct dpu *dpu, uint64_t max_turns)
{
	uint64_t first = dpu->instructions, done = 0;
	bool in_order = is_in_order(dpu);

	dpu_blocks_begin(dpu);
	while (dpu->state == DPU_RUNNING && (!max_turns || dpu->instructions - first < max_turns)) {
		uint64_t start = dpu->instructions, slice = DPU_PUBLISH_TURNS;

		if (max_turns && max_turns - (start - first) < slice)
			slice = max_turns - (start - first);
		dpu_pace_begin(dpu);
		if (!in_order)
			dpu_ahead_begin(dpu, done);
		run_until(dpu, start + slice);
		done = dpu->instructions - start;
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
