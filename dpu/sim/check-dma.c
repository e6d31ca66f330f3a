// SPDX-License-Identifier: LGPL-2.1-or-later
/* Transfers between MRAM and WRAM, and what the host writes. */
#include <string.h>

#include "dpu/sim/check-internal.h"

#define LENGTH_REACH 24		/* instructions between making a DMA's length and the DMA */

static void check_length(struct dpu *dpu, const struct access *now)
{
	struct dpu_check *c = dpu->check;
	struct dpu_finding f;
	unsigned int distance = now->pc - c->tasklets[now->thread].length_pc;
	uint32_t length = c->tasklets[now->thread].length;

	if (!c->tasklets[now->thread].has_length)
		return;
	c->tasklets[now->thread].has_length = false;
	if (distance > LENGTH_REACH || (length && length <= DPU_DMA_MAX && !(length % 8)))
		return;
	f = dpu_check_finding(DPU_FINDING_DMA_LENGTH, now);
	f.size = length;
	dpu_check_found(dpu, &f);
}

static bool is_written(const struct dpu_check *c, uint32_t granule)
{
	return c->mram_written[granule / 8] >> granule % 8 & 1;
}

/* Bytes move with their state; of 8 bytes in MRAM one written byte is enough. */
static void move_state(struct dpu_check *c, uint32_t local, uint32_t granule, bool to_mram)
{
	bool written = false;

	if (!to_mram) {
		memset(&c->state[local], is_written(c, granule) ? WRITTEN : UNWRITTEN_MRAM, 8);
		return;
	}
	for (unsigned int i = 0; i < 8; i++)
		written |= c->state[local + i] == WRITTEN;
	if (written)
		c->mram_written[granule / 8] |= 1 << granule % 8;
	else
		c->mram_written[granule / 8] &= ~(1 << granule % 8);
}

static void check_addresses(struct dpu *dpu, const struct dpu_transfer *t, const struct access *wram,
			    const struct access *mram)
{
	const struct dpu_check *c = dpu->check;
	const struct dpu_uop *u = &dpu->code[t->pc];
	struct dpu_finding f = dpu_check_finding(DPU_FINDING_DMA_WRAM, wram);

	if (f.address % 8)
		dpu_check_found(dpu, &f);
	check_length(dpu, wram);
	if (t->op != DPU_OP_ldmai && dpu_check_other_memory(c, wram, &f, c->origin[t->thread][u->ra]))
		dpu_check_found(dpu, &f);
	f = dpu_check_finding(t->fits ? DPU_FINDING_DMA_MRAM : DPU_FINDING_DMA_RANGE, mram);
	if (!t->fits || (f.address % 8 && t->local - c->cache >= c->cache_size))
		dpu_check_found(dpu, &f);
	if (dpu_check_other_memory(c, mram, &f, c->origin[t->thread][u->rb]))
		dpu_check_found(dpu, &f);
}

void dpu_check_dma(struct dpu *dpu, const struct dpu_transfer *t)
{
	struct dpu_check *c = dpu->check;
	const struct dpu_uop *u = &dpu->code[t->pc];
	bool to_mram = t->op == DPU_OP_sdma, to_iram = t->op == DPU_OP_ldmai;
	struct access wram = {
		.pc = t->pc, .thread = t->thread, .address = t->ra & 0xffffff, .size = t->bytes, .write = !to_mram
	}, mram = wram;
	struct dpu_finding f;

	mram.address = DPU_MRAM_FLAG | t->rb;
	dpu_check_stack(dpu, &wram, false);
	check_addresses(dpu, t, &wram, &mram);
	if (!t->fits)
		return;
	wram.address = t->local;
	mram.address = DPU_MRAM_FLAG | t->mram;
	mram.write = to_mram;
	f = dpu_check_finding(DPU_FINDING_GIVEN_BACK, &wram);
	if (!to_iram && memchr(&c->state[t->local], GIVEN_BACK, t->bytes))
		dpu_check_found(dpu, &f);
	if (!to_iram && wram.write)
		memset(&c->stored[t->local / 4], 0, t->bytes / 4 * sizeof(c->stored[0]));
	if (!to_iram && dpu_check_range_leaves(dpu, &wram, &f, u->ra, 8))
		dpu_check_found(dpu, &f);
	/* seqread_get() and others of these read whole pages */
	if (!c->string[t->pc] && dpu_check_range_leaves(dpu, &mram, &f, u->rb, 8))
		dpu_check_found(dpu, &f);
	for (uint32_t i = 0; !to_iram && i < t->bytes; i += 8) {
		move_state(c, t->local + i, (t->mram + i) / 8, to_mram);
		if (!to_mram)
			c->page[(t->local + i) / 8] = c->string[t->pc] ? (t->mram + i) / 8 + 1 : 0;
	}
	if (!to_iram)
		dpu_check_touch(dpu, &c->wram[t->local], t->bytes, &wram);
	if (to_mram || to_iram || !c->string[t->pc])
		dpu_check_touch(dpu, &c->mram[t->mram / 8], t->bytes / 8, &mram);
}

void dpu_check_host(struct dpu *dpu, enum dpu_memory memory, uint32_t offset, uint32_t length)
{
	struct dpu_check *c = dpu->check;

	if (memory == DPU_WRAM)
		memset(&c->state[offset], WRITTEN, length);
	for (uint32_t i = offset / 8; memory == DPU_MRAM && i < (offset + length) / 8; i++)
		c->mram_written[i / 8] |= 1 << i % 8;
}
