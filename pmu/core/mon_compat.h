/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between the kernels that these modules build for.
 */
#ifndef MON_COMPAT_H
#define MON_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/version.h>

/* Without unloading nobody counts a module's users: there may always be one. */
#ifdef CONFIG_MODULE_UNLOAD
#define mon_module_users(module) module_refcount(module)
#else
#define mon_module_users(module) 1
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void mon_hrtimer_setup(struct hrtimer *timer,
				     enum hrtimer_restart (*function)(struct hrtimer *),
				     clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#else
#define mon_hrtimer_setup hrtimer_setup
#endif

/*
 * The timers that let events of a PMU take turns. perf_pmu_unregister() frees them, even those that
 * still run because events took turns a moment ago or because their interval was changed; so the
 * file that changes it goes first, and whoever is writing it is waited for. Kernels from 6.15 on
 * keep the timers elsewhere, and nobody has looked there yet.
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

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
static inline void mon_vm_flags_mod(struct vm_area_struct *vma, unsigned long set,
				    unsigned long clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}

#define mon_attr_config3(attr) 0
#else
#define mon_vm_flags_mod vm_flags_mod
#define mon_attr_config3(attr) ((attr)->config3)
#endif

#endif
