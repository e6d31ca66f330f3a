// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMU `hexagon`: eight counters of a Hexagon core, each of which can count any event.
 *
 * There is no overflow interrupt and no enable bit of a single counter: an idle counter selects
 * event 0, and SYSCFG.PM runs all of them. What the device cannot count is refused, so that no
 * event reads as a silent zero.
 */
#include <linux/bitfield.h>
#include <linux/idr.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "hexagon.h"

/* Eight instructions are the most that one event counts in a cycle. */
#define HEXAGON_MAX_RATE 8

static struct hexagon_pmu *to_hexagon(struct mon_pmu *mp)
{
	return container_of(mp, struct hexagon_pmu, mp);
}

static const struct hexagon_id *hexagon_id(const struct mon_pmu *mp)
{
	return mp->id;
}

static int hexagon_check(struct mon_pmu *mp, u64 config)
{
	return hexagon_config_check(hexagon_id(mp), config) ?: 1;
}

static int hexagon_claim(struct mon_pmu *mp, void *alloc, u64 config, u16 *counters)
{
	int err = hexagon_alloc_claim(alloc, config);

	if (err)
		return err;
	if (counters)
		*counters = hexagon_alloc_find(alloc, config);
	return 1;
}

static void hexagon_release(struct mon_pmu *mp, void *alloc, u64 config)
{
	hexagon_alloc_release(alloc, config);
}

static void hexagon_field(void __iomem *reg, unsigned int shift, u32 mask, u32 value)
{
	u32 word = ioread32(reg);

	word &= ~(mask << shift);
	iowrite32(word | (value & mask) << shift, reg);
}

static void hexagon_select(struct hexagon_pmu *hp, unsigned int i, u32 config)
{
	u32 code = FIELD_GET(HEXAGON_CONFIG_EVENT, config);
	unsigned int shift = 8 * (i % 4);

	hexagon_field(hp->regs + (i < 4 ? HEXAGON_PMUSTID0 : HEXAGON_PMUSTID1), shift, 0xff,
		      FIELD_GET(HEXAGON_CONFIG_STID, config));
	hexagon_field(hp->regs + (i < 4 ? HEXAGON_PMUEVTCFG : HEXAGON_PMUEVTCFG1), shift, 0xff,
		      code);
	hexagon_field(hp->regs + HEXAGON_PMUCFG, 2 * i, 3, code >> 8);
}

static void hexagon_run_counters(struct hexagon_pmu *hp, bool on)
{
	hexagon_field(hp->regs + HEXAGON_SYSCFG, 9, 1, on);
}

/*
 * If nothing is counting, the counters of a group are set up while all are stopped and start
 * together, after their first values have been read. Otherwise the others must not miss anything.
 */
static void hexagon_start(struct mon_pmu *mp, unsigned int counter)
{
	const struct hexagon_alloc *alloc = mp->alloc;
	struct hexagon_pmu *hp = to_hexagon(mp);

	hp->deferred |= !hp->started;
	hp->started |= BIT(counter);
	hexagon_select(hp, counter, alloc->config[counter]);
}

static void hexagon_stop(struct mon_pmu *mp, unsigned int counter)
{
	struct hexagon_pmu *hp = to_hexagon(mp);

	hexagon_alloc_forget(mp->alloc, counter);
	hexagon_select(hp, counter, 0);
	hp->started &= ~BIT(counter);
	if (!hp->started)
		hexagon_run_counters(hp, false);
}

/* A device that has gone has no identity. */
static int hexagon_answers(const struct hexagon_pmu *hp)
{
	return ioread32(hp->regs + HEXAGON_ID) == HEXAGON_ID_VALUE ? 0 : -EIO;
}

static int hexagon_read(struct mon_pmu *mp, unsigned int counter, u64 *raw)
{
	struct hexagon_pmu *hp = to_hexagon(mp);

	if (mp->hold && !hp->latched) {
		iowrite32(1, hp->regs + HEXAGON_LATCH);
		hp->latched = true;
	}
	*raw = ioread32(hp->regs + (mp->hold ? HEXAGON_LATCHED(counter) : HEXAGON_PMUCNT(counter)));
	/* it may be silence */
	return !*raw || *raw == U32_MAX ? hexagon_answers(hp) : 0;
}

static int hexagon_end(struct mon_pmu *mp)
{
	struct hexagon_pmu *hp = to_hexagon(mp);

	if (hp->deferred && hp->started)
		hexagon_run_counters(hp, true);
	hp->deferred = false;
	hp->latched = false;
	return hexagon_answers(hp);
}

static const struct mon_pmu_ops hexagon_ops = {
	.check = hexagon_check,
	.claim = hexagon_claim,
	.release = hexagon_release,
	.start = hexagon_start,
	.stop = hexagon_stop,
	.read = hexagon_read,
	.end = hexagon_end,
};

MON_PMU_FOLDER(hexagon_format_group, "format",
	       MON_PMU_TEXT(event, 0, "config:0-9"),
	       MON_PMU_TEXT(stid, 0, "config:16-23"));

static struct attribute *hexagon_event_attrs[] = {
#define HEXAGON_V65_EVENT(...)
#define MON_EVENT(name, config, ...) PMU_EVENT_ATTR_ID(name, mon_pmu_event_show, config),
#include "events/hexagon/events.def"
#undef MON_EVENT
#define MON_EVENT(name, config, on, in, unit_, ...) MON_PMU_TEXT(name.unit, config, unit_),
#include "events/hexagon/events.def"
#undef MON_EVENT
#undef HEXAGON_V65_EVENT
	NULL
};

