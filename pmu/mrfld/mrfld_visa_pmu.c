// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMU `mrfld_visa`: nine groups of uncore events, one group at a time.
 *
 * To the core each event is a counter of its own, because a slice counts something else in each
 * group. The generic clock reads the clock of the programmed group, whichever that is, and goes on
 * when the group changes.
 */
#include <linux/bitfield.h>
#include <linux/idr.h>
#include <linux/io.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "mrfld_visa.h"

#define MRFLD_CLOCK		0
/* Programmed if nothing but the generic clock is counted. */
#define MRFLD_DEFAULT_GROUP	1
/* Whatever the clocks, a poll comes every two seconds: 2^32 / 540 MHz / 4. */
#define MRFLD_MIN_HZ		540000000U
/* A change of the group takes some twenty transactions, in which nothing is counted. */
#define MRFLD_MUX_MS		20

static struct mrfld_visa *to_mrfld(struct mon_pmu *mp)
{
	return container_of(mp, struct mrfld_visa, mp);
}

static int mrfld_check(struct mon_pmu *mp, u64 config)
{
	return mrfld_config_check(config) ?: 1;
}

static int mrfld_claim(struct mon_pmu *mp, void *alloc, u64 config, u16 *counters)
{
	if (counters)
		*counters = mrfld_counter(config);
	return mrfld_alloc_claim(alloc, config) ?: 1;
}

static void mrfld_release(struct mon_pmu *mp, void *alloc, u64 config)
{
	mrfld_alloc_release(alloc, config);
}

static unsigned int mrfld_clock_slice(const struct mrfld_visa *mv)
{
	return mrfld_group_size(mv->group) - 1;
}

/*
 * The generic clock goes on in the next group. One that started together with the events of that
 * group starts at their instant; else what it has counted up to now is kept.
 */
static void mrfld_switch(struct mrfld_visa *mv, unsigned int group)
{
	unsigned int slice = mrfld_clock_slice(mv);
	u32 clock;

	if (test_bit(MRFLD_CLOCK, mv->started) && !mv->fresh_clock && mrfld_sample(mv, BIT(slice)))
		mrfld_lose(mv);
	clock = mv->clock + mv->value[slice];
	mrfld_program(mv, group);
	mv->clock = clock - mv->value[mrfld_clock_slice(mv)];
}

static void mrfld_start(struct mon_pmu *mp, unsigned int counter)
{
	struct mrfld_visa *mv = to_mrfld(mp);
	unsigned int group = counter / MRFLD_NCOUNTERS;
	bool programmed = true;

	/* the processors' accesses count while an event is open that they change */
	if (mv->cpu && !mv->counting && mrfld_counter_wants(counter)) {
		iowrite32(MRFLD_CPU_COUNT, mv->cpu);
		mv->counting = true;
	}
	if (bitmap_empty(mv->started, MRFLD_COUNTERS)) {
		mv->clock = 0;
		mrfld_program(mv, group ? group : MRFLD_DEFAULT_GROUP);
	} else if (group && group != mv->group) {
		mrfld_switch(mv, group);
	} else {
		programmed = false;
	}
	/* all events of the group that start now start at this instant */
	if (programmed)
		mv->snapshot = GENMASK(mrfld_group_size(mv->group) - 1, 0);
	if (counter == MRFLD_CLOCK)
		mv->fresh_clock = true;
	__set_bit(counter, mv->started);
}

static void mrfld_stop(struct mon_pmu *mp, unsigned int counter)
{
	__clear_bit(counter, to_mrfld(mp)->started);
}

/* Slices that some event looks at. */
static unsigned long mrfld_slices(const struct mrfld_visa *mv)
{
	unsigned long slices;

	slices = bitmap_get_value8(mv->started, mv->group * MRFLD_NCOUNTERS);
	if (test_bit(MRFLD_CLOCK, mv->started))
		slices |= BIT(mrfld_clock_slice(mv));
	return slices;
}

static int mrfld_read(struct mon_pmu *mp, unsigned int counter, u64 *raw)
{
	struct mrfld_visa *mv = to_mrfld(mp);
	unsigned int slice = counter % MRFLD_NCOUNTERS;
	unsigned long slices;
	int err;

	if (mv->lost) {
		mrfld_program(mv, mv->group);
		mv->snapshot = GENMASK(mrfld_group_size(mv->group) - 1, 0);
	}
	if (mv->lost)
		return -EIO;
	if (counter == MRFLD_CLOCK)
		slice = mrfld_clock_slice(mv);
	if (!(mv->snapshot & BIT(slice))) {
		slices = mp->hold ? mrfld_slices(mv) & ~mv->snapshot : BIT(slice);
		err = mrfld_sample(mv, slices);
		if (err)
			return err;
		mv->snapshot |= slices;
	}
	*raw = mv->value[slice];
	if (counter == MRFLD_CLOCK)
		*raw = (u32)(*raw + mv->clock);
	return 0;
}

