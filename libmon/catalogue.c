// SPDX-License-Identifier: GPL-2.0-only
/* What events/ knows about the events beside their codes. */
#include <string.h>

#include "libmon/internal.h"
#include "events/espmon/regs.h"

/* Every mask of tiles that the catalogue uses, in words. */
static const char *esp_where(unsigned int tiles)
{
	switch (tiles) {
	case ESP_ON_MEM:
		return "mem";
	case ESP_ON_MEM | ESP_ON_SLM:
		return "mem slm";
	case ESP_ON_CPU | ESP_ON_ACC_L2:
		return "cpu acc-with-L2";
	case ESP_ON_ACC:
		return "acc";
	case ESP_ON_CLOCKED:
		return "all but empty tiles and third-party accelerators";
	default:
		return "all";
	}
}

struct entry {
	const char *name, *unit, *description;
	unsigned int tiles;
};

static const struct entry esp_events[] = {
#define ESPMON_EVENT(name, code, tiles, unit, description) { #name, unit, description, tiles },
#include "events/espmon/events.def"
};

static const struct entry mrfld_events[] = {
#define MRFLD_EVENT(name, group, counter, unit, scale, description) { #name, unit, description, 0 },
#include "events/mrfld_visa/events.def"
};

/* "espmon", "espmon_1" and so on are the same kind of PMU. */
static bool is_instance(const char *pmu, const char *kind)
{
	size_t n = strlen(kind);

	return !strncmp(pmu, kind, n) && (!pmu[n] || pmu[n] == '_');
}

static const struct entry *find(const struct entry *entries, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(entries[i].name, name))
			return &entries[i];
	return NULL;
}

bool mon_catalogue_find(const char *pmu, const char *name, struct mon_catalogue_entry *entry)
{
	const struct entry *found = NULL;

	if (is_instance(pmu, "espmon"))
		found = find(esp_events, MON_ARRAY_SIZE(esp_events), name);
	else if (is_instance(pmu, "mrfld_visa"))
		found = find(mrfld_events, MON_ARRAY_SIZE(mrfld_events), name);
	if (!found)
		return false;
	entry->unit = found->unit;
	entry->where = found->tiles ? esp_where(found->tiles) : "";
	entry->description = found->description;
	return true;
}
