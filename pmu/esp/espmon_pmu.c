// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMU `espmon`: the monitors in the tiles of an ESP SoC.
 *
 * All monitors count all the time, so there is nothing to allocate. Without `bytile` an event is
 * the sum over the tiles in which the monitor is defined.
 */
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "espmon.h"

static struct espmon *to_espmon(struct mon_pmu *mp)
{
	return container_of(mp, struct espmon, mp);
}

static const struct espmon_id *espmon_id(const struct mon_pmu *mp)
{
	return mp->id;
}

static int espmon_check(struct mon_pmu *mp, u64 config)
{
	return espmon_config_check(espmon_id(mp), config) ?:
	       espmon_config_counters(espmon_id(mp), config, NULL);
}

static int espmon_claim(struct mon_pmu *mp, void *alloc, u64 config, u16 *counters)
{
	return espmon_config_counters(espmon_id(mp), config, counters);
}

static void __iomem *espmon_burst(struct espmon *em, unsigned int tile)
{
	return em->csr + tile * ESP_CSR_STRIDE + ESP_CSR_BURST;
}

/* A sample that other software holds would show old values, so it ends. */
static int espmon_unlatch(struct espmon *em, unsigned int tile)
{
	u32 burst = esp_reg_read(espmon_burst(em, tile));

	if (burst == U32_MAX)
		return -EIO;
	if (burst & 1)
		esp_reg_write(0, espmon_burst(em, tile));
	return 0;
}

/* Takes a sample of the tile unless there is one of this pass. */
static int espmon_latch(struct espmon *em, unsigned int tile)
{
	int err;

	if (test_bit(tile, em->latched))
		return 0;
	/* only the edge from 0 to 1 takes a sample */
	err = espmon_unlatch(em, tile);
	if (err)
		return err;
	__set_bit(tile, em->latched);
	esp_reg_write(1, espmon_burst(em, tile));
	return 0;
}

/* All ones are a count, or a device that does not answer, which may be back by the second look. */
static int espmon_read(struct mon_pmu *mp, unsigned int counter, u64 *raw)
{
	unsigned int tile = counter / ESPMON_SLOTS, slot = counter - tile * ESPMON_SLOTS;
	struct espmon *em = to_espmon(mp);
	void __iomem *reg = em->csr + tile * ESP_CSR_STRIDE + ESP_CSR_MON(slot);
	int err = mp->hold ? espmon_latch(em, tile) : espmon_unlatch(em, tile);
	u32 value;

	if (err)
		return err;
	value = esp_reg_read(reg);
	*raw = value;
	if (!value && !mon_pmu_is_unchanged(mp, counter, 0))
		__set_bit(tile, em->zeros);
	if (value != U32_MAX)
		return 0;
	if (esp_reg_read(espmon_burst(em, tile)) == U32_MAX)
		return -EIO;
	*raw = esp_reg_read(reg);
	return *raw == U32_MAX && esp_reg_read(espmon_burst(em, tile)) == U32_MAX ? -EIO : 0;
}

/* The processors' accesses count while an event is open that they change. */
static bool espmon_wants(struct mon_pmu *mp, unsigned int counter)
{
	return to_espmon(mp)->cpu &&
	       espmon_code_wants(espmon_code_at(espmon_id(mp)->layout, counter % ESPMON_SLOTS));
}

static void espmon_start(struct mon_pmu *mp, unsigned int counter)
{
	struct espmon *em = to_espmon(mp);

	if (espmon_wants(mp, counter) && !em->wanted++)
		esp_reg_write(ESP_TOPO_CPU_COUNT, em->cpu);
}

static void espmon_stop(struct mon_pmu *mp, unsigned int counter)
{
	struct espmon *em = to_espmon(mp);

	if (espmon_wants(mp, counter) && !--em->wanted)
		esp_reg_write(0, em->cpu);
}

/*
 * Zeros are counts, or a tile that cannot be reached, has no clock or no power: it does not have
 * its number then. The number of tile 0 tells nothing, so that tile is asked to keep a bit of its
 * burst register that has no effect.
 */
static bool espmon_answers(struct espmon *em, unsigned int tile)
{
	bool kept;

	if (tile)
		return esp_reg_read(em->csr + tile * ESP_CSR_STRIDE + ESP_CSR_TILE_ID) == tile;
	esp_reg_write(ESP_BURST_MARK, espmon_burst(em, 0));
	kept = esp_reg_read(espmon_burst(em, 0)) & ESP_BURST_MARK;
	esp_reg_write(0, espmon_burst(em, 0));
	return kept;
}

