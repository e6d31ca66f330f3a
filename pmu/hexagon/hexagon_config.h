/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What attr.config means to the PMU of a Hexagon core, and who has its counters.
 */
#ifndef HEXAGON_CONFIG_H
#define HEXAGON_CONFIG_H

#include <linux/bits.h>
#include <linux/types.h>

#include "events/hexagon/config.h"
#include "events/hexagon/regs.h"

/**
 * struct hexagon_id - what the core is
 * @core: version, two decimal digits
 * @threads: hardware threads; thread n has the STID n + 1
 * @clusters: of threads
 * @cycles: from one packet of a thread to the next, as the device models it
 * @clock_hz: nominal clock
 * @events: selectors that the device counts
 */
struct hexagon_id {
	u32 core;
	u32 threads;
	u32 clusters;
	u32 cycles;
	u32 clock_hz;
	u32 events[HEXAGON_EVENT_CODES / 32];
};

/*
 * What each counter counts; events with the same configuration share one. A counter without users
 * keeps its configuration until it is forgotten.
 */
struct hexagon_alloc {
	u32 config[HEXAGON_COUNTERS];
	u32 users[HEXAGON_COUNTERS];
};

/* -EINVAL unless config is an event of this core. */
int hexagon_config_check(const struct hexagon_id *id, u64 config);

/*
 * -ENOSPC: no counter is left, nothing has changed. What was released and not forgotten gets its
 * counter again, as long as others are free.
 */
int hexagon_alloc_claim(struct hexagon_alloc *alloc, u32 config);
void hexagon_alloc_release(struct hexagon_alloc *alloc, u32 config);

/* The counter of a configuration, or -1 if it is not claimed. */
int hexagon_alloc_find(const struct hexagon_alloc *alloc, u32 config);

/* A counter has stopped: if it has no users, it has no configuration any more. */
void hexagon_alloc_forget(struct hexagon_alloc *alloc, unsigned int counter);

#endif
