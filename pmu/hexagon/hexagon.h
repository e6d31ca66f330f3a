/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HEXAGON_H
#define HEXAGON_H

#include <linux/bits.h>
#include <linux/io.h>
#include <linux/pci.h>

#include "hexagon_config.h"
#include "../core/mon_pmu.h"
#include "events/hexagon/regs.h"

/**
 * struct hexagon_pmu - data of the PMU
 * @id: first, see mon_pmu_desc.id_size
 * @regs: BAR0
 * @started: counters in use
 * @latched: the latch holds the counters of this freeze
 * @deferred: the counters are stopped until the freeze ends, so that they start together
 */
struct hexagon_pmu {
	struct hexagon_id id;
	void __iomem *regs;
	u8 started;
	bool latched;
	bool deferred;
};

struct mon_pmu *hexagon_pmu_register(const struct hexagon_id *id, void __iomem *regs);

/* The mailbox, /dev/hexagon: one a device. */
struct hexagon_run;

struct hexagon_run *hexagon_run_new(struct pci_dev *pdev, void __iomem *regs);
void hexagon_run_remove(struct hexagon_run *run);

#endif
