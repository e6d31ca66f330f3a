// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running ahead of one's turns, and going back.
 *
 * A thread's window is what it has executed before its turns came. In a window it may read and
 * write WRAM as long as nobody else can tell: each 8 bytes (a granule) remember the windows in which
 * they were last read and written. A window ends before an access to what another window, still
 * open, has written, and before writing what another one has read. When a thread whose turn has come
 * touches such a granule, be it by DMA, the other window is settled: its thread goes back to where
 * its turns have brought it. So the program cannot tell; only counts of turns are taken later.
 *
 * A mark is a window's number and thread; it means nothing once the window is over.
 */
#include <sched.h>
#include <string.h>

#include "upmem/dpu-internal.h"

#define THREAD_BITS 5
#define SHARED (UINT32_C(1) << 31)	/* read in several windows, the last of which has this number */
#define MAX_NUMBER ((SHARED >> THREAD_BITS) - 1)

/* Programs whose threads work on the same data are executed turn by turn for a while. */
#define COST_OF_SETTLING 40		/* in instructions, about */
#define COST_AT_FIRST 2048
#define PAUSE (UINT64_C(1) << 16)	/* turns */
#define MAX_PAUSE (UINT64_C(1) << 22)

static unsigned int thread_index(const struct dpu *dpu, const struct dpu_thread *t)
{
	return t - dpu->threads;
}

/* The thread whose window left this mark, if it is open. */
static struct dpu_thread *mark_owner(struct dpu *dpu, uint32_t mark)
{
	struct dpu_thread *t = &dpu->threads[mark & ((1 << THREAD_BITS) - 1)];

	return t->credit && t->window == mark ? t : NULL;
}

static uint32_t new_mark(struct dpu *dpu, const struct dpu_thread *t)
{
	return ++dpu->ahead.number << THREAD_BITS | thread_index(dpu, t);
}

/* Is one of the windows open in which a granule was read, other than the thread's own? */
static bool shared_by_others(const struct dpu *dpu, uint32_t mark, const struct dpu_thread *self)
{
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++) {
		const struct dpu_thread *t = &dpu->threads[i];

		if (t != self && t->credit && t->window <= (mark & ~SHARED))
			return true;
	}
	return false;
}

bool dpu_ahead_read(struct dpu *dpu, struct dpu_thread *t, uint32_t granule)
{
	uint32_t *reader = &dpu->ahead.readers[granule], writer = dpu->ahead.writers[granule];

	if (dpu->ahead.settling)
		return true;
	if (!dpu->ahead.memory || (writer != t->window && mark_owner(dpu, writer)))
		return false;
	if (*reader & SHARED || mark_owner(dpu, *reader))
		*reader = SHARED | dpu->ahead.number << THREAD_BITS | ((1 << THREAD_BITS) - 1);
	else
		*reader = t->window;
	return true;
}

bool dpu_ahead_write(struct dpu *dpu, struct dpu_thread *t, uint32_t granule)
{
	uint32_t *writer = &dpu->ahead.writers[granule], reader = dpu->ahead.readers[granule];
	struct dpu_window *w = &dpu->ahead.windows[thread_index(dpu, t)];

	if (dpu->ahead.settling)
		return true;
	if (!dpu->ahead.memory || mark_owner(dpu, *writer))
		return false;
	if (reader & SHARED ? shared_by_others(dpu, reader, t) :
	    reader != t->window && mark_owner(dpu, reader))
		return false;
	*writer = t->window;
	w->changes[w->changed].granule = granule;
	memcpy(&w->changes[w->changed++].old, dpu->wram + 8 * granule, 8);
	return true;
}

void dpu_ahead_run(struct dpu *dpu, struct dpu_thread *t)
{
	struct dpu_window *w = &dpu->ahead.windows[thread_index(dpu, t)];

	memcpy(w->r, t->r, sizeof(w->r));
	w->result = t->result;
	w->carry = t->carry;
	w->at = t->at;
	w->changed = 0;
	t->window = new_mark(dpu, t);
	t->credit = w->length = dpu_exec_ahead(dpu, t, DPU_AHEAD);
	if (!t->credit)
		dpu->ahead.cost += COST_OF_SETTLING;
}