static int espmon_end(struct mon_pmu *mp)
{
	struct espmon *em = to_espmon(mp);
	unsigned int ntiles = espmon_id(mp)->ntiles, tile;
	bool answers = true;

	for_each_set_bit(tile, em->latched, ntiles)
		esp_reg_write(0, espmon_burst(em, tile));
	bitmap_zero(em->latched, ESP_MAX_TILES);
	/* what has failed already is not asked again */
	for_each_set_bit(tile, em->zeros, ntiles)
		answers = answers && (mp->failing || espmon_answers(em, tile));
	bitmap_zero(em->zeros, ESP_MAX_TILES);
	return answers ? 0 : -EIO;
}

static const struct mon_pmu_ops espmon_ops = {
	.check = espmon_check,
	.claim = espmon_claim,
	.start = espmon_start,
	.stop = espmon_stop,
	.read = espmon_read,
	.end = espmon_end,
};

MON_PMU_FOLDER(espmon_format_group, "format",
	       MON_PMU_TEXT(event, 0, "config:0-7"),
	       MON_PMU_TEXT(tile, 0, "config:8-15"),
	       MON_PMU_TEXT(bytile, 0, "config:16"));

static struct attribute *espmon_event_attrs[] = {
#define MON_EVENT(name, config, ...) PMU_EVENT_ATTR_ID(name, mon_pmu_event_show, config),
#include "events/esp/events.def"
#undef MON_EVENT
#define MON_EVENT(name, config, on, in, unit_, ...) MON_PMU_TEXT(name.unit, config, unit_),
#include "events/esp/events.def"
#undef MON_EVENT
	NULL
};

MON_PMU_EVENTS(espmon_events_group, espmon_event_attrs);

/* Not a part of the id: the same device may come back with another rate. */
static ssize_t clock_hz_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", to_espmon(mon_pmu_of_device(dev))->clock_hz);
}
static DEVICE_ATTR_RO(clock_hz);

static ssize_t not_modelled_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	static const struct {
		u32 bit;
		const char *text;
	} parts[] = {
#define NOT(name, bit, text) { bit, text },
		ESP_NOT_MODELLED(NOT)
#undef NOT
	};
	u32 bits = espmon_id(mon_pmu_of_device(dev))->not_modelled;
	unsigned int i;
	int len = 0;

	for (i = 0; i < ARRAY_SIZE(parts); i++)
		if (bits & parts[i].bit)
			len += sysfs_emit_at(buf, len, "%s%s", len ? "; " : "", parts[i].text);
	return len + sysfs_emit_at(buf, len, "\n");
}

static DEVICE_ATTR_RO(not_modelled);

MON_PMU_FOLDER(espmon_caps_group, "caps",
	       &dev_attr_not_modelled.attr,
	       MON_PMU_TEXT(width, 0, "32"),
	       MON_PMU_CAP(rows, struct espmon_id, rows),
	       MON_PMU_CAP(columns, struct espmon_id, cols),
	       MON_PMU_CAP(layout, struct espmon_id, layout),
	       &dev_attr_clock_hz.attr,
	       MON_PMU_CAP(cpu, struct espmon_id, cpu));

static const struct attribute_group *espmon_groups[] = {
	&espmon_format_group,
	&espmon_events_group,
	&espmon_caps_group,
	&espmon_tiles_group,
	&mon_pmu_group,
	NULL
};

static DEFINE_IDA(espmon_instances);

const struct mon_pmu_desc espmon_desc = {
	.name = "espmon",
	.instances = &espmon_instances,
	.owner = THIS_MODULE,
	.ops = &espmon_ops,
	.size = sizeof(struct espmon),
	.id_size = sizeof(struct espmon_id),
	/* two accesses each */
	.batch = 50,
};

void espmon_set_up(struct mon_pmu *mp, void __iomem *csr, u32 clock_hz, void __iomem *cpu)
{
	const struct espmon_id *id = mp->id;
	struct espmon *em = to_espmon(mp);
	unsigned int tile;

	mp->groups = espmon_groups;
	strscpy(mp->identifier, espmon_layout_name(id->layout), sizeof(mp->identifier));
	mp->ncounters = id->ntiles * ESPMON_SLOTS;
	mp->max_hz = id->max_hz;
	/* the emulator's processors move words at a speed of their own, not at the tiles' clock */
	if (cpu)
		mp->max_hz = max(mp->max_hz, ESPMON_CPU_MAX_HZ);
	em->csr = csr;
	em->clock_hz = clock_hz;
	em->cpu = cpu;
	em->wanted = 0;
	/* a burst left from before would show old values */
	for (tile = 0; tile < id->ntiles; tile++)
		esp_reg_write(0, espmon_burst(em, tile));
}