static void mrfld_idle(struct mrfld_visa *mv)
{
	mrfld_halt(mv);
	if (mv->counting)
		iowrite32(0, mv->cpu);
	mv->counting = false;
}

static int mrfld_end(struct mon_pmu *mp)
{
	struct mrfld_visa *mv = to_mrfld(mp);

	mv->snapshot = 0;
	mv->fresh_clock = false;
	if (bitmap_empty(mv->started, MRFLD_COUNTERS))
		mrfld_idle(mv);
	return 0;
}

static const struct mon_pmu_ops mrfld_ops = {
	.check = mrfld_check,
	.claim = mrfld_claim,
	.release = mrfld_release,
	.start = mrfld_start,
	.stop = mrfld_stop,
	.read = mrfld_read,
	.end = mrfld_end,
};

static ssize_t mrfld_event_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	u64 config = mon_pmu_event_config(attr);

	return sysfs_emit(buf, "group=0x%x,counter=0x%x\n", mrfld_group(config),
			  (unsigned int)FIELD_GET(MRFLD_CONFIG_COUNTER, config));
}

static struct attribute *mrfld_event_attrs[] = {
#define MON_EVENT(name, config, ...) PMU_EVENT_ATTR_ID(name, mrfld_event_show, config),
#include "events/mrfld/events.def"
#undef MON_EVENT
#define MON_EVENT(name, config, on, in, unit_, ...) MON_PMU_TEXT(name.unit, config, unit_),
#include "events/mrfld/events.def"
#undef MON_EVENT
#define MON_EVENT(name, config, places, variants, text, factor, ...)	\
	MON_PMU_TEXT(name.scale, config, sizeof(factor) > 1 ? (factor) : NULL),
#include "events/mrfld/events.def"
#undef MON_EVENT
	NULL
};

MON_PMU_EVENTS(mrfld_events_group, mrfld_event_attrs);

MON_PMU_FOLDER(mrfld_caps_group, "caps",
	       MON_PMU_TEXT(width, 0, "32"),
	       MON_PMU_CAP(channels, struct mrfld_id, channels),
	       MON_PMU_CAP(soc_hz, struct mrfld_id, soc_hz),
	       MON_PMU_CAP(dram_hz, struct mrfld_id, dram_hz),
	       MON_PMU_CAP(cpu, struct mrfld_id, cpu));

MON_PMU_FOLDER(mrfld_format_group, "format",
	       MON_PMU_TEXT(counter, 0, "config:0-7"),
	       MON_PMU_TEXT(group, 0, "config:8-15"));

static const struct attribute_group *mrfld_groups[] = {
	&mrfld_format_group,
	&mrfld_events_group,
	&mrfld_caps_group,
	&mon_pmu_group,
	NULL
};

static DEFINE_IDA(mrfld_instances);

const struct mon_pmu_desc mrfld_desc = {
	.name = "mrfld_visa",
	.instances = &mrfld_instances,
	.owner = THIS_MODULE,
	.ops = &mrfld_ops,
	.size = sizeof(struct mrfld_visa),
	.id_size = sizeof(struct mrfld_id),
	.alloc_size = sizeof(struct mrfld_alloc),
	/* a group and the clock: three transactions each, of at most three accesses */
	.batch = MRFLD_NCOUNTERS + 1,
	.mux_interval_ms = MRFLD_MUX_MS,
};

struct mon_pmu *mrfld_attach(struct device *dev, const struct mrfld_id *id, void __iomem *cpu)
{
	struct mon_pmu *mp = mon_pmu_get(dev, &mrfld_desc, id);
	struct mrfld_visa *mv;
	int err;

	if (IS_ERR(mp))
		return mp;
	mp->groups = mrfld_groups;
	strscpy(mp->identifier, "mrfld-emulated", sizeof(mp->identifier));
	mp->ncounters = MRFLD_COUNTERS;
	mp->max_hz = max3(id->soc_hz, id->dram_hz, MRFLD_MIN_HZ);
	mv = to_mrfld(mp);
	mv->cpu = cpu;
	mrfld_idle(mv);
	err = mon_pmu_attach(mp);
	return err ? ERR_PTR(err) : mp;
}
