// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMU `upmem`: the bank interface's counters of a rank's DPUs, and what the DPUs execute.
 *
 * The bank interface of a DPU has two counters of 32 bits, each with any event, or one of 64 bits
 * (chain). Events that are the same share a counter. Cycles and instructions of the DPU are
 * counters of the emulated device that nobody has to allocate.
 */
#include <linux/idr.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "upmem.h"
#include "upmem_config.h"

/* When turns change, an aggregate takes some 700 accesses to go, and as many to come. */
#define UPMEM_MUX_MS 20

/**
 * struct upmem_pmu - the PMU of a rank
 * @mp: the core's part; its id is a struct upmem_id
 * @regs: BAR0
 * @latched: the rank holds its counters
 * @running: slots of each DPU that count
 */
struct upmem_pmu {
	struct mon_pmu mp;
	void __iomem *regs;
	bool latched;
	u8 running[UPMEM_MAX_DPUS];
};

static struct upmem_pmu *to_upmem(struct mon_pmu *mp)
{
	return container_of(mp, struct upmem_pmu, mp);
}

static const struct upmem_id *upmem_id(const struct mon_pmu *mp)
{
	return mp->id;
}

static int upmem_check(struct mon_pmu *mp, u64 config)
{
	unsigned int dpus = upmem_id(mp)->dpus;
	int err = upmem_config_check(config, dpus, upmem_id(mp)->counters);

	return err ?: config & UPMEM_CONFIG_BYDPU ? 1 : dpus;
}

static int upmem_claim(struct mon_pmu *mp, void *alloc, u64 config, u16 *counters)
{
	return upmem_alloc_claim(alloc, upmem_id(mp)->dpus, config, counters);
}

static void upmem_release(struct mon_pmu *mp, void *alloc, u64 config)
{
	upmem_alloc_release(alloc, upmem_id(mp)->dpus, config);
}

static void __iomem *upmem_dpu(const struct upmem_pmu *up, unsigned int dpu)
{
	return up->regs + UPMEM_DPU(dpu);
}

static void upmem_start(struct mon_pmu *mp, unsigned int counter)
{
	struct upmem_pmu *up = to_upmem(mp);
	unsigned int dpu = counter / UPMEM_SLOTS, slot = counter % UPMEM_SLOTS;
	const struct upmem_alloc *alloc = mp->alloc;
	void __iomem *page = upmem_dpu(up, dpu);

	if (slot >= UPMEM_SLOT_CYCLES)
		return;
	/* needed again after a reset while events are open */
	iowrite8(1, page + UPMEM_PMC_ENABLE);
	up->running[dpu] |= BIT(slot);
	iowrite8(slot == UPMEM_SLOT_CHAIN ? UPMEM_PMC_CHAIN : 0, page + UPMEM_PMC_CONTROL);
	iowrite8(UPMEM_PMC_READ_SELECT, page + UPMEM_PMC_READ);
	/* writing the selector clears the counter and starts it */
	if (slot != UPMEM_SLOT_2)
		iowrite8(alloc->dpu[dpu].event[0], page + UPMEM_PMC_EVENT1);
	if (slot != UPMEM_SLOT_1)
		iowrite8(alloc->dpu[dpu].event[1], page + UPMEM_PMC_EVENT2);
}

static void upmem_stop(struct mon_pmu *mp, unsigned int counter)
{
	struct upmem_pmu *up = to_upmem(mp);
	unsigned int dpu = counter / UPMEM_SLOTS, slot = counter % UPMEM_SLOTS;
	void __iomem *page = upmem_dpu(up, dpu);

	if (slot >= UPMEM_SLOT_CYCLES)
		return;
	upmem_alloc_forget(mp->alloc, counter);
	iowrite8(slot == UPMEM_SLOT_CHAIN ? 3 : BIT(slot), page + UPMEM_PMC_STOP);
	up->running[dpu] &= ~BIT(slot);
	if (!up->running[dpu])
		iowrite8(0, page + UPMEM_PMC_ENABLE);
}

