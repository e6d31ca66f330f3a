// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The counters that DPU programs reach with time and time_cfg.
 *
 * They have 36 bits; programs see bits 35..4, hence the precision of 16 units. v1A has one; v1B has
 * two, used together in the modes 5 to 7 of perfcounter_get_both (UPMEM runtime library).
 */
#include "dpu/sim/dpu-internal.h"

#define COUNTER_MASK ((UINT64_C(1) << 36) - 1)

enum { SAME, CYCLES, INSTRUCTIONS, NOTHING, MODE_4, SHOW_CYCLES, STOP_BOTH, RUN_BOTH };

static uint64_t timer_source(const struct dpu *dpu, unsigned int mode)
{
	return mode == CYCLES ? dpu->cycle : mode == INSTRUCTIONS ? dpu_instructions(dpu) : 0;
}

static uint64_t timer_value(const struct dpu *dpu, const struct dpu_counter *c)
{
	return (c->running ? c->value + timer_source(dpu, c->mode) - c->start :
		c->value) & COUNTER_MASK;
}

static void timer_set(struct dpu *dpu, unsigned int index, unsigned int mode, bool running,
		      bool reset)
{
	struct dpu_counter *c = &dpu->counters[index];

	c->value = reset ? 0 : timer_value(dpu, c);
	c->mode = mode;
	c->running = running;
	c->start = timer_source(dpu, mode);
}

uint32_t dpu_timer_read(const struct dpu *dpu)
{
	return timer_value(dpu, &dpu->counters[dpu->counter_shown]) >> 4;
}

/* Bit 0 resets, bits 3..1 (v1A: 2..1) are the mode. False for the mode without a meaning. */
bool dpu_timer_config(struct dpu *dpu, uint32_t config)
{
	unsigned int mode = config >> 1 & (dpu->arch->two_counters ? 7 : 3);
	bool reset = config & 1;
	struct dpu_counter *c = dpu->counters;

	switch (mode) {
	case SAME:
		for (unsigned int i = 0; i < 2; i++)
			timer_set(dpu, i, c[i].mode, c[i].running, reset);
		break;
	case CYCLES:
	case INSTRUCTIONS:
	case NOTHING:
		timer_set(dpu, 0, mode, true, reset);
		timer_set(dpu, 1, NOTHING, false, reset);
		dpu->counter_shown = 0;
		break;
	case SHOW_CYCLES:
		dpu->counter_shown = 0;
		break;
	case STOP_BOTH:
		timer_set(dpu, 0, c[0].mode, false, reset);
		timer_set(dpu, 1, c[1].mode, false, reset);
		dpu->counter_shown = 1;
		break;
	case RUN_BOTH:
		timer_set(dpu, 0, CYCLES, true, reset);
		timer_set(dpu, 1, INSTRUCTIONS, true, reset);
		dpu->counter_shown = 0;
		break;
	default:
		return false;
	}
	return true;
}

void dpu_timer_reset(struct dpu *dpu)
{
	timer_set(dpu, 0, NOTHING, false, true);
	timer_set(dpu, 1, NOTHING, false, true);
	dpu->counter_shown = 0;
}
