/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A Hexagon core: its PMU. The driver that runs programs (hexagon_run), that of the auxiliary
 * device "hexagon.run", has the registers from HEXAGON_COMMAND on; its interrupt is raised by
 * each change of HEXAGON_STATE.
 */
#ifndef HEXAGON_H
#define HEXAGON_H

#include <linux/bits.h>

#include "../core/mon_pci.h"
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

#endif
