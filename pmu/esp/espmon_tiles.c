// SPDX-License-Identifier: GPL-2.0-only
/* The folder tiles in sysfs: what each tile is, in a file of its own. */
#include <linux/device.h>
#include <linux/kernel.h>
#include <linux/sysfs.h>

#include "espmon.h"

static struct espmon_tile_file {
	struct device_attribute attr;
	char name[4];
} espmon_tile_files[ESP_MAX_TILES];

static struct attribute *espmon_tile_attrs[ESP_MAX_TILES + 1];

static ssize_t espmon_tile_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	unsigned int t = container_of(attr, struct espmon_tile_file, attr) - espmon_tile_files;
	const struct espmon_id *id = mon_pmu_of_device(dev)->id;
	const struct espmon_tile *tile = &id->tiles[t];
	int len;

	len = sysfs_emit(buf, "%u %u %s", t / id->cols, t % id->cols,
			 espmon_tile_kinds[tile->kind]);
	if (tile->kind == ESP_TILE_ACC)
		len += sysfs_emit_at(buf, len, " %s.%u%s", tile->acc, tile->id,
				     tile->on & ESP_ON_ACC_L2 ? " l2" : "");
	return len + sysfs_emit_at(buf, len, "\n");
}

static umode_t espmon_tile_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	const struct espmon_id *id = mon_pmu_of_device(kobj_to_dev(kobj))->id;

	return n < id->ntiles ? attr->mode : 0;
}

const struct attribute_group espmon_tiles_group = {
	.name = "tiles",
	.attrs = espmon_tile_attrs,
	.is_visible = espmon_tile_visible,
};

void __init espmon_tiles_init(void)
{
	unsigned int t;

	for (t = 0; t < ESP_MAX_TILES; t++) {
		struct espmon_tile_file *file = &espmon_tile_files[t];

		snprintf(file->name, sizeof(file->name), "%u", t);
		sysfs_attr_init(&file->attr.attr);
		file->attr.attr.name = file->name;
		file->attr.attr.mode = 0444;
		file->attr.show = espmon_tile_show;
		espmon_tile_attrs[t] = &file->attr.attr;
	}
}
