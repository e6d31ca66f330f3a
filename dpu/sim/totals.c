// SPDX-License-Identifier: LGPL-2.1-or-later
/* A DPU's counts, for other host threads. */
#include "dpu/sim/dpu-internal.h"

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

void dpu_totals(const struct dpu *dpu, struct dpu_totals *totals)
{
#define READ(name) \
	totals->name = atomic_load_explicit(&dpu->published.name, memory_order_relaxed)
	READ(instructions);
	READ(cycles);
	READ(ldma);
	READ(sdma);
	READ(ldma_rows);
	READ(sdma_rows);
	READ(read_words);
	READ(write_words);
	READ(host_rows);
#undef READ
}
