/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What attr.config means to the PMU of a rank of UPMEM DPUs, and who has the counters of the bank
 * interface.
 */
#ifndef UPMEM_CONFIG_H
#define UPMEM_CONFIG_H

#include <linux/bits.h>
#include <linux/types.h>

#include "events/upmem/config.h"
#include "events/upmem/regs.h"

/* Counter number of the core: dpu * UPMEM_SLOTS + slot. */
#define UPMEM_SLOTS		8
enum {
	UPMEM_SLOT_1,		/* the bank interface's counters */
	UPMEM_SLOT_2,
	UPMEM_SLOT_CHAIN,	/* both as one */
	UPMEM_SLOT_CYCLES,
	UPMEM_SLOT_INSTRUCTIONS,
};

/*
 * Who has the counters of a DPU: the event of each, until it is forgotten; with chain both have the
 * same; and how many events share it, 0 if it is free.
 */
struct upmem_alloc {
	struct {
		u8 event[2];
		bool chain;
		u32 users[2];
	} dpu[UPMEM_MAX_DPUS];
};

/* -EINVAL unless config is an event of a rank of this many DPUs. */
int upmem_config_check(u64 config, unsigned int dpus, bool pmc);

/* The following take the configuration of an event that was checked, and the same dpus. */

/*
 * Writes the event's counters, unless NULL, and returns how many. -ENOSPC: some DPU has none left,
 * nothing has changed. What was released and not forgotten gets its counters again, as long as
 * others are free.
 */
int upmem_alloc_claim(struct upmem_alloc *alloc, unsigned int dpus, u64 config, u16 *counters);
void upmem_alloc_release(struct upmem_alloc *alloc, unsigned int dpus, u64 config);

/* A counter of the core has stopped: if it is free, it has no event any more. */
void upmem_alloc_forget(struct upmem_alloc *alloc, unsigned int counter);

/* The slot of a DPU that an event has, or -1. */
int upmem_alloc_slot(const struct upmem_alloc *alloc, u64 config, unsigned int dpu);

#endif
