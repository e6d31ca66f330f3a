/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A Hexagon core: its PMU, and what the driver of the PCI function hands to the driver that runs
 * programs (hexagon_run), the auxiliary device "hexagon.run".
 */
#ifndef HEXAGON_H
#define HEXAGON_H

#include <linux/auxiliary_bus.h>
#include <linux/bits.h>
#include <linux/io.h>

#include "../core/mon_pmu.h"
#include "events/hexagon/regs.h"
#include "hexagon_config.h"

#define HEXAGON_RUN_AUX_NAME	"run"
#define HEXAGON_RUN_AUX_MATCH	"hexagon." HEXAGON_RUN_AUX_NAME

/**
 * struct hexagon_pmu - the PMU of a core
 * @mp: that of mon_pmu; its id is a struct hexagon_id
 * @regs: BAR0
 * @started: counters in use
 * @latched: the latch holds the counters of this pass
 * @deferred: the counters are stopped until the pass ends, so that they start together
 */
struct hexagon_pmu {
	struct mon_pmu mp;
	void __iomem *regs;
	u8 started;
	bool latched;
	bool deferred;
};

/**
 * struct hexagon_run_dev - the mailbox of a core
 * @aux: the auxiliary device
 * @regs: BAR0; of these, the registers from HEXAGON_COMMAND on
 * @irq: raised by each change of HEXAGON_STATE, or 0: there is none
 */
struct hexagon_run_dev {
	struct auxiliary_device aux;
	void __iomem *regs;
	int irq;
};

static inline struct hexagon_run_dev *to_hexagon_run_dev(struct auxiliary_device *aux)
{
	return container_of(aux, struct hexagon_run_dev, aux);
}

struct mon_pmu *hexagon_attach(struct device *dev, const struct hexagon_id *id, void __iomem *regs);
void hexagon_forget(void);

#endif
