/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* BAR0 of the emulated device: parameters, agents, scan-out, fault injection. */
#include "mrfld/model.h"

static uint32_t *bar_fault(struct mrfld_soc *soc, uint32_t reg)
{
	switch (reg) {
	case MRFLD_FAULT_ALL_ONES:
		return &soc->s.faults.all_ones;
	case MRFLD_FAULT_LOST_SAMPLE:
		return &soc->s.faults.lost_sample;
	case MRFLD_FAULT_SLOW_US:
		return &soc->s.faults.slow_us;
	case MRFLD_FAULT_MCRX:
		return &soc->s.faults.mcrx;
	case MRFLD_FAULT_POWER_MS:
		return &soc->s.faults.power_ms;
	default:
		return NULL;
	}
}

static uint32_t parameter(const struct mrfld_soc *soc, uint32_t offset)
{
	switch (offset) {
	case MRFLD_ID:
		return MRFLD_ID_VALUE;
	case MRFLD_VERSION:
		return MRFLD_VERSION_VALUE;
	case MRFLD_CHANNELS:
		return soc->params.channels;
	case MRFLD_INTERLEAVE:
		return soc->params.interleave;
	case MRFLD_SOC_HZ:
		return soc->params.soc_hz;
	case MRFLD_DRAM_HZ:
		return soc->params.dram_hz;
	case MRFLD_SHALLOW_US:
		return soc->params.shallow_us;
	case MRFLD_DEEP_US:
		return soc->params.deep_us;
	default:
		return 0;
	}
}

uint32_t mrfld_bar_read(struct mrfld_soc *soc, uint32_t offset)
{
	uint32_t *f;

	if (soc->busy)
		return UINT32_MAX;
	if (offset < MRFLD_ENGINE(0, 0))
		return parameter(soc, offset);
	if (offset < MRFLD_ENGINES_END)
		return mrfld_engine_read(soc, (offset - MRFLD_ENGINE(0, 0)) / 0x80, offset % 0x80);
	if (offset >= MRFLD_SCAN(0) && offset < MRFLD_SCAN_END)
		return mrfld_scanout_read(soc, offset - MRFLD_SCAN(0));
	f = offset >= MRFLD_FAULT(0) ? bar_fault(soc, offset - MRFLD_FAULT(0)) : NULL;
	return f ? *f : 0;
}

static void fault_write(struct mrfld_soc *soc, uint32_t reg, uint32_t value)
{
	uint32_t *f = bar_fault(soc, reg);

	if (f)
		*f = value;
	soc->s.reads = soc->s.samples = 0;
	if (reg == MRFLD_FAULT_POWER_NOW)
		mrfld_counters_lose(soc);
	if (reg == MRFLD_FAULT_POWER_MS)
		soc->s.power_ns = value ? soc->s.now + value * 1000000ull : MRFLD_NEVER;
	if (reg == MRFLD_FAULT_MCRX)
		soc->s.mcrx = value & ~0xffu;
}

void mrfld_bar_write(struct mrfld_soc *soc, uint32_t offset, uint32_t value)
{
	if (soc->busy)
		return;
	if (offset >= MRFLD_ENGINE(0, 0) && offset < MRFLD_ENGINES_END)
		mrfld_engine_write(soc, (offset - MRFLD_ENGINE(0, 0)) / 0x80, offset % 0x80, value);
	else if (offset >= MRFLD_SCAN(0) && offset < MRFLD_SCAN_END)
		mrfld_scanout_write(soc, offset - MRFLD_SCAN(0), value);
	else if (offset >= MRFLD_FAULT(0) && offset < MRFLD_FAULT_END)
		fault_write(soc, offset - MRFLD_FAULT(0), value);
}
