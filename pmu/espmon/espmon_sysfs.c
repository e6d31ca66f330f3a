// SPDX-License-Identifier: GPL-2.0-only
/*
 * What /sys/bus/event_source/devices/espmon shows; described in pmu/espmon/ABI-espmon.txt.
 */
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "espmon.h"

static const struct espmon_id *espmon_id_of(struct device *dev)
{
	const struct espmon *em = mon_pmu_priv(mon_pmu_of_device(dev));

	return &em->id;
}

PMU_FORMAT_ATTR(event, "config:0-7");
PMU_FORMAT_ATTR(tile, "config:8-15");
PMU_FORMAT_ATTR(bytile, "config:16");

static struct attribute *espmon_format_attrs[] = {
	&format_attr_event.attr,
	&format_attr_tile.attr,
	&format_attr_bytile.attr,
	NULL
};

static const struct attribute_group espmon_format_group = {
	.name = "format",
	.attrs = espmon_format_attrs,
};

/* A line a tile; 256 of them are more than a page, so this is a binary file. */
#define ESPMON_TILE_LINE	(32 + ESP_TOPO_ACC_NAME_LEN)

static int espmon_print_tile(char *buf, const struct espmon_id *id, unsigned int t)
{
	static const char *const kinds[] = {
		[ESP_TILE_EMPTY] = "empty",
		[ESP_TILE_CPU] = "cpu",
		[ESP_TILE_IO] = "io",
		[ESP_TILE_MEM] = "mem",
		[ESP_TILE_SLM] = "slm",
		[ESP_TILE_ACC] = "acc",
	};
	const struct espmon_tile *tile = &id->tiles[t];
	int len;

	len = scnprintf(buf, ESPMON_TILE_LINE, "%u %u %u %s", t, t / id->cols, t % id->cols,
			kinds[tile->kind]);
	if (tile->kind == ESP_TILE_ACC)
		len += scnprintf(buf + len, ESPMON_TILE_LINE - len, " %s.%u%s", tile->acc, tile->id,
				 tile->on & ESP_ON_ACC_L2 ? " l2" : "");
	return len + scnprintf(buf + len, ESPMON_TILE_LINE - len, "\n");
}

static ssize_t tiles_read(struct file *file, struct kobject *kobj, struct bin_attribute *attr,
			  char *buf, loff_t offset, size_t count)
{
	const struct espmon_id *id = espmon_id_of(kobj_to_dev(kobj));
	size_t len = 0;
	unsigned int t;
	ssize_t ret;
	char *text;

	text = kvmalloc_array(id->ntiles, ESPMON_TILE_LINE, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	for (t = 0; t < id->ntiles; t++)
		len += espmon_print_tile(text + len, id, t);
	ret = memory_read_from_buffer(buf, count, &offset, text, len);
	kvfree(text);
	return ret;
}
static BIN_ATTR_RO(tiles, 0);

static struct bin_attribute *espmon_bin_attrs[] = {
	&bin_attr_tiles,
	NULL
};

static ssize_t foreign_bursts_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct espmon *em = mon_pmu_priv(mon_pmu_of_device(dev));

	return sysfs_emit(buf, "%u\n", READ_ONCE(em->foreign));
}
static DEVICE_ATTR_RO(foreign_bursts);

static struct attribute *espmon_device_attrs[] = {
	&dev_attr_foreign_bursts.attr,
	NULL
};

static const struct attribute_group espmon_device_group = {
	.attrs = espmon_device_attrs,
	.bin_attrs = espmon_bin_attrs,
};

const struct attribute_group *const espmon_attr_groups[] = {
	&espmon_format_group,
	&espmon_device_group,
	NULL
};
