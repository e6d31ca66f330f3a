// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the events of a PMU: codes, units and scales from sysfs, the rest from the catalogue. */
#include <stdlib.h>
#include <string.h>

#include "libmon/internal.h"

/* NAME.unit, NAME.scale and so on describe the event NAME. */
static bool is_event_name(const char *name)
{
	return !strchr(name, '.');
}

static char *read_file(const char *dir, const char *name, const char *suffix)
{
	char *path = mon_format("%s/%s%s", dir, name, suffix);
	char *text = path ? mon_read_text(path) : NULL;

	free(path);
	return text;
}

static void event_describe(struct mon_event *event, const char *pmu)
{
	const struct mon_catalogue_entry *entry =
		mon_catalogue_find(pmu, event->name, event->config.word[0]);

	event->description = entry ? entry->description : "";
	event->where = entry ? mon_catalogue_where(entry) : strdup("");
	if (!event->unit)
		event->unit = strdup(entry ? entry->unit : "");
}

/* False: skip the event. */
static bool read_event(struct mon_pmu *pmu, struct mon_event *event, const char *dir,
		       const char *name)
{
	char *terms = read_file(dir, name, "");
	char *scale = read_file(dir, name, ".scale");
	bool good = terms && !mon_pmu_parse_terms(pmu, terms, name, &event->config, NULL);

	event->scale = scale ? strtod(scale, NULL) : 1.0;
	event->name = strdup(name);
	event->unit = read_file(dir, name, ".unit");
	if (event->name)
		event_describe(event, pmu->kind);
	free(scale);
	free(terms);
	if (good && event->name && event->unit && event->where)
		return true;
	free(event->where);
	free(event->unit);
	free(event->name);
	memset(event, 0, sizeof(*event));
	return false;
}

int mon_events_read(struct mon_pmu *pmu)
{
	char *dir, **names;
	size_t count, i;

	if (mon_pmu_list(pmu, "events", &dir, &names, &count))
		return -1;
	pmu->events = calloc(count + 1, sizeof(*pmu->events));
	/* Skip an event in a notation that this version does not know; a newer kernel may have one. */
	for (i = 0; pmu->events && i < count; i++)
		if (is_event_name(names[i]) &&
		    read_event(pmu, &pmu->events[pmu->nevents], dir, names[i]))
			pmu->nevents++;
	mon_names_free(names, count);
	free(dir);
	return pmu->events ? 0 : -1;
}

void mon_events_free(struct mon_pmu *pmu)
{
	while (pmu->nevents) {
		free(pmu->events[--pmu->nevents].name);
		free(pmu->events[pmu->nevents].unit);
		free(pmu->events[pmu->nevents].where);
	}
	free(pmu->events);
}
