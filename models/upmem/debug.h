/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a debugger sees of a DPU and changes in it, between calls of dpu_run() on the same host thread.
 *
 * The DPU is one of dpu_set_reference(): then registers and memories are those of the turns so far, and
 * dpu_run(dpu, 1) executes one instruction of the thread that dpu_next() names.
 */
#ifndef MON_MODELS_UPMEM_DEBUG_H
#define MON_MODELS_UPMEM_DEBUG_H

#include "upmem/model.h"

struct dpu_thread_view {
	bool started;		/* its run bit is set */
	bool transfers;		/* waits for its DMA */
	bool zero, carry;	/* flags */
	uint64_t ready;		/* cycle from which it may go on */
};

/* The thread whose instruction comes next, -1 where none will. */
int dpu_next(struct dpu *dpu);
void dpu_view(const struct dpu *dpu, unsigned int thread, struct dpu_thread_view *view);
/* Has a thread acquired an atomic bit? */
bool dpu_atomic_taken(const struct dpu *dpu, unsigned int bit);

/* Any bytes at any time, as the program has left them; nothing is counted. False outside the memory. */
bool dpu_peek(const struct dpu *dpu, enum dpu_memory memory, uint32_t offset, void *data, uint32_t length);
bool dpu_poke(struct dpu *dpu, enum dpu_memory memory, uint32_t offset, const void *data, uint32_t length);
/* A work register, 0..23. */
void dpu_poke_register(struct dpu *dpu, unsigned int thread, unsigned int reg, uint32_t value);

#endif
