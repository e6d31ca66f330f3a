/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A rank of UPMEM DPUs: its PMU, and what the driver of the PCI function hands to the driver that
 * launches programs (upmem_rank), the auxiliary device "upmem.rank".
 */
#ifndef UPMEM_H
#define UPMEM_H

#include <linux/auxiliary_bus.h>
#include <linux/io.h>
#include <linux/types.h>

#include "../core/mon_pmu.h"
#include "events/upmem/regs.h"

#define UPMEM_RANK_AUX_NAME	"rank"
#define UPMEM_RANK_AUX_MATCH	"upmem." UPMEM_RANK_AUX_NAME

/* The shape of a rank; constant. */
struct upmem_id {
	u32 dpus, chip_id, clock_hz, threads, iram_words, wram_size;
	u32 max_mhz;	/* no counter wraps sooner than at this rate */
	u32 counters;	/* of the bank interface */
};

/**
 * struct upmem_rank_dev - a rank
 * @aux: the auxiliary device
 * @dev: does the DMA
 * @id: the rank's shape
 * @regs: BAR0; what belongs to the PMU, UPMEM_LATCH and the counters of each DPU, is not touched
 * @irq: raised when the last running DPU stops, or 0: then it is polled
 * @pmu: name of the rank's PMU
 */
struct upmem_rank_dev {
	struct auxiliary_device aux;
	struct device *dev;
	struct upmem_id id;
	void __iomem *regs;
	int irq;
	char pmu[40];
};

static inline struct upmem_rank_dev *to_upmem_rank_dev(struct auxiliary_device *aux)
{
	return container_of(aux, struct upmem_rank_dev, aux);
}

/* v1B: there are bank interface counters. */
static inline bool upmem_has_pmc(const struct upmem_id *id)
{
	return id->chip_id >= UPMEM_CHIP_ID_V1B;
}

struct mon_pmu *upmem_attach(struct device *dev, const struct upmem_id *id, void __iomem *regs);
void upmem_forget(void);

#endif
