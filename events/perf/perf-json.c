/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf-json PMU: the events and metrics of a PMU in the JSON of perf's pmu-events, to standard output.
 *
 * perf knows system PMUs by the file identifier in sysfs ("Compat"), so an event appears once for
 * each identifier that its driver may show.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/catalogues.h"

static const struct event {
	const char *pmu, *name, *unit, *desc;
	unsigned int config;
	unsigned int variants; /* 0: all */
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

static const struct metric {
	const char *pmu, *name, *group, *unit, *expression, *desc;
} metrics[] = {
#define PERF_METRIC(pmu, name, group, unit, expression, desc) \
	{ #pmu, #name, group, unit, expression, desc },
#include "events/perf/metrics.def"
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *separator = "[";

/* Does an event of the PMU exist in the variants of an identifier? */
static bool is_there(const struct event *event, const struct identifier *id)
{
	return !strcmp(event->pmu, id->pmu) && (!event->variants || (event->variants & id->variants));
}

static bool has_event(const struct identifier *id, const char *name, size_t len)
{
	for (size_t i = 0; i < COUNT(events); i++)
		if (is_there(&events[i], id) && !strncmp(events[i].name, name, len) &&
		    !events[i].name[len])
			return true;
	return false;
}

/* A metric is for those identifiers that have all events in it; numbers (group=) are for all. */
static bool has_events(const struct identifier *id, const char *expression)
{
	char mark[32];
	const char *p = expression;

	snprintf(mark, sizeof(mark), "%s@", id->pmu);
	while ((p = strstr(p, mark))) {
		size_t len;

		p += strlen(mark);
		len = strcspn(p, "@");
		if (!memchr(p, '=', len) && !has_event(id, p, len))
			return false;
		p += len + 1;
	}
	return true;
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
	       "    \"MetricExpr\": \"%s\",\n"
	       "    \"ScaleUnit\": \"%s\",\n"
	       "    \"BriefDescription\": \"%s\",\n"
	       "    \"Unit\": \"%s\",\n"
	       "    \"Compat\": \"%s\"\n  }",
	       separator, metric->name, metric->group, metric->expression, metric->unit, metric->desc,
	       metric->pmu, identifier);
	separator = ",";
}

int main(int argc, char **argv)
{
	bool found = false;

	for (size_t i = 0; argc == 2 && i < COUNT(identifiers); i++) {
		const struct identifier *id = &identifiers[i];

		if (strcmp(argv[1], id->pmu))
			continue;
		found = true;
		for (size_t k = 0; k < COUNT(events); k++)
			if (is_there(&events[k], id))
				print_event(&events[k], id->text);
		for (size_t k = 0; k < COUNT(metrics); k++)
			if (!strcmp(metrics[k].pmu, id->pmu) && has_events(id, metrics[k].expression))
				print_metric(&metrics[k], id->text);
	}
	if (!found) {
		fprintf(stderr, "usage: perf-json PMU, with a PMU that has a MON_IDENTIFIER\n");
		return 2;
	}
	printf("\n]\n");
	return fclose(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
