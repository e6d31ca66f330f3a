// SPDX-License-Identifier: LGPL-2.1-or-later
#include "events/upmem/config.h"
#include "events/upmem/regs.h"
#include "upmem/pmc.h"

static uint64_t refreshes(const struct dpu_totals *t, const struct dpu_timing *timing,
			  uint32_t clock)
{
	uint64_t interval = (uint64_t)clock * timing->refresh_ns / 1000000000;

	return interval ? t->cycles / interval : 0;
}

static uint64_t row_hammer_refreshes(const struct dpu_totals *t, const struct dpu_timing *timing)
{
	uint64_t rows = t->ldma_rows + t->sdma_rows + t->host_rows;

	return timing->row_hammer_threshold ? rows / timing->row_hammer_threshold : 0;
}

uint64_t dpu_event_total(const struct dpu_totals *t, const struct dpu_timing *timing,
			 uint32_t clock, uint32_t event)
{
	uint64_t sum = 0;

	if (event & UPMEM_ldma_instruction)
		sum += timing->dma_counts_rows ? t->ldma_rows : t->ldma;
	if (event & UPMEM_sdma_instruction)
		sum += timing->dma_counts_rows ? t->sdma_rows : t->sdma;
	if (event & UPMEM_read_64bit_instruction)
		sum += t->read_words;
	if (event & UPMEM_write_64bit_instruction)
		sum += t->write_words;
	if (event & UPMEM_host_activate_command)
		sum += t->host_rows;
	if (event & UPMEM_host_refresh_command)
		sum += refreshes(t, timing, clock);
	if (event & UPMEM_row_hammer_refresh_command)
		sum += row_hammer_refreshes(t, timing);
	if (event & UPMEM_cycles)
		sum += t->cycles;
	return sum;
}

static uint64_t pmc_total(const struct dpu_pmc *pmc, const struct dpu *dpu,
			  const struct dpu_totals *totals, unsigned int i)
{
	return dpu_event_total(totals, dpu_timing(dpu), dpu_clock(dpu), pmc->event[i]);
}

static uint64_t pmc_value(const struct dpu_pmc *pmc, const struct dpu *dpu,
			  const struct dpu_totals *totals, unsigned int i)
{
	return pmc->running & 1 << i ? pmc_total(pmc, dpu, totals, i) - pmc->base[i] :
		pmc->value[i];
}

static uint64_t bytes(const struct dpu_pmc *pmc, const struct dpu *dpu,
		      const struct dpu_totals *totals)
{
	uint64_t first, second;

	/* The value of a disabled module is not documented: 0 here. */
	if (!(pmc->enable & 1))
		return 0;
	first = pmc_value(pmc, dpu, totals, 0);
	second = pmc_value(pmc, dpu, totals, 1);
	return pmc->control & UPMEM_PMC_CHAIN ? first : (first & 0xffffffff) | second << 32;
}

static void pmc_stop(struct dpu_pmc *pmc, const struct dpu *dpu, const struct dpu_totals *totals,
		     unsigned int mask)
{
	for (unsigned int i = 0; i < 2; i++)
		if (mask & 1 << i)
			pmc->value[i] = pmc_value(pmc, dpu, totals, i);
	pmc->running &= ~mask;
}

void dpu_pmc_write(struct dpu_pmc *pmc, const struct dpu *dpu, const struct dpu_totals *totals,
		   unsigned int offset, uint8_t byte)
{
	unsigned int i;

	if (!dpu_arch(dpu)->two_counters)
		return;
	switch (offset) {
	case UPMEM_PMC_ENABLE:
		pmc->enable = byte & 1;
		break;
	case UPMEM_PMC_CONTROL:
		pmc->control = byte & (UPMEM_PMC_INDEX | UPMEM_PMC_CHAIN);
		if (!(byte & UPMEM_PMC_INDEX))
			pmc->shown = bytes(pmc, dpu, totals);
		break;
	case UPMEM_PMC_EVENT1:
	case UPMEM_PMC_EVENT2:
		i = offset - UPMEM_PMC_EVENT1;
		pmc->event[i] = byte;
		pmc->base[i] = pmc_total(pmc, dpu, totals, i);
		pmc->value[i] = 0;
		pmc->running |= 1 << i;
		break;
	case UPMEM_PMC_STOP:
		pmc_stop(pmc, dpu, totals, byte & 3);
		break;
	case UPMEM_PMC_READ:
		pmc->selected = byte;
		break;
	}
}

uint8_t dpu_pmc_read(const struct dpu_pmc *pmc, unsigned int offset)
{
	switch (offset) {
	case UPMEM_PMC_ENABLE:
		return pmc->enable;
	case UPMEM_PMC_CONTROL:
		return pmc->control;
	case UPMEM_PMC_EVENT1:
	case UPMEM_PMC_EVENT2:
		return pmc->event[offset - UPMEM_PMC_EVENT1];
	case UPMEM_PMC_READ:
		if (pmc->selected != UPMEM_PMC_READ_SELECT)
			return 0;
		return pmc->shown >> (8 * (pmc->control & UPMEM_PMC_INDEX));
	default:
		return 0;
	}
}
