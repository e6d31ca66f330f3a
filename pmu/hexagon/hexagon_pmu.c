// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMU `hexagon`: eight counters of a Hexagon core, each of which can count any event.
 *
 * There is no overflow interrupt and no enable bit of a single counter: an idle counter selects
 * event 0, and SYSCFG.PM runs all of them. What the device cannot count is refused, so that no
 * event reads as a silent zero.
 */
#include <linux/bitfield.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "hexagon.h"

/* Eight instructions are the most that one event counts in a cycle. */
#define HEXAGON_MAX_RATE 8

static const struct mon_pmu_event hexagon_events[] = {
#define MON_EVENT(name_, config_, places, variants, unit_, ...)	\
	{ .name = #name_, .config = (config_), .unit = (unit_) },
#define HEXAGON_V65_EVENT(...)
#include "events/hexagon/events.def"
#undef HEXAGON_V65_EVENT
#undef MON_EVENT
};

/* V65: what it has in common with the others, then what it numbers otherwise. 0 is never shown. */
static const struct mon_pmu_event hexagon_v65_events[] = {
#define MON_EVENT(name_, config_, places, variants, unit_, ...)				\
	{									\
		.name = #name_,							\
		.config = (variants) & (HEXAGON_V65 | HEXAGON_V65_OWN) ? (config_) : 0,	\
		.unit = (unit_),						\
	},
#include "events/hexagon/events.def"
#undef MON_EVENT
};

static int hexagon_check(struct mon_pmu *mp, struct perf_event *event)
{
	const struct hexagon_pmu *hp = mon_pmu_priv(mp);

	return hexagon_config_check(&hp->id, event->attr.config);
}

static int hexagon_claim(struct mon_pmu *mp, void *alloc, struct perf_event *event)
{
	return hexagon_alloc_claim(alloc, event->attr.config);
}

static void hexagon_release(struct mon_pmu *mp, void *alloc, struct perf_event *event)
{
	hexagon_alloc_release(alloc, event->attr.config);
}

static int hexagon_next(struct mon_pmu *mp, struct perf_event *event, int prev)
{
	return prev < 0 ? hexagon_alloc_find(mp->alloc, event->attr.config) : -1;
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
 * together when the freeze ends. Otherwise the others must not miss anything.
 */
static void hexagon_start(struct mon_pmu *mp, unsigned int counter)
{
	const struct hexagon_alloc *alloc = mp->alloc;
	struct hexagon_pmu *hp = mon_pmu_priv(mp);

	if (!(hp->started & ~BIT(counter)))
		hp->deferred = mp->freeze;
	hp->started |= BIT(counter);
	/* what was latched before belongs to another event */
	hp->latched = false;
	hexagon_select(hp, counter, alloc->config[counter]);
	if (!hp->deferred)
		hexagon_run_counters(hp, true);
}

static void hexagon_stop(struct mon_pmu *mp, unsigned int counter)
{
	struct hexagon_pmu *hp = mon_pmu_priv(mp);

	hexagon_select(hp, counter, 0);
	hp->started &= ~BIT(counter);
	if (!hp->started) {
		hexagon_run_counters(hp, false);
		hp->deferred = false;
	}
}

static int hexagon_read(struct mon_pmu *mp, unsigned int counter, u64 *raw)
{
	struct hexagon_pmu *hp = mon_pmu_priv(mp);

	if (mp->freeze && !hp->latched) {
		iowrite32(1, hp->regs + HEXAGON_LATCH);
		hp->latched = true;
	}
	*raw = ioread32(hp->regs + (mp->freeze ? HEXAGON_LATCHED(counter) :
						 HEXAGON_PMUCNT(counter)));
	/* all ones may be a count, or a device that has gone */
	if (*raw == U32_MAX && ioread32(hp->regs + HEXAGON_ID) != HEXAGON_ID_VALUE)
		return -EIO;
	return 0;
}

static void hexagon_thaw(struct mon_pmu *mp)
{
	struct hexagon_pmu *hp = mon_pmu_priv(mp);

	hp->latched = false;
	if (hp->deferred) {
		hp->deferred = false;
		hexagon_run_counters(hp, true);
	}
}

static const struct mon_pmu_ops hexagon_ops = {
	.check = hexagon_check,
	.alloc_size = sizeof(struct hexagon_alloc),
	.claim = hexagon_claim,
	.release = hexagon_release,
	.next = hexagon_next,
	.start = hexagon_start,
	.stop = hexagon_stop,
	.read = hexagon_read,
	.thaw = hexagon_thaw,
};

static bool hexagon_event_visible(const void *priv, u64 config)
{
	const struct hexagon_pmu *hp = priv;

	return hexagon_has(&hp->id, config);
}

static int hexagon_event_terms(char *buf, u64 config)
{
	return sysfs_emit(buf, "event=0x%03llx\n", config);
}

PMU_FORMAT_ATTR(event, "config:0-9");
PMU_FORMAT_ATTR(stid, "config:16-23");

static struct attribute *hexagon_format_attrs[] = {
	&format_attr_event.attr,
	&format_attr_stid.attr,
	NULL
};

static const struct attribute_group hexagon_format_group = {
	.name = "format",
	.attrs = hexagon_format_attrs,
};

static const struct attribute_group *const hexagon_attr_groups[] = {
	&hexagon_format_group,
	NULL
};

struct mon_pmu *hexagon_pmu_register(const struct hexagon_id *id, void __iomem *regs)
{
	char identifier[24];
	struct mon_pmu_desc desc = {
		.name = "hexagon",
		.owner = THIS_MODULE,
		.ops = &hexagon_ops,
		.attr_groups = hexagon_attr_groups,
		.identifier = identifier,
		.caps = {
			{ "threads", id->threads },
			{ "clusters", id->clusters },
			{ "cycles_per_packet", id->cycles },
			{ "clock_hz", id->clock_hz },
			{ "counters", HEXAGON_COUNTERS },
		},
		.events = hexagon_events,
		.nevents = ARRAY_SIZE(hexagon_events),
		.event_visible = hexagon_event_visible,
		.event_terms = hexagon_event_terms,
		.counters = HEXAGON_COUNTERS,
		.width = 32,
		.max_hz = (u64)HEXAGON_MAX_RATE * id->clock_hz,
		.priv_size = sizeof(struct hexagon_pmu),
		.id_size = sizeof(struct hexagon_id),
	};
	struct hexagon_pmu *hp;
	struct mon_pmu *mp;

	snprintf(identifier, sizeof(identifier), "hexagon-v%u", id->core);
	if (id->core == 65) {
		desc.events = hexagon_v65_events;
		desc.nevents = ARRAY_SIZE(hexagon_v65_events);
	}
	hp = kzalloc(sizeof(*hp), GFP_KERNEL);
	if (!hp)
		return ERR_PTR(-ENOMEM);
	hp->id = *id;
	hp->regs = regs;
	hexagon_run_counters(hp, false);
	iowrite32(0, regs + HEXAGON_PMUEVTCFG);
	iowrite32(0, regs + HEXAGON_PMUEVTCFG1);
	iowrite32(0, regs + HEXAGON_PMUCFG);
	mp = mon_pmu_register(&desc, hp);
	kfree(hp);
	return mp;
}
