/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels that these modules build for.
 */
#ifndef MON_COMPAT_H
#define MON_COMPAT_H

#include <linux/device.h>
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

/* The event "remove" comes when events and the file of their interval have gone. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline int mon_pmu_stop_turns(struct device *dev, struct kobj_uevent_env *env)
#else
static inline int mon_pmu_stop_turns(const struct device *dev, struct kobj_uevent_env *env)
#endif
{
	struct hrtimer *turns;
	int cpu;

	for_each_possible_cpu(cpu) {
		turns = mon_pmu_turns(dev_get_drvdata(dev), cpu);
		if (turns)
			hrtimer_cancel(turns);
	}
	return 0;
}

static const struct device_type mon_pmu_leaving = {
	.uevent = mon_pmu_stop_turns,
};

/*
 * perf_pmu_unregister() frees the timers that let events of a PMU take turns, even those that still
 * run because events took turns a moment ago or because their interval was changed. A notifier of
 * perf's bus would do, but lockdep knows one lock for the notifiers of all buses.
 */
static inline void mon_pmu_leave_perf(struct mon_pmu *mp)
{
	/* early in the boot it has none yet */
	if (mp->pmu.dev)
		mp->pmu.dev->type = &mon_pmu_leaving;
	perf_pmu_unregister(&mp->pmu);
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
