/* SPDX-License-Identifier: GPL-2.0-only */
/* A register that counts the accesses to it. */
#ifndef SCRATCH_SCRATCH_H
#define SCRATCH_SCRATCH_H

#include <stdint.h>

#include "events/scratch/regs.h"

struct scratch {
	uint32_t value;
	uint32_t count[SCRATCH_EVENTS];
};

uint32_t scratch_read(struct scratch *s, uint64_t addr);
void scratch_write(struct scratch *s, uint64_t addr, uint32_t value);

#endif
