/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The uncore counters of Intel's Merrifield, and what their driver hands to that of the emulated
 * device's bus agents (mrfld_agents), the auxiliary device "mrfld_visa.agents".
 */
#ifndef MRFLD_VISA_H
#define MRFLD_VISA_H

#include <linux/bitmap.h>
#include <linux/bits.h>
#include <linux/io.h>
#include <linux/pci.h>
#include <linux/types.h>

#include "../core/mon_pmu.h"
#include "events/mrfld/regs.h"
#include "mrfld_visa_config.h"

#define MRFLD_AGENTS_AUX_NAME	"agents"
#define MRFLD_AGENTS_AUX_MATCH	"mrfld_visa." MRFLD_AGENTS_AUX_NAME

/**
 * struct mrfld_id - what the device is like; constant
 * @channels:	DRAM channels
 * @soc_hz:	rate of the clock events
 * @dram_hz:	rate of the self-refresh events
 * @cpu:	the processors' accesses count
 */
struct mrfld_id {
	u32 channels;
	u32 soc_hz;
	u32 dram_hz;
	u32 cpu;
};

/**
 * struct mrfld_visa - the PMU
 * @mp:		the core's part; its id is a struct mrfld_id
 * @cpu:	register that lets the processors' accesses count, NULL if there is none
 * @counting:	they do
 * @group:	programmed group, 0 before the first
 * @started:	started counters of the core
 * @lost:	counts are missing since some unknown time, and the group has to be programmed anew
 * @snapshot:	slices whose @value is of one instant and stays until the pass ends
 * @value:	last reading of each slice
 * @clock:	ticks that the clock counted in groups programmed earlier
 * @fresh_clock: the generic clock has started in this pass
 */
struct mrfld_visa {
	struct mon_pmu mp;
	void __iomem *cpu;
	bool counting;
	u8 group;
	DECLARE_BITMAP(started, MRFLD_COUNTERS);
	bool lost;
	unsigned long snapshot;
	u32 value[MRFLD_NCOUNTERS];
	u32 clock;
	bool fresh_clock;
};

/* mrfld_visa_bus.c; all run under the PMU's lock. */

/*
 * Stops everything, selects the group and starts its counters from zero (or the test preload);
 * mv->value then says so without a reading, unless it ends with mv->lost.
 */
void mrfld_program(struct mrfld_visa *mv, unsigned int group);
void mrfld_halt(struct mrfld_visa *mv);
/*
 * Takes @slices into mv->value, all samples first, then the values. -EIO: the bus or the counters
 * have failed, nothing has changed.
 */
int mrfld_sample(struct mrfld_visa *mv, unsigned long slices);
/* What the counters have counted since they were last read is lost. */
void mrfld_lose(struct mrfld_visa *mv);
/* Do iosf_mbi's transactions reach this device? */
bool mrfld_bus_reaches(struct pci_dev *pdev);

/* mrfld_visa_pmu.c; cpu: register MRFLD_CPU, or NULL */
struct mon_pmu *mrfld_attach(struct device *dev, const struct mrfld_id *id, void __iomem *cpu);
extern const struct mon_pmu_desc mrfld_desc;

#endif
