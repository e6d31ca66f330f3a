// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which thread's instruction is dispatched in which cycle.
 *
 * One instruction a cycle at most; a thread's next one not before dispatch_interval cycles after
 * its last; among those that are ready, the one that has been ready longest. The ring is a
 * circle of threads in the order of their ready times and begins with the next one to go.
 *
 * Order matters only between instructions that threads can observe in each other: memory, DMA,
 * atomic and run bits, the timer. The others (arithmetic, branches) are executed as soon as the
 * thread is at hand, before their turn, when all threads have such ones to execute; their turns
 * are only counted when they come ("credit"). What the program computes, and in which cycle, is the same.
 */
#include <string.h>

#include "upmem/dpu-internal.h"

#define RETRY 256	/* turns until running ahead is tried again where a thread had to wait */

/* Threads in a circle; first is its first one, or NULL. */
static void unlink_thread(struct dpu_thread **first, struct dpu_thread *t)
{
	if (*first == t)
		*first = t->next == t ? NULL : t->next;
	t->prev->next = t->next;
	t->next->prev = t->prev;
}

static void link_before(struct dpu_thread *t, struct dpu_thread *next)
{
	t->next = next;
	t->prev = next->prev;
	next->prev->next = t;
	next->prev = t;
}

/* In the order of their ready times; t comes behind its equals. */
static void link_in_order(struct dpu_thread **first, struct dpu_thread *t)
{
	struct dpu_thread *p;

	if (!*first) {
		*first = t->next = t->prev = t;
		return;
	}
	for (p = (*first)->prev; p->ready > t->ready; p = p->prev) {
		if (p != *first)
			continue;
		link_before(t, p);
		*first = t;
		return;
	}
	link_before(t, p->next);
}

static void join_ring(struct dpu *dpu, struct dpu_thread *t)
{
	link_in_order(&dpu->ring, t);
	dpu->ring_size++;
	t->queued = true;
}

static void leave_ring(struct dpu *dpu, struct dpu_thread *t)
{
	unlink_thread(&dpu->ring, t);
	dpu->ring_size--;
	t->queued = false;
}

static void fall_asleep(struct dpu *dpu, struct dpu_thread *t)
{
	link_in_order(&dpu->asleep, t);
	dpu->wake = dpu->asleep->ready;
	t->sleeping = true;
}

static void awake(struct dpu *dpu, struct dpu_thread *t)
{
	unlink_thread(&dpu->asleep, t);
	dpu->wake = dpu->asleep ? dpu->asleep->ready : UINT64_MAX;
	t->sleeping = false;
}

void dpu_sched_stop(struct dpu *dpu, unsigned int thread)
{
	struct dpu_thread *t = &dpu->threads[thread];

	if (t->queued)
		leave_ring(dpu, t);
	if (t->sleeping)
		awake(dpu, t);
}

void dpu_sched_sleep(struct dpu *dpu, unsigned int thread, uint64_t until)
{
	dpu_sched_stop(dpu, thread);
	dpu->threads[thread].ready = dpu->threads[thread].due = until;
	fall_asleep(dpu, &dpu->threads[thread]);
}

void dpu_sched_start(struct dpu *dpu, unsigned int thread, uint64_t ready)
{
	dpu_sched_sleep(dpu, thread, ready);
}

void dpu_sched_save(const struct dpu *dpu, uint8_t order[DPU_MAX_THREADS])
{
	const struct dpu_thread *t = dpu->ring;

	memset(order, 0, DPU_MAX_THREADS);
	for (unsigned int i = 0; i < dpu->ring_size; i++, t = t->next)
		order[i] = t - dpu->threads;
}

void dpu_sched_restore(struct dpu *dpu, const uint8_t order[DPU_MAX_THREADS])
{
	unsigned int size = dpu->ring_size;

	dpu->ring = dpu->asleep = NULL;
	dpu->wake = UINT64_MAX;
	for (unsigned int i = 0; i < size; i++) {
		struct dpu_thread *t = &dpu->threads[order[i]];

		if (dpu->ring)
			link_before(t, dpu->ring);
		else
			dpu->ring = t->next = t->prev = t;
	}
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++)
		if (dpu->threads[i].sleeping)
			fall_asleep(dpu, &dpu->threads[i]);
}

/* Brings the sleepers into the ring whose time has come by a cycle, in the order of waking. */
static void wake_until(struct dpu *dpu, uint64_t cycle)
{
	while (dpu->wake <= cycle) {
		struct dpu_thread *t = dpu->asleep;

		awake(dpu, t);
		join_ring(dpu, t);
	}
}

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

/* Lets all threads run ahead that have no credit. The least credit that one has, 0 if one must wait. */
static uint32_t run_ahead(struct dpu *dpu)
{
	struct dpu_thread *t = dpu->ring;
	uint32_t least = DPU_AHEAD;

	do {
		if (!t->credit && dpu_exec_observable(t->at))
			return 0;
		t = t->next;
	} while (t != dpu->ring);
	do {
		if (!t->credit)
			t->credit = dpu_exec_ahead(dpu, t, DPU_AHEAD);
		if (t->credit < least)
			least = t->credit;
		t = t->next;
	} while (t != dpu->ring);
	return least;
}

