// SPDX-License-Identifier: GPL-2.0-only
/* Describes a recording in lines of words (recording.h), from a selection. */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "tools/monctl/record/describe.h"

/* Tabs and line ends separate words and lines. */
static void put_word(FILE *out, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

void describe_head(FILE *out, char *const command[])
{
	struct utsname machine;

	fprintf(out, "monctl\t1\ncommand\t");
	for (size_t i = 0; command && command[i]; i++) {
		if (i)
			fputc(' ', out);
		put_word(out, command[i]);
	}
	fputc('\n', out);
	if (!uname(&machine))
		fprintf(out, "machine\t%s: %s %s %s\n", machine.nodename, machine.sysname, machine.release, machine.machine);
}

static void describe_places(FILE *out, const struct mon_pmu *pmu)
{
	for (size_t i = 0; i < mon_pmu_get_place_count(pmu); i++) {
		const struct mon_place *place = mon_pmu_get_place(pmu, i);

		fprintf(out, "place\t%u\t%s\t%s\t%s\t%d\t%d\n", mon_place_get_number(place),
			mon_place_get_kind(place), mon_place_get_name(place),
			mon_place_get_device(place), mon_place_get_row(place),
			mon_place_get_column(place));
	}
}

struct absent_events {
	const struct mon_pmu *pmu;
	FILE *out;
};

static void describe_absent_event(void *arg, const char *event, bool is_terms)
{
	struct absent_events *absent = arg;

	if (!is_terms && !mon_pmu_find_event(absent->pmu, event))
		fprintf(absent->out, "absent\t%s\n", event);
}

/* Events of the budgets that the PMU does not have: they count nothing, which is not the same as not counted. */
static void describe_absent(FILE *out, const struct mon_pmu *pmu)
{
	const struct metric_set *set = metrics();
	struct absent_events absent = { pmu, out };

	for (size_t i = 0; i < set->nbudgets; i++) {
		if (strcmp(set->budget[i].kind, mon_pmu_get_kind(pmu)))
			continue;
		formula_events(set->budget[i].formula, describe_absent_event, &absent);
		for (size_t k = 0; k < set->budget[i].nparts; k++)
			formula_events(set->budget[i].part[k].formula, describe_absent_event, &absent);
	}
}

static size_t count_places(const struct counter *counter)
{
	size_t n = 0;

	for (size_t i = 0; counter->event && i < mon_pmu_get_place_count(counter->pmu); i++)
		n += mon_event_counts_in(counter->event, mon_pmu_get_place(counter->pmu, i));
	return n;
}

static void describe_counter(FILE *out, const struct counter *counter, size_t attr)
{
	fprintf(out, "counter\t%zu\t", attr);
	put_word(out, counter_event_name(counter));
	fprintf(out, "\t%d\t", counter->place ? (int)mon_place_get_number(counter->place) : -1);
	put_word(out, counter_unit(counter));
	fprintf(out, "\t%.17g\t", counter_scale(counter));
	if (counter->event)
		put_word(out, mon_event_get_description(counter->event));
	fputc('\t', out);
	put_word(out, counter->terms);
	fprintf(out, "\t%zu\n", count_places(counter));
}

void describe_selection(FILE *out, const struct selection *sel, const size_t *attr_of)
{
	const struct mon_pmu *pmu = NULL;

	for (size_t i = 0; i < sel->count; i++) {
		const struct counter *counter = &sel->counter[i];

		if (counter->pmu != pmu) {
			pmu = counter->pmu;
			fprintf(out, "pmu\t%s\t%s\t%llu\n", mon_pmu_get_name(pmu),
				mon_pmu_get_place_noun(pmu), (unsigned long long)pmu_clock(pmu));
			describe_places(out, pmu);
			describe_absent(out, pmu);
		}
		describe_counter(out, counter, attr_of ? attr_of[i] : i);
	}
}

struct recording *describe_recording(const struct selection *sel, const struct tracepoints *marks,
				     uint64_t interval)
{
	struct recording *rec;
	char *text = NULL;
	size_t size;
	FILE *out = text_open(&text, &size);

	describe_head(out, NULL);
	fprintf(out, "interval\t%llu\n", (unsigned long long)interval);
	describe_selection(out, sel, NULL);
	for (size_t i = 0; marks && i < marks->count; i++)
		tracepoint_describe(&marks->item[i], i, out);
	text_close(out);
	rec = recording_parse(text, size, "live");
	if (!rec)
		die_mon();
	free(text);
	return rec;
}
