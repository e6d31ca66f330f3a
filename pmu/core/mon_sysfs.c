// SPDX-License-Identifier: GPL-2.0-only
/*
 * What every mon_pmu shows in sysfs: events/, caps/, poll/, cpumask and identifier.
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

/*
 * A file whose text is known when the PMU is made, or an event, of which the driver prints the
 * terms. Files of one folder stand together in mp->attr_list, each folder's with a NULL behind.
 */
struct mon_pmu_attr {
	struct device_attribute attr;
	char *text;
	u64 config;
};

static ssize_t mon_pmu_attr_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct mon_pmu_desc *desc = &mon_pmu_of_device(dev)->desc;
	struct mon_pmu_attr *file = container_of(attr, struct mon_pmu_attr, attr);

	if (file->text)
		return sysfs_emit(buf, "%s\n", file->text);
	if (desc->event_terms)
		return desc->event_terms(buf, file->config);
	return sysfs_emit(buf, "event=0x%02llx\n", file->config);
}

static struct mon_pmu_attr *mon_pmu_add_attr(struct mon_pmu *mp, struct attribute ***at,
					     const char *name, const char *suffix)
{
	struct mon_pmu_attr *file = &mp->attrs[mp->nattrs];

	file->attr.attr.name = kasprintf(GFP_KERNEL, "%s%s", name, suffix);
	if (!file->attr.attr.name)
		return NULL;
	sysfs_attr_init(&file->attr.attr);
	file->attr.attr.mode = 0444;
	file->attr.show = mon_pmu_attr_show;
	mp->nattrs++;
	*(*at)++ = &file->attr.attr;
	return file;
}

static int mon_pmu_add_text(struct mon_pmu *mp, struct attribute ***at, const char *name,
			    const char *suffix, const char *text)
{
	struct mon_pmu_attr *file;

	if (!text)
		return 0;
	file = mon_pmu_add_attr(mp, at, name, suffix);
	if (!file)
		return -ENOMEM;
	file->text = kstrdup(text, GFP_KERNEL);
	return file->text ? 0 : -ENOMEM;
}

static int mon_pmu_add_cap(struct mon_pmu *mp, struct attribute ***at, const char *name, u64 value)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", value);
	return mon_pmu_add_text(mp, at, name, "", text);
}

static int mon_pmu_make_caps(struct mon_pmu *mp, struct attribute ***at)
{
	const struct mon_pmu_cap *cap = mp->desc.caps;
	int err = mon_pmu_add_cap(mp, at, "width", mp->desc.width);

	for (; cap < mp->desc.caps + MON_PMU_MAX_CAPS && cap->name && !err; cap++)
		err = mon_pmu_add_cap(mp, at, cap->name, cap->value);
	return err;
}

static int mon_pmu_make_event(struct mon_pmu *mp, struct attribute ***at,
			      const struct mon_pmu_event *event)
{
	struct mon_pmu_attr *file = mon_pmu_add_attr(mp, at, event->name, "");
	int err;

	if (!file)
		return -ENOMEM;
	file->config = event->config;
	err = mon_pmu_add_text(mp, at, event->name, ".unit", event->unit);
	return err ? err : mon_pmu_add_text(mp, at, event->name, ".scale", event->scale);
}

static int mon_pmu_make_events(struct mon_pmu *mp, struct attribute ***at)
{
	const struct mon_pmu_desc *desc = &mp->desc;
	unsigned int i;
	int err = 0;

	for (i = 0; i < desc->nevents && !err; i++)
		if (!desc->event_visible || desc->event_visible(mp->priv, desc->events[i].config))
			err = mon_pmu_make_event(mp, at, &desc->events[i]);
	return err;
}

static int mon_pmu_make_files(struct mon_pmu *mp)
{
	/* identifier, width, at most three files an event; and a NULL behind each folder */
	unsigned int max = 2 + MON_PMU_MAX_CAPS + 3 * mp->desc.nevents;
	struct attribute **at;
	int err;

	mp->attrs = kvcalloc(max, sizeof(*mp->attrs), GFP_KERNEL);
	mp->attr_list = kvcalloc(max + 3, sizeof(*mp->attr_list), GFP_KERNEL);
	if (!mp->attrs || !mp->attr_list)
		return -ENOMEM;
	at = mp->attr_list;
	mp->identifier_group.attrs = at;
	err = mon_pmu_add_text(mp, &at, "identifier", "", mp->desc.identifier);
	if (err)
		return err;
	mp->caps_group.name = "caps";
	mp->caps_group.attrs = ++at;
	err = mon_pmu_make_caps(mp, &at);
	if (err)
		return err;
	mp->events_group.name = "events";
	mp->events_group.attrs = ++at;
	return mon_pmu_make_events(mp, &at);
}

int mon_pmu_make_groups(struct mon_pmu *mp)
{
	unsigned int n = 0;

	while (mp->desc.attr_groups[n])
		n++;
	mp->groups = kcalloc(n + 6, sizeof(*mp->groups), GFP_KERNEL);
	if (!mp->groups)
		return -ENOMEM;
	memcpy(mp->groups, mp->desc.attr_groups, n * sizeof(*mp->groups));
	mp->groups[n++] = &mon_pmu_cpumask_group;
	mp->groups[n++] = &mon_pmu_poll_group;
	mp->groups[n++] = &mp->identifier_group;
	mp->groups[n++] = &mp->caps_group;
	mp->groups[n++] = &mp->events_group;
	mp->pmu.attr_groups = mp->groups;
	return mon_pmu_make_files(mp);
}

void mon_pmu_free_groups(struct mon_pmu *mp)
{
	unsigned int i;

	for (i = 0; i < mp->nattrs; i++) {
		kfree(mp->attrs[i].attr.attr.name);
		kfree(mp->attrs[i].text);
	}
	kvfree(mp->attrs);
	kvfree(mp->attr_list);
	kfree(mp->groups);
}
