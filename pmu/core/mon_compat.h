/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels that these modules build for.
 */
#ifndef MON_COMPAT_H
#define MON_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/perf_event.h>
#include <linux/sysfs.h>
#include <linux/version.h>

#include "mon_pmu.h"

/*
 * Since 6.16 perf_pmu_unregister() takes the events that are still open away from the PMU. Earlier
 * kernels free what such events use, so there a PMU stays until its module goes, when none is open.
 */
#define MON_PERF_DETACHES (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0))

#if MON_PERF_DETACHES
static inline struct mon_pmu *
mon_pmu_find(struct device *dev, const struct mon_pmu_desc *desc, const void *id)
{
	return NULL;
}

static inline int mon_pmu_keep(struct mon_pmu *mp)
{
	return 0;
}

static inline bool mon_pmu_kept(struct mon_pmu *mp)
{
	return false;
}

static inline struct mon_pmu *mon_pmu_take(const struct mon_pmu_desc *desc)
{
	return NULL;
}
#else
/*
 * The PMU of a device that was here before, or NULL. -EBUSY, and a message, if another device was
 * at this address and left its PMU.
 */
struct mon_pmu *mon_pmu_find(struct device *dev, const struct mon_pmu_desc *desc, const void *id);
/* A name and a perf type belong to a bus address from now on. */
int mon_pmu_keep(struct mon_pmu *mp);
static inline bool mon_pmu_kept(struct mon_pmu *mp)
{
	return true;
}

/* A PMU of the driver that was kept, and no longer is, or NULL. */
struct mon_pmu *mon_pmu_take(const struct mon_pmu_desc *desc);
#endif

static inline void mon_pmu_set_parent(struct pmu *pmu, struct device *dev)
{
#if MON_PERF_DETACHES
	pmu->parent = dev;
#endif
}

/*
 * The timers that let events of a PMU take turns. Before 6.15 perf_pmu_unregister() frees them,
 * even those that still run because events took turns a moment ago or because their interval was
 * changed; so the file that changes it goes first, and whoever is writing it is waited for.
 */
static inline void mon_pmu_stop_turns(struct pmu *pmu)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
	static const struct attribute interval = { .name = "perf_event_mux_interval_ms" };
	int cpu;

	if (pmu->dev)
		sysfs_remove_file(&pmu->dev->kobj, &interval);
	for_each_possible_cpu(cpu) {
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
		hrtimer_cancel(&per_cpu_ptr(pmu->pmu_cpu_context, cpu)->hrtimer);
#else
		hrtimer_cancel(&per_cpu_ptr(pmu->cpu_pmu_context, cpu)->hrtimer);
#endif
	}
#endif
}

/* Since 6.2 a call may move one group only. A call that finds no group costs little. */
static inline void mon_pmu_migrate(struct pmu *pmu, int from, int to, unsigned int nevents)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
	nevents = 1;
#endif
	while (nevents--)
		perf_pmu_migrate_context(pmu, from, to);
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define mon_attr_config3(attr) 0
#else
#define mon_attr_config3(attr) ((attr)->config3)
#endif

#endif
