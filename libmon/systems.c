// SPDX-License-Identifier: LGPL-2.1-or-later
/* Tables made from events/: the only file of the general layer that knows systems by name. */
#include <stdio.h>
#include <string.h>

#include "events/catalogues.h"
#include "libmon/internal.h"

static const struct mon_system systems[] = {
#define MON_SYSTEM(name, pmu, prefix, vendor, product, device, fixed, options, modules, description) \
	{ #pmu, description, vendor, product },
#include "events/systems.def"
#undef MON_SYSTEM
};

static const struct mon_catalogue_entry events[] = {
#define MON_EVENT(name, config, places, variants, unit, scale, description, ...) \
	{ MON_PMU, #name, config, unit, description, places },
#include "events/catalogues.def"
#undef MON_EVENT
};

static const struct {
	const char *pmu, *words;
	unsigned int bit;
} places[] = {
#define MON_PLACE(bit, words) { MON_PMU, words, bit },
#include "events/catalogues.def"
#undef MON_PLACE
};

static const struct mon_topology topologies[] = {
#define MON_TOPOLOGY(noun, field, select, first, file) { MON_PMU, noun, field, select, first, file },
#include "events/catalogues.def"
#undef MON_TOPOLOGY
	{ .pmu = NULL },	/* not every system has one */
};

const struct mon_system *mon_system_find(const char *pmu)
{
	for (size_t i = 0; i < MON_ARRAY_SIZE(systems); i++)
		if (!strcmp(systems[i].pmu, pmu))
			return &systems[i];
	return NULL;
}

const struct mon_topology *mon_topology_find(const char *pmu)
{
	for (const struct mon_topology *t = topologies; t->pmu; t++)
		if (!strcmp(t->pmu, pmu))
			return t;
	return NULL;
}

const struct mon_catalogue_entry *mon_catalogue_find(const char *pmu, const char *name,
						     uint64_t config)
{
	const struct mon_catalogue_entry *found = NULL;

	/* Hexagon V65 has other codes for some names, so compare the codes as well */
	for (size_t i = 0; i < MON_ARRAY_SIZE(events); i++)
		if (!strcmp(events[i].pmu, pmu) && !strcmp(events[i].name, name) &&
		    (!found || events[i].config == config))
			found = &events[i];
	return found;
}

char *mon_catalogue_where(const struct mon_catalogue_entry *entry)
{
	char text[256] = "";
	size_t n = 0;

	if (!entry->places)
		return strdup("all");
	for (size_t i = 0; i < MON_ARRAY_SIZE(places) && n < sizeof(text); i++)
		if (places[i].bit & entry->places && !strcmp(places[i].pmu, entry->pmu))
			n += snprintf(text + n, sizeof(text) - n, "%s%s", n ? " " : "",
				      places[i].words);
	return strdup(text);
}
