// SPDX-License-Identifier: GPL-2.0-only
/* Which counters a command is about: its options, presets and places. */
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/record/select-internal.h"

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct selection *sel = state->input;

	switch (key) {
	case 'e':
		sel->events = grow(sel->events, sel->nevents, sizeof(*sel->events));
		sel->events[sel->nevents++] = arg;
		return 0;
	case 'p':
		sel->presets = grow(sel->presets, sel->npresets, sizeof(*sel->presets));
		sel->presets[sel->npresets++] = arg;
		return 0;
	case 'a':
		sel->per_place = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{ "event", 'e', "EVENT[,...]", 0,
	  "Count these: PMU/EVENT/, EVENT alone, globs (\"llc_*\"), terms as perf has them "
	  "(repeatable)", 1 },
	{ "preset", 'p', "NAME", 0,
	  "Count what answers a question; monctl list --presets shows the names (repeatable; default: "
	  "budget)", 1 },
	{ "per-place", 'a', NULL, 0, "Count in each tile, DPU or thread on its own", 1 },
	{ 0 },
};

const struct argp selection_argp = { options, parse_option, NULL, NULL, NULL, NULL, NULL };

static void want_preset_event(struct selection *sel, const char *item)
{
	select_item(sel, item, false);
}

/* A metric's events on a PMU. */
struct metric_events {
	struct selection *sel;
	const struct mon_pmu *pmu;
	bool is_missing;
};

static void find_event(void *arg, const char *event, bool is_terms)
{
	struct metric_events *events = arg;

	events->is_missing |= !is_terms && !mon_pmu_find_event(events->pmu, event);
}

static void add_event(void *arg, const char *event, bool is_terms)
{
	struct metric_events *events = arg;

	(void)is_terms;
	select_add(events->sel, events->pmu, event);
}

static void want_metric_of(struct selection *sel, const struct metric *metric, const struct mon_pmu *pmu)
{
	struct metric_events events = { sel, pmu, false };

	for (size_t i = 0; i < sel->nmetrics; i++)
		if (sel->metric[i].metric == metric && sel->metric[i].pmu == pmu)
			return;
	formula_events(metric->formula, find_event, &events);
	if (events.is_missing)
		return;
	sel->metric = grow(sel->metric, sel->nmetrics, sizeof(*sel->metric));
	sel->metric[sel->nmetrics++] = (struct wanted_metric){ metric, pmu };
	formula_events(metric->formula, add_event, &events);
}

static void want_metric(struct selection *sel, const char *name)
{
	const struct metric *metric = metric_find(name);

	for (size_t i = 0; metric && i < mon_pmus_get_count(sel->pmus); i++)
		if (!strcmp(metric->kind, mon_pmu_get_kind(mon_pmus_get(sel->pmus, i))))
			want_metric_of(sel, metric, mon_pmus_get(sel->pmus, i));
}

/* Adds an event in each place in which it and another one count. */
static void want_places(struct selection *sel, const struct mon_pmu *pmu, const char *pattern, const char *first)
{
	const struct mon_event *leader = mon_pmu_find_event(pmu, first);

	for (size_t i = 0; leader && i < mon_pmu_get_event_count(pmu); i++) {
		const struct mon_event *event = mon_pmu_get_event(pmu, i);

		if (!matches(pattern, mon_event_get_name(event)))
			continue;
		for (size_t p = 0; p < mon_pmu_get_place_count(pmu); p++) {
			const struct mon_place *place = mon_pmu_get_place(pmu, p);

			if (mon_event_counts_in(leader, place) && mon_event_counts_in(event, place))
				select_add_in(sel, pmu, mon_event_get_name(event), place);
		}
	}
}

/* Calls for each PMU of that kind and each item of "KIND/EVENT/,..."; ";" begins those whose first one is the leader. */
static void want_list_in_places(struct selection *sel, const char *list)
{
	char kind[64], event[64], first[64] = "";
	size_t n;

	for (; *list; list += n + (list[n] == ',')) {
		bool is_first = *list == ';';

		n = strcspn(list, ",");
		if (sscanf(list + is_first, "%63[^/]/%63[^/]/", kind, event) != 2)
			continue;
		if (is_first)
			snprintf(first, sizeof(first), "%s", event);
		for (size_t i = 0; i < mon_pmus_get_count(sel->pmus); i++)
			if (!strcmp(mon_pmu_get_kind(mon_pmus_get(sel->pmus, i)), kind))
				want_places(sel, mon_pmus_get(sel->pmus, i), event, first);
	}
}

