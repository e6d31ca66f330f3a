// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Limits the speed of a DPU's counters in the host's time.
 *
 * A modelled DPU runs as fast as the host can, and cycles in which it waits for DMA cost nothing.
 * But the counters of its bank interface have 32 bits, and a driver has to know how soon they wrap.
 * So a DPU whose counters run, and that has counted DPU_PACE a second, waits for the clock. That is
 * several times as fast as a real DPU, and slow enough for a driver on a busy host.
 */
#include <time.h>

#include "dpu/sim/dpu-internal.h"

#define NS 1000000000
#define NAP 1000000	/* no shorter waits; a longer one ends when a stop is requested */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS + t.tv_nsec;
}

/* Every event of the bank interface counts some of these (pmc.c), so none is faster. */
static uint64_t pace_progress(const struct dpu *dpu)
{
	const struct dpu_totals *t = &dpu->totals;

	return dpu->cycle + t->ldma + t->sdma + t->ldma_rows + t->sdma_rows + t->read_words +
	       t->write_words;
}

void dpu_pace_begin(struct dpu *dpu)
{
	/* 0: the slice is not paced, even if that is changed while it runs */
	dpu->pace.start = atomic_load(&dpu->paced) ? now_ns() : 0;
	dpu->pace.progress = pace_progress(dpu);
}

void dpu_pace_end(struct dpu *dpu)
{
	uint64_t counts = pace_progress(dpu) - dpu->pace.progress;
	const struct timespec nap = { 0, NAP };

	if (!dpu->pace.start)
		return;
	if (dpu->pace.due < dpu->pace.start)
		dpu->pace.due = dpu->pace.start;
	dpu->pace.due += counts / (DPU_PACE / NS);
	while (now_ns() + NAP < dpu->pace.due && !atomic_load(&dpu->stop))
		nanosleep(&nap, NULL);
}

void dpu_set_paced(struct dpu *dpu, bool paced)
{
	atomic_store(&dpu->paced, paced);
}

/*
 * Between two waits a DPU counts at most burst, so in t seconds it counts at most DPU_PACE * (t +
 * NAP) + 3 * burst, of which one is the slice in which it becomes paced. The result is the rate at
 * which 32 bits take as long to wrap.
 */
uint64_t dpu_max_rate(const struct dpu_timing *timing, uint32_t clock)
{
	uint64_t latency = timing->read_latency > timing->write_latency ? timing->read_latency :
			   timing->write_latency;
	uint64_t rows = DPU_DMA_MAX / timing->row_size + 2;
	uint64_t busy = timing->dma_setup + rows * timing->row_cycles +
			(uint64_t)DPU_DMA_MAX * timing->half_cycles_per_byte / 2;
	/* One refresh that a transfer runs into, and those while it keeps the bank busy. */
	double refresh = !timing->refresh_ns ? 0 : (double)clock * timing->refresh_busy_ns / NS + (double)busy *
			 timing->refresh_busy_ns / (timing->refresh_ns - timing->refresh_busy_ns);
	uint64_t turn = latency + busy + timing->dispatch_interval + DPU_DMA_MAX / 8 + rows + 1;
	double burst = DPU_PUBLISH_TURNS * (turn + refresh);
	double share = 1 - (3 * burst + DPU_PACE / NS * NAP) / (UINT64_C(1) << 32);

	return DPU_PACE / share;
}
