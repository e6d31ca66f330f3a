/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modelled time on a host program's clocks. preload.c (libmon-dpu-clock.so) has the clocks, clock.c moves them. */
#ifndef LIBMON_DPU_CLOCK_H
#define LIBMON_DPU_CLOCK_H

#include <stdint.h>

/* What libmon-dpu-clock.so offers, under the name DPU_CLOCK_SYMBOL. Nanoseconds; all from any thread. */
struct dpu_clock {
	void (*stop)(void);		/* the clocks stop until as many calls of go() */
	void (*go)(void);
	uint64_t (*now)(void);		/* CLOCK_MONOTONIC as the program sees it */
	void (*forward)(uint64_t ns);	/* to this time, if it is later */
	const char *host;		/* how the host's own computing counts */
};

#define DPU_CLOCK_SYMBOL "libmon_dpu_clock"

#endif
