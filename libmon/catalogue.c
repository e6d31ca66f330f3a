// SPDX-License-Identifier: GPL-2.0-only
/* What events/ knows about the events beside their codes. */
#include <stdio.h>
#include <string.h>

#include "events/catalogues.h"
#include "libmon/internal.h"

static const struct entry {
	const char *pmu, *name, *unit, *description;
	uint64_t config;
	unsigned int places;
} entries[] = {
#define MON_EVENT(name, config, places, variants, unit, scale, description, ...) \
	{ MON_PMU, #name, unit, description, config, places },
#include "events/catalogues.def"
#undef MON_EVENT
};

static const struct place {
	const char *pmu, *words;
	unsigned int bit;
} places[] = {
#define MON_PLACE(bit, words) { MON_PMU, words, bit },
#include "events/catalogues.def"
#undef MON_PLACE
};

/* "espmon", "espmon_1" and so on are the same kind of PMU. */
static bool is_instance(const char *pmu, const char *kind)
{
	size_t n = strlen(kind);

	return !strncmp(pmu, kind, n) &&
	       (!pmu[n] || (pmu[n] == '_' && pmu[n + 1 + strspn(pmu + n + 1, "0123456789")] == '\0'));
}

/* The words of a mask, one after the other. */
static void describe_places(const struct entry *event, char *text, size_t size)
{
	size_t n = 0;

	*text = '\0';
	for (size_t i = 0; i < MON_ARRAY_SIZE(places) && n < size; i++)
		if ((places[i].bit & event->places) && !strcmp(places[i].pmu, event->pmu))
			n += snprintf(text + n, size - n, "%s%s", n ? " " : "", places[i].words);
}

bool mon_catalogue_find(const char *pmu, const char *name, uint64_t config,
			struct mon_catalogue_entry *entry)
{
	const struct entry *found = NULL;

	/* a Hexagon V65 numbers some names in its own way: the code decides */
	for (size_t i = 0; i < MON_ARRAY_SIZE(entries); i++)
		if (is_instance(pmu, entries[i].pmu) && !strcmp(entries[i].name, name) &&
		    (!found || entries[i].config == config))
			found = &entries[i];
	if (!found)
		return false;
	entry->unit = found->unit;
	entry->description = found->description;
	describe_places(found, entry->where, sizeof(entry->where));
	return true;
}