static void want_preset(struct selection *sel, const struct preset *preset)
{
	want_list_in_places(sel, preset->places);
	select_each(preset->events, want_preset_event, sel);
	select_each(preset->metrics, want_metric, sel);
}

static void want_preset_named(struct selection *sel, const char *name)
{
	const struct metric_set *set = metrics();
	const struct preset *preset = preset_find(name);
	const char **names, *closest;

	if (preset) {
		want_preset(sel, preset);
		return;
	}
	names = zeros(set->npresets, sizeof(*names));
	for (size_t i = 0; names && i < set->npresets; i++)
		names[i] = set->preset[i].name;
	closest = names ? closest_name(name, names, set->npresets) : NULL;
	die("--preset %s: there is no such preset: %s%s%smonctl list --presets shows them", name,
	    closest ? "did you mean " : "", closest ? closest : "", closest ? "? " : "");
}

bool selection_table(const struct selection *sel)
{
	for (size_t i = 0; i < sel->npresets; i++)
		if (preset_find(sel->presets[i]) && preset_find(sel->presets[i])->has_table)
			return true;
	return false;
}

/* Sorts counters by PMU; within a PMU they keep their order. */
static void sort_by_pmu(struct selection *sel)
{
	/* insertion sort keeps the order of equals */
	for (size_t i = 1; i < sel->count; i++) {
		struct counter counter = sel->counter[i];
		const char *name = mon_pmu_get_name(counter.pmu);
		size_t k = i;

		for (; k && strcmp(mon_pmu_get_name(sel->counter[k - 1].pmu), name) > 0; k--)
			sel->counter[k] = sel->counter[k - 1];
		sel->counter[k] = counter;
	}
}

static bool has_counter(const struct selection *sel, const struct mon_pmu *pmu, const char *pattern,
			const struct mon_place *place)
{
	for (size_t i = 0; i < sel->count; i++)
		if (sel->counter[i].pmu == pmu && (!place || !sel->counter[i].place || sel->counter[i].place == place) &&
		    (!pattern || (matches(pattern, sel->counter[i].terms) && (!place || sel->counter[i].place))))
			return true;
	return false;
}

/* Adds the events of a PMU's clock in all places that are counted and do not have it, or in one. */
static void add_clock(struct selection *sel, const struct mon_pmu *pmu, const struct clock_rule *clock)
{
	size_t before = sel->count;

	for (size_t e = 0; e < mon_pmu_get_event_count(pmu); e++) {
		const struct mon_event *event = mon_pmu_get_event(pmu, e);
		const char *name = mon_event_get_name(event);

		if (!clock_has_event(clock, name))
			continue;
		if (clock->is_total && !has_counter(sel, pmu, name, NULL))
			select_add(sel, pmu, name);
		for (size_t p = 0; !clock->is_total && p < mon_pmu_get_place_count(pmu); p++) {
			const struct mon_place *place = mon_pmu_get_place(pmu, p);

			if (!mon_event_counts_in(event, place) || !has_counter(sel, pmu, NULL, place) ||
			    has_counter(sel, pmu, name, clock->is_once ? NULL : place))
				continue;
			select_add_in(sel, pmu, name, place);
		}
	}
	for (; before < sel->count; before++)
		sel->counter[before].is_clock = true;
}

/* Counts the clock of each PMU whose events are counted, where it costs no register. */
static void add_clocks(struct selection *sel)
{
	for (size_t i = 0; i < mon_pmus_get_count(sel->pmus); i++) {
		const struct mon_pmu *pmu = mon_pmus_get(sel->pmus, i);
		const struct clock_rule *clock = clock_find(mon_pmu_get_kind(pmu));

		if (clock && has_counter(sel, pmu, NULL, NULL))
			add_clock(sel, pmu, clock);
	}
}

