/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A debugger's access to a DPU, between calls of dpu_run() on the same host thread.
 *
 * Call dpu_set_reference() first. Then registers and memories are those of the turns so far, and
 * dpu_run(dpu, 1) executes one instruction of the thread that dpu_next() returns.
 */
#ifndef MON_MODELS_UPMEM_DEBUG_H
#define MON_MODELS_UPMEM_DEBUG_H

#include "dpu/include/model.h"

struct dpu_thread_view {
	bool started;		/* its run bit is set */
	bool transfers;		/* waits for its DMA */
	bool zero, carry;	/* flags */
	uint64_t ready;		/* cycle from which it may continue */
};

/* The thread whose instruction comes next; -1: none. */
int dpu_next(struct dpu *dpu);
void dpu_view(const struct dpu *dpu, unsigned int thread, struct dpu_thread_view *view);
/* True if a thread has acquired an atomic bit. */
bool dpu_atomic_taken(const struct dpu *dpu, unsigned int bit);

/*
 * Accesses any bytes at any time, as the program has left them, without counting. False outside the
 * memory.
 */
bool dpu_peek(const struct dpu *dpu, enum dpu_memory memory, uint32_t offset, void *data, uint32_t length);
bool dpu_poke(struct dpu *dpu, enum dpu_memory memory, uint32_t offset, const void *data, uint32_t length);
/* A work register, 0..23. */
void dpu_poke_register(struct dpu *dpu, unsigned int thread, unsigned int reg, uint32_t value);

#endif
