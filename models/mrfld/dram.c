/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * DRAM channels: 32-byte accesses and self-refresh.
 *
 * Consecutive blocks of `interleave` bytes of the physical address alternate between the channels.
 * A 64-byte request is two 32-byte accesses; a smaller one is one access (a partial write is a
 * masked burst). A channel without an access for shallow_us is in shallow self-refresh, and from
 * deep_us on in deep self-refresh instead, until its next access.
 */
#include "mrfld/model.h"

#define BURST 32u

static uint64_t shallow_part(const struct mrfld_soc *soc, uint64_t idle)
{
	uint64_t shallow = soc->params.shallow_us * 1000ull, deep = soc->params.deep_us * 1000ull;

	if (idle <= shallow)
		return 0;
	return (idle < deep ? idle : deep) - shallow;
}

static uint64_t deep_part(const struct mrfld_soc *soc, uint64_t idle)
{
	uint64_t deep = soc->params.deep_us * 1000ull;

	return idle > deep ? idle - deep : 0;
}

void mrfld_dram_request(struct mrfld_soc *soc, bool write, uint64_t addr, unsigned int size,
			uint64_t ns)
{
	/* a request stays in its 64 bytes, and a channel's block has 64 or more */
	unsigned int n = soc->params.channels == 2 ? addr >> soc->interleave_shift & 1 : 0;
	struct mrfld_channel *channel = &soc->s.channel[n];
	uint64_t idle = ns - channel->last_ns;

	channel->accesses[write] += (addr + size - 1) / BURST - addr / BURST + 1;
	channel->shallow_ns += shallow_part(soc, idle);
	channel->deep_ns += deep_part(soc, idle);
	channel->last_ns = ns;
}

uint64_t mrfld_dram_shallow_ns(const struct mrfld_soc *soc, unsigned int channel)
{
	const struct mrfld_channel *c = &soc->s.channel[channel];

	if (channel >= soc->params.channels)
		return 0;
	return c->shallow_ns + shallow_part(soc, soc->s.now - c->last_ns);
}

uint64_t mrfld_dram_deep_ns(const struct mrfld_soc *soc, unsigned int channel)
{
	const struct mrfld_channel *c = &soc->s.channel[channel];

	if (channel >= soc->params.channels)
		return 0;
	return c->deep_ns + deep_part(soc, soc->s.now - c->last_ns);
}