/* V65: what it has in common with the others, then what it numbers otherwise. 0 is never shown. */
#define HEXAGON_ON_V65(variants, config)				\
	((variants) & (HEXAGON_V65 | HEXAGON_V65_OWN) ? (config) : 0)

static struct attribute *hexagon_v65_event_attrs[] = {
#define MON_EVENT(name, config, places, variants, ...)			\
	PMU_EVENT_ATTR_ID(name, mon_pmu_event_show, HEXAGON_ON_V65(variants, config)),
#include "events/hexagon/events.def"
#undef MON_EVENT
#define MON_EVENT(name, config, places, variants, text, ...)		\
	MON_PMU_TEXT(name.unit, HEXAGON_ON_V65(variants, config), text),
#include "events/hexagon/events.def"
#undef MON_EVENT
	NULL
};

MON_PMU_EVENTS(hexagon_events_group, hexagon_event_attrs);
MON_PMU_EVENTS(hexagon_v65_events_group, hexagon_v65_event_attrs);

MON_PMU_FOLDER(hexagon_caps_group, "caps",
	       MON_PMU_TEXT(width, 0, "32"),
	       MON_PMU_TEXT(counters, 0, __stringify(HEXAGON_COUNTERS)),
	       MON_PMU_CAP(threads, struct hexagon_id, threads),
	       MON_PMU_CAP(clusters, struct hexagon_id, clusters),
	       MON_PMU_CAP(cycles_per_packet, struct hexagon_id, cycles),
	       MON_PMU_CAP(clock_hz, struct hexagon_id, clock_hz));

static const struct attribute_group *hexagon_groups[] = {
	&hexagon_format_group,
	&hexagon_events_group,
	&hexagon_caps_group,
	&mon_pmu_group,
	NULL
};

static const struct attribute_group *hexagon_v65_groups[] = {
	&hexagon_format_group,
	&hexagon_v65_events_group,
	&hexagon_caps_group,
	&mon_pmu_group,
	NULL
};

static DEFINE_IDA(hexagon_instances);

static const struct mon_pmu_desc hexagon_desc = {
	.name = "hexagon",
	.instances = &hexagon_instances,
	.owner = THIS_MODULE,
	.ops = &hexagon_ops,
	.size = sizeof(struct hexagon_pmu),
	.id_size = sizeof(struct hexagon_id),
	.alloc_size = sizeof(struct hexagon_alloc),
	.batch = HEXAGON_COUNTERS,
};

static int hexagon_read_id(struct mon_pci_dev *hw, void *data)
{
	void __iomem *regs = hw->regs;
	struct hexagon_id *id = data;
	unsigned int i;

	if (ioread32(regs + HEXAGON_ID) != HEXAGON_ID_VALUE ||
	    ioread32(regs + HEXAGON_LAYOUT) != HEXAGON_LAYOUT_VALUE)
		return dev_err_probe(hw->dev, -ENODEV,
				     "no register layout of version %u: update the device\n",
				     HEXAGON_LAYOUT_VALUE);
	id->core = ioread32(regs + HEXAGON_CORE);
	id->threads = ioread32(regs + HEXAGON_THREADS);
	id->clusters = ioread32(regs + HEXAGON_CLUSTERS);
	id->cycles = ioread32(regs + HEXAGON_CYCLES);
	id->clock_hz = ioread32(regs + HEXAGON_CLOCK_HZ);
	for (i = 0; i < ARRAY_SIZE(id->events); i++)
		id->events[i] = ioread32(regs + HEXAGON_EVENTS(i));
	if (id->core != 65 && id->core != 69 && id->core != 73 && id->core != 79)
		return dev_err_probe(hw->dev, -ENODEV, "core V%u is unknown\n", id->core);
	return 0;
}

static void hexagon_set_up(struct mon_pci_dev *hw)
{
	struct mon_pmu *mp = hw->mp;
	const struct hexagon_id *id = hexagon_id(mp);
	struct hexagon_pmu *hp = to_hexagon(mp);

	snprintf(mp->identifier, sizeof(mp->identifier), "hexagon-v%u", id->core);
	mp->groups = id->core == 65 ? hexagon_v65_groups : hexagon_groups;
	mp->ncounters = HEXAGON_COUNTERS;
	mp->max_hz = (u64)HEXAGON_MAX_RATE * id->clock_hz;
	hp->regs = hw->regs;
	hexagon_run_counters(hp, false);
	iowrite32(0, hp->regs + HEXAGON_PMUEVTCFG);
	iowrite32(0, hp->regs + HEXAGON_PMUEVTCFG1);
	iowrite32(0, hp->regs + HEXAGON_PMUCFG);
}

static const struct pci_device_id hexagon_pci_ids[] = {
	{ PCI_DEVICE(HEXAGON_PCI_VENDOR, HEXAGON_PCI_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, hexagon_pci_ids);

static struct mon_pci_driver hexagon_driver = {
	.pci = { .name = "hexagon", .id_table = hexagon_pci_ids },
	.desc = &hexagon_desc,
	.aux = HEXAGON_RUN_AUX_NAME,
	.bar_size = HEXAGON_BAR_SIZE,
	.irq_flags = PCI_IRQ_MSI,
	.read_id = hexagon_read_id,
	.set_up = hexagon_set_up,
};
module_mon_pci_driver(hexagon_driver);

MODULE_DESCRIPTION("Performance counters of Qualcomm Hexagon cores");
MODULE_LICENSE("GPL");
