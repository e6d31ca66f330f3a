// SPDX-License-Identifier: GPL-2.0-only
/* PMU `scratch`: two counters of accesses to a register. */
#include <linux/idr.h>
#include <linux/module.h>

#include "../core/mon_pci.h"
#include "events/scratch/config.h"
#include "events/scratch/regs.h"
#include "events/systems.h"

struct scratch_pmu {
	struct mon_pmu mp;
	void __iomem *regs;
};

static int scratch_check(struct mon_pmu *mp, u64 config)
{
	return config < SCRATCH_EVENTS ? 1 : -EINVAL;
}

static int scratch_claim(struct mon_pmu *mp, void *alloc, u64 config, u16 *counters)
{
	*counters = config;
	return 1;
}

static int scratch_read(struct mon_pmu *mp, unsigned int counter, u64 *raw)
{
	struct scratch_pmu *sp = container_of(mp, struct scratch_pmu, mp);

	*raw = ioread32(sp->regs + SCRATCH_COUNT(counter));
	return 0;
}

static const struct mon_pmu_ops scratch_ops = {
	.check = scratch_check,
	.claim = scratch_claim,
	.read = scratch_read,
};

static DEFINE_IDA(scratch_instances);

static const struct mon_pmu_desc scratch_desc = {
	.name = "scratch",
	.instances = &scratch_instances,
	.owner = THIS_MODULE,
	.ops = &scratch_ops,
	.size = sizeof(struct scratch_pmu),
	.batch = SCRATCH_EVENTS,
};

MON_PMU_FOLDER(scratch_format, "format", MON_PMU_TEXT(event, 0, "config:0"));
static struct attribute *scratch_event_attrs[] = {
#define MON_EVENT(name, config, places, variants, unit, ...) \
	PMU_EVENT_ATTR_ID(name, mon_pmu_event_show, config), MON_PMU_TEXT(name.unit, config, unit),
#include "events/scratch/events.def"
	NULL
};

static const struct attribute_group scratch_events = {
	.name = "events",
	.attrs = scratch_event_attrs,
};
static const struct attribute_group *scratch_groups[] = {
	&scratch_format, &scratch_events, &mon_pmu_group, NULL
};

static void scratch_set_up(struct mon_pci_dev *hw)
{
	struct mon_pmu *mp = hw->mp;

	container_of(mp, struct scratch_pmu, mp)->regs = hw->regs;
	mp->groups = scratch_groups;
	strscpy(mp->identifier, "scratch-1", sizeof(mp->identifier));
	mp->ncounters = SCRATCH_EVENTS;
	mp->max_hz = 1000000000;
}

static const struct pci_device_id scratch_ids[] = {
	{ PCI_DEVICE(SCRATCH_PCI_VENDOR, SCRATCH_PCI_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, scratch_ids);

static struct mon_pci_driver scratch_driver = {
	.pci = { .name = "scratch", .id_table = scratch_ids },
	.desc = &scratch_desc,
	.set_up = scratch_set_up,
};
module_mon_pci_driver(scratch_driver);

MODULE_DESCRIPTION("Two counters of accesses to a register");
MODULE_LICENSE("GPL");
