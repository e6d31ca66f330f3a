// SPDX-License-Identifier: GPL-2.0-only
/* Which counters a command is about. */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/select.h"

bool matches(const char *pattern, const char *name)
{
	return !fnmatch(pattern, name, 0);
}

static bool is_pattern(const char *text)
{
	return strpbrk(text, "*?[");
}

static void *more(void *array, size_t count, size_t size)
{
	array = reallocarray(array, count + 1, size);
	if (!array)
		die("out of memory");
	return array;
}

static char *select_copy(const char *text, size_t length)
{
	char *text_copy = strndup(text, length);

	if (!text_copy)
		die("out of memory");
	return text_copy;
}

/* ---- options ---- */

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct selection *sel = state->input;

	switch (key) {
	case 'e':
		sel->events = more(sel->events, sel->nevents, sizeof(*sel->events));
		sel->events[sel->nevents++] = arg;
		return 0;
	case 'p':
		sel->presets = more(sel->presets, sel->npresets, sizeof(*sel->presets));
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
	  "Count these: PMU/EVENT/, EVENT alone, globs (\"espmon/noc_*/\"), terms as perf has them "
	  "(repeatable)", 1 },
	{ "preset", 'p', "NAME", 0,
	  "Count what answers a question; monctl list --presets shows the names (repeatable; default: "
	  "all of them)", 1 },
	{ "per-place", 'a', NULL, 0, "Count in each tile, DPU or thread on its own", 1 },
	{ 0 },
};

const struct argp selection_argp = { options, parse_option, NULL, NULL, NULL, NULL, NULL };

/* ---- counters ---- */

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

/*
 * "NOUN=NUMBER" at the end, as labels have it, is a place too: not the driver's terms, in which a number
 * without "bytile" would mean all of them. Terms of a place in the driver's form stay as they are.
 */
static const struct mon_place *label_place(const struct mon_pmu *pmu, char *terms)
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

/* What perf_event_attr.config and so on are. */
static void look_up(struct counter *counter)
{
	struct mon_group *group = mon_group_new();

	if (!group || mon_group_add(group, counter->text) < 0)
		die_mon();
	for (unsigned int word = 0; word < COUNT_OF(counter->config); word++)
		counter->config[word] = mon_group_get_config(group, 0, word);
	mon_group_free(group);
}

/* The event of a code, as "group=1,counter=0" is one. */
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

static bool is_there(const struct selection *sel, const char *text)
{
	for (size_t i = 0; i < sel->count; i++)
		if (!strcmp(sel->counter[i].text, text))
			return true;
	return false;
}

static void add_counter(struct selection *sel, const struct mon_pmu *pmu, const char *terms)
{
	struct counter counter = { .pmu = pmu };

	counter.text = format_text("%s/%s/", mon_pmu_get_name(pmu), terms);
	if (is_there(sel, counter.text)) {
		free(counter.text);
		return;
	}
	counter.terms = select_copy(terms, strlen(terms));
	counter.place = place_in(pmu, counter.terms);
	look_up(&counter);
	counter.event = event_of(&counter);
	sel->counter = more(sel->counter, sel->count, sizeof(*sel->counter));
	sel->counter[sel->count++] = counter;
}

/* In one place, or with NULL in all together. */
static void add_counter_in(struct selection *sel, const struct mon_pmu *pmu, const char *terms,
			   const struct mon_place *place)
{
	char *all = place ? format_text("%s,%s", terms, mon_place_get_terms(place)) : select_copy(terms, strlen(terms));

	add_counter(sel, pmu, all);
	free(all);
}

static size_t add_matching(struct selection *sel, const struct mon_pmu *pmu, const char *pattern,
			   const struct mon_place *place)
{
	size_t found = 0, i;

	for (i = 0; i < mon_pmu_get_event_count(pmu); i++) {
		const struct mon_event *event = mon_pmu_get_event(pmu, i);

		if (!matches(pattern, mon_event_get_name(event)) || (place && !mon_event_counts_in(event, place)))
			continue;
		add_counter_in(sel, pmu, mon_event_get_name(event), place);
		found++;
	}
	return found;
}

