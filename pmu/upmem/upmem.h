/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between the files of upmem.ko: a rank of UPMEM DPUs, its PMU and its character device.
 */
#ifndef UPMEM_H
#define UPMEM_H

#include <linux/io.h>
#include <linux/types.h>

#include "../core/mon_pmu.h"
#include "events/upmem/regs.h"

struct pci_dev;
struct upmem_rank;

/* The shape of a rank; constant. */
struct upmem_id {
	u32 dpus, chip_id, clock_hz, threads, iram_words, wram_size;
	u32 max_mhz;	/* no counter wraps sooner than at this rate */
};

/* v1B: there are bank interface counters. */
static inline bool upmem_has_pmc(const struct upmem_id *id)
{
	return id->chip_id >= UPMEM_CHIP_ID_V1B;
}

struct mon_pmu *upmem_pmu_register(const struct upmem_id *id, void __iomem *regs);

/**
 * upmem_rank_new() - /dev/dpu_rankN for a rank
 * @pdev: the function, bus master already
 * @id: the rank's shape
 * @regs: BAR0
 * @irq: raised when the last running DPU stops, or 0: then it is polled
 * @pmu: name of the rank's PMU
 */
struct upmem_rank *upmem_rank_new(struct pci_dev *pdev, const struct upmem_id *id,
				  void __iomem *regs, int irq, const char *pmu);
/* The device goes; files that are still open get ENODEV from now on. */
void upmem_rank_remove(struct upmem_rank *rank);

#endif
