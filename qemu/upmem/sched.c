// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which thread's instruction is dispatched in which cycle.
 *
 * One instruction a cycle at most; a thread's next one not before dispatch_interval cycles after
 * its last; among those that are ready, the one that has been ready longest. The ring holds the
 * threads sorted by their ready times, so the next to go is always at ring_next.
 *
 * Order matters only between instructions that threads can observe in each other: memory, DMA,
 * atomic and run bits, the timer. The others (arithmetic, branches) are executed as soon as the
 * thread is at hand, before their turn, and their turns are only counted when they come
 * ("credit"). What the program computes, and in which cycle, is the same.
 */
#include "upmem/dpu-internal.h"

#define AHEAD 255

static void ring_insert(struct dpu *dpu, unsigned int thread)
{
	uint64_t ready = dpu->threads[thread].ready;
	unsigned int i, size = dpu->ring_size;

	/* Unroll the ring so that the next thread is at 0, then insert in order. */
	if (dpu->ring_next) {
		uint8_t copy[DPU_MAX_THREADS];

		for (i = 0; i < size; i++)
			copy[i] = dpu->ring[(dpu->ring_next + i) % size];
		for (i = 0; i < size; i++)
			dpu->ring[i] = copy[i];
		dpu->ring_next = 0;
	}
	for (i = size; i > 0 && dpu->threads[dpu->ring[i - 1]].ready > ready; i--)
		dpu->ring[i] = dpu->ring[i - 1];
	dpu->ring[i] = thread;
	dpu->ring_size++;
	dpu->steady = 0;
	dpu->threads[thread].queued = true;
}

static void ring_remove(struct dpu *dpu, unsigned int thread)
{
	unsigned int i = 0;

	while (dpu->ring[i] != thread)
		i++;
	for (unsigned int j = i; j + 1 < dpu->ring_size; j++)
		dpu->ring[j] = dpu->ring[j + 1];
	dpu->ring_size--;
	if (i < dpu->ring_next)
		dpu->ring_next--;
	if (dpu->ring_next >= dpu->ring_size)
		dpu->ring_next = 0;
	dpu->steady = 0;
	dpu->threads[thread].queued = false;
}

static void find_wake(struct dpu *dpu)
{
	dpu->wake = UINT64_MAX;
	for (unsigned int i = 0; dpu->sleepers && i < DPU_MAX_THREADS; i++)
		if (dpu->threads[i].sleeping && dpu->threads[i].ready < dpu->wake)
			dpu->wake = dpu->threads[i].ready;
}

void dpu_sched_start(struct dpu *dpu, unsigned int thread, uint64_t ready)
{
	dpu_sched_sleep(dpu, thread, ready);
}

void dpu_sched_stop(struct dpu *dpu, unsigned int thread)
{
	struct dpu_thread *t = &dpu->threads[thread];

	if (t->queued)
		ring_remove(dpu, thread);
	if (t->sleeping) {
		t->sleeping = false;
		dpu->sleepers--;
		find_wake(dpu);
	}
}

void dpu_sched_sleep(struct dpu *dpu, unsigned int thread, uint64_t until)
{
	struct dpu_thread *t = &dpu->threads[thread];

	if (t->queued)
		ring_remove(dpu, thread);
	if (!t->sleeping)
		dpu->sleepers++;
	t->sleeping = true;
	t->ready = until;
	if (until < dpu->wake)
		dpu->wake = until;
}

/* Brings the sleepers into the ring whose time has come by a cycle, in the order of waking. */
static void wake_until(struct dpu *dpu, uint64_t cycle)
{
	while (dpu->wake <= cycle) {
		uint64_t due = dpu->wake;

		for (unsigned int i = 0; i < DPU_MAX_THREADS; i++) {
			struct dpu_thread *t = &dpu->threads[i];

			if (!t->sleeping || t->ready != due)
				continue;
			t->sleeping = false;
			dpu->sleepers--;
			ring_insert(dpu, i);
		}
		find_wake(dpu);
	}
}

/*
 * Once every thread has had a turn since the ring last changed, its rounds repeat with a fixed
 * period. Rounds in which all threads only use up their credit are skipped.
 */
static uint64_t skip_rounds(struct dpu *dpu, uint64_t max_turns)
{
	unsigned int n = dpu->ring_size, interval = dpu->timing.dispatch_interval;
	uint64_t period = n > interval ? n : interval;
	uint64_t rounds = UINT32_MAX;

	for (unsigned int i = 0; i < n; i++)
		if (dpu->threads[dpu->ring[i]].credit < rounds)
			rounds = dpu->threads[dpu->ring[i]].credit;
	if (dpu->wake != UINT64_MAX) {
		uint64_t gap = dpu->wake > dpu->cycle ? (dpu->wake - dpu->cycle - 1) / period : 0;

		if (gap < rounds)
			rounds = gap;
	}
	if (rounds > max_turns / n)
		rounds = max_turns / n;
	if (!rounds)
		return 0;
	for (unsigned int i = 0; i < n; i++) {
		dpu->threads[dpu->ring[i]].credit -= rounds;
		dpu->threads[dpu->ring[i]].ready += rounds * period;
	}
	dpu->cycle += rounds * period;
	dpu->instructions += rounds * n;
	return rounds * n;
}

static void turn(struct dpu *dpu, unsigned int ahead)
{
	unsigned int thread = dpu->ring[dpu->ring_next];
	struct dpu_thread *t = &dpu->threads[thread];
	uint64_t cycle = dpu->cycle + 1 > t->ready ? dpu->cycle + 1 : t->ready;

	if (__builtin_expect(dpu->wake <= cycle, 0)) {
		wake_until(dpu, cycle);
		thread = dpu->ring[dpu->ring_next];
		t = &dpu->threads[thread];
		cycle = dpu->cycle + 1 > t->ready ? dpu->cycle + 1 : t->ready;
	}
	dpu->cycle = cycle;
	t->ready = cycle + dpu->timing.dispatch_interval;
	dpu->steady++;
	if (t->credit) {
		t->credit--;
	} else {
		unsigned int credit;

		if (dpu->trace)
			dpu->trace(dpu->trace_opaque, dpu, thread, t->pc);
		credit = dpu_exec(dpu, thread, ahead);
		t->credit = credit;
	}
	dpu->instructions++;
	/* A thread that left the ring left its place to the next one. */
	if (t->queued && dpu->ring[dpu->ring_next] == thread && ++dpu->ring_next >= dpu->ring_size)
		dpu->ring_next = 0;
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

static uint64_t run_some(struct dpu *dpu, uint64_t max_turns)
{
	unsigned int ahead = dpu->trace || dpu->lockstep ? 0 : AHEAD;
	uint64_t turns = 0;

	while (turns < max_turns && dpu->state == DPU_RUNNING) {
		if (!dpu->ring_size) {
			if (!dpu->sleepers) {
				dpu->state = DPU_IDLE;
				break;
			}
			wake_until(dpu, dpu->wake);
		}
		if (dpu->steady >= dpu->ring_size && !dpu->ring_next) {
			uint64_t skipped = skip_rounds(dpu, max_turns - turns);

			if (skipped) {
				turns += skipped;
				continue;
			}
		}
		turn(dpu, ahead);
		turns++;
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
