// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMU `upmem`: the bank interface's counters of a rank's DPUs, and what the DPUs execute.
 *
 * The bank interface of a DPU has two counters of 32 bits, each with any event, or one of 64 bits
 * (chain). Events that are the same share a counter. Cycles and instructions of the DPU are
 * counters of the emulated device that nobody has to allocate.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "upmem.h"
#include "upmem_config.h"

/**
 * struct upmem_pmu - driver data of the PMU
 * @id: the rank's shape
 * @regs: BAR0
 * @latched: the rank holds its counters for a group
 * @running: slots of each DPU that count
 */
struct upmem_pmu {
	struct upmem_id id;
	void __iomem *regs;
	bool latched;
	u8 running[UPMEM_MAX_DPUS];
};

static const struct mon_pmu_event upmem_events[] = {
#define MON_EVENT(name_, config_, places, variants, unit_, ...)	\
	{ .name = #name_, .config = (config_), .unit = (unit_) },
#include "events/upmem/events.def"
#undef MON_EVENT
};

static bool upmem_known(const struct upmem_id *id, unsigned int code)
{
	return upmem_config_known(code, upmem_has_pmc(id));
}

static int upmem_check(struct mon_pmu *mp, struct perf_event *event)
{
	const struct upmem_pmu *up = mon_pmu_priv(mp);

	return upmem_config_check(event->attr.config, up->id.dpus, upmem_has_pmc(&up->id));
}

static int upmem_claim(struct mon_pmu *mp, void *alloc, struct perf_event *event)
{
	const struct upmem_pmu *up = mon_pmu_priv(mp);

	return upmem_alloc_claim(alloc, up->id.dpus, event->attr.config);
}

static void upmem_release(struct mon_pmu *mp, void *alloc, struct perf_event *event)
{
	const struct upmem_pmu *up = mon_pmu_priv(mp);

	upmem_alloc_release(alloc, up->id.dpus, event->attr.config);
}

static int upmem_next(struct mon_pmu *mp, struct perf_event *event, int prev)
{
	const struct upmem_pmu *up = mon_pmu_priv(mp);

	return upmem_alloc_next(mp->alloc, up->id.dpus, event->attr.config, prev);
}

static void __iomem *upmem_dpu(const struct upmem_pmu *up, unsigned int dpu)
{
	return up->regs + UPMEM_DPU(dpu);
}

static void upmem_start(struct mon_pmu *mp, unsigned int counter)
{
	struct upmem_pmu *up = mon_pmu_priv(mp);
	unsigned int dpu = counter / UPMEM_SLOTS, slot = counter % UPMEM_SLOTS;
	const struct upmem_alloc *alloc = mp->alloc;
	void __iomem *page = upmem_dpu(up, dpu);

	if (slot >= UPMEM_SLOT_CYCLES)
		return;
	/* also after a reset that the events have lived through */
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
	struct upmem_pmu *up = mon_pmu_priv(mp);
	unsigned int dpu = counter / UPMEM_SLOTS, slot = counter % UPMEM_SLOTS;
	void __iomem *page = upmem_dpu(up, dpu);

	if (slot >= UPMEM_SLOT_CYCLES)
		return;
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

static u64 upmem_read_pair(void __iomem *low)
{
	u32 lo = ioread32(low);		/* holds the high word */

	return (u64)ioread32(low + 4) << 32 | lo;
}

static int upmem_read(struct mon_pmu *mp, unsigned int counter, u64 *raw)
{
	struct upmem_pmu *up = mon_pmu_priv(mp);
	void __iomem *page = upmem_dpu(up, counter / UPMEM_SLOTS);

	if (mp->freeze && !up->latched) {
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
	case UPMEM_SLOT_CYCLES:
		*raw = upmem_read_pair(page + UPMEM_DPU_CYCLES_LO);
		break;
	default:
		*raw = upmem_read_pair(page + UPMEM_DPU_INSTRUCTIONS_LO);
		break;
	}
	/* afterwards, because the device may have gone meanwhile */
	return ioread32(up->regs + UPMEM_ID) == UPMEM_ID_VALUE ? 0 : -EIO;
}

static void upmem_thaw(struct mon_pmu *mp)
{
	struct upmem_pmu *up = mon_pmu_priv(mp);

	if (up->latched)
		iowrite32(0, up->regs + UPMEM_LATCH);
	up->latched = false;
}

static const struct mon_pmu_ops upmem_ops = {
	.check = upmem_check,
	.alloc_size = sizeof(struct upmem_alloc),
	.claim = upmem_claim,
	.release = upmem_release,
	.next = upmem_next,
	.start = upmem_start,
	.stop = upmem_stop,
	.read = upmem_read,
	.thaw = upmem_thaw,
};

static unsigned int upmem_width(unsigned int counter)
{
	return counter % UPMEM_SLOTS < UPMEM_SLOT_CHAIN ? 32 : 64;
}

static bool upmem_event_visible(const void *priv, u64 config)
{
	const struct upmem_pmu *up = priv;

	return upmem_known(&up->id, config);
}

PMU_FORMAT_ATTR(event, "config:0-11");
PMU_FORMAT_ATTR(dpu, "config:12-19");
PMU_FORMAT_ATTR(bydpu, "config:20");
PMU_FORMAT_ATTR(chain, "config:21");

static struct attribute *upmem_format_attrs[] = {
	&format_attr_event.attr,
	&format_attr_dpu.attr,
	&format_attr_bydpu.attr,
	&format_attr_chain.attr,
	NULL
};

static const struct attribute_group upmem_format_group = {
	.name = "format",
	.attrs = upmem_format_attrs,
};

static const struct attribute_group *const upmem_attr_groups[] = {
	&upmem_format_group,
	NULL
};

struct mon_pmu *upmem_pmu_register(const struct upmem_id *id, void __iomem *regs)
{
	const struct mon_pmu_desc desc = {
		.name = "upmem",
		.owner = THIS_MODULE,
		.ops = &upmem_ops,
		.attr_groups = upmem_attr_groups,
		.identifier = upmem_has_pmc(id) ? "upmem-v1B" : "upmem-v1A",
		.caps = {
			{ "dpus", id->dpus },
			{ "chip_id", id->chip_id },
			{ "clock_hz", id->clock_hz },
			{ "counters", upmem_has_pmc(id) ? 2 : 0 },
		},
		.events = upmem_events,
		.nevents = ARRAY_SIZE(upmem_events),
		.event_visible = upmem_event_visible,
		.counters = id->dpus * UPMEM_SLOTS,
		.width = 32,
		.width_of = upmem_width,
		.max_hz = id->max_mhz * 1000000ULL,
		.priv_size = sizeof(struct upmem_pmu),
		.id_size = sizeof(struct upmem_id),
	};
	struct upmem_pmu up = { .id = *id, .regs = regs };

	return mon_pmu_register(&desc, &up);
}
