// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events of a PMU: look-up and descriptions. */
#include <errno.h>
#include <string.h>

#include "libmon/internal.h"

size_t mon_pmu_get_event_count(const struct mon_pmu *pmu)
{
	return pmu->nevents;
}

const struct mon_event *mon_pmu_get_event(const struct mon_pmu *pmu, size_t index)
{
	return index < pmu->nevents ? &pmu->events[index] : NULL;
}

const struct mon_event *mon_pmu_find_event(const struct mon_pmu *pmu, const char *name)
{
	size_t i;

	for (i = 0; i < pmu->nevents; i++)
		if (!strcmp(pmu->events[i].name, name))
			return &pmu->events[i];
	mon_fail(ENOENT, "%s: no event %s: see perf list %s", pmu->name, name, pmu->name);
	return NULL;
}

const char *mon_event_get_name(const struct mon_event *event)
{
	return event->name;
}

const char *mon_event_get_unit(const struct mon_event *event)
{
	return event->unit;
}

double mon_event_get_scale(const struct mon_event *event)
{
	return event->scale;
}

const char *mon_event_get_description(const struct mon_event *event)
{
	return event->description;
}

const char *mon_event_get_where(const struct mon_event *event)
{
	return event->where;
}

/* Does the list where have place's kind, for example "acc" or "acc+l2"? */
static bool is_of(const struct mon_place *place, const char *word, size_t length)
{
	size_t kind = strlen(place->kind);

	if (strncmp(word, place->kind, kind < length ? kind : length))
		return false;
	if (kind == length)
		return true;
	return kind < length && word[kind] == '+' && strlen(place->feature) == length - kind - 1 &&
	       !strncmp(word + kind + 1, place->feature, length - kind - 1);
}

int mon_event_counts_in(const struct mon_event *event, const struct mon_place *place)
{
	const char *word = event->where;

	if (!*word || !strcmp(word, "all"))
		return 1;
	while (*word) {
		size_t length = strcspn(word, " ");

		if (is_of(place, word, length))
			return 1;
		word += length + strspn(word + length, " ");
	}
	return 0;
}

uint64_t mon_event_get_config(const struct mon_event *event, unsigned int word)
{
	return word < MON_ARRAY_SIZE(event->config.word) ? event->config.word[word] : 0;
}
