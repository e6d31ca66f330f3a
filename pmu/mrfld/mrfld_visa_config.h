/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What attr.config means to the PMU of Merrifield's uncore, and which group has its counters.
 */
#ifndef MRFLD_VISA_CONFIG_H
#define MRFLD_VISA_CONFIG_H

#include <linux/bits.h>
#include <linux/types.h>

#include "events/mrfld/config.h"
#include "events/mrfld/regs.h"

/* Counter number of the core: group * MRFLD_NCOUNTERS + slice; 0 is the generic clock. */
#define MRFLD_COUNTERS		((MRFLD_NGROUPS + 1) * MRFLD_NCOUNTERS)

/* Which group has been claimed, and by how many events. The generic clock claims none. */
struct mrfld_alloc {
	unsigned int group;
	unsigned int users;
};

/* -EINVAL unless config is an event of the catalogue. */
int mrfld_config_check(u64 config);

/* The following take the configuration of an event that was checked. */

unsigned int mrfld_group(u64 config);
/* Slices that a group uses; its clock is always the last of them. */
unsigned int mrfld_group_size(unsigned int group);
/* Counter number of the core. */
unsigned int mrfld_counter(u64 config);
/* Do the processors' accesses change what a counter of the core counts? */
bool mrfld_counter_wants(unsigned int counter);

/* -ENOSPC: another group has the counters, nothing has changed. */
int mrfld_alloc_claim(struct mrfld_alloc *alloc, u64 config);
void mrfld_alloc_release(struct mrfld_alloc *alloc, u64 config);

#endif
