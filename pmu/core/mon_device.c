// SPDX-License-Identifier: GPL-2.0-only
/* The life of a PMU: devices, CPUs and sysfs. */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/device.h>
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/sched/isolation.h>
#include <linux/slab.h>

#include "mon_compat.h"
#include "mon_core.h"

static int mon_pmu_cpuhp_state;

/*
 * PMUs are spread over the processors of their device's node, then over the others, without those
 * that are isolated; types are consecutive numbers.
 */
static unsigned int mon_pmu_near_cpu(const struct mon_pmu *mp, int but)
{
	unsigned int all = num_online_cpus(), near = all, i, cpu;

	if (mp->node != NUMA_NO_NODE)
		near = cpumask_weight(cpumask_of_node(mp->node));
	/* the kernel may replace the mask at any time */
	rcu_read_lock();
	for (i = 0; i < all; i++) {
		cpu = cpumask_local_spread(i < near ? (mp->pmu.type + i) % near : i, mp->node);
		if (cpu != but && cpumask_test_cpu(cpu, housekeeping_cpumask(HK_TYPE_DOMAIN)))
			break;
	}
	rcu_read_unlock();
	return i < all ? cpu : cpumask_any_but(cpu_online_mask, but);
}

static int mon_pmu_online(unsigned int cpu, struct hlist_node *node)
{
	struct mon_pmu *mp = hlist_entry(node, struct mon_pmu, cpuhp);

	if (mp->on_cpu < 0)
		WRITE_ONCE(mp->on_cpu, mon_pmu_near_cpu(mp, -1));
	return 0;
}

static int mon_pmu_offline(unsigned int cpu, struct hlist_node *node)
{
	struct mon_pmu *mp = hlist_entry(node, struct mon_pmu, cpuhp);
	unsigned int target;

	if (mp->on_cpu != cpu)
		return 0;
	target = mon_pmu_near_cpu(mp, cpu);
	if (target < nr_cpu_ids)
		mon_pmu_move(mp, cpu, target);
	return 0;
}

static void mon_pmu_free(struct mon_pmu *mp)
{
	mon_pmu_free_counters(mp);
#if !MON_PERF_DETACHES
	kfree(mp->address);
#endif
	if (mp->instance >= 0)
		ida_free(mp->desc->instances, mp->instance);
	kvfree(mp);
}

static void mon_pmu_unregister(struct mon_pmu *mp)
{
	cpuhp_state_remove_instance_nocalls(mon_pmu_cpuhp_state, &mp->cpuhp);
	mon_pmu_leave_perf(mp);
	mon_pmu_free(mp);
}

#if !MON_PERF_DETACHES
/*
 * Before 6.16 perf frees what open events still use when a PMU is unregistered. So the PMU of a
 * device that goes stays until the driver's module goes, and the same device finds it when it comes
 * back: a name and a perf type belong to a bus address.
 */
static LIST_HEAD(mon_pmu_seats);
static DEFINE_MUTEX(mon_pmu_seats_lock);

/* The PMU of a device that was here before, or NULL. */
static struct mon_pmu *mon_pmu_find(struct device *dev, const struct mon_pmu_desc *desc,
				    const void *id)
{
	struct mon_pmu *mp, *found = NULL;

	mutex_lock(&mon_pmu_seats_lock);
	list_for_each_entry(mp, &mon_pmu_seats, seat)
		if (mp->desc == desc && mp->bus == dev->bus && !strcmp(mp->address, dev_name(dev)))
			found = mp;
	mutex_unlock(&mon_pmu_seats_lock);
	if (!found || !memcmp(found->id, id, desc->id_size))
		return found;
	dev_err(dev, "another device was here, and %s counts for that: unload %s to forget it\n",
		found->name, module_name(desc->owner));
	return ERR_PTR(-EBUSY);
}

void mon_pmu_forget(const struct mon_pmu_desc *desc)
{
	struct mon_pmu *mp, *next;
	LIST_HEAD(forgotten);

	mutex_lock(&mon_pmu_seats_lock);
	list_for_each_entry_safe(mp, next, &mon_pmu_seats, seat)
		if (mp->desc == desc)
			list_move(&mp->seat, &forgotten);
	mutex_unlock(&mon_pmu_seats_lock);
	/* outside of the lock: it takes one of perf's bus, as a device does of its bus */
	list_for_each_entry_safe(mp, next, &forgotten, seat)
		mon_pmu_unregister(mp);
}
EXPORT_SYMBOL_GPL(mon_pmu_forget);
#endif

struct mon_pmu *mon_pmu_get(struct device *dev, const struct mon_pmu_desc *desc, const void *id)
{
	struct mon_pmu *mp;

#if !MON_PERF_DETACHES
	mp = mon_pmu_find(dev, desc, id);
	if (!IS_ERR_OR_NULL(mp))
		mp->dev = dev;
	if (mp)
		return mp;
#endif
	mp = kvzalloc(desc->size + desc->id_size, GFP_KERNEL);
	if (!mp)
		return ERR_PTR(-ENOMEM);
	mp->desc = desc;
	mp->id = (void *)mp + desc->size;
	memcpy(mp->id, id, desc->id_size);
	mp->dev = dev;
	return mp;
}
EXPORT_SYMBOL_GPL(mon_pmu_get);

