// SPDX-License-Identifier: GPL-2.0-only
#include "scratch/scratch.h"

uint32_t scratch_read(struct scratch *s, uint64_t addr)
{
	if (addr == SCRATCH_REG) {
		s->count[1]++;
		return s->value;
	}
	for (unsigned int i = 0; i < SCRATCH_EVENTS; i++) {
		if (addr == SCRATCH_COUNT(i))
			return s->count[i];
	}
	return 0;
}

void scratch_write(struct scratch *s, uint64_t addr, uint32_t value)
{
	if (addr != SCRATCH_REG)
		return;
	s->count[0]++;
	s->value = value;
}
