// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a PMU: devices, CPUs and sysfs.
 *
 * A name and a perf type belong to a bus address. The PMU of a device that goes stays, without a
 * device, and the same device finds it when it comes back: before 6.16 perf frees what open events
 * still use when a PMU is unregistered, so there that waits until the driver's module goes.
 *
 * Before 6.12 perf shows a PMU to those who open events while perf_pmu_register() still makes what
 * they use. So a PMU refuses events (gone) until it is attached.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/debugfs.h>
#include <linux/device.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "mon_compat.h"
#include "mon_pmu.h"

static DEFINE_MUTEX(mon_pmus_lock);	/* the list and what a PMU is in it */
static LIST_HEAD(mon_pmus);
static int mon_pmu_cpuhp_state;
static struct dentry *mon_pmu_debugfs;

/* PMUs are spread over the processors near their devices; types are consecutive numbers. */
static unsigned int mon_pmu_near_cpu(const struct mon_pmu *mp, unsigned int skip)
{
	return cpumask_local_spread(mp->pmu.type + skip, mp->node);
}

static int mon_pmu_online(unsigned int cpu, struct hlist_node *node)
{
	struct mon_pmu *mp = hlist_entry(node, struct mon_pmu, cpuhp);

	if (mp->on_cpu < 0)
		WRITE_ONCE(mp->on_cpu, mon_pmu_near_cpu(mp, 0));
	return 0;
}

static int mon_pmu_offline(unsigned int cpu, struct hlist_node *node)
{
	struct mon_pmu *mp = hlist_entry(node, struct mon_pmu, cpuhp);
	unsigned int target;

	if (mp->on_cpu != cpu)
		return 0;
	target = mon_pmu_near_cpu(mp, 0);
	if (target == cpu)
		target = mon_pmu_near_cpu(mp, 1);
	if (target == cpu)
		WRITE_ONCE(mp->on_cpu, -1);
	else
		mon_pmu_move(mp, cpu, target);
	return 0;
}

static void mon_pmu_free(struct mon_pmu *mp)
{
	kfree(mp->address);
	kfree(mp->name);
	kvfree(mp);
}

static struct mon_pmu *mon_pmu_new(struct device *dev, const struct mon_pmu_desc *desc,
				   unsigned int instance)
{
	struct mon_pmu *mp = kvzalloc(desc->size + desc->id_size, GFP_KERNEL);

	if (!mp)
		return NULL;
	mp->desc = desc;
	mp->id = (void *)mp + desc->size;
	mp->bus = dev->bus;
	mp->address = kstrdup(dev_name(dev), GFP_KERNEL);
	mp->name = instance ? kasprintf(GFP_KERNEL, "%s_%u", desc->name, instance) :
			      kstrdup(desc->name, GFP_KERNEL);
	if (!mp->address || !mp->name) {
		mon_pmu_free(mp);
		return NULL;
	}
	list_add_tail(&mp->list, &mon_pmus);
	return mp;
}

struct mon_pmu *mon_pmu_get(struct device *dev, const struct mon_pmu_desc *desc, const void *id)
{
	struct mon_pmu *mp, *found = NULL;
	unsigned int instance = 0;

	mutex_lock(&mon_pmus_lock);
	list_for_each_entry(mp, &mon_pmus, list) {
		if (mp->desc != desc)
			continue;
		instance++;
		if (mp->bus == dev->bus && !strcmp(mp->address, dev_name(dev)))
			found = mp;
	}
	if (!found)
		found = mon_pmu_new(dev, desc, instance);
	if (!found) {
		found = ERR_PTR(-ENOMEM);
	} else if (found->registered && memcmp(found->id, id, desc->id_size)) {
		dev_err(dev,
			"another device was here, and %s counts for that: unload %s to forget it\n",
			found->name, module_name(desc->owner));
		found = ERR_PTR(-EBUSY);
	} else {
		memcpy(found->id, id, desc->id_size);
		found->dev = dev;
	}
	mutex_unlock(&mon_pmus_lock);
	return found;
}
EXPORT_SYMBOL_GPL(mon_pmu_get);

static void mon_pmu_unregister(struct mon_pmu *mp)
{
	if (!mp->registered)
		return;
	debugfs_remove(mp->debugfs);
	cpuhp_state_remove_instance_nocalls(mon_pmu_cpuhp_state, &mp->cpuhp);
	mon_pmu_stop_turns(&mp->pmu);
	perf_pmu_unregister(&mp->pmu);
	mon_pmu_free_counters(mp);
	mp->registered = false;
}