/* Skips rounds in which all threads only use up their credit. Returns the turns skipped. */
static uint64_t skip_rounds(struct dpu *dpu, uint64_t max_turns)
{
	unsigned int n = dpu->ring_size, interval = dpu->timing.dispatch_interval;
	uint64_t period = n > interval ? n : interval, cycles[DPU_MAX_THREADS], rounds;
	struct dpu_thread *t = dpu->ring;

	if (max_turns < n || !next_round(dpu, period, cycles) || cycles[n - 1] >= dpu->wake)
		return 0;
	rounds = run_ahead(dpu);
	if (rounds > (dpu->wake - 1 - cycles[n - 1]) / period + 1)
		rounds = (dpu->wake - 1 - cycles[n - 1]) / period + 1;
	if (rounds > max_turns / n)
		rounds = max_turns / n;
	if (!rounds)
		return 0;
	for (unsigned int i = 0; i < n; i++, t = t->next) {
		uint64_t gap = i ? cycles[i] - cycles[i - 1] : cycles[0] + period - cycles[n - 1];

		if (dpu->profile)
			dpu_profile_rounds(dpu, t, cycles[i], rounds, period, gap);
		t->credit -= rounds;
		t->ready = cycles[i] + (rounds - 1) * period + interval;
	}
	dpu->cycle = cycles[n - 1] + (rounds - 1) * period;
	dpu->instructions += rounds * n;
	if (dpu->profile)
		dpu_profile_rounds_end(dpu);
	return rounds * n;
}

/* A thread that left the ring left its place to the next one. */
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
			dpu->trace(dpu->trace_opaque, dpu, thread, dpu_pc(dpu, thread));
		dpu_step(dpu, thread);
	}
	turn_done(dpu, t);
}

/* Turns by the fast interpreter; the one that it leaves over is executed here. */
static uint64_t fast_turns(struct dpu *dpu, uint64_t max_turns)
{
	uint64_t turns = dpu_exec_turns(dpu, max_turns);

	dpu->instructions += turns;
	if (dpu->plain_turn) {
		struct dpu_thread *t = dpu->ring;

		dpu->plain_turn = false;
		dpu_step(dpu, t - dpu->threads);
		turn_done(dpu, t);
		turns++;
	}
	return turns;
}

void dpu_publish(struct dpu *dpu)
{
#define PUBLISH(name, value) \
	atomic_store_explicit(&dpu->published.name, value, memory_order_relaxed)
	PUBLISH(instructions, dpu->instructions);
	PUBLISH(cycles, dpu->cycle);
	PUBLISH(ldma, dpu->totals.ldma);
	PUBLISH(sdma, dpu->totals.sdma);
	PUBLISH(ldma_rows, dpu->totals.ldma_rows);
	PUBLISH(sdma_rows, dpu->totals.sdma_rows);
	PUBLISH(read_words, dpu->totals.read_words);
	PUBLISH(write_words, dpu->totals.write_words);
	PUBLISH(host_rows, dpu->totals.host_rows);
#undef PUBLISH
}

/* Brings the sleepers into the ring that are due before the next turn. */
static void wake_due(struct dpu *dpu)
{
	uint64_t cycle = dpu->ring ? next_cycle(dpu->ring, dpu->cycle) : dpu->wake;

	if (dpu->wake <= cycle)
		wake_until(dpu, cycle);
}

static uint64_t run_some(struct dpu *dpu, uint64_t max_turns)
{
	bool plain = dpu->trace || dpu->lockstep || dpu->reference;
	uint64_t turns = 0, retry = 0;

	while (turns < max_turns && dpu->state == DPU_RUNNING) {
		uint64_t skipped = 0;

		if (!dpu->ring && !dpu->asleep) {
			dpu->state = DPU_IDLE;
			break;
		}
		wake_due(dpu);
		if (plain) {
			plain_turn(dpu);
			turns++;
			continue;
		}
		if (turns >= retry) {
			skipped = skip_rounds(dpu, max_turns - turns);
			turns += skipped;
		}
		if (!skipped) {
			retry = turns >= retry ? turns + RETRY : retry;
			turns += fast_turns(dpu, max_turns - turns);
		}
	}
	return turns;
}

enum dpu_state dpu_run(struct dpu *dpu, uint64_t max_turns)
{
	uint64_t turns = 0;

	while (dpu->state == DPU_RUNNING && (!max_turns || turns < max_turns)) {
		uint64_t slice = DPU_PUBLISH_TURNS;

		if (max_turns && max_turns - turns < slice)
			slice = max_turns - turns;
		dpu_pace_begin(dpu);
		turns += run_some(dpu, slice);
		dpu_publish(dpu);
		dpu_pace_end(dpu);
		if (atomic_exchange(&dpu->stop, false))
			break;
	}
	return dpu->state;
}

void dpu_request_stop(struct dpu *dpu)
{
	atomic_store(&dpu->stop, true);
}
