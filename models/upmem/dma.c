// SPDX-License-Identifier: LGPL-2.1-or-later
/* DMA between MRAM and WRAM or IRAM. */
#include <string.h>

#include "upmem/dpu-internal.h"

uint64_t dpu_rows_touched(const struct dpu *dpu, uint32_t offset, uint32_t length)
{
	uint32_t row = dpu->timing.row_size;
	uint64_t end = (uint64_t)(offset & (row - 1)) + length;	/* from the first row's start; row is a power of two */

	return end <= row ? length != 0 : (end - 1) / row + 1;
}

static uint64_t in_cycles(const struct dpu *dpu, uint32_t ns)
{
	return (uint64_t)dpu->clock * ns / 1000000000;
}

void dpu_dma_init(struct dpu *dpu)
{
	dpu->refresh.interval = in_cycles(dpu, dpu->timing.refresh_ns);
	dpu->refresh.busy = in_cycles(dpu, dpu->timing.refresh_busy_ns);
	dpu->refresh_due = dpu->refresh.interval;
}

/*
 * The cycle from which the bank can do a transfer that is to begin at start. A refresh that is due waits until
 * the transfer under way has ended (engine_free), and the next one waits for the refresh.
 */
static uint64_t bank_free(struct dpu *dpu, uint64_t start)
{
	uint64_t interval = dpu->refresh.interval, free = dpu->engine_free;

	while (interval && dpu->refresh_due <= start) {
		if (free <= dpu->refresh_due)	/* idle since: only the last refresh can still go on */
			dpu->refresh_due += (start - dpu->refresh_due) / interval * interval;
		free = (free > dpu->refresh_due ? free : dpu->refresh_due) + dpu->refresh.busy;
		dpu->refresh_due += interval;
		start = free > start ? free : start;
	}
	return start;
}

/*
 * The engine has one transfer at a time and is busy with it for dma_setup, half_cycles for two bytes and
 * row_cycles for each row after the first. A transfer alone takes latency instead of dma_setup: what is more
 * is the way to the engine and back, and overlaps with other transfers.
 */
static void wait_for_transfer(struct dpu *dpu, unsigned int thread, uint32_t latency,
			      uint32_t bytes, uint64_t rows)
{
	const struct dpu_timing *t = &dpu->timing;
	uint64_t moving = (uint64_t)bytes * t->half_cycles_per_byte / 2 + (rows - 1) * t->row_cycles;
	uint32_t setup = t->dma_setup < latency ? t->dma_setup : latency;
	uint64_t start = dpu->cycle, done;

	if (t->serial_dma && dpu->engine_free > start)
		start = dpu->engine_free;
	dpu->engine_free = bank_free(dpu, start) + setup + moving;
	done = dpu->engine_free + latency - setup;
	if (done < dpu->cycle + t->dispatch_interval)
		done = dpu->cycle + t->dispatch_interval;
	if (dpu->profile)
		dpu_profile_transfer(dpu, &dpu->threads[thread], done - dpu->cycle);
	dpu_thread_sleep(dpu, thread, done);
}

/*
 * wram = ra & 0xfffff8, mram = rb & 0xfffffff8, words = 1 + (length + ra[31:24]) & 255: UPMEM
 * assembler documentation. Bit 27 of rb is the MRAM mark that linkers strip; it is ignored.
 */
bool dpu_dma(struct dpu *dpu, unsigned int thread, enum dpu_op op, uint32_t ra, uint32_t rb,
	     uint32_t length)
{
	uint32_t words = 1 + ((length + (ra >> 24)) & 255), bytes = words * 8;
	uint32_t local = ra & 0xfffff8, mram = rb & 0xfffffff8 & ~DPU_MRAM_FLAG;
	uint32_t limit = op == DPU_OP_ldmai ? dpu->arch->iram_words * 8 : dpu->arch->wram_size;
	uint32_t pc = dpu->threads[thread].at - dpu->code;
	uint64_t rows;
	bool fits = limit >= bytes && local <= limit - bytes && mram <= DPU_MRAM_SIZE - bytes;

	if (dpu->check)
		dpu_check_dma(dpu, &(struct dpu_transfer){ op, thread, pc, ra, rb, local, mram, bytes, fits });
	if (local > limit - bytes || limit < bytes) {
		dpu_raise(dpu, DPU_FAULT_DMA, thread, pc, local);
		return false;
	}
	if (mram > DPU_MRAM_SIZE - bytes) {
		dpu_raise(dpu, DPU_FAULT_DMA, thread, pc, rb);
		return false;
	}
	rows = dpu_rows_touched(dpu, mram, bytes);
	if (op != DPU_OP_ldmai)
		dpu_ahead_touch(dpu, &dpu->threads[thread], local, bytes, op == DPU_OP_ldma);
	if (op == DPU_OP_sdma) {
		memcpy(dpu->mram + mram, dpu->wram + local, bytes);
		dpu->totals.sdma++;
		dpu->totals.sdma_rows += rows;
		dpu->totals.write_words += words;
		wait_for_transfer(dpu, thread, dpu->timing.write_latency, bytes, rows);
		return true;
	}
	if (op == DPU_OP_ldma) {
		memcpy(dpu->wram + local, dpu->mram + mram, bytes);
	} else {
		memcpy(dpu->iram + local / 8, dpu->mram + mram, bytes);
		dpu_fetch(dpu, local / 8, words);
	}
	dpu->totals.ldma++;
	dpu->totals.ldma_rows += rows;
	dpu->totals.read_words += words;
	wait_for_transfer(dpu, thread, dpu->timing.read_latency, bytes, rows);
	return true;
}