/* Says which event may be meant by a name that is none. */
__attribute__((noreturn)) static void die_of_event(const struct selection *sel, const struct mon_pmu *only,
						   const char *name)
{
	const char *pmu = only ? mon_pmu_get_name(only) : "";
	const char **names = NULL, *closest;
	size_t count = 0;

	for (size_t i = 0; i < mon_pmus_get_count(sel->pmus); i++) {
		const struct mon_pmu *of = mon_pmus_get(sel->pmus, i);

		for (size_t k = 0; (!only || of == only) && k < mon_pmu_get_event_count(of); k++) {
			names = more(names, count, sizeof(*names));
			names[count++] = mon_event_get_name(mon_pmu_get_event(of, k));
		}
	}
	closest = closest_name(name, names, count);
	if (closest)
		die("%s%sno event %s: did you mean %s? monctl list%s%s shows all", pmu, *pmu ? ": " : "", name, closest,
		    *pmu ? " " : "", pmu);
	die("%s%sno event %s: monctl list%s%s shows all", pmu, *pmu ? ": " : "", name, *pmu ? " " : "", pmu);
}

/* Terms or a pattern on a PMU, as they are in an item of -e. Returns how many counters that is. */
static size_t add_terms(struct selection *sel, const struct mon_pmu *pmu, const char *text, bool must)
{
	char *terms = select_copy(text, strlen(text));
	const struct mon_place *place = label_place(pmu, terms);
	size_t found = 0;

	if (is_pattern(terms)) {
		found = add_matching(sel, pmu, terms, place);
	} else if (must || mon_pmu_find_event(pmu, terms)) {
		if (!strpbrk(terms, "=,") && *terms && !mon_pmu_find_event(pmu, terms))
			die_of_event(sel, pmu, terms);
		add_counter_in(sel, pmu, terms, place);
		found = 1;
	}
	free(terms);
	return found;
}

/*
 * One item of -e. Without a PMU the event is looked for in all; a PMU may be a pattern, too. Returns
 * the number of PMUs that it fits; what a PMU does not understand is told when it is opened.
 */