void selection_resolve(struct selection *sel)
{
	size_t i;

	sel->pmus = mon_pmus_new();
	if (!sel->pmus)
		die_mon();
	for (i = 0; i < sel->nevents; i++) {
		if (!*sel->events[i])
			die("-e: no event: give PMU/EVENT/; monctl list shows them");
		select_each(sel->events[i], select_event, sel);
	}
	for (i = 0; i < sel->count; i++)
		sel->counter[i].is_asked = true;
	for (i = 0; i < sel->npresets; i++)
		want_preset_named(sel, sel->presets[i]);
	sel->is_default = !sel->nevents && !sel->npresets;
	if (sel->is_default)
		want_preset_named(sel, "budget");
	if (!sel->count)
		die("no device here has counters for that: monctl list shows what is there; in a guest of mon-vm there are all of them");
	if (sel->per_place)
		selection_expand_places(sel);
	add_clocks(sel);
	sort_by_pmu(sel);
}

void selection_expand_places(struct selection *sel)
{
	struct counter *old = sel->counter;
	size_t count = sel->count, i, k;

	sel->counter = NULL;
	sel->count = 0;
	for (i = 0; i < count; i++) {
		const struct mon_pmu *pmu = old[i].pmu;
		size_t places = old[i].place ? 0 : mon_pmu_get_place_count(pmu);

		for (k = 0; k < places; k++) {
			const struct mon_place *place = mon_pmu_get_place(pmu, k);
			char *terms;

			if (old[i].event && !mon_event_counts_in(old[i].event, place))
				continue;
			terms = format_text("%s,%s", old[i].terms, mon_place_get_terms(place));
			select_add(sel, pmu, terms);
			sel->counter[sel->count - 1].is_asked |= old[i].is_asked;
			free(terms);
		}
		/* a clock may be there in each place already */
		if (places || selection_has(sel, old[i].text)) {
			free(old[i].text);
			free(old[i].terms);
		} else {
			sel->counter = grow(sel->counter, sel->count, sizeof(*sel->counter));
			sel->counter[sel->count++] = old[i];
		}
	}
	free(old);
	if (!sel->count)
		die("none of these events counts in any place of its device");
}

const char *selection_gone(const struct selection *sel)
{
	for (size_t i = 0; i < sel->count; i++) {
		struct mon_group *group;
		bool is_gone;

		if (i && sel->counter[i - 1].pmu == sel->counter[i].pmu)
			continue;
		/* the PMU stays as long as its events are open, but opens no more of them */
		group = mon_group_new();
		is_gone = !group || mon_group_add(group, sel->counter[i].text) < 0 || mon_group_open(group);
		mon_group_free(group);
		if (is_gone)
			return mon_pmu_get_name(sel->counter[i].pmu);
	}
	return NULL;
}

static uint64_t losses_of(const struct mon_pmu *pmu)
{
	char *text = mon_pmu_read_file(pmu, "losses");
	uint64_t losses = text ? strtoull(text, NULL, 10) : 0;

	free(text);
	return losses;
}

void selection_note_losses(struct selection *sel)
{
	for (size_t i = 0; i < sel->count; i++)
		sel->counter[i].losses = losses_of(sel->counter[i].pmu);
}

const char *selection_lost(const struct selection *sel)
{
	for (size_t i = 0; i < sel->count; i++)
		if (losses_of(sel->counter[i].pmu) != sel->counter[i].losses)
			return mon_pmu_get_name(sel->counter[i].pmu);
	return NULL;
}

void selection_free(struct selection *sel)
{
	for (size_t i = 0; i < sel->count; i++) {
		free(sel->counter[i].text);
		free(sel->counter[i].terms);
	}
	free(sel->counter);
	free(sel->metric);
	free(sel->events);
	free(sel->presets);
	mon_pmus_free(sel->pmus);
}

void selection_list_presets(bool is_json, FILE *out)
{
	const struct metric_set *set = metrics();

	for (size_t i = 0; i < set->npresets; i++) {
		const struct preset *preset = &set->preset[i];

		if (!is_json) {
			fprintf(out, "%s\t%s\n", preset->name, preset->description);
			continue;
		}
		fprintf(out, "%s{\"preset\": ", i ? ",\n  " : "[\n  ");
		json_string(out, preset->name);
		fprintf(out, ", \"description\": ");
		json_string(out, preset->description);
		fprintf(out, "}%s", i + 1 < set->npresets ? "" : "\n]\n");
	}
}