static u64 upmem_read_bytes(void __iomem *page, unsigned int chain, unsigned int first,
			    unsigned int count)
{
	unsigned int i;
	u64 value = 0;

	/* index 0 holds all eight bytes */
	iowrite8(chain, page + UPMEM_PMC_CONTROL);
	for (i = 0; i < count; i++) {
		if (first + i)
			iowrite8(chain | (first + i), page + UPMEM_PMC_CONTROL);
		value |= (u64)ioread8(page + UPMEM_PMC_READ) << (8 * i);
	}
	return value;
}

/* A rank that has gone, or that does not answer, has no identity. */
static int upmem_answers(const struct upmem_pmu *up)
{
	return ioread32(up->regs + UPMEM_ID) == UPMEM_ID_VALUE ? 0 : -EIO;
}

static int upmem_read(struct mon_pmu *mp, unsigned int counter, u64 *raw)
{
	struct upmem_pmu *up = to_upmem(mp);
	void __iomem *page = upmem_dpu(up, counter / UPMEM_SLOTS);

	if (mp->hold && !up->latched) {
		iowrite32(1, up->regs + UPMEM_LATCH);
		up->latched = true;
	}
	switch (counter % UPMEM_SLOTS) {
	case UPMEM_SLOT_1:
		*raw = upmem_read_bytes(page, 0, 0, 4);
		break;
	case UPMEM_SLOT_2:
		*raw = upmem_read_bytes(page, 0, 4, 4);
		break;
	case UPMEM_SLOT_CHAIN:
		*raw = upmem_read_bytes(page, UPMEM_PMC_CHAIN, 0, 8);
		break;
	/* the low word holds the high one */
	case UPMEM_SLOT_CYCLES:
		*raw = lo_hi_readq(page + UPMEM_DPU_CYCLES_LO);
		break;
	default:
		*raw = lo_hi_readq(page + UPMEM_DPU_INSTRUCTIONS_LO);
		break;
	}
	/* it may be silence */
	return !*raw || *raw == U32_MAX || *raw == U64_MAX ? upmem_answers(up) : 0;
}

static int upmem_end(struct mon_pmu *mp)
{
	struct upmem_pmu *up = to_upmem(mp);

	if (up->latched)
		iowrite32(0, up->regs + UPMEM_LATCH);
	up->latched = false;
	return upmem_answers(up);
}

static const struct mon_pmu_ops upmem_ops = {
	.check = upmem_check,
	.claim = upmem_claim,
	.release = upmem_release,
	.start = upmem_start,
	.stop = upmem_stop,
	.read = upmem_read,
	.end = upmem_end,
};

static unsigned int upmem_width(unsigned int counter)
{
	return counter % UPMEM_SLOTS < UPMEM_SLOT_CHAIN ? 32 : 64;
}

MON_PMU_FOLDER(upmem_format_group, "format",
	       MON_PMU_TEXT(event, 0, "config:0-11"),
	       MON_PMU_TEXT(dpu, 0, "config:12-19"),
	       MON_PMU_TEXT(bydpu, 0, "config:20"),
	       MON_PMU_TEXT(chain, 0, "config:21"));

static struct attribute *upmem_event_attrs[] = {
#define MON_EVENT(name, config, ...) PMU_EVENT_ATTR_ID(name, mon_pmu_event_show, config),
#include "events/upmem/events.def"
#undef MON_EVENT
#define MON_EVENT(name, config, on, in, unit_, ...) MON_PMU_TEXT(name.unit, config, unit_),
#include "events/upmem/events.def"
#undef MON_EVENT
	NULL
};

MON_PMU_EVENTS(upmem_events_group, upmem_event_attrs);