/* The thread goes back to the start of its window, and executes again what its turns were for. */
static void settle_thread(struct dpu *dpu, struct dpu_thread *t)
{
	struct dpu_window *w = &dpu->ahead.windows[thread_index(dpu, t)];
	uint32_t turns = w->length - t->credit;

	if (!t->credit)
		return;
	while (w->changed--)
		memcpy(dpu->wram + 8 * w->changes[w->changed].granule, &w->changes[w->changed].old, 8);
	w->changed = 0;
	memcpy(t->r, w->r, sizeof(w->r));
	t->result = w->result;
	t->carry = w->carry;
	t->at = w->at;
	t->credit = 0;
	t->window = new_mark(dpu, t);
	if (dpu->profile)
		dpu_profile_forget(dpu, t);
	/* What it executes again nobody else has touched since. */
	dpu->ahead.settling = true;
	if (turns)
		dpu_exec_ahead(dpu, t, turns);
	dpu->ahead.settling = false;
	if (dpu->profile)
		dpu_profile_forget(dpu, t);
	dpu->ahead.cost += COST_OF_SETTLING + turns;
}

void dpu_ahead_settle(struct dpu *dpu)
{
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++)
		settle_thread(dpu, &dpu->threads[i]);
}

void dpu_ahead_touch(struct dpu *dpu, uint32_t address, uint32_t size, bool write)
{
	if (!dpu->ahead.memory)
		return;
	for (uint32_t granule = address / 8; granule <= (address + size - 1) / 8; granule++) {
		struct dpu_thread *t = mark_owner(dpu, dpu->ahead.writers[granule]);
		uint32_t *reader = &dpu->ahead.readers[granule];

		if (t)
			settle_thread(dpu, t);
		if (!write)
			continue;
		if (*reader & SHARED) {
			if (shared_by_others(dpu, *reader, NULL))
				dpu_ahead_settle(dpu);
			*reader = 0;
		} else {
			t = mark_owner(dpu, *reader);
			if (t)
				settle_thread(dpu, t);
		}
	}
}

static void open_memory(struct dpu *dpu)
{
	/* The host may look at any time from here on: see dpu_ahead_host(). */
	atomic_store(&dpu->ahead.open, true);
	if (atomic_load(&dpu->ahead.watched))
		atomic_store(&dpu->ahead.open, false);
	else
		dpu->ahead.memory = true;
	dpu->ahead.cost = dpu->ahead.turns = 0;
	dpu->ahead.limit = COST_AT_FIRST;
}

static void close_memory(struct dpu *dpu)
{
	dpu_ahead_settle(dpu);
	dpu->ahead.memory = false;
	atomic_store(&dpu->ahead.open, false);
}

void dpu_ahead_pause(struct dpu *dpu)
{
	struct dpu_ahead *a = &dpu->ahead;

	close_memory(dpu);
	a->pause = !a->pause ? PAUSE : a->pause < MAX_PAUSE ? 2 * a->pause : MAX_PAUSE;
	a->turns = 0;
}

void dpu_ahead_begin(struct dpu *dpu, uint64_t turns)
{
	struct dpu_ahead *a = &dpu->ahead;

	a->turns += turns;
	if (a->number > MAX_NUMBER / 2) {
		dpu_ahead_settle(dpu);
		memset(a->readers, 0, sizeof(a->readers));
		memset(a->writers, 0, sizeof(a->writers));
		a->number = 0;
	}
	if (!a->memory && a->turns >= a->pause)
		open_memory(dpu);
	if (a->memory && atomic_load(&a->watched))
		close_memory(dpu);
	if (a->memory && a->turns > MAX_PAUSE)
		a->pause = a->cost = a->turns = 0;
	a->limit = COST_AT_FIRST + a->turns / 8;
}

void dpu_ahead_end(struct dpu *dpu)
{
	if (dpu->ahead.memory)
		dpu->ahead.turns = dpu->ahead.pause;	/* goes on at once */
	close_memory(dpu);
}

void dpu_ahead_boot(struct dpu *dpu)
{
	dpu->ahead.pause = dpu->ahead.turns = 0;
	atomic_store(&dpu->ahead.watched, false);
}

void dpu_ahead_host(struct dpu *dpu)
{
	if (dpu->state != DPU_RUNNING)
		return;
	atomic_store(&dpu->ahead.watched, true);
	while (atomic_load(&dpu->ahead.open))
		sched_yield();
}
