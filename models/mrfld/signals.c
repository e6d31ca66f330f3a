/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The signal that each event of the catalogue (events/mrfld/events.def) counts, as a total of the model.
 */
#include "events/mrfld/config.h"
#include "mrfld/model.h"

static uint64_t signals_cycles(uint64_t ns, uint32_t hz)
{
	return (uint64_t)((unsigned __int128)ns * hz / 1000000000u);
}

static uint64_t requests(const struct mrfld_soc *soc, unsigned int source, bool write)
{
	const uint64_t *count = soc->s.requests.count[source][write];

	return count[MRFLD_SIZE_PARTIAL] + count[MRFLD_SIZE_32] + count[MRFLD_SIZE_64];
}

static uint64_t all_requests(const struct mrfld_soc *soc, unsigned int source)
{
	return requests(soc, source, false) + requests(soc, source, true);
}

/* The six bandwidth events of an agent; "Partial" counts requests of partial size only. */
#define AGENT(prefix, source) \
	case MRFLD_##prefix##_readpartial: \
		return count[source][0][MRFLD_SIZE_PARTIAL]; \
	case MRFLD_##prefix##_read32b: \
		return count[source][0][MRFLD_SIZE_32]; \
	case MRFLD_##prefix##_read64b: \
		return count[source][0][MRFLD_SIZE_64]; \
	case MRFLD_##prefix##_writepartial: \
		return count[source][1][MRFLD_SIZE_PARTIAL]; \
	case MRFLD_##prefix##_write32b: \
		return count[source][1][MRFLD_SIZE_32]; \
	case MRFLD_##prefix##_write64b: \
		return count[source][1][MRFLD_SIZE_64]

uint64_t mrfld_soc_total(const struct mrfld_soc *soc, unsigned int group, unsigned int counter)
{
	const struct mrfld_state *s = &soc->s;
	const uint64_t (*count)[2][3] = s->requests.count;

	if (group > MRFLD_NGROUPS || counter >= MRFLD_NCOUNTERS)
		return 0;
	switch (MRFLD_EVENT(group, counter)) {
	case MRFLD_ddr_chan0_read32b:
		return s->channel[0].accesses[0];
	case MRFLD_ddr_chan0_write32b:
		return s->channel[0].accesses[1];
	case MRFLD_ddr_chan1_read32b:
		return s->channel[1].accesses[0];
	case MRFLD_ddr_chan1_write32b:
		return s->channel[1].accesses[1];

	case MRFLD_ddr_chan0_deep_self_refresh:
		return signals_cycles(mrfld_dram_deep_ns(soc, 0), soc->params.dram_hz);
	case MRFLD_ddr_chan0_shallow_self_refresh:
		return signals_cycles(mrfld_dram_shallow_ns(soc, 0), soc->params.dram_hz);
	case MRFLD_ddr_chan1_deep_self_refresh:
		return signals_cycles(mrfld_dram_deep_ns(soc, 1), soc->params.dram_hz);
	case MRFLD_ddr_chan1_shallow_self_refresh:
		return signals_cycles(mrfld_dram_shallow_ns(soc, 1), soc->params.dram_hz);

	case MRFLD_mod0_reqs:
		return all_requests(soc, MRFLD_MODULE0);
	case MRFLD_disp_reqs:
		return all_requests(soc, MRFLD_AGENT_DISP);
	case MRFLD_gfx_reqs:
		return all_requests(soc, MRFLD_AGENT_GFX);
	case MRFLD_imaging_reqs:
		return all_requests(soc, MRFLD_AGENT_IMAGING);
	case MRFLD_lowspeedpf_reqs:
		return all_requests(soc, MRFLD_AGENT_LOWSPEEDPF);

	/* Of module 0, "Partial" is the total of all sizes. */
	case MRFLD_mod0_readpartial:
		return requests(soc, MRFLD_MODULE0, false);
	case MRFLD_mod0_read32b:
		return count[MRFLD_MODULE0][0][MRFLD_SIZE_32];
	case MRFLD_mod0_read64b:
		return count[MRFLD_MODULE0][0][MRFLD_SIZE_64];
	case MRFLD_mod0_writepartial:
		return requests(soc, MRFLD_MODULE0, true);
	case MRFLD_mod0_write32b:
		return count[MRFLD_MODULE0][1][MRFLD_SIZE_32];
	case MRFLD_mod0_write64b:
		return count[MRFLD_MODULE0][1][MRFLD_SIZE_64];

	case MRFLD_mod0_snoop_replies:
		return s->requests.snoop_replies;
	case MRFLD_mod0_snoop_reqs:
		return s->requests.snoop_requests;

		AGENT(gfx, MRFLD_AGENT_GFX);
		AGENT(disp, MRFLD_AGENT_DISP);
		AGENT(imaging, MRFLD_AGENT_IMAGING);
		AGENT(lowspeedpf, MRFLD_AGENT_LOWSPEEDPF);

	case MRFLD_memory_ddr_bw_clock:
	case MRFLD_ddr_self_refresh_clock:
	case MRFLD_all_reqs_clock:
	case MRFLD_module0_bw_clock:
	case MRFLD_module0_snoops_clock:
	case MRFLD_graphics_bw_clock:
	case MRFLD_display_bw_clock:
	case MRFLD_imaging_bw_clock:
	case MRFLD_lowspeedpf_bw_clock:
		return signals_cycles(s->now, soc->params.soc_hz);
	default:
		return 0;
	}
}

static unsigned int size_class(unsigned int size)
{
	return size == 64 ? MRFLD_SIZE_64 : size == 32 ? MRFLD_SIZE_32 : MRFLD_SIZE_PARTIAL;
}

void mrfld_request(struct mrfld_soc *soc, unsigned int source, bool write, bool snoop,
		   uint64_t addr, unsigned int size, uint64_t ns)
{
	soc->s.requests.count[source][write][size_class(size)]++;
	if (snoop) {
		soc->s.requests.snoop_requests++;
		soc->s.requests.snoop_replies++;
	}
	mrfld_dram_request(soc, write, addr, size, ns);
}
