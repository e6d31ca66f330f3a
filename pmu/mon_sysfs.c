// SPDX-License-Identifier: GPL-2.0-only
/*
 * What every mon_pmu shows in sysfs: events/, poll/ and cpumask.
 */
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "mon_private.h"

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	int cpu = READ_ONCE(mon_pmu_of_device(dev)->on_cpu);

	if (cpu < 0)
		return sysfs_emit(buf, "\n");
	return cpumap_print_to_pagebuf(true, buf, cpumask_of(cpu));
}
static DEVICE_ATTR_RO(cpumask);

static struct attribute *mon_pmu_cpumask_attrs[] = {
	&dev_attr_cpumask.attr,
	NULL
};

static const struct attribute_group mon_pmu_cpumask_group = {
	.attrs = mon_pmu_cpumask_attrs,
};

static ssize_t late_polls_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lu\n", READ_ONCE(mon_pmu_of_device(dev)->late_polls));
}
static DEVICE_ATTR_RO(late_polls);

static ssize_t interval_ms_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", div_u64(mon_pmu_of_device(dev)->poll_ns, NSEC_PER_MSEC));
}
static DEVICE_ATTR_RO(interval_ms);

static struct attribute *mon_pmu_poll_attrs[] = {
	&dev_attr_interval_ms.attr,
	&dev_attr_late_polls.attr,
	NULL
};

static const struct attribute_group mon_pmu_poll_group = {
	.name = "poll",
	.attrs = mon_pmu_poll_attrs,
};

/* A file in events/: the event itself, its unit or its scale. */
struct mon_pmu_file {
	struct device_attribute attr;
	const struct mon_pmu_event *event;
	const char *text;
};

static ssize_t mon_pmu_file_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct mon_pmu_desc *desc = &mon_pmu_of_device(dev)->desc;
	struct mon_pmu_file *file = container_of(attr, struct mon_pmu_file, attr);

	if (file->text)
		return sysfs_emit(buf, "%s\n", file->text);
	if (desc->event_terms)
		return desc->event_terms(buf, file->event->config);
	return sysfs_emit(buf, "event=0x%02llx\n", file->event->config);
}

static int mon_pmu_make_file(struct mon_pmu_file *file, const struct mon_pmu_event *event,
			     const char *suffix, const char *text)
{
	sysfs_attr_init(&file->attr.attr);
	file->attr.attr.name = kasprintf(GFP_KERNEL, "%s%s", event->name, suffix);
	file->attr.attr.mode = 0444;
	file->attr.show = mon_pmu_file_show;
	file->event = event;
	file->text = text;
	return file->attr.attr.name ? 0 : -ENOMEM;
}

/* At most three files an event. */
static int mon_pmu_make_events(struct mon_pmu *mp)
{
	const struct mon_pmu_desc *desc = &mp->desc;
	unsigned int i, n = 0;
	struct attribute **attrs;
	int err = 0;

	mp->files = kcalloc(3 * desc->nevents + 1, sizeof(*mp->files), GFP_KERNEL);
	attrs = kcalloc(3 * desc->nevents + 1, sizeof(*attrs), GFP_KERNEL);
	mp->events_group.name = "events";
	mp->events_group.attrs = attrs;
	if (!mp->files || !attrs)
		return -ENOMEM;
	for (i = 0; i < desc->nevents; i++) {
		const struct mon_pmu_event *event = &desc->events[i];

		if (desc->event_visible && !desc->event_visible(mp->priv, event->config))
			continue;
		err |= mon_pmu_make_file(&mp->files[n++], event, "", NULL);
		if (event->unit)
			err |= mon_pmu_make_file(&mp->files[n++], event, ".unit", event->unit);
		if (event->scale)
			err |= mon_pmu_make_file(&mp->files[n++], event, ".scale", event->scale);
	}
	for (i = 0; i < n; i++)
		attrs[i] = &mp->files[i].attr.attr;
	return err;
}

int mon_pmu_make_groups(struct mon_pmu *mp)
{
	unsigned int n = 0;

	while (mp->desc.attr_groups[n])
		n++;
	mp->groups = kcalloc(n + 4, sizeof(*mp->groups), GFP_KERNEL);
	if (!mp->groups)
		return -ENOMEM;
	memcpy(mp->groups, mp->desc.attr_groups, n * sizeof(*mp->groups));
	mp->groups[n++] = &mon_pmu_cpumask_group;
	mp->groups[n++] = &mon_pmu_poll_group;
	mp->groups[n++] = &mp->events_group;
	mp->pmu.attr_groups = mp->groups;
	return mon_pmu_make_events(mp);
}

void mon_pmu_free_groups(struct mon_pmu *mp)
{
	unsigned int i;

	for (i = 0; mp->files && mp->files[i].event; i++)
		kfree(mp->files[i].attr.attr.name);
	kfree(mp->files);
	kfree(mp->events_group.attrs);
	kfree(mp->groups);
}
