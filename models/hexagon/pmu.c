/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "hexagon/pmu.h"

void hexagon_pmu_reset(struct hexagon_pmu *pmu)
{
	memset(pmu, 0, sizeof(*pmu));
}

static unsigned int selector(const struct hexagon_pmu *pmu, const struct hexagon_core *core,
			     unsigned int i)
{
	unsigned int high = pmu->cfg >> 2 * i & 3;

	/* up to V66 a selector has 9 bits */
	if (core->version < 68)
		high &= 1;
	return (pmu->evtcfg[i / 4] >> 8 * (i % 4) & 0xff) | high << 8;
}

static unsigned int stid(const struct hexagon_pmu *pmu, unsigned int i)
{
	return pmu->stid[i / 4] >> 8 * (i % 4) & 0xff;
}

static bool chained(unsigned int event, unsigned int i)
{
	static const uint16_t chain[HEXAGON_COUNTERS] = {
		[1] = HEXAGON_CHAIN_0, [3] = HEXAGON_CHAIN_2,
		[5] = HEXAGON_CHAIN_4, [7] = HEXAGON_CHAIN_6,
	};

	return chain[i] && chain[i] == event;
}

static uint64_t pmu_source(const struct hexagon_pmu *pmu, const struct hexagon_core *core,
			   const struct hexagon_totals *totals, unsigned int i);

/* All 64 bits of a counter, of which software sees the lower half. */
static uint64_t pmu_counter(const struct hexagon_pmu *pmu, const struct hexagon_core *core,
			    const struct hexagon_totals *totals, unsigned int i)
{
	if (!(pmu->syscfg & HEXAGON_SYSCFG_PM))
		return pmu->value[i];
	return pmu->value[i] + pmu_source(pmu, core, totals, i) - pmu->origin[i];
}

/* What a counter counts, as a number that only grows. */
static uint64_t pmu_source(const struct hexagon_pmu *pmu, const struct hexagon_core *core,
			   const struct hexagon_totals *totals, unsigned int i)
{
	unsigned int event = selector(pmu, core, i);

	if (chained(event, i))
		return pmu_counter(pmu, core, totals, i - 1) >> 32;
	return hexagon_event_value(core, totals, event, stid(pmu, i));
}

static uint64_t pcycle(const struct hexagon_pmu *pmu, const struct hexagon_totals *totals)
{
	if (!(pmu->syscfg & HEXAGON_SYSCFG_PCYCLEEN))
		return pmu->pcycle;
	return pmu->pcycle + hexagon_cycles(totals) - pmu->pcycle_origin;
}

/* A register that only keeps what is written, and the bits that it keeps; or NULL. */
static uint32_t *kept_register(struct hexagon_pmu *pmu, unsigned int offset, uint32_t *bits)
{
	*bits = UINT32_MAX;
	switch (offset) {
	case HEXAGON_SYSCFG:
		*bits = HEXAGON_SYSCFG_PM | HEXAGON_SYSCFG_PCYCLEEN;
		return &pmu->syscfg;
	case HEXAGON_PMUEVTCFG:
		return &pmu->evtcfg[0];
	case HEXAGON_PMUEVTCFG1:
		return &pmu->evtcfg[1];
	case HEXAGON_PMUSTID0:
		return &pmu->stid[0];
	case HEXAGON_PMUSTID1:
		return &pmu->stid[1];
	case HEXAGON_PMUCFG:
		*bits = HEXAGON_PMUCFG_EVENTS | HEXAGON_PMUCFG_THMASK;
		return &pmu->cfg;
	}
	return NULL;
}

uint32_t hexagon_pmu_read(const struct hexagon_pmu *pmu, const struct hexagon_core *core,
			  const struct hexagon_totals *totals, unsigned int offset)
{
	uint32_t bits, *kept = kept_register((struct hexagon_pmu *)pmu, offset, &bits);

	if (kept)
		return *kept;
	for (unsigned int i = 0; i < HEXAGON_COUNTERS; i++) {
		if (offset == HEXAGON_PMUCNT(i))
			return pmu_counter(pmu, core, totals, i);
		if (offset == HEXAGON_LATCHED(i))
			return pmu->latched[i];
	}
	if (offset == HEXAGON_PCYCLELO)
		return pcycle(pmu, totals);
	return offset == HEXAGON_PCYCLEHI ? pcycle(pmu, totals) >> 32 : 0;
}

static void set_register(struct hexagon_pmu *pmu, unsigned int offset, uint32_t value)
{
	uint32_t bits, *kept = kept_register(pmu, offset, &bits);

	if (kept)
		*kept = value & bits;
	for (unsigned int i = 0; i < HEXAGON_COUNTERS; i++)
		if (offset == HEXAGON_PMUCNT(i))
			pmu->value[i] = value;
	if (offset == HEXAGON_PCYCLELO)
		pmu->pcycle = (pmu->pcycle & ~(uint64_t)UINT32_MAX) | value;
	if (offset == HEXAGON_PCYCLEHI)
		pmu->pcycle = (uint64_t)value << 32 | (uint32_t)pmu->pcycle;
}

void hexagon_pmu_write(struct hexagon_pmu *pmu, const struct hexagon_core *core,
		       const struct hexagon_totals *totals, unsigned int offset, uint32_t value)
{
	uint64_t now[HEXAGON_COUNTERS];

	for (unsigned int i = 0; i < HEXAGON_COUNTERS; i++)
		now[i] = pmu_counter(pmu, core, totals, i);
	if (offset == HEXAGON_LATCH) {
		for (unsigned int i = 0; i < HEXAGON_COUNTERS; i++)
			pmu->latched[i] = now[i];
		return;
	}
	pmu->pcycle = pcycle(pmu, totals);
	memcpy(pmu->value, now, sizeof(now));
	set_register(pmu, offset, value);
	/* in order: an odd counter's source is the even one before it */
	for (unsigned int i = 0; i < HEXAGON_COUNTERS; i++)
		pmu->origin[i] = 0;
	for (unsigned int i = 0; i < HEXAGON_COUNTERS; i++)
		pmu->origin[i] = pmu_source(pmu, core, totals, i);
	pmu->pcycle_origin = hexagon_cycles(totals);
}

uint32_t hexagon_pmu_features(const struct hexagon_pmu *pmu, const struct hexagon_core *core)
{
	uint32_t features = 0;

	for (unsigned int i = 0; i < HEXAGON_COUNTERS; i++)
		features |= hexagon_event_features(core, selector(pmu, core, i));
	return features;
}

bool hexagon_pmu_selects(const struct hexagon_pmu *pmu, const struct hexagon_core *core, unsigned int code)
{
	for (unsigned int i = 0; i < HEXAGON_COUNTERS; i++)
		if (code && selector(pmu, core, i) == code && !chained(code, i))
			return true;
	return false;
}
