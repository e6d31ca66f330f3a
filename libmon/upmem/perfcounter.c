// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * perfcounter.h for the host: a DPU's 36-bit counters, made of two events.
 */
#include "events/upmem/config.h"
#include "libmon/upmem/internal.h"
#include "libmon/upmem/include/perfcounter.h"

/* 36 bits wide, readable in steps of 16. */
#define VISIBLE ((UINT64_C(1) << 36) - 16)

enum { CYCLES, INSTRUCTIONS, SOURCES };

/* One counter: what it holds, and since when it counts which source (SOURCES: none). */
struct counter {
	uint64_t value, start;
	unsigned int source;
};

static _Thread_local struct {
	struct dpu_event events[SOURCES];	/* one read gives both */
	bool bound, v1b;
	struct counter counters[2];	/* the second one only with COUNT_ENABLE_BOTH */
	unsigned int shown;
} bound;

void perfcounter_unbind(void)
{
	if (bound.bound) {
		dpu_event_close(&bound.events[INSTRUCTIONS]);
		dpu_event_close(&bound.events[CYCLES]);
	}
	bound.bound = false;
}

dpu_error_t perfcounter_bind(struct dpu_set_t set)
{
	struct dpu_t *dpu = dpu_from_set(set);

	perfcounter_unbind();
	if (!dpu)
		return dpu_failed(DPU_ERR_INTERNAL, "perfcounter_bind takes one DPU: use DPU_FOREACH");
	if (!dpu_event_open(&bound.events[CYCLES], dpu, UPMEM_dpu_cycles, DPU_EVENT_GROUPED, NULL))
		return dpu_explained(DPU_ERR_INTERNAL);
	if (!dpu_event_open(&bound.events[INSTRUCTIONS], dpu, UPMEM_dpu_instructions, DPU_EVENT_GROUPED,
			    &bound.events[CYCLES])) {
		dpu_event_close(&bound.events[CYCLES]);
		return dpu_explained(DPU_ERR_INTERNAL);
	}
	bound.bound = true;
	bound.v1b = dpu->rank->info.chip_id >= DPU_CHIP_ID_V1B;
	for (int i = 0; i < 2; i++)
		bound.counters[i] = (struct counter){ .source = SOURCES };
	bound.shown = 0;
	return DPU_OK;
}

/* What both sources have counted since the binding. */
static bool perfcounter_sample(uint64_t now[SOURCES + 1])
{
	now[SOURCES] = 0;
	if (!bound.bound) {
		dpu_failed(DPU_ERR_INTERNAL, "no DPU is bound: call perfcounter_bind");
		return false;
	}
	if (!dpu_event_read(bound.events, now, SOURCES)) {
		dpu_failed(DPU_ERR_INTERNAL, "the DPU's counters cannot be read");
		return false;
	}
	return true;
}

static uint64_t perfcounter_count(const struct counter *c, const uint64_t now[])
{
	return c->value + now[c->source] - c->start;
}

static void perfcounter_set(struct counter *c, const uint64_t now[], unsigned int source,
			    bool reset)
{
	c->value = reset ? 0 : perfcounter_count(c, now);
	c->source = source;
	c->start = now[source];
}

static bool perfcounter_configure(perfcounter_config_t config, const uint64_t now[], bool reset)
{
	struct counter *c = bound.counters;

	switch (config) {
	case COUNT_SAME:
		perfcounter_set(&c[0], now, c[0].source, reset);
		perfcounter_set(&c[1], now, c[1].source, reset);
		return true;
	case COUNT_CYCLES:
	case COUNT_INSTRUCTIONS:
	case COUNT_NOTHING:
		perfcounter_set(&c[0], now, config == COUNT_CYCLES ? CYCLES :
				config == COUNT_INSTRUCTIONS ?
				INSTRUCTIONS : SOURCES, reset);
		perfcounter_set(&c[1], now, SOURCES, reset);
		bound.shown = 0;
		return true;
	case COUNT_DISABLE_BOTH:
		perfcounter_set(&c[0], now, SOURCES, reset);
		perfcounter_set(&c[1], now, SOURCES, reset);
		bound.shown = 1;
		return bound.v1b;
	case COUNT_ENABLE_BOTH:
		perfcounter_set(&c[0], now, CYCLES, reset);
		perfcounter_set(&c[1], now, INSTRUCTIONS, reset);
		bound.shown = 0;
		return bound.v1b;
	}
	return false;
}

perfcounter_t perfcounter_config(perfcounter_config_t config, bool reset_value)
{
	uint64_t now[SOURCES + 1];
	perfcounter_t before;

	if (!perfcounter_sample(now))
		return 0;
	if (!bound.v1b && config >= COUNT_DISABLE_BOTH) {
		dpu_failed(DPU_ERR_INTERNAL, "generation v1A has one counter: mode %d needs two", (int)config);
		return 0;
	}
	before = perfcounter_count(&bound.counters[bound.shown], now) & VISIBLE;
	if (!perfcounter_configure(config, now, reset_value)) {
		dpu_failed(DPU_ERR_INTERNAL, "%d is no mode of the performance counter", (int)config);
		return 0;
	}
	return before;
}

perfcounter_t perfcounter_get(void)
{
	uint64_t now[SOURCES + 1];

	return perfcounter_sample(now) ?
	       perfcounter_count(&bound.counters[bound.shown], now) & VISIBLE : 0;
}

perfcounter_pair_t perfcounter_get_both(bool should_reset)
{
	perfcounter_pair_t pair = { 0, 0 };
	uint64_t now[SOURCES + 1];

	if (!perfcounter_sample(now))
		return pair;
	if (!bound.v1b) {
		dpu_failed(DPU_ERR_INTERNAL, "generation v1A has one counter, not two");
		return pair;
	}
	pair.cycles = perfcounter_count(&bound.counters[0], now) & VISIBLE;
	pair.instr = perfcounter_count(&bound.counters[1], now) & VISIBLE;
	perfcounter_configure(COUNT_ENABLE_BOTH, now, should_reset);
	return pair;
}
