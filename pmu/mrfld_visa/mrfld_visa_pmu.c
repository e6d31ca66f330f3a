// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMU `mrfld_visa`: nine groups of uncore events, one group at a time.
 *
 * To the core each event is a counter of its own, because a slice counts something else in each
 * group. The generic clock reads the clock of the programmed group, whichever that is, and goes on
 * when the group changes.
 */
#include <linux/bitfield.h>
#include <linux/io.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/sysfs.h>

#include "mrfld_visa.h"

#define MRFLD_CLOCK		0
/* Programmed if nothing but the generic clock is counted. */
#define MRFLD_DEFAULT_GROUP	1
/* Whatever the clocks, a poll comes every two seconds: 2^32 / 540 MHz / 4. */
#define MRFLD_MIN_HZ		540000000U
/* A change of the group takes some twenty transactions, in which nothing is counted. */
#define MRFLD_MUX_MS		20

static const struct mon_pmu_event mrfld_events[] = {
#define MON_EVENT(name_, config_, places, variants, unit_, scale_, desc)	\
	{									\
		.name = #name_,							\
		.config = (config_),						\
		.unit = (unit_),						\
		.scale = sizeof(scale_) > 1 ? (scale_) : NULL,			\
	},
#include "events/mrfld_visa/events.def"
#undef MON_EVENT
};

static u8 mrfld_group_sizes[MRFLD_NGROUPS + 1];

unsigned int mrfld_group_size(unsigned int group)
{
	return mrfld_group_sizes[group];
}

static int mrfld_check(struct mon_pmu *mp, struct perf_event *event)
{
	return mrfld_config_check(event->attr.config);
}

static int mrfld_claim(struct mon_pmu *mp, void *alloc, struct perf_event *event)
{
	return mrfld_alloc_claim(alloc, event->attr.config);
}

static void mrfld_release(struct mon_pmu *mp, void *alloc, struct perf_event *event)
{
	mrfld_alloc_release(alloc, event->attr.config);
}

static int mrfld_next(struct mon_pmu *mp, struct perf_event *event, int prev)
{
	return prev < 0 ? (int)mrfld_counter(event->attr.config) : -1;
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
		mrfld_note_loss(mv);
	clock = mv->clock + mv->value[slice];
	mrfld_program(mv, group);
	mv->clock = clock - mv->value[mrfld_clock_slice(mv)];
}

static void mrfld_start(struct mon_pmu *mp, unsigned int counter)
{
	struct mrfld_visa *mv = mon_pmu_priv(mp);
	unsigned int group = counter / MRFLD_NCOUNTERS;
	bool programmed = true;

	if (bitmap_empty(mv->started, MRFLD_COUNTERS)) {
		mv->lost = false;
		mv->failed = false;
		mv->clock = 0;
		mrfld_program(mv, group ? group : MRFLD_DEFAULT_GROUP);
	} else if (group && group != mv->group) {
		mrfld_switch(mv, group);
	} else {
		programmed = false;
	}
	/* all events of the group that start now start at this instant */
	if (programmed && mp->freeze)
		mv->snapshot = GENMASK(mrfld_group_size(mv->group) - 1, 0);
	if (counter == MRFLD_CLOCK)
		mv->fresh_clock = mp->freeze;
	__set_bit(counter, mv->started);
	__set_bit(counter, mv->unread);
}

