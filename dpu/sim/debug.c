// SPDX-License-Identifier: LGPL-2.1-or-later
/* A debugger's access to a DPU. */
#include <string.h>

#include "dpu/include/debug.h"
#include "dpu/sim/dpu-internal.h"

void dpu_view(const struct dpu *dpu, unsigned int thread, struct dpu_thread_view *view)
{
	const struct dpu_thread *t = &dpu->threads[thread];

	*view = (struct dpu_thread_view){
		.started = dpu->run_bits[thread], .transfers = t->sleeping, .zero = !t->result,
		.carry = t->carry, .ready = t->ready,
	};
}

bool dpu_atomic_taken(const struct dpu *dpu, unsigned int bit)
{
	return dpu->atomics[bit % DPU_ATOMIC_BITS];
}

static bool is_in(const struct dpu *dpu, enum dpu_memory memory, uint32_t offset, uint32_t length)
{
	const uint32_t size[] = {
		[DPU_IRAM] = dpu->arch->iram_words * 8, [DPU_WRAM] = dpu->wram_size, [DPU_MRAM] = DPU_MRAM_SIZE,
	};

	return length <= size[memory] && offset <= size[memory] - length;
}

bool dpu_peek(const struct dpu *dpu, enum dpu_memory memory, uint32_t offset, void *data, uint32_t length)
{
	if (!is_in(dpu, memory, offset, length))
		return false;
	if (memory == DPU_MRAM)
		dpu_mram_read(dpu, offset, data, length);
	else
		memcpy(data, (memory == DPU_IRAM ? (const uint8_t *)dpu->iram : dpu->wram) + offset, length);
	return true;
}

bool dpu_poke(struct dpu *dpu, enum dpu_memory memory, uint32_t offset, const void *data, uint32_t length)
{
	if (!is_in(dpu, memory, offset, length))
		return false;
	if (memory == DPU_MRAM)
		dpu_mram_write(dpu, offset, data, length);
	else
		memcpy((memory == DPU_IRAM ? (uint8_t *)dpu->iram : dpu->wram) + offset, data, length);
	if (memory == DPU_IRAM && length)
		dpu_fetch(dpu, offset / 8, (offset + length - 1) / 8 - offset / 8 + 1);
	return true;
}

void dpu_poke_register(struct dpu *dpu, unsigned int thread, unsigned int reg, uint32_t value)
{
	dpu->threads[thread].r[reg] = value;
}
