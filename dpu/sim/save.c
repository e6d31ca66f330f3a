// SPDX-License-Identifier: LGPL-2.1-or-later
/* Saving and loading a DPU, for snapshots on hosts of one kind. */
#include <string.h>

#include "dpu/sim/dpu-internal.h"

#define LIVE_START offsetof(struct dpu, threads)
#define LIVE_SIZE (offsetof(struct dpu, saved_end) - LIVE_START)

/*
 * The state that a program changes, with pointers as numbers: the next instruction as its index,
 * the ring as the order of its threads, from which the other lists follow.
 */
struct saved_dpu {
	uint8_t live[LIVE_SIZE];
	uint8_t order[DPU_MAX_THREADS];
};

size_t dpu_save_size(void)
{
	return sizeof(struct saved_dpu);
}

void dpu_save(const struct dpu *dpu, void *data)
{
	struct dpu_thread threads[DPU_MAX_THREADS];
	struct saved_dpu *s = data;

	memcpy(s->live, (const char *)dpu + LIVE_START, LIVE_SIZE);
	memcpy(threads, s->live, sizeof(threads));
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++) {
		threads[i].at = (void *)(uintptr_t)dpu_pc(dpu, i);
		threads[i].next = threads[i].prev = NULL;
	}
	memcpy(s->live, threads, sizeof(threads));
	dpu_threads_save(dpu, s->order);
}

/* False if a number is no index. */
static bool restore_pointers(struct dpu *dpu)
{
	bool ok = true;

	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++) {
		uintptr_t pc = (uintptr_t)dpu->threads[i].at;

		ok &= pc <= DPU_IRAM_WORDS;
		dpu->threads[i].at = &dpu->code[pc <= DPU_IRAM_WORDS ? pc : 0];
	}
	return ok;
}

/* Later cycles would overflow within the life of a host. */
#define MAX_CYCLE (UINT64_C(1) << 62)

static bool threads_ok(const struct dpu *dpu)
{
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++) {
		const struct dpu_thread *t = &dpu->threads[i];

		if (t->queued > 1 || t->sleeping > 1 || t->credit ||
		    (t->queued && t->sleeping) || t->carry > 1 || t->ready > MAX_CYCLE)
			return false;
	}
	return true;
}

/* Every queued thread is in the ring once, and no other thread is. */
static bool ring_ok(const struct dpu *dpu, const uint8_t order[])
{
	uint32_t seen = 0, queued = 0;

	if (dpu->ring_size > DPU_MAX_THREADS)
		return false;
	for (unsigned int i = 0; i < dpu->ring_size; i++) {
		if (order[i] >= DPU_MAX_THREADS || seen >> order[i] & 1)
			return false;
		seen |= UINT32_C(1) << order[i];
	}
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++)
		queued |= (uint32_t)dpu->threads[i].queued << i;
	return seen == queued;
}

static bool rest_ok(const struct dpu *dpu)
{
	return dpu->cycle <= MAX_CYCLE && dpu->instructions <= MAX_CYCLE && dpu->engine_free <= MAX_CYCLE && dpu->refresh_due <= 2 * MAX_CYCLE &&
	       (unsigned int)dpu->state <= DPU_FAULT && dpu->counter_shown < 2 &&
	       (unsigned int)dpu->fault.kind <= DPU_FAULT_UNDEFINED &&
	       dpu->fault.pc <= DPU_IRAM_WORDS && dpu->counters[0].running < 2 &&
	       dpu->counters[1].running < 2;
}

/* The stream does not set the constant registers and the thread numbers. */
static void restore_constants(struct dpu *dpu, const uint32_t constants[][DPU_REG_COUNT])
{
	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++)
		memcpy(&dpu->threads[i].r[DPU_REG_ZERO], &constants[i][DPU_REG_ZERO],
		       (DPU_REG_COUNT - DPU_REG_ZERO) * sizeof(uint32_t));
}

bool dpu_restore(struct dpu *dpu, const void *data)
{
	uint32_t constants[DPU_MAX_THREADS][DPU_REG_COUNT];
	const struct saved_dpu *s = data;

	for (unsigned int i = 0; i < DPU_MAX_THREADS; i++)
		memcpy(constants[i], dpu->threads[i].r, sizeof(constants[i]));
	memcpy((char *)dpu + LIVE_START, s->live, LIVE_SIZE);
	restore_constants(dpu, (const uint32_t (*)[DPU_REG_COUNT])constants);
	if (!restore_pointers(dpu) || !threads_ok(dpu) || !ring_ok(dpu, s->order) || !rest_ok(dpu)) {
		memset((char *)dpu + LIVE_START, 0, LIVE_SIZE);
		restore_constants(dpu, (const uint32_t (*)[DPU_REG_COUNT])constants);
		dpu_threads_restore(dpu, s->order);	/* the stream has none */
		dpu_reset(dpu);
		return false;
	}
	dpu_threads_restore(dpu, s->order);
	dpu->lockstep = false;
	dpu_fetch(dpu, 0, DPU_IRAM_WORDS);
	dpu_publish(dpu);
	return true;
}