MON_PMU_FOLDER(upmem_caps_group, "caps",
	       MON_PMU_TEXT(width, 0, "32"),
	       MON_PMU_CAP(dpus, struct upmem_id, dpus),
	       MON_PMU_CAP(chip_id, struct upmem_id, chip_id),
	       MON_PMU_CAP(clock_hz, struct upmem_id, clock_hz),
	       MON_PMU_CAP(counters, struct upmem_id, counters));

static const struct attribute_group *upmem_groups[] = {
	&upmem_format_group,
	&upmem_events_group,
	&upmem_caps_group,
	&mon_pmu_group,
	NULL
};

static DEFINE_IDA(upmem_instances);

static const struct mon_pmu_desc upmem_desc = {
	.name = "upmem",
	.instances = &upmem_instances,
	.owner = THIS_MODULE,
	.ops = &upmem_ops,
	.size = sizeof(struct upmem_pmu),
	.id_size = sizeof(struct upmem_id),
	.alloc_size = sizeof(struct upmem_alloc),
	.width = upmem_width,
	/* a chain takes two accesses for each of its eight bytes */
	.batch = 6,
	.mux_interval_ms = UPMEM_MUX_MS,
};

static int upmem_read_id(struct mon_pci_dev *hw, void *data)
{
	void __iomem *regs = hw->regs;
	struct upmem_id *id = data;

	if (ioread32(regs + UPMEM_ID) != UPMEM_ID_VALUE ||
	    ioread32(regs + UPMEM_VERSION) != UPMEM_VERSION_VALUE)
		return dev_err_probe(hw->dev, -ENODEV,
				     "no rank registers of version %u: update the device\n",
				     UPMEM_VERSION_VALUE);
	id->dpus = ioread32(regs + UPMEM_DPUS);
	id->chip_id = ioread32(regs + UPMEM_CHIP_ID);
	id->clock_hz = ioread32(regs + UPMEM_CLOCK_HZ);
	id->threads = ioread32(regs + UPMEM_THREADS);
	id->iram_words = ioread32(regs + UPMEM_IRAM_WORDS);
	id->wram_size = ioread32(regs + UPMEM_WRAM_SIZE);
	id->max_mhz = ioread32(regs + UPMEM_MAX_MHZ);
	id->counters = id->chip_id >= UPMEM_CHIP_ID_V1B ? 2 : 0;
	if (!id->dpus || id->dpus > UPMEM_MAX_DPUS || id->iram_words > 4096 ||
	    id->wram_size > 65536)
		return dev_err_probe(hw->dev, -EINVAL,
				     "%u DPUs with %u words of IRAM and %u bytes of WRAM are not possible\n",
				     id->dpus, id->iram_words, id->wram_size);
	return 0;
}

static void upmem_set_up(struct mon_pci_dev *hw)
{
	struct mon_pmu *mp = hw->mp;
	const struct upmem_id *id = upmem_id(mp);

	mp->groups = upmem_groups;
	strscpy(mp->identifier, id->counters ? "upmem-v1B" : "upmem-v1A", sizeof(mp->identifier));
	mp->ncounters = id->dpus * UPMEM_SLOTS;
	mp->max_hz = id->max_mhz * 1000000ULL;
	to_upmem(mp)->regs = hw->regs;
}

static const struct pci_device_id upmem_pci_ids[] = {
	{ PCI_DEVICE(UPMEM_PCI_VENDOR, UPMEM_PCI_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, upmem_pci_ids);

static struct mon_pci_driver upmem_driver = {
	.pci = { .name = "upmem", .id_table = upmem_pci_ids },
	.desc = &upmem_desc,
	.aux = UPMEM_RANK_AUX_NAME,
	.bar_size = UPMEM_BAR_SIZE,
	.dma_bits = 64,
	.irq_flags = PCI_IRQ_MSIX,
	.read_id = upmem_read_id,
	.set_up = upmem_set_up,
};
module_mon_pci_driver(upmem_driver);

MODULE_DESCRIPTION("Performance counters of UPMEM DPU ranks");
MODULE_LICENSE("GPL");
