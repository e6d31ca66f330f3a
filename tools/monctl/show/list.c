// SPDX-License-Identifier: GPL-2.0-only
/* monctl list: the events. */
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/record/select.h"

struct list_options {
	bool json, presets;
	const char *pattern;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct list_options *o = state->input;

	switch (key) {
	case 'j':
		o->json = true;
		return 0;
	case 'p':
		o->presets = true;
		return 0;
	case ARGP_KEY_ARG:
		if (o->pattern)
			return ARGP_ERR_UNKNOWN;
		o->pattern = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* A pattern is one of a PMU or an event: "espmon", "espmon/llc_*", "espmon/llc_hits/", "llc_*". */
static bool is_wanted(const char *pattern, const struct mon_pmu *pmu, const struct mon_event *event)
{
	const char *name = mon_pmu_get_name(pmu);
	char *full = format_text("%s/%s", name, mon_event_get_name(event)), *wanted;
	size_t n = pattern ? strlen(pattern) : 0;
	bool is;

	wanted = format_text("%.*s", (int)(n && pattern[n - 1] == '/' ? n - 1 : n), pattern ? pattern : "");
	is = !pattern || matches(wanted, name) || matches(wanted, full) ||
	     matches(wanted, mon_event_get_name(event));
	free(wanted);
	free(full);
	return is;
}

static void print_event(const struct mon_pmu *pmu, const struct mon_event *event)
{
	const char *unit = mon_event_get_unit(event), *where = mon_event_get_where(event);

	printf("  %s/%s/", mon_pmu_get_name(pmu), mon_event_get_name(event));
	if (*unit)
		printf("  [%s]", unit);
	if (*where)
		printf("  in: %s", where);
	printf("\n      ");
	print_wrapped(stdout, mon_event_get_description(event), 6, terminal_width());
}

static void print_event_json(const struct mon_pmu *pmu, const struct mon_event *event, bool first)
{
	fputs(first ? "" : ",", stdout);
	json_print(stdout, "\n  {\"pmu\": %s, \"event\": %s, \"unit\": %s, \"scale\": %.17g, \"where\": %s, \"description\": %s}",
		   mon_pmu_get_name(pmu), mon_event_get_name(event), mon_event_get_unit(event), mon_event_get_scale(event),
		   mon_event_get_where(event), mon_event_get_description(event));
}

/* Returns whether the PMU is one of libmon's systems; others of the machine are listed by name only. */
static bool is_known(const struct mon_pmu *pmu)
{
	static const char *const names[] = {
#define MON_SYSTEM(name, pmu, ...) #pmu,
#include "events/built.def"
#undef MON_SYSTEM
	};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (!strcmp(mon_pmu_get_kind(pmu), names[i]))
			return true;
	return false;
}

static size_t list_pmu(const struct mon_pmu *pmu, const struct list_options *o, size_t before)
{
	size_t shown = 0, i;

	for (i = 0; i < mon_pmu_get_event_count(pmu); i++) {
		const struct mon_event *event = mon_pmu_get_event(pmu, i);

		if (!is_wanted(o->pattern, pmu, event))
			continue;
		if (!shown && !o->json)
			printf("%s%s:\n", before ? "\n" : "", mon_pmu_get_name(pmu));
		if (o->json)
			print_event_json(pmu, event, !(before + shown));
		else
			print_event(pmu, event);
		shown++;
	}
	return shown;
}

int cmd_list(int argc, char **argv)
{
	static const struct argp_option options[] = {
		{ "json", 'j', NULL, 0, "An array of objects", 0 },
		{ "presets", 'p', NULL, 0, "List the names for --preset instead", 0 },
		{ 0 },
	};
	static const struct argp argp = {
		options, parse_option, "[PMU|GLOB]",
		"List the events that can be counted here, with unit, place and description.",
		NULL, NULL, NULL,
	};
	struct list_options o = { 0 };
	struct mon_pmus *pmus;
	size_t shown = 0, i;

	parse_arguments(&argp, argc, argv, &o);
	if (o.presets) {
		selection_list_presets(o.json, stdout);
		return 0;
	}
	pmus = mon_pmus_new();
	if (!pmus)
		die_mon();
	if (o.json)
		printf("[");
	for (i = 0; i < mon_pmus_get_count(pmus); i++)
		if (o.pattern || is_known(mon_pmus_get(pmus, i)))
			shown += list_pmu(mon_pmus_get(pmus, i), &o, shown);
	if (o.json)
		printf("\n]\n");
	if (!shown && o.pattern && mon_pmus_get_count(pmus))
		die("%s: no event or PMU of that name here: monctl list shows all", o.pattern);
	mon_pmus_free(pmus);
	if (!shown)
		die("no PMU here has events: load libmon's modules, or look inside of mon-vm");
	return 0;
}
