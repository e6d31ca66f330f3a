// SPDX-License-Identifier: LGPL-2.1-or-later
/* Groups and events of Merrifield by name, from the catalogue. */
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "events/mrfld/config.h"
#include "libmon/internal.h"
#include "libmon/mrfld/mrfld.h"

static const char *const group_names[MON_MRFLD_GROUPS + 1] = {
#define MRFLD_GROUP(group, name, description) [group] = "UNC_VISA_" name,
#include "events/mrfld/events.def"
#undef MRFLD_GROUP
};

static const struct mrfld_event events[MON_MRFLD_GROUPS + 1][MON_MRFLD_COUNTERS] = {
#define MON_EVENT(name, config, places, variants, unit, scale, description) \
	[MON_GET(MRFLD_CONFIG_GROUP, config)][MON_GET(MRFLD_CONFIG_COUNTER, config)] = { #name, scale },
#include "events/mrfld/events.def"
#undef MON_EVENT
};

static bool is_group(int group)
{
	return group >= 1 && group <= MON_MRFLD_GROUPS;
}

const struct mrfld_event *mrfld_event(int group, unsigned int counter)
{
	if (!is_group(group) || counter >= MON_MRFLD_COUNTERS || !events[group][counter].name)
		return NULL;
	return &events[group][counter];
}

/* The text without the prefix, in any case; or the whole text. */
static const char *without(const char *text, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncasecmp(text, prefix, n) ? text : text + n;
}

int mon_mrfld_find_group(const char *name)
{
	const char *rest = without(name, "UNC_VISA_");
	int group;

	if (rest == name)
		rest = without(name, "UNC_SOC_");
	for (group = 1; group <= MON_MRFLD_GROUPS; group++)
		if (!strcasecmp(rest, without(group_names[group], "UNC_VISA_")))
			return group;
	return mon_fail(ENOENT,
			"%s: not an event group of Merrifield: use a name such as UNC_VISA_Graphics_BW or UNC_SOC_Memory_DDR_BW",
			name);
}

const char *mon_mrfld_get_group_name(int group)
{
	return is_group(group) ? group_names[group] : NULL;
}

size_t mon_mrfld_get_event_count(int group)
{
	size_t n = 0;

	while (mrfld_event(group, n))
		n++;
	return n;
}

const char *mon_mrfld_get_event_name(int group, unsigned int counter)
{
	const struct mrfld_event *event = mrfld_event(group, counter);

	return event ? event->name : NULL;
}

/* The article writes DDR_Chan0-Read32B, perf ddr_chan0_read32b. */
static bool names_same(const char *article, const char *perf)
{
	for (; *article && *perf; article++, perf++)
		if (*perf != (*article == '-' ? '_' : tolower((unsigned char)*article)))
			return false;
	return *article == *perf;
}

static int names_find(int group, const char *event)
{
	unsigned int n = mon_mrfld_get_event_count(group), i;

	for (i = 0; i < n; i++)
		if (names_same(event, events[group][i].name))
			return i;
	return n && names_same(event, "clock_counter") ? (int)n - 1 : -1;
}

int mon_mrfld_find_counter(int group, const char *event)
{
	int counter = names_find(group, event);

	if (counter >= 0)
		return counter;
	if (!is_group(group))
		return mon_fail(ENOENT, "group %d: Merrifield has groups 1 to %d", group,
				MON_MRFLD_GROUPS);
	return mon_fail(ENOENT, "%s: not an event of %s", event, group_names[group]);
}

int mon_mrfld_find_group_of(const char *event)
{
	int group;

	if (names_same(event, "clock_counter"))
		return mon_fail(ENOENT,
				"%s: each group has one: name the group, or use perf's %s",
				event, "clock_counter");
	for (group = 1; group <= MON_MRFLD_GROUPS; group++)
		if (names_find(group, event) >= 0)
			return group;
	return mon_fail(ENOENT, "%s: not an event of Merrifield: perf list mrfld_visa shows them",
			event);
}
