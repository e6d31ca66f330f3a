// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The lists of threads: a ring of ready threads in the order of their ready times, which begins
 * with the next one, and threads that sleep until a cycle.
 */
#include <string.h>

#include "dpu/sim/dpu-internal.h"

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

/* Inserts t in the order of ready times, after its equals. */
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

/* In rounds the links of the ring are not used; they are made at the end. */
static void leave_ring(struct dpu *dpu, struct dpu_thread *t)
{
	if (!dpu->rounds.active)
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

static inline void stop(struct dpu *dpu, struct dpu_thread *t)
{
	if (t->queued)
		leave_ring(dpu, t);
	if (t->sleeping)
		awake(dpu, t);
}

void dpu_thread_stop(struct dpu *dpu, unsigned int thread)
{
	stop(dpu, &dpu->threads[thread]);
}

void dpu_thread_sleep(struct dpu *dpu, unsigned int thread, uint64_t until)
{
	struct dpu_thread *t = &dpu->threads[thread];

	stop(dpu, t);
	t->ready = t->due = until;
	fall_asleep(dpu, t);
}

void dpu_thread_start(struct dpu *dpu, unsigned int thread, uint64_t ready)
{
	dpu_thread_sleep(dpu, thread, ready);
}

void dpu_threads_save(const struct dpu *dpu, uint8_t order[DPU_MAX_THREADS])
{
	const struct dpu_thread *t = dpu->ring;

	memset(order, 0, DPU_MAX_THREADS);
	for (unsigned int i = 0; i < dpu->ring_size; i++, t = t->next)
		order[i] = t - dpu->threads;
}

void dpu_threads_restore(struct dpu *dpu, const uint8_t order[DPU_MAX_THREADS])
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

struct dpu_thread *dpu_thread_join(struct dpu *dpu)
{
	struct dpu_thread *t = dpu->asleep;

	awake(dpu, t);
	dpu->ring_size++;
	t->queued = true;
	return t;
}

void dpu_threads_wake(struct dpu *dpu, uint64_t cycle)
{
	while (dpu->wake <= cycle) {
		struct dpu_thread *t = dpu->asleep;

		awake(dpu, t);
		join_ring(dpu, t);
	}
}