static void mrfld_stop(struct mon_pmu *mp, unsigned int counter)
{
	struct mrfld_visa *mv = mon_pmu_priv(mp);

	__clear_bit(counter, mv->started);
	if (bitmap_empty(mv->started, MRFLD_COUNTERS))
		mrfld_halt(mv);
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

/* Once for each loss; the state lasts until all events have stopped, which this makes them do. */
static int mrfld_fail(struct mon_pmu *mp)
{
	struct mrfld_visa *mv = mon_pmu_priv(mp);

	if (!mv->failed)
		mon_pmu_fail(mp);
	mv->failed = true;
	return -EIO;
}

static int mrfld_read(struct mon_pmu *mp, unsigned int counter, u64 *raw)
{
	struct mrfld_visa *mv = mon_pmu_priv(mp);
	unsigned int slice = counter % MRFLD_NCOUNTERS;
	unsigned long slices;
	int err;

	if (mv->lost)
		return mrfld_fail(mp);
	if (counter == MRFLD_CLOCK)
		slice = mrfld_clock_slice(mv);
	if (!(mv->snapshot & BIT(slice))) {
		slices = mp->freeze && !mv->snapshot ? mrfld_slices(mv) : BIT(slice);
		err = mrfld_sample(mv, slices);
		if (err) {
			/* without a first value no later one means anything */
			if (test_bit(counter, mv->unread))
				mrfld_note_loss(mv);
			return mv->lost ? mrfld_fail(mp) : err;
		}
		if (mp->freeze)
			mv->snapshot |= slices;
	}
	__clear_bit(counter, mv->unread);
	*raw = mv->value[slice];
	if (counter == MRFLD_CLOCK)
		*raw = (u32)(*raw + mv->clock);
	return 0;
}

static void mrfld_thaw(struct mon_pmu *mp)
{
	struct mrfld_visa *mv = mon_pmu_priv(mp);

	mv->snapshot = 0;
	mv->fresh_clock = false;
}

static bool mrfld_wants(struct mon_pmu *mp, struct perf_event *event)
{
	return mrfld_config_wants(event->attr.config);
}

static void mrfld_supply(struct mon_pmu *mp, bool on)
{
	struct mrfld_visa *mv = mon_pmu_priv(mp);

	if (mv->cpu)
		iowrite32(on ? MRFLD_CPU_COUNT : 0, mv->cpu);
}

static const struct mon_pmu_ops mrfld_ops = {
	.check = mrfld_check,
	.alloc_size = sizeof(struct mrfld_alloc),
	.claim = mrfld_claim,
	.release = mrfld_release,
	.next = mrfld_next,
	.start = mrfld_start,
	.stop = mrfld_stop,
	.read = mrfld_read,
	.thaw = mrfld_thaw,
	.wants = mrfld_wants,
	.supply = mrfld_supply,
};

static int mrfld_event_terms(char *buf, u64 config)
{
	return sysfs_emit(buf, "group=0x%x,counter=0x%x\n", mrfld_group(config),
			  (unsigned int)FIELD_GET(MRFLD_CONFIG_COUNTER, config));
}

PMU_FORMAT_ATTR(counter, "config:0-7");
PMU_FORMAT_ATTR(group, "config:8-15");

static struct attribute *mrfld_format_attrs[] = {
	&format_attr_counter.attr,
	&format_attr_group.attr,
	NULL
};

static const struct attribute_group mrfld_format_group = {
	.name = "format",
	.attrs = mrfld_format_attrs,
};

static const struct mrfld_visa *mrfld_of_device(struct device *dev)
{
	return mon_pmu_priv(mon_pmu_of_device(dev));
}

static ssize_t read_errors_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lu\n", READ_ONCE(mrfld_of_device(dev)->errors));
}
static DEVICE_ATTR_RO(read_errors);

static ssize_t losses_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lu\n", READ_ONCE(mrfld_of_device(dev)->losses));
}
static DEVICE_ATTR_RO(losses);

static struct attribute *mrfld_device_attrs[] = {
	&dev_attr_read_errors.attr,
	&dev_attr_losses.attr,
	NULL
};

static const struct attribute_group mrfld_device_group = {
	.attrs = mrfld_device_attrs,
};

static const struct attribute_group *const mrfld_attr_groups[] = {
	&mrfld_format_group,
	&mrfld_device_group,
	NULL
};

struct mon_pmu *mrfld_pmu_register(const struct mrfld_id *id, void __iomem *cpu)
{
	u64 max_hz = max3(id->soc_hz, id->dram_hz, MRFLD_MIN_HZ);
	const struct mon_pmu_desc desc = {
		.name = "mrfld_visa",
		.owner = THIS_MODULE,
		.ops = &mrfld_ops,
		.attr_groups = mrfld_attr_groups,
		.identifier = "mrfld-emulated",
		.caps = {
			{ "channels", id->channels },
			{ "soc_hz", id->soc_hz },
			{ "dram_hz", id->dram_hz },
			{ "cpu", id->cpu },
		},
		.events = mrfld_events,
		.nevents = ARRAY_SIZE(mrfld_events),
		.event_terms = mrfld_event_terms,
		.counters = MRFLD_COUNTERS,
		.width = 32,
		.max_hz = max_hz,
		.mux_interval_ms = MRFLD_MUX_MS,
		.priv_size = sizeof(struct mrfld_visa),
		.id_size = sizeof(struct mrfld_id),
	};
	struct mrfld_visa mv = {
		.id = *id,
		.cpu = cpu,
		.wrap_ns = div64_u64((u64)U32_MAX * NSEC_PER_SEC, max_hz),
	};
	unsigned int i;

	memset(mrfld_group_sizes, 0, sizeof(mrfld_group_sizes));
	for (i = 0; i < ARRAY_SIZE(mrfld_events); i++) {
		unsigned int group = mrfld_group(mrfld_events[i].config);

		if (group)
			mrfld_group_sizes[group]++;
	}
	mrfld_halt(&mv);
	return mon_pmu_register(&desc, &mv);
}
