/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf-json PMU [FILE]: writes the events of a PMU and the metrics of a file of events/metrics/ as JSON of perf's
 * pmu-events to standard output.
 *
 * perf selects system PMUs by the file identifier in sysfs ("Compat"), so an event appears once for each identifier
 * that its driver may show.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/catalogues.h"
#include "events/metrics/metrics.h"

static const struct event {
	const char *pmu, *name, *unit, *desc;
	unsigned int config;
	unsigned int variants;	/* 0: all */
} events[] = {
#define MON_EVENT(name, config, places, variants, unit, scale, desc, ...) \
	{ MON_PMU, #name, unit, desc, config, variants },
#include "events/catalogues.def"
#undef MON_EVENT
};

static const struct identifier {
	const char *pmu, *text;
	unsigned int variants;
} identifiers[] = {
#define MON_IDENTIFIER(text, variants) { MON_PMU, text, variants },
#include "events/catalogues.def"
#undef MON_IDENTIFIER
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *separator = "[";

/* Does an event of the PMU exist in any variant of an identifier? */
static bool is_there(const struct event *event, const struct identifier *id)
{
	return !strcmp(event->pmu, id->pmu) && (!event->variants || (event->variants & id->variants));
}

struct search {
	const struct identifier *id;
	bool is_missing;
};

/* Numbers (group=) exist for all. */
static void find_event(void *arg, const char *name, bool is_terms)
{
	struct search *search = arg;
	bool found = is_terms;

	for (size_t i = 0; i < COUNT(events); i++)
		found |= is_there(&events[i], search->id) && !strcmp(events[i].name, name);
	search->is_missing |= !found;
}

/* A metric exists for the identifiers that have all its events. */
static bool has_events(const struct identifier *id, const struct metric *metric)
{
	struct search search = { id, false };

	formula_events(metric->formula, find_event, &search);
	return !search.is_missing;
}

/* How strongly an operator binds; perf has no others. */
static int strength(enum formula_op op)
{
	return op == FORMULA_ADD || op == FORMULA_SUBTRACT ? 1 : op == FORMULA_MULTIPLY || op == FORMULA_DIVIDE ? 2 : 3;
}

static void print_formula(const struct metric *metric, const struct formula *f, int outside)
{
	int own = strength(f->op);

	switch (f->op) {
	case FORMULA_NUMBER:
		printf("%.10g", f->number);
		return;
	case FORMULA_EVENT:
		/* pmu@event@: = and , between the signs follow a backslash, which JSON doubles */
		printf("%s@", metric->kind);
		for (const char *p = f->event; *p; p++)
			printf(*p == '=' || *p == ',' ? "\\\\%c" : "%c", *p);
		printf("@");
		return;
	case FORMULA_DURATION:
		printf("duration_time");
		return;
	case FORMULA_ACTIVE:
		/* perf has one window */
		print_formula(metric, f->left, outside);
		return;
	case FORMULA_ADD:
	case FORMULA_SUBTRACT:
	case FORMULA_MULTIPLY:
	case FORMULA_DIVIDE:
		printf("%s", own < outside ? "(" : "");
		print_formula(metric, f->left, own);
		printf(" %c ", "+-*/"[f->op - FORMULA_ADD]);
		print_formula(metric, f->right, own + 1);
		printf("%s", own < outside ? ")" : "");
		return;
	default:
		fprintf(stderr, "perf-json: %s: perf has no such function\n", metric->name);
		exit(EXIT_FAILURE);
	}
}

static void print_event(const struct event *event, const char *identifier)
{
	printf("%s\n  {\n"
	       "    \"EventName\": \"%s\",\n"
	       "    \"ConfigCode\": \"0x%x\",\n"
	       "    \"BriefDescription\": \"%s [%s]\",\n"
	       "    \"Unit\": \"%s\",\n"
	       "    \"Compat\": \"%s\"\n  }",
	       separator, event->name, event->config, event->desc, event->unit, event->pmu, identifier);
	separator = ",";
}

static void print_metric(const struct metric *metric, const char *identifier)
{
	printf("%s\n  {\n"
	       "    \"MetricName\": \"%s\",\n"
	       "    \"MetricGroup\": \"%s\",\n"
	       "    \"MetricExpr\": \"",
	       separator, metric->name, metric->group);
	print_formula(metric, metric->formula, 0);
	printf("\",\n"
	       "    \"ScaleUnit\": \"%g%s\",\n"
	       "    \"BriefDescription\": \"%s\",\n"
	       "    \"Unit\": \"%s\",\n"
	       "    \"Compat\": \"%s\"\n  }",
	       metric->scale, metric->unit, metric->description, metric->kind, identifier);
	separator = ",";
}

int main(int argc, char **argv)
{
	struct metric_set set = { 0 };
	bool found = false;
	char *problem;

	if (argc == 3 && !metrics_read(&set, argv[2], &problem)) {
		fprintf(stderr, "perf-json: %s\n", problem);
		return EXIT_FAILURE;
	}
	for (size_t i = 0; argc >= 2 && argc <= 3 && i < COUNT(identifiers); i++) {
		const struct identifier *id = &identifiers[i];

		if (strcmp(argv[1], id->pmu))
			continue;
		found = true;
		for (size_t k = 0; k < COUNT(events); k++)
			if (is_there(&events[k], id))
				print_event(&events[k], id->text);
		for (size_t k = 0; k < set.nmetrics; k++)
			if (!strcmp(set.metric[k].kind, id->pmu) && has_events(id, &set.metric[k]))
				print_metric(&set.metric[k], id->text);
	}
	metrics_free(&set);
	if (!found) {
		fprintf(stderr, "usage: perf-json PMU [FILE], with a PMU that has a MON_IDENTIFIER\n");
		return 2;
	}
	printf("\n]\n");
	return fclose(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
