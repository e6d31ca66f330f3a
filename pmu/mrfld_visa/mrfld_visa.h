/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between the files of mrfld_visa.ko: the uncore counters of Intel's Merrifield.
 */
#ifndef MRFLD_VISA_H
#define MRFLD_VISA_H

#include <linux/bitmap.h>
#include <linux/bits.h>
#include <linux/io.h>
#include <linux/pci.h>
#include <linux/types.h>

#include "../core/mon_pmu.h"
#include "mrfld_visa_config.h"
#include "events/mrfld_visa/regs.h"

/**
 * struct mrfld_id - what the device is like; constant
 * @channels:	DRAM channels
 * @soc_hz:	rate of the clock events
 * @dram_hz:	rate of the self-refresh events
 */
struct mrfld_id {
	u32 channels;
	u32 soc_hz;
	u32 dram_hz;
	u32 cpu;
};

/**
 * struct mrfld_visa - driver data of the PMU
 * @id:		what the device is like
 * @cpu:	register that lets the processors' accesses count, NULL if there is none
 * @group:	programmed group, 0 before the first
 * @started:	started counters of the core
 * @lost:	counts are missing since some unknown time; ends when all events have stopped
 * @failed:	the core has been told
 * @unread:	started counters of the core whose first value has not been read yet
 * @snapshot:	slices whose @value is of one instant and stays until the core thaws
 * @value:	last reading of each slice
 * @clock:	ticks that the clock counted in groups programmed earlier
 * @fresh_clock: the generic clock has started since the core froze
 * @good_ns:	when the counters were last read
 * @wrap_ns:	in less than this no counter wraps
 * @errors:	readings that failed
 * @losses:	how often counts were lost
 */
struct mrfld_visa {
	struct mrfld_id id;
	void __iomem *cpu;
	u8 group;
	DECLARE_BITMAP(started, MRFLD_COUNTERS);
	bool lost;
	bool failed;
	DECLARE_BITMAP(unread, MRFLD_COUNTERS);
	unsigned long snapshot;
	u32 value[MRFLD_NCOUNTERS];
	u32 clock;
	bool fresh_clock;
	u64 good_ns;
	u64 wrap_ns;
	unsigned long errors;
	unsigned long losses;
};

/* Slices that a group uses; its clock is always the last of them. */
unsigned int mrfld_group_size(unsigned int group);

/* mrfld_visa_bus.c; all run under the PMU's lock. */

/*
 * Stops everything, selects the group and starts its counters from zero (or the test preload);
 * mv->value then says so without a reading.
 */
void mrfld_program(struct mrfld_visa *mv, unsigned int group);
void mrfld_halt(struct mrfld_visa *mv);
/*
 * Takes @slices into mv->value, all samples first, then the values. -EIO: the bus or the counters
 * have failed, nothing has changed.
 */
int mrfld_sample(struct mrfld_visa *mv, unsigned long slices);
/* From now on until all events have stopped, a reading is an error. */
void mrfld_note_loss(struct mrfld_visa *mv);
/* Do iosf_mbi's transactions reach this device? */
bool mrfld_bus_reaches(struct pci_dev *pdev);

/* mrfld_visa_pmu.c; cpu: register MRFLD_CPU, or NULL */
struct mon_pmu *mrfld_pmu_register(const struct mrfld_id *id, void __iomem *cpu);

/* mrfld_visa_agents.c */
int mrfld_agents_init(struct device *parent, void __iomem *bar);
void mrfld_agents_exit(void);

#endif
