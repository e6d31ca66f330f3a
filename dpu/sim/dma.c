// SPDX-License-Identifier: LGPL-2.1-or-later
/* DMA between MRAM and WRAM or IRAM. */
#include <string.h>

#include "dpu/sim/dpu-internal.h"

/* The usual one first: rows_touched() divides. */
static inline uint64_t rows_of(const struct dpu *dpu, uint32_t offset, uint32_t length)
{
	return (offset & (dpu->timing.row_size - 1)) + length <= dpu->timing.row_size ? 1 :
	       dpu_rows_touched(dpu, offset, length);
}

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
 * The cycle from which the bank can do a transfer that should begin at start. A refresh that is due
 * waits for the current transfer (until engine_free), and the next transfer waits for the refresh.
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
 * The engine has one transfer at a time and is busy with it for dma_setup, half_cycles for two
 * bytes and row_cycles for each row after the first. A single transfer takes latency instead of
 * dma_setup. The difference is the way to the engine and back, which overlaps with other transfers.
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

static bool in_local(const struct dpu *dpu, const struct dpu_transfer *x)
{
	return x->local + x->bytes <= (x->op == DPU_OP_ldmai ? dpu->arch->iram_words * 8 : dpu->arch->wram_size);
}

/*
 * wram = ra & 0xfffff8, mram = rb & 0xfffffff8, words = 1 + (length + ra[31:24]) & 255: UPMEM
 * assembler documentation. Bit 27 of rb is the MRAM mark that linkers strip; it is ignored.
 */
static inline struct dpu_transfer transfer_of(const struct dpu *dpu, unsigned int thread, enum dpu_op op, uint32_t ra,
					      uint32_t rb, uint32_t length)
{
	struct dpu_transfer x = {
		.op = op, .thread = thread, .ra = ra, .rb = rb, .bytes = 8 * (1 + ((length + (ra >> 24)) & 255)),
		.local = ra & 0xfffff8, .mram = rb & 0xfffffff8 & ~DPU_MRAM_FLAG,
	};

	x.fits = in_local(dpu, &x) && x.mram <= DPU_MRAM_SIZE - x.bytes;
	return x;
}

bool dpu_dma_fits(const struct dpu *dpu, unsigned int thread, enum dpu_op op, uint32_t ra, uint32_t rb, uint32_t length)
{
	return transfer_of(dpu, thread, op, ra, rb, length).fits;
}

static inline void touch(struct dpu *dpu, const struct dpu_transfer *x, bool write)
{
	if (!dpu_window_harmless(dpu, x->thread, x->local, x->bytes, write))
		dpu_ahead_touch(dpu, &dpu->threads[x->thread], x->local, x->bytes, write);
}

static void write_mram(struct dpu *dpu, const struct dpu_transfer *x, uint64_t rows)
{
	uint8_t *mram = dpu_mram_bytes(dpu, x->mram, x->bytes);

	touch(dpu, x, false);
	if (mram)
		memcpy(mram, dpu->wram + x->local, x->bytes);
	else
		dpu_mram_write(dpu, x->mram, dpu->wram + x->local, x->bytes);
	dpu->totals.sdma++;
	dpu->totals.sdma_rows += rows;
	dpu->totals.write_words += x->bytes / 8;
}

static void read_mram(struct dpu *dpu, const struct dpu_transfer *x, uint64_t rows)
{
	const uint8_t *mram = dpu_mram_bytes(dpu, x->mram, x->bytes);

	if (x->op == DPU_OP_ldma) {
		touch(dpu, x, true);
		if (mram)
			memcpy(dpu->wram + x->local, mram, x->bytes);
		else
			dpu_mram_read(dpu, x->mram, dpu->wram + x->local, x->bytes);
	} else {
		dpu_mram_read(dpu, x->mram, dpu->iram + x->local / 8, x->bytes);
		dpu_fetch(dpu, x->local / 8, x->bytes / 8);
	}
	dpu->totals.ldma++;
	dpu->totals.ldma_rows += rows;
	dpu->totals.read_words += x->bytes / 8;
}

bool dpu_dma(struct dpu *dpu, unsigned int thread, enum dpu_op op, uint32_t ra, uint32_t rb, uint32_t length)
{
	struct dpu_transfer x = transfer_of(dpu, thread, op, ra, rb, length);
	uint64_t rows;

	if (dpu->check || !x.fits)
		x.pc = dpu->threads[thread].at - dpu->code;
	if (dpu->check)
		dpu_check_dma(dpu, &x);
	if (!x.fits) {
		dpu_raise(dpu, DPU_FAULT_DMA, thread, x.pc, in_local(dpu, &x) ? rb : x.local);
		return false;
	}
	rows = rows_of(dpu, x.mram, x.bytes);
	if (op == DPU_OP_sdma)
		write_mram(dpu, &x, rows);
	else
		read_mram(dpu, &x, rows);
	wait_for_transfer(dpu, thread, op == DPU_OP_sdma ? dpu->timing.write_latency : dpu->timing.read_latency,
			  x.bytes, rows);
	return true;
}
