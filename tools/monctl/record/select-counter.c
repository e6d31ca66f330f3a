// SPDX-License-Identifier: GPL-2.0-only
/* Counters of a selection: what a counter is, and from terms to one. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/record/select-internal.h"

bool matches(const char *pattern, const char *name)
{
	return !fnmatch(pattern, name, 0);
}

/* Terms that name a place, as in "dma_reqs,bytile,tile=2". */
static const struct mon_place *place_in(const struct mon_pmu *pmu, char *terms)
{
	for (size_t i = 0; i < mon_pmu_get_place_count(pmu); i++) {
		const struct mon_place *place = mon_pmu_get_place(pmu, i);
		const char *wanted = mon_place_get_terms(place);
		size_t length = strlen(terms), n = strlen(wanted);

		if (length <= n + 1 || strcmp(terms + length - n, wanted) ||
		    terms[length - n - 1] != ',')
			continue;
		terms[length - n - 1] = '\0';
		return place;
	}
	return NULL;
}

const struct mon_place *select_label_place(const struct mon_pmu *pmu, char *terms)
{
	const char *noun = mon_pmu_get_place_noun(pmu);
	char *comma = strrchr(terms, ',');

	if (!comma)
		return NULL;
	for (size_t i = 0; i < mon_pmu_get_place_count(pmu); i++) {
		const struct mon_place *place = mon_pmu_get_place(pmu, i);
		const char *wanted = mon_place_get_terms(place);
		size_t before = comma - terms, n = strlen(wanted) - strlen(comma + 1) - 1;
		char *label = format_text("%s=%u", noun, mon_place_get_number(place));
		bool is = !strcmp(comma + 1, label);

		free(label);
		if (!is)
			continue;
		/* "bytile,tile=2": its first terms may be there already */
		if (strlen(wanted) > strlen(comma + 1) && before > n && terms[before - n - 1] == ',' &&
		    !strncmp(terms + before - n, wanted, n))
			return NULL;
		*comma = '\0';
		return place;
	}
	return NULL;
}

/* Asks libmon for the config words of the counter. */
static void look_up(struct counter *counter)
{
	struct mon_group *group = mon_group_new();

	if (!group || mon_group_add(group, counter->text) < 0)
		die_mon();
	for (unsigned int word = 0; word < COUNT_OF(counter->config); word++)
		counter->config[word] = mon_group_get_config(group, 0, word);
	mon_group_free(group);
}

/* Finds the event by its name or by its code, such as "group=1,counter=0". */
static const struct mon_event *event_of(const struct counter *counter)
{
	const struct mon_event *event = mon_pmu_find_event(counter->pmu, counter->terms);

	for (size_t i = 0; !event && i < mon_pmu_get_event_count(counter->pmu); i++) {
		event = mon_pmu_get_event(counter->pmu, i);
		if (counter->place || mon_event_get_config(event, 0) != counter->config[0])
			event = NULL;
	}
	return event;
}

bool selection_has(const struct selection *sel, const char *text)
{
	for (size_t i = 0; i < sel->count; i++)
		if (!strcmp(sel->counter[i].text, text))
			return true;
	return false;
}

void select_add(struct selection *sel, const struct mon_pmu *pmu, const char *terms)
{
	struct counter counter = { .pmu = pmu };

	counter.text = format_text("%s/%s/", mon_pmu_get_name(pmu), terms);
	if (selection_has(sel, counter.text)) {
		free(counter.text);
		return;
	}
	counter.terms = format_text("%s", terms);
	counter.place = place_in(pmu, counter.terms);
	look_up(&counter);
	counter.event = event_of(&counter);
	sel->counter = grow(sel->counter, sel->count, sizeof(*sel->counter));
	sel->counter[sel->count++] = counter;
}

void select_add_in(struct selection *sel, const struct mon_pmu *pmu, const char *terms, const struct mon_place *place)
{
	char *all = place ? format_text("%s,%s", terms, mon_place_get_terms(place)) : format_text("%s", terms);

	select_add(sel, pmu, all);
	free(all);
}

const char *counter_event_name(const struct counter *counter)
{
	return counter->event ? mon_event_get_name(counter->event) : counter->terms;
}

const char *counter_unit(const struct counter *counter)
{
	return counter->event ? mon_event_get_unit(counter->event) : "";
}

double counter_scale(const struct counter *counter)
{
	return counter->event ? mon_event_get_scale(counter->event) : 1;
}

char *counter_label(const struct counter *counter)
{
	const char *pmu = mon_pmu_get_name(counter->pmu);

	if (!counter->place)
		return format_text("%s/%s/", pmu, counter_event_name(counter));
	return format_text("%s/%s,%s=%u/", pmu, counter_event_name(counter),
			   mon_pmu_get_place_noun(counter->pmu), mon_place_get_number(counter->place));
}

bool counter_is_clock(const struct counter *counter)
{
	return clock_has_event(clock_find(mon_pmu_get_kind(counter->pmu)), counter_event_name(counter));
}

static uint64_t read_cap(const struct mon_pmu *pmu, const char *name)
{
	char *file = format_text("caps/%s", name), *text = mon_pmu_read_file(pmu, file);
	uint64_t value = text ? strtoull(text, NULL, 10) : 0;

	free(text);
	free(file);
	return value;
}

uint64_t pmu_clock(const struct mon_pmu *pmu)
{
	const struct clock_rule *rule = clock_find(mon_pmu_get_kind(pmu));

	return read_cap(pmu, rule ? rule->hz : "clock_hz");
}

bool counter_counts_reader(const struct counter *counter)
{
	const struct clock_rule *rule = clock_find(mon_pmu_get_kind(counter->pmu));

	return rule && *rule->reader && read_cap(counter->pmu, rule->reader);
}