static size_t add_item(struct selection *sel, const char *item, bool exact_pmu)
{
	const char *slash = strchr(item, '/');
	char *pmu_name = slash ? select_copy(item, slash - item) : select_copy("*", 1);
	char *terms = slash ? select_copy(slash + 1, strcspn(slash + 1, "/")) :
		select_copy(item, strlen(item));
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

/* Calls for each item of a list: commas between slashes belong to an event. */
static void for_each_item(const char *list, void (*call)(struct selection *, const char *),
			  struct selection *sel)
{
	while (*list) {
		bool inside = false;
		size_t n = 0;
		char *item;

		for (; list[n] && (inside || list[n] != ','); n++)
			inside ^= list[n] == '/';
		item = select_copy(list, n);
		if (*item)
			call(sel, item);
		free(item);
		list += n + (list[n] == ',');
	}
}

static void want_event(struct selection *sel, const char *item)
{
	const char *slash = strchr(item, '/');

	if (add_item(sel, item, true))
		return;
	if (slash && !is_pattern(item)) {
		char *name = select_copy(item, slash - item);

		/* says whether module or device is missing */
		if (!mon_pmu_new(name))
			die_mon();
	}
	if (!slash && !is_pattern(item))
		die_of_event(sel, NULL, item);
	die("%s: no event of that name here: monctl list shows them", item);
}

static void want_preset_event(struct selection *sel, const char *item)
{
	add_item(sel, item, false);
}

static bool has_all_events(const struct metric *metric, const struct mon_pmu *pmu)
{
	char terms[128];
	size_t at = 0;

	while (metric_next_event(metric->expression, &at, terms, sizeof(terms)))
		if (!strchr(terms, '=') && !mon_pmu_find_event(pmu, terms))
			return false;
	return true;
}

static void want_metric(struct selection *sel, const char *name)
{
	const struct metric *metric = metric_find(name);
	char terms[128];

	for (size_t i = 0; metric && i < mon_pmus_get_count(sel->pmus); i++) {
		const struct mon_pmu *pmu = mon_pmus_get(sel->pmus, i);
		size_t at = 0, m;

		if (strcmp(metric->kind, mon_pmu_get_kind(pmu)) || !has_all_events(metric, pmu))
			continue;
		for (m = 0; m < sel->nmetrics; m++)
			if (sel->metric[m].metric == metric && sel->metric[m].pmu == pmu)
				break;
		if (m < sel->nmetrics)
			continue;
		sel->metric = more(sel->metric, sel->nmetrics, sizeof(*sel->metric));
		sel->metric[sel->nmetrics++] = (struct wanted_metric){ metric, pmu };
		while (metric_next_event(metric->expression, &at, terms, sizeof(terms)))
			add_counter(sel, pmu, terms);
	}
}

static void want_preset(struct selection *sel, const struct preset *preset)
{
	for_each_item(preset->events, want_preset_event, sel);
	for_each_item(preset->metrics, want_metric, sel);
}

static void want_preset_named(struct selection *sel, const char *name)
{
	const struct metric_set *set = metrics();
	const char **names, *closest;

	for (size_t i = 0; i < set->npresets; i++) {
		if (!strcmp(name, set->preset[i].name)) {
			want_preset(sel, &set->preset[i]);
			return;
		}
	}
	names = calloc(set->npresets + 1, sizeof(*names));
	for (size_t i = 0; names && i < set->npresets; i++)
		names[i] = set->preset[i].name;
	closest = names ? closest_name(name, names, set->npresets) : NULL;
	die("--preset %s: there is no such preset: %s%s%smonctl list --presets shows them", name,
	    closest ? "did you mean " : "", closest ? closest : "", closest ? "? " : "");
}

bool selection_table(const struct selection *sel)
{
	const struct metric_set *set = metrics();

	for (size_t i = 0; i < sel->npresets; i++)
		for (size_t k = 0; k < set->npresets; k++)
			if (!strcmp(set->preset[k].name, sel->presets[i]) && set->preset[k].has_table)
				return true;
	return false;
}

static void want_defaults(struct selection *sel)
{
	const struct metric_set *set = metrics();

	for (size_t i = 0; i < set->npresets; i++)
		if (!set->preset[i].on_request)
			want_preset(sel, &set->preset[i]);
}

/* Counters of a PMU stand together, otherwise as they were chosen. */
static void sort_by_pmu(struct selection *sel)
{
	/* an insertion keeps the order of equals */
	for (size_t i = 1; i < sel->count; i++) {
		struct counter counter = sel->counter[i];
		const char *name = mon_pmu_get_name(counter.pmu);
		size_t k = i;

		for (; k && strcmp(mon_pmu_get_name(sel->counter[k - 1].pmu), name) > 0; k--)
			sel->counter[k] = sel->counter[k - 1];
		sel->counter[k] = counter;
	}
}

void selection_resolve(struct selection *sel)
{
	size_t i;

	sel->pmus = mon_pmus_new();
	if (!sel->pmus)
		die_mon();
	for (i = 0; i < sel->nevents; i++)
		for_each_item(sel->events[i], want_event, sel);
	for (i = 0; i < sel->npresets; i++)
		want_preset_named(sel, sel->presets[i]);
	sel->is_default = !sel->nevents && !sel->npresets;
	if (sel->is_default)
		want_defaults(sel);
	if (!sel->count)
		die("no device here has counters for that: monctl list shows what is there; in a guest of mon-vm there are all of them");
	sort_by_pmu(sel);
	if (sel->per_place)
		selection_expand_places(sel);
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
			add_counter(sel, pmu, terms);
			free(terms);
		}
		if (places) {
			free(old[i].text);
			free(old[i].terms);
		} else {
			sel->counter = more(sel->counter, sel->count, sizeof(*sel->counter));
			sel->counter[sel->count++] = old[i];
		}
	}
	free(old);
	if (!sel->count)
		die("none of these events counts in any place of its device");
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

/* ---- what a counter is ---- */

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

uint64_t pmu_clock(const struct mon_pmu *pmu)
{
	char *text = mon_pmu_read_file(pmu, "caps/clock_hz");
	uint64_t clock = text ? strtoull(text, NULL, 10) : 0;

	free(text);
	return clock;
}
