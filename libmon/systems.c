// SPDX-License-Identifier: GPL-2.0-only
/* The ground floor's tables (events/), one row a system: the rest of the general layer knows none. */
#include <string.h>

#include "events/espmon/regs.h"
#include "libmon/internal.h"

/* Kinds of tiles: those of the file tiles, acc+l2 is an accelerator with a private L2. */
static const char *esp_where(unsigned int tiles)
{
	switch (tiles) {
	case ESP_ON_MEM:
		return "mem";
	case ESP_ON_MEM | ESP_ON_SLM:
		return "mem slm";
	case ESP_ON_CPU | ESP_ON_ACC_L2:
		return "cpu acc+l2";
	case ESP_ON_ACC:
		return "acc";
	case ESP_ON_CLOCKED:
		return "cpu io mem slm acc";
	default:
		return "empty cpu io mem slm acc";
	}
}

static const struct mon_catalogue_entry esp_events[] = {
#define ESPMON_EVENT(name, code, tiles, unit, description) { #name, code, unit, description, tiles },
#include "events/espmon/events.def"
};

static const char *mrfld_where(unsigned int group)
{
	static const char *const names[] = {
		"any group",
#define MRFLD_GROUP(group, name, description) [group] = name,
#include "events/mrfld_visa/events.def"
	};

	return names[group];
}

static const struct mon_catalogue_entry mrfld_events[] = {
#define MRFLD_EVENT(name, group, counter, unit, scale, description) \
	{ #name, (group) << 8 | (counter), unit, description, group },
#include "events/mrfld_visa/events.def"
};

static const char *upmem_where(unsigned int nothing)
{
	(void)nothing;
	return "dpu";
}

static const struct mon_catalogue_entry upmem_events[] = {
#define UPMEM_EVENT(name, code, unit, description) { #name, code, unit, description, 0 },
#include "events/upmem/events.def"
};

/* What does not obey the thread filter counts in the core as a whole. */
static const char *hexagon_where(unsigned int maskable)
{
	return maskable ? "thread" : "core";
}

static const struct mon_catalogue_entry hexagon_events[] = {
#define HEXAGON_EVENT(name, code, versions, maskable, confidence, from, unit, description) \
	{ #name, code, unit, description, maskable },
#define HEXAGON_V65_EVENT(name, code, from, unit, description) { #name, code, unit, description, 0 },
#include "events/hexagon/events.def"
};

#define EVENTS(table, where_) .events = table, .nevents = MON_ARRAY_SIZE(table), .where = where_

static const struct mon_system systems[] = {
	{
		.pmu = "espmon",
		.device = "ESP SoC (PCI 1af4:10f0)",
		.pci_vendor = "0x1af4",
		.pci_device = "0x10f0",
		.places = { .noun = "tile", .field = "tile", .select = "bytile", .list = "tiles" },
		EVENTS(esp_events, esp_where),
	},
	{
		.pmu = "mrfld_visa",
		.device = "Merrifield message bus (PCI 8086:1170)",
		.pci_vendor = "0x8086",
		.pci_device = "0x1170",
		EVENTS(mrfld_events, mrfld_where),
	},
	{
		.pmu = "upmem",
		.device = "UPMEM rank (PCI 1af4:10f1)",
		.pci_vendor = "0x1af4",
		.pci_device = "0x10f1",
		.places = { .noun = "dpu", .field = "dpu", .select = "bydpu", .count = "caps/dpus" },
		EVENTS(upmem_events, upmem_where),
	},
	{
		.pmu = "hexagon",
		.device = "Hexagon DSP (PCI 1af4:10f3)",
		.pci_vendor = "0x1af4",
		.pci_device = "0x10f3",
		/* STID 0 is all threads; thread n has n + 1 (pmu/hexagon/ABI-hexagon.txt) */
		.places = { .noun = "thread", .field = "stid", .count = "caps/threads", .first = 1 },
		EVENTS(hexagon_events, hexagon_where),
	},
};

const struct mon_system *mon_system_find(const char *kind)
{
	for (size_t i = 0; i < MON_ARRAY_SIZE(systems); i++)
		if (!strcmp(systems[i].pmu, kind))
			return &systems[i];
	return NULL;
}

const struct mon_catalogue_entry *mon_system_find_event(const struct mon_system *system,
							const char *name, uint64_t code)
{
	const struct mon_catalogue_entry *found = NULL;

	for (size_t i = 0; system && i < system->nevents; i++) {
		const struct mon_catalogue_entry *entry = &system->events[i];

		/* versions of a core have the same name at different selectors */
		if (!strcmp(entry->name, name) && (!found || entry->code == code))
			found = entry;
	}
	return found;
}
