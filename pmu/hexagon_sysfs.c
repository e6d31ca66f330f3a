// SPDX-License-Identifier: GPL-2.0-only
/*
 * What /sys/bus/event_source/devices/hexagon shows; described in pmu/ABI-hexagon.txt.
 */
#include <linux/sysfs.h>

#include "hexagon.h"

static const struct hexagon_id *hexagon_id_of(struct device *dev)
{
	const struct hexagon_pmu *hp = mon_pmu_priv(mon_pmu_of_device(dev));

	return &hp->id;
}

PMU_FORMAT_ATTR(event, "config:0-9");
PMU_FORMAT_ATTR(stid, "config:16-23");

static struct attribute *hexagon_format_attrs[] = {
	&format_attr_event.attr,
	&format_attr_stid.attr,
	NULL
};

static const struct attribute_group hexagon_format_group = {
	.name = "format",
	.attrs = hexagon_format_attrs,
};

#define HEXAGON_CAP(name, value)								\
	static ssize_t name##_show(struct device *dev, struct device_attribute *attr,		\
				   char *buf)							\
	{											\
		return sysfs_emit(buf, "%u\n", value);						\
	}											\
	static DEVICE_ATTR_RO(name)

HEXAGON_CAP(threads, hexagon_id_of(dev)->threads);
HEXAGON_CAP(clusters, hexagon_id_of(dev)->clusters);
HEXAGON_CAP(cycles_per_packet, hexagon_id_of(dev)->cycles);
HEXAGON_CAP(clock_hz, hexagon_id_of(dev)->clock_hz);
HEXAGON_CAP(counters, mon_pmu_of_device(dev)->desc.counters);
HEXAGON_CAP(width, mon_pmu_of_device(dev)->desc.width);

static struct attribute *hexagon_caps_attrs[] = {
	&dev_attr_threads.attr,
	&dev_attr_clusters.attr,
	&dev_attr_cycles_per_packet.attr,
	&dev_attr_clock_hz.attr,
	&dev_attr_counters.attr,
	&dev_attr_width.attr,
	NULL
};

static const struct attribute_group hexagon_caps_group = {
	.name = "caps",
	.attrs = hexagon_caps_attrs,
};

static ssize_t identifier_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "hexagon-v%u\n", hexagon_id_of(dev)->core);
}
static DEVICE_ATTR_RO(identifier);

static struct attribute *hexagon_device_attrs[] = {
	&dev_attr_identifier.attr,
	NULL
};

static const struct attribute_group hexagon_device_group = {
	.attrs = hexagon_device_attrs,
};

const struct attribute_group *const hexagon_attr_groups[] = {
	&hexagon_format_group,
	&hexagon_caps_group,
	&hexagon_device_group,
	NULL
};