static int mon_pmu_register(struct mon_pmu *mp)
{
	int err = mon_pmu_alloc_counters(mp);

	if (err)
		return err;
	mp->node = dev_to_node(mp->dev);
	mp->on_cpu = -1;
	err = perf_pmu_register(&mp->pmu, mp->name, -1);
	if (err)
		goto err_counters;
	err = cpuhp_state_add_instance(mon_pmu_cpuhp_state, &mp->cpuhp);
	if (err)
		goto err_perf;
	mp->debugfs = debugfs_create_dir(mp->name, mon_pmu_debugfs);
	debugfs_create_u64("poll_ns", 0444, mp->debugfs, &mp->poll_ns);
	if (mp->desc->statistic)
		debugfs_create_u32(mp->desc->statistic, 0444, mp->debugfs, &mp->statistic);
	mp->registered = true;
	return 0;

err_perf:
	mon_pmu_stop_turns(&mp->pmu);
	perf_pmu_unregister(&mp->pmu);
err_counters:
	mon_pmu_free_counters(mp);
	return err;
}

int mon_pmu_attach(struct mon_pmu *mp)
{
	int err = 0;

	/* then no poll would be late */
	if (!mp->max_hz)
		return dev_err_probe(mp->dev, -EINVAL, "the rate of the counters is not known\n");
	mutex_lock(&mon_pmus_lock);
	if (!mp->registered)
		err = mon_pmu_register(mp);
	if (!err)
		mon_pmu_resume(mp);
	mutex_unlock(&mon_pmus_lock);
	return err;
}
EXPORT_SYMBOL_GPL(mon_pmu_attach);

void mon_pmu_detach(struct mon_pmu *mp)
{
	mutex_lock(&mon_pmus_lock);
	mon_pmu_suspend(mp);
#if MON_PERF_DETACHES
	mon_pmu_unregister(mp);
#endif
	mp->dev = NULL;
	mutex_unlock(&mon_pmus_lock);
}
EXPORT_SYMBOL_GPL(mon_pmu_detach);

void mon_pmu_forget(const struct mon_pmu_desc *desc)
{
	struct mon_pmu *mp, *next;

	mutex_lock(&mon_pmus_lock);
	list_for_each_entry_safe(mp, next, &mon_pmus, list) {
		if (mp->desc != desc)
			continue;
		mon_pmu_unregister(mp);
		list_del(&mp->list);
		mon_pmu_free(mp);
	}
	mutex_unlock(&mon_pmus_lock);
}
EXPORT_SYMBOL_GPL(mon_pmu_forget);

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	int cpu = READ_ONCE(mon_pmu_of_device(dev)->on_cpu);

	return cpu < 0 ? sysfs_emit(buf, "\n") : sysfs_emit(buf, "%d\n", cpu);
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
	const struct mon_pmu_cap *cap = container_of(attr, struct mon_pmu_cap, attr);
	const u32 *value = mon_pmu_of_device(dev)->id + cap->offset;

	return sysfs_emit(buf, "%u\n", *value);
}
EXPORT_SYMBOL_GPL(mon_pmu_cap_show);

ssize_t mon_pmu_event_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct perf_pmu_events_attr *event =
		container_of(attr, struct perf_pmu_events_attr, attr);

	return sysfs_emit(buf, "event=0x%02llx\n", event->id);
}
EXPORT_SYMBOL_GPL(mon_pmu_event_show);

ssize_t mon_pmu_format_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	u64 bits = container_of(attr, struct perf_pmu_events_attr, attr)->id;
	int first = __ffs64(bits), last = fls64(bits) - 1;

	if (first == last)
		return sysfs_emit(buf, "config:%d\n", first);
	return sysfs_emit(buf, "config:%d-%d\n", first, last);
}
EXPORT_SYMBOL_GPL(mon_pmu_format_show);

static int __init mon_pmu_module_init(void)
{
	mon_pmu_cpuhp_state = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "perf/mon_pmu:online",
						      mon_pmu_online, mon_pmu_offline);
	if (mon_pmu_cpuhp_state < 0)
		return mon_pmu_cpuhp_state;
	mon_pmu_debugfs = debugfs_create_dir("mon_pmu", NULL);
	return 0;
}
subsys_initcall(mon_pmu_module_init); /* before drivers that are built in */

static void __exit mon_pmu_module_exit(void)
{
	debugfs_remove(mon_pmu_debugfs);
	cpuhp_remove_multi_state(mon_pmu_cpuhp_state);
}
module_exit(mon_pmu_module_exit);

MODULE_DESCRIPTION("Shared core of the libmon perf drivers");
MODULE_LICENSE("GPL");
