// SPDX-License-Identifier: GPL-2.0-only
#include "upmem/dpu-internal.h"
void dpu_profile_turn(struct dpu *dpu, const struct dpu_thread *t, uint64_t cycle, uint64_t before)
{
	(void)dpu;(void)t;(void)cycle;(void)before;
}
void dpu_profile_transfer(struct dpu *dpu, const struct dpu_thread *t, uint64_t cycles)
{
	(void)dpu;(void)t;(void)cycles;
}
