// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Executes instructions of a thread before their turns, and rolls threads back.
 *
 * When a thread in its turn accesses, also by DMA, memory that another one has read or written in
 * its window (windows.c), the other window is settled: its thread is rolled back to its last
 * scheduled instruction. The program sees no difference; only counts of turns are taken later.
 */
#include <sched.h>

#include "dpu/sim/dpu-internal.h"

/* Costs. Programs whose threads work on the same data are executed turn by turn for a while. */
#define COST_OF_SETTLING 40		/* in instructions, about */
#define COST_AT_FIRST 2048
#define PAUSE (UINT64_C(1) << 16)	/* turns */
#define MAX_PAUSE (UINT64_C(1) << 22)

void dpu_ahead_run(struct dpu *dpu, struct dpu_thread *t)
{
	struct dpu_window *w = dpu_window_open(dpu, t);

	t->credit = w->length = dpu->blocks.run ? dpu_blocks_ahead(dpu, t, w, DPU_BLOCKS_AHEAD) :
				dpu_fast_ahead(dpu, t, DPU_AHEAD);
	if (!t->credit)
		dpu->ahead.cost += COST_OF_SETTLING;
}

/*
 * Rolls the thread back to the start of its window, and executes again the instructions whose turns
 * have come.
 */
static void settle_thread(struct dpu *dpu, struct dpu_thread *t)
{
	uint32_t turns;

	if (!t->credit)
		return;
	turns = dpu_window_undo(dpu, t);
	/* No other thread has touched since what it executes again. */
	dpu->ahead.settling = true;
	if (turns)
		dpu_fast_ahead(dpu, t, turns);
	dpu->ahead.settling = false;
	dpu->ahead.cost += COST_OF_SETTLING + turns;
}

static void settle_all(struct dpu *dpu)
{
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++)
		settle_thread(dpu, &dpu->threads[i]);
}

void dpu_ahead_touch(struct dpu *dpu, const struct dpu_thread *self, uint32_t address, uint32_t size, bool write)
{
	uint32_t granule = address / 8, end = (address + size - 1) / 8 + 1;
	enum dpu_conflict conflict;
	struct dpu_thread *t;

	if (dpu_window_harmless(dpu, self - dpu->threads, address, size, write))
		return;
	while ((conflict = dpu_window_conflict(dpu, self, &granule, end, write, &t))) {
		if (dpu->rounds.active && !dpu->rounds.exact) {
			dpu_rounds_credits(dpu, dpu->rounds.key);
			dpu->rounds.exact = true;
			continue;
		}
		dpu->rounds.settled = true;
		if (conflict == DPU_CONFLICT_ONE)
			settle_thread(dpu, t);
		else
			settle_all(dpu);
	}
}

static void start(struct dpu *dpu)
{
	/* From here on the host may read memory at any time: see dpu_ahead_host(). */
	atomic_store(&dpu->ahead.open, true);
	if (atomic_load(&dpu->ahead.watched))
		atomic_store(&dpu->ahead.open, false);
	else
		dpu->ahead.on = true;
	dpu->ahead.cost = dpu->ahead.turns = 0;
	dpu->ahead.limit = COST_AT_FIRST;
}

static void stop(struct dpu *dpu)
{
	settle_all(dpu);
	dpu->ahead.on = false;
	atomic_store(&dpu->ahead.open, false);
}

void dpu_ahead_pause(struct dpu *dpu)
{
	struct dpu_ahead *a = &dpu->ahead;

	stop(dpu);
	a->pause = !a->pause ? PAUSE : a->pause < MAX_PAUSE ? 2 * a->pause : MAX_PAUSE;
	a->turns = 0;
}

void dpu_ahead_begin(struct dpu *dpu, uint64_t turns)
{
	struct dpu_ahead *a = &dpu->ahead;

	a->turns += turns;
	if (dpu_windows_exhausted(dpu)) {
		settle_all(dpu);
		dpu_windows_forget(dpu);
	}
	if (!a->on && a->turns >= a->pause)
		start(dpu);
	if (a->on && atomic_load(&a->watched))
		stop(dpu);
	if (a->on && a->turns > MAX_PAUSE)
		a->pause = a->cost = a->turns = 0;
	a->limit = COST_AT_FIRST + a->turns / 8;
}

void dpu_ahead_end(struct dpu *dpu)
{
	if (dpu->ahead.on)
		dpu->ahead.turns = dpu->ahead.pause;	/* continues at once */
	stop(dpu);
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