static int mon_pmu_prepare(struct mon_pmu *mp)
{
	const struct mon_pmu_desc *desc = mp->desc;

	mp->instance = ida_alloc(desc->instances, GFP_KERNEL);
	if (mp->instance < 0)
		return mp->instance;
	/* without it no poll could be late, and no loss would show */
	if (!mp->max_hz)
		return dev_err_probe(mp->dev, -EINVAL, "the rate of the counters is not known\n");
	snprintf(mp->name, sizeof(mp->name), mp->instance ? "%s_%d" : "%s", desc->name,
		 mp->instance);
	mp->pmu = mon_pmu_methods;
	mp->pmu.module = desc->owner;
	mp->pmu.attr_groups = mp->groups;
	mp->pmu.hrtimer_interval_ms = desc->mux_interval_ms;
	mp->node = dev_to_node(mp->dev);
	mp->on_cpu = -1;
	/* before 6.12 perf shows a PMU while it still makes what events use */
	mp->gone = true;
#if MON_PERF_DETACHES
	mp->pmu.parent = mp->dev;
#else
	mp->bus = mp->dev->bus;
	mp->address = kstrdup(dev_name(mp->dev), GFP_KERNEL);
	if (!mp->address)
		return -ENOMEM;
#endif
	return mon_pmu_alloc_counters(mp);
}

static int mon_pmu_register(struct mon_pmu *mp)
{
	int err = mon_pmu_prepare(mp);

	err = err ?: perf_pmu_register(&mp->pmu, mp->name, -1);
	if (err)
		goto err_free;
	err = cpuhp_state_add_instance(mon_pmu_cpuhp_state, &mp->cpuhp);
	if (err)
		goto err_perf;
#if !MON_PERF_DETACHES
	mutex_lock(&mon_pmu_seats_lock);
	list_add_tail(&mp->seat, &mon_pmu_seats);
	mutex_unlock(&mon_pmu_seats_lock);
#endif
	return 0;

err_perf:
	mon_pmu_leave_perf(mp);
err_free:
	mon_pmu_free(mp);
	return err;
}

int mon_pmu_attach(struct mon_pmu *mp)
{
	int err = *mp->name ? 0 : mon_pmu_register(mp);

	if (!err)
		mon_pmu_resume(mp);
	return err;
}
EXPORT_SYMBOL_GPL(mon_pmu_attach);

void mon_pmu_detach(struct mon_pmu *mp)
{
	mon_pmu_suspend(mp);
	mp->dev = NULL;
#if MON_PERF_DETACHES
	mon_pmu_unregister(mp);
#endif
}
EXPORT_SYMBOL_GPL(mon_pmu_detach);

/* Power loss clears the counters: fold before, set them up again after. */
static int mon_pmu_pm_suspend(struct device *dev)
{
	mon_pmu_suspend(dev_get_drvdata(dev));
	return 0;
}

static int mon_pmu_pm_resume(struct device *dev)
{
	mon_pmu_resume(dev_get_drvdata(dev));
	return 0;
}

EXPORT_GPL_SIMPLE_DEV_PM_OPS(mon_pmu_pm_ops, mon_pmu_pm_suspend, mon_pmu_pm_resume);

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	/* before the first CPU it is -1 */
	return sysfs_emit(buf, "%d\n", READ_ONCE(mon_pmu_of_device(dev)->on_cpu));
}
static DEVICE_ATTR_RO(cpumask);

static ssize_t identifier_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", mon_pmu_of_device(dev)->identifier);
}
static DEVICE_ATTR_RO(identifier);

static ssize_t losses_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lu\n", READ_ONCE(mon_pmu_of_device(dev)->losses));
}
static DEVICE_ATTR_RO(losses);

static struct attribute *mon_pmu_attrs[] = {
	&dev_attr_cpumask.attr,
	&dev_attr_identifier.attr,
	&dev_attr_losses.attr,
	NULL
};

const struct attribute_group mon_pmu_group = {
	.attrs = mon_pmu_attrs,
};
EXPORT_SYMBOL_GPL(mon_pmu_group);

ssize_t mon_pmu_cap_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	size_t offset = container_of(attr, struct perf_pmu_events_attr, attr)->id;
	const u32 *value = mon_pmu_of_device(dev)->id + offset;

	return sysfs_emit(buf, "%u\n", *value);
}
EXPORT_SYMBOL_GPL(mon_pmu_cap_show);

ssize_t mon_pmu_event_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "event=0x%02llx\n", mon_pmu_event_config(attr));
}
EXPORT_SYMBOL_GPL(mon_pmu_event_show);

/* A unit or a scale may have no text. */
umode_t mon_pmu_event_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	const struct perf_pmu_events_attr *event =
		container_of(attr, struct perf_pmu_events_attr, attr.attr);
	struct mon_pmu *mp = mon_pmu_of_device(kobj_to_dev(kobj));

	if (event->attr.show == perf_event_sysfs_show && !event->event_str)
		return 0;
	return mp->desc->ops->check(mp, event->id) < 0 ? 0 : attr->mode;
}
EXPORT_SYMBOL_GPL(mon_pmu_event_visible);

static int __init mon_pmu_module_init(void)
{
	mon_pmu_cpuhp_state = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "perf/mon_pmu:online",
						      mon_pmu_online, mon_pmu_offline);
	return min(mon_pmu_cpuhp_state, 0);
}
subsys_initcall(mon_pmu_module_init); /* before drivers that are built in */

static void __exit mon_pmu_module_exit(void)
{
	cpuhp_remove_multi_state(mon_pmu_cpuhp_state);
}
module_exit(mon_pmu_module_exit);

MODULE_DESCRIPTION("Shared core of the libmon perf drivers");
MODULE_LICENSE("GPL");
