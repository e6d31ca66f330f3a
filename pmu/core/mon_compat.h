/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels that these modules build for.
 */
#ifndef MON_COMPAT_H
#define MON_COMPAT_H

#include <linux/device/bus.h>
#include <linux/hrtimer.h>
#include <linux/perf_event.h>
#include <linux/version.h>

#include "mon_pmu.h"

/* What lets the events of a PMU take turns on a CPU, or NULL. */
static inline struct hrtimer *mon_pmu_turns(struct pmu *pmu, int cpu)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
	return &per_cpu_ptr(pmu->pmu_cpu_context, cpu)->hrtimer;
#elif LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
	return &per_cpu_ptr(pmu->cpu_pmu_context, cpu)->hrtimer;
#else
	struct perf_cpu_pmu_context *cpc = *per_cpu_ptr(pmu->cpu_pmu_context, cpu);

	return cpc ? &cpc->hrtimer : NULL;
#endif
}

/* When the PMU's device has gone, its events and the file of the interval have gone, too. */
static inline int mon_pmu_stop_turns(struct notifier_block *nb, unsigned long action, void *dev)
{
	struct pmu *pmu = &container_of(nb, struct mon_pmu, removed)->pmu;
	struct hrtimer *turns;
	int cpu;

	if (action != BUS_NOTIFY_REMOVED_DEVICE || dev != pmu->dev)
		return NOTIFY_DONE;
	for_each_possible_cpu(cpu) {
		turns = mon_pmu_turns(pmu, cpu);
		if (turns)
			hrtimer_cancel(turns);
	}
	return NOTIFY_OK;
}

/*
 * perf_pmu_unregister() frees the timers that let events of a PMU take turns, even those that still
 * run because events took turns a moment ago or because their interval was changed.
 */
static inline void mon_pmu_leave_perf(struct mon_pmu *mp)
{
	/* early in the boot perf has no bus yet */
	typeof(mp->pmu.dev->bus) bus = mp->pmu.dev ? mp->pmu.dev->bus : NULL;

	mp->removed.notifier_call = mon_pmu_stop_turns;
	if (bus)
		bus_register_notifier(bus, &mp->removed);
	perf_pmu_unregister(&mp->pmu);
	if (bus)
		bus_unregister_notifier(bus, &mp->removed);
}

/*
 * Since 6.2 a call may move one group only. A call that finds a group waits for RCU, one that finds
 * none costs little.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define mon_pmu_migrate(pmu, from, to, nevents) perf_pmu_migrate_context(pmu, from, to)
#else
void rcu_expedite_gp(void);	/* exported; the header is the kernel's own */
void rcu_unexpedite_gp(void);

static inline void mon_pmu_migrate(struct pmu *pmu, int from, int to, unsigned int nevents)
{
	rcu_expedite_gp();
	while (nevents--)
		perf_pmu_migrate_context(pmu, from, to);
	rcu_unexpedite_gp();
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#endif
