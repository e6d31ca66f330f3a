// SPDX-License-Identifier: GPL-2.0-only
/*
 * PMU `espmon`: the monitors in the tiles of an ESP SoC.
 *
 * All monitors count all the time, so there is nothing to allocate and nothing to start. Without
 * `bytile` an event is the sum over the tiles in which the monitor is defined.
 */
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "espmon.h"

static int espmon_check(struct mon_pmu *mp, struct perf_event *event)
{
	const struct espmon *em = mon_pmu_priv(mp);

	return espmon_config_check(&em->id, event->attr.config);
}

static int espmon_next(struct mon_pmu *mp, struct perf_event *event, int prev)
{
	const struct espmon *em = mon_pmu_priv(mp);

	return espmon_config_next(&em->id, event->attr.config, prev);
}

static void __iomem *espmon_tile(struct espmon *em, unsigned int tile)
{
	return em->csr + tile * ESP_CSR_STRIDE;
}

/*
 * A pair counts as one 64-bit register: its words belong together if the high one has not moved
 * meanwhile. In a sample it does not, unless somebody else has ended the sample.
 */
static u64 espmon_read_pair(const struct espmon *em, void __iomem *window, unsigned int lo)
{
	void __iomem *low = window + espmon_offset(&em->id, lo);
	void __iomem *high = low + 4;
	u32 hi, again, value;

	hi = esp_reg_read(high);
	do {
		again = hi;
		value = esp_reg_read(low);
		hi = esp_reg_read(high);
	} while (hi != again);
	return (u64)hi << 32 | value;
}

static u64 espmon_read_slot(const struct espmon *em, void __iomem *window, unsigned int slot)
{
	switch (slot) {
	case ESPMON_SLOT_MEM:
		return espmon_read_pair(em, window, ESP_MON_ACC_MEM_LO);
	case ESPMON_SLOT_TOT:
		return espmon_read_pair(em, window, ESP_MON_ACC_TOT_LO);
	default:
		return esp_reg_read(window + espmon_offset(&em->id, slot));
	}
}

/* As of a device that does not answer. The words of a pair that are of two kinds do not agree. */
static bool espmon_all_ones(u64 raw)
{
	return (u32)raw == ~0U;
}

static void espmon_tell_foreign(struct irq_work *work)
{
	pr_notice_once("espmon: something else writes the burst registers; its samples are lost\n");
}

static DEFINE_IRQ_WORK(espmon_foreign_work, espmon_tell_foreign);

/* Seen in the scheduler, too, where nothing can be printed. */
static void espmon_foreign(struct espmon *em)
{
	if (!em->foreign++)
		irq_work_queue(&espmon_foreign_work);
}

static u32 espmon_burst(struct espmon *em, unsigned int tile)
{
	return esp_reg_read(espmon_tile(em, tile) + ESP_CSR_BURST);
}

static void espmon_set_burst(struct espmon *em, unsigned int tile, u32 value)
{
	esp_reg_write(value, espmon_tile(em, tile) + ESP_CSR_BURST);
}

/* Takes a sample of the tile unless there is one of this freeze. */
static int espmon_latch(struct espmon *em, unsigned int tile)
{
	u32 burst;

	if (__test_and_set_bit(tile, em->latched))
		return 0;
	burst = espmon_burst(em, tile);
	if (burst == ~0U) {
		__clear_bit(tile, em->latched);
		return -EIO;
	}
	if (burst & 1) {
		espmon_foreign(em);
		espmon_set_burst(em, tile, 0);
	}
	/* only the edge from 0 to 1 takes a sample */
	espmon_set_burst(em, tile, 1);
	return 0;
}

/*
 * The burst register says whether a value is live, a sample, or nothing at all: a device that has
 * gone reads all ones. Within a freeze it is looked at when the sample is taken and given up.
 */
