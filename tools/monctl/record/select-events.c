// SPDX-License-Identifier: GPL-2.0-only
/* The events of option -e: names, patterns and places become counters. */
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/record/select-internal.h"

static bool is_pattern(const char *text)
{
	return strpbrk(text, "*?[");
}

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), n = strlen(end);

	return length > n && !strcmp(text + length - n, end);
}

/* Returns whether an event is the low or high word of a 64-bit counter, as acc_mem_lo is of acc_mem_cycles. */
static bool is_half(const struct mon_pmu *pmu, const char *name)
{
	const char *other = ends_in(name, "_lo") ? "_hi" : ends_in(name, "_hi") ? "_lo" : NULL;
	char *half = other ? format_text("%.*s%s", (int)strlen(name) - 3, name, other) : NULL;
	bool is = half && mon_pmu_find_event(pmu, half);

	free(half);
	return is;
}

/* A pattern includes these halves only if it ends in their suffix. */
static bool wants_halves(const char *pattern)
{
	return ends_in(pattern, "_lo") || ends_in(pattern, "_hi");
}

static size_t add_matching(struct selection *sel, const struct mon_pmu *pmu, const char *pattern,
			   const struct mon_place *place)
{
	size_t found = 0, i;

	for (i = 0; i < mon_pmu_get_event_count(pmu); i++) {
		const struct mon_event *event = mon_pmu_get_event(pmu, i);

		if (!matches(pattern, mon_event_get_name(event)) || (place && !mon_event_counts_in(event, place)) ||
		    (is_half(pmu, mon_event_get_name(event)) && !wants_halves(pattern)))
			continue;
		select_add_in(sel, pmu, mon_event_get_name(event), place);
		found++;
	}
	return found;
}

/* Ends the program with the name that is closest to a wrong one. */
__attribute__((noreturn)) static void die_of_event(const struct selection *sel, const struct mon_pmu *only,
						   const char *name)
{
	const char *pmu = only ? mon_pmu_get_name(only) : "";
	const char **names = NULL, *closest;
	size_t count = 0;

	for (size_t i = 0; i < mon_pmus_get_count(sel->pmus); i++) {
		const struct mon_pmu *of = mon_pmus_get(sel->pmus, i);

		for (size_t k = 0; (!only || of == only) && k < mon_pmu_get_event_count(of); k++) {
			names = grow(names, count, sizeof(*names));
			names[count++] = mon_event_get_name(mon_pmu_get_event(of, k));
		}
	}
	closest = closest_name(name, names, count);
	if (closest)
		die("%s%sno event %s: did you mean %s? monctl list%s%s shows all", pmu, *pmu ? ": " : "", name, closest,
		    *pmu ? " " : "", pmu);
	die("%s%sno event %s: monctl list%s%s shows all", pmu, *pmu ? ": " : "", name, *pmu ? " " : "", pmu);
}

/* Adds the terms or the pattern of an item of -e on a PMU. Returns how many counters fit. */
static size_t add_terms(struct selection *sel, const struct mon_pmu *pmu, const char *text, bool must)
{
	char *terms = format_text("%s", text);
	const struct mon_place *place = select_label_place(pmu, terms);
	size_t found = 0;

	if (is_pattern(terms)) {
		found = add_matching(sel, pmu, terms, place);
	} else if (must || mon_pmu_find_event(pmu, terms)) {
		if (!strpbrk(terms, "=,") && *terms && !mon_pmu_find_event(pmu, terms))
			die_of_event(sel, pmu, terms);
		select_add_in(sel, pmu, terms, place);
		found = 1;
	}
	free(terms);
	return found;
}

size_t select_item(struct selection *sel, const char *item, bool exact_pmu)
{
	const char *slash = strchr(item, '/');
	char *pmu_name = slash ? format_text("%.*s", (int)(slash - item), item) : format_text("*");
	char *terms = slash ? format_text("%.*s", (int)strcspn(slash + 1, "/"), slash + 1) : format_text("%s", item);
	size_t found = 0, i;

	for (i = 0; i < mon_pmus_get_count(sel->pmus); i++) {
		const struct mon_pmu *pmu = mon_pmus_get(sel->pmus, i);
		bool is_name = !strcmp(item, mon_pmu_get_name(pmu));

		if (is_name) {
			found += add_matching(sel, pmu, "*", NULL);
			continue;
		}
		if (!matches(pmu_name, exact_pmu ? mon_pmu_get_name(pmu) : mon_pmu_get_kind(pmu)))
			continue;
		found += add_terms(sel, pmu, terms, slash && exact_pmu && !is_pattern(pmu_name));
	}
	free(pmu_name);
	free(terms);
	return found;
}

void select_each(const char *list, void (*call)(struct selection *, const char *), struct selection *sel)
{
	while (*list) {
		bool inside = false;
		size_t n = 0;
		char *item;

		for (; list[n] && (inside || list[n] != ','); n++)
			inside ^= list[n] == '/';
		item = format_text("%.*s", (int)n, list);
		if (*item)
			call(sel, item);
		free(item);
		list += n + (list[n] == ',');
	}
}

/* Words that mean the processor's own events in perf, whatever a PMU here calls its own. */
static bool is_of_processor(const char *word)
{
	static const char *const words[] = {
		"branch-*", "branches", "bus-cycles", "cache-*", "cpu-*", "cs", "cycles", "faults", "instructions", "L1-*", "LLC-*",
		"major-faults", "migrations", "minor-faults", "page-faults", "ref-cycles", "stalled-cycles-*", "task-clock",
	};

	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (matches(words[i], word))
			return true;
	return false;
}

/* What perf reads in another way than a PMU's event. The rest is mon_group_add()'s. */
static void check_syntax(const struct selection *sel, const char *item)
{
	const char *slash = strchr(item, '/'), *end = strrchr(item, '/');

	if (strpbrk(item, "{}"))
		die("%s: leave { } out: the events of one PMU count together anyhow", item);
	if (slash && end != slash && end[1])
		die("%s: something follows the last /: these PMUs have no modifiers", item);
	for (size_t i = 0; !slash && is_of_processor(item) && i < mon_pmus_get_count(sel->pmus); i++)
		if (mon_pmu_find_event(mon_pmus_get(sel->pmus, i), item))
			die("%s: in perf this is the processor's event: did you mean %s/%s/?", item,
			    mon_pmu_get_name(mon_pmus_get(sel->pmus, i)), item);
	if (!slash && is_of_processor(item))
		die("%s: this is the processor's event: perf stat counts it", item);
}

void select_event(struct selection *sel, const char *item)
{
	const char *slash = strchr(item, '/');

	check_syntax(sel, item);
	if (select_item(sel, item, true))
		return;
	if (slash && !is_pattern(item)) {
		char *name = format_text("%.*s", (int)(slash - item), item);

		/* the error says whether the module or the device is missing */
		if (!mon_pmu_new(name))
			die_mon();
	}
	if (!slash && !is_pattern(item))
		die_of_event(sel, NULL, item);
	die("%s: no event of that name here: monctl list shows them", item);
}
