// SPDX-License-Identifier: GPL-2.0-only
/* PMU `scratch`: two counters of accesses to a register. */
#include <linux/idr.h>
#include <linux/io.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "../core/mon_compat.h"
#include "../core/mon_pmu.h"
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

/* The counters run all the time. */
static void scratch_start_or_stop(struct mon_pmu *mp, unsigned int counter)
{
}

static int scratch_read(struct mon_pmu *mp, unsigned int counter, u64 *raw)
{
	struct scratch_pmu *sp = container_of(mp, struct scratch_pmu, mp);

	*raw = ioread32(sp->regs + SCRATCH_COUNT(counter));
	return 0;
}

/* Nothing is latched. */
static int scratch_end(struct mon_pmu *mp)
{
	return 0;
}

static const struct mon_pmu_ops scratch_ops = {
	.check = scratch_check,
	.claim = scratch_claim,
	.start = scratch_start_or_stop,
	.stop = scratch_start_or_stop,
	.read = scratch_read,
	.end = scratch_end,
};

static unsigned int scratch_width(unsigned int counter)
{
	return 32;
}

static DEFINE_IDA(scratch_instances);

static const struct mon_pmu_desc scratch_desc = {
	.name = "scratch",
	.instances = &scratch_instances,
	.owner = THIS_MODULE,
	.ops = &scratch_ops,
	.size = sizeof(struct scratch_pmu),
	.width = scratch_width,
	.batch = SCRATCH_EVENTS,
};

static struct attribute *scratch_format_attrs[] = {
	MON_PMU_TEXT(event, 0, "config:0"), NULL
};

static struct attribute *scratch_event_attrs[] = {
#define MON_EVENT(name, config, ...) PMU_EVENT_ATTR_ID(name, mon_pmu_event_show, config),
#include "events/scratch/events.def"
#undef MON_EVENT
#define MON_EVENT(name, config, places, variants, unit, ...) \
	MON_PMU_TEXT(name.unit, config, unit),
#include "events/scratch/events.def"
#undef MON_EVENT
	NULL
};

static const struct attribute_group scratch_format = {
	.name = "format", .attrs = scratch_format_attrs,
};

static const struct attribute_group scratch_events = {
	.name = "events", .attrs = scratch_event_attrs,
};

static const struct attribute_group *scratch_groups[] = {
	&scratch_format, &scratch_events, &mon_pmu_group, NULL
};

static int scratch_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct mon_pmu *mp;
	int err;

	err = pcim_enable_device(pdev);
	if (!err)
		err = pcim_iomap_regions(pdev, BIT(0), "scratch");
	if (err)
		return err;
	mp = mon_pmu_get(&pdev->dev, &scratch_desc, NULL);
	if (IS_ERR(mp))
		return PTR_ERR(mp);
	container_of(mp, struct scratch_pmu, mp)->regs = pcim_iomap_table(pdev)[0];
	mp->groups = scratch_groups;
	mp->identifier = "scratch-1";
	mp->ncounters = SCRATCH_EVENTS;
	mp->max_hz = 1000000000;
	pci_set_drvdata(pdev, mp);
	return mon_pmu_attach(mp);
}

static void scratch_remove(struct pci_dev *pdev)
{
	mon_pmu_detach(pci_get_drvdata(pdev));
}

static const struct pci_device_id scratch_ids[] = {
	{ PCI_DEVICE(SCRATCH_PCI_VENDOR, SCRATCH_PCI_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, scratch_ids);

static struct pci_driver scratch_driver = {
	.name = "scratch",
	.id_table = scratch_ids,
	.probe = scratch_probe,
	.remove = scratch_remove,
	.driver.suppress_bind_attrs = true,
};

static int __init scratch_init(void)
{
	return pci_register_driver(&scratch_driver);
}
module_init(scratch_init);

static void __exit scratch_exit(void)
{
	pci_unregister_driver(&scratch_driver);
	mon_pmu_forget(&scratch_desc);
}
module_exit(scratch_exit);

MODULE_DESCRIPTION("Two counters of accesses to a register");
MODULE_LICENSE("GPL");
