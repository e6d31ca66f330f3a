/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A rank of UPMEM DPUs: what its PMU and the driver that launches programs (upmem_rank), that of
 * the auxiliary device "upmem.rank", have in common. What belongs to the PMU, UPMEM_LATCH and the
 * counters of each DPU, upmem_rank does not touch.
 */
#ifndef UPMEM_H
#define UPMEM_H

#include <linux/types.h>

#include "../core/mon_pci.h"
#include "events/upmem/regs.h"

#define UPMEM_RANK_AUX_NAME	"rank"
#define UPMEM_RANK_AUX_MATCH	"upmem." UPMEM_RANK_AUX_NAME

/* The shape of a rank; constant. */
struct upmem_id {
	u32 dpus, chip_id, clock_hz, threads, iram_words, wram_size;
	u32 max_mhz;	/* no counter wraps sooner than at this rate */
	u32 counters;	/* of the bank interface */
};

#endif
