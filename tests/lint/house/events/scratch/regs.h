/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* BAR0 of the device scratch, 32-bit registers. */
#ifndef SCRATCH_REGS_H
#define SCRATCH_REGS_H

#define SCRATCH_REG	0x00		/* accesses to it are counted */
#define SCRATCH_COUNT(n) (0x10 + 4 * (n))	/* the counter of event n */
#define SCRATCH_EVENTS	2
#define SCRATCH_SIZE	0x1000

#endif