static int espmon_read(struct mon_pmu *mp, unsigned int counter, u64 *raw)
{
	struct espmon *em = mon_pmu_priv(mp);
	unsigned int tile = counter / ESPMON_SLOTS;
	unsigned int slot = counter % ESPMON_SLOTS;
	void __iomem *window = espmon_tile(em, tile);
	bool foreign;
	u32 burst;
	int err;

	if (mp->freeze) {
		err = espmon_latch(em, tile);
		if (err)
			return err;
	}
	*raw = espmon_read_slot(em, window, slot);
	if (mp->freeze && !espmon_all_ones(*raw))
		return 0;

	burst = espmon_burst(em, tile);
	if (burst == ~0U)
		return -EIO;
	foreign = !mp->freeze && (burst & 1);
	if (foreign) {
		espmon_foreign(em);
		espmon_set_burst(em, tile, 0);
	}
	/* a device that was away is back, or a counter does stand there */
	if (foreign || espmon_all_ones(*raw)) {
		*raw = espmon_read_slot(em, window, slot);
		if (espmon_all_ones(*raw) && espmon_burst(em, tile) == ~0U)
			return -EIO;
	}
	return 0;
}

static void espmon_thaw(struct mon_pmu *mp)
{
	struct espmon *em = mon_pmu_priv(mp);
	unsigned int tile;

	for_each_set_bit(tile, em->latched, em->id.ntiles) {
		/* then the values were live: each is right, but they are not from one instant */
		if (!(espmon_burst(em, tile) & 1))
			espmon_foreign(em);
		espmon_set_burst(em, tile, 0);
	}
	bitmap_zero(em->latched, ESP_MAX_TILES);
}

static bool espmon_wants(struct mon_pmu *mp, struct perf_event *event)
{
	return espmon_config_wants(event->attr.config);
}

static void espmon_supply(struct mon_pmu *mp, bool on)
{
	struct espmon *em = mon_pmu_priv(mp);

	if (em->cpu)
		esp_reg_write(on ? ESP_TOPO_CPU_COUNT : 0, em->cpu);
}

static const struct mon_pmu_ops espmon_ops = {
	.check = espmon_check,
	.next = espmon_next,
	.read = espmon_read,
	.thaw = espmon_thaw,
	.wants = espmon_wants,
	.supply = espmon_supply,
};

static const struct mon_pmu_event espmon_events[] = {
#define MON_EVENT(name_, config_, places, variants, unit_, ...)	\
	{ .name = #name_, .config = (config_), .unit = (unit_) },
#include "events/espmon/events.def"
#undef MON_EVENT
};

static bool espmon_event_visible(const void *priv, u64 config)
{
	const struct espmon *em = priv;

	return espmon_slot(&em->id, config) >= 0;
}

struct mon_pmu *espmon_register(const struct espmon_id *id, void __iomem *csr, phys_addr_t live,
				void __iomem *cpu)
{
	const struct mon_pmu_desc desc = {
		.name = "espmon",
		.owner = THIS_MODULE,
		.ops = &espmon_ops,
		.attr_groups = espmon_attr_groups,
		.identifier = id->layout == 2021 ? "esp-2021" : "esp-2023",
		.caps = {
			{ "rows", id->rows },
			{ "columns", id->cols },
			{ "layout", id->layout },
			{ "clock_hz", id->clock_hz },
			{ "cpu", id->cpu },
		},
		.events = espmon_events,
		.nevents = ARRAY_SIZE(espmon_events),
		.event_visible = espmon_event_visible,
		.counters = id->ntiles * ESPMON_SLOTS,
		.width = 32,
		.width_of = espmon_width,
		.max_hz = id->clock_hz,
		.regs = live,
		.regs_size = live ? PAGE_ALIGN(id->ntiles * ESP_LIVE_STRIDE) : 0,
		.priv_size = sizeof(struct espmon),
		.id_size = sizeof(struct espmon_id),
	};
	struct mon_pmu *mp;
	struct espmon *em;
	unsigned int tile;

	em = kvzalloc(sizeof(*em), GFP_KERNEL);
	if (!em)
		return ERR_PTR(-ENOMEM);
	em->id = *id;
	em->csr = csr;
	em->cpu = cpu;
	/* a burst that somebody left behind would show old values */
	for (tile = 0; tile < id->ntiles; tile++)
		esp_reg_write(0, espmon_tile(em, tile) + ESP_CSR_BURST);
	mp = mon_pmu_register(&desc, em);
	kvfree(em);
	return mp;
}

void espmon_exit_pmus(void)
{
	mon_pmu_drain(THIS_MODULE);
	irq_work_sync(&espmon_foreign_work);
}
