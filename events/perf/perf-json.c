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

#include "events/espmon/regs.h"

struct event {
	const char *name, *unit, *desc;
	unsigned int config;
	unsigned int versions; /* bits of struct identifier; 0: any */
};

struct identifier {
	const char *text;
	unsigned int version;
};

struct metric {
	const char *pmu, *name, *group, *unit, *expression, *desc;
};

#define ESP_2021 1
#define ESP_2023 2

static const struct event espmon_events[] = {
/* the registers of 2021 have no counter of invocations */
#define ESPMON_EVENT(name, code, tiles, unit, desc) \
	{ #name, unit, desc, code, (code) == ESP_MON_ACC_INVOCATIONS ? ESP_2023 : ESP_2021 | ESP_2023 },
#include "events/espmon/events.def"
	{ NULL }
};

static const struct event mrfld_visa_events[] = {
#define MRFLD_EVENT(name, group, counter, unit, scale, desc) \
	{ #name, unit, desc, (group) << 8 | (counter), 0 },
#include "events/mrfld_visa/events.def"
	{ NULL }
};

#define UPMEM_V1A 1
#define UPMEM_V1B 2

static const struct event upmem_events[] = {
/* v1A parts have no counters at the bank interface */
#define UPMEM_EVENT(name, code, unit, desc) \
	{ #name, unit, desc, code, (code) < 0x100 ? UPMEM_V1B : UPMEM_V1A | UPMEM_V1B },
#include "events/upmem/events.def"
	{ NULL }
};

static const struct event hexagon_events[] = {
/* a version without an event must not get it: version 0 would be any */
#define HEXAGON_NOWHERE 0x80000000u
#define HEXAGON_EVENT(name, code, versions, maskable, confidence, from, unit, desc) \
	{ #name, unit, desc, code, (versions) | HEXAGON_NOWHERE },
#define HEXAGON_V65_EVENT(name, code, from, unit, desc) { #name, unit, desc, code, HEXAGON_V65 },
#include "events/hexagon/events.def"
	{ NULL }
};

static const struct metric metrics[] = {
#define PERF_METRIC(pmu, name, group, unit, expression, desc) \
	{ #pmu, #name, group, unit, expression, desc },
#include "events/perf/metrics.def"
};

static const struct {
	const char *name;
	const struct event *events;
	struct identifier identifiers[5];
} pmus[] = {
	{ "espmon", espmon_events, { { "esp-2021", ESP_2021 }, { "esp-2023", ESP_2023 } } },
	{ "mrfld_visa", mrfld_visa_events, { { "mrfld-emulated", 1 } } },
	{ "upmem", upmem_events, { { "upmem-v1A", UPMEM_V1A }, { "upmem-v1B", UPMEM_V1B } } },
	{ "hexagon", hexagon_events,
	  { { "hexagon-v65", HEXAGON_V65 }, { "hexagon-v69", HEXAGON_V69 },
	    { "hexagon-v73", HEXAGON_V73 }, { "hexagon-v79", HEXAGON_V79 } } },
};

static const char *separator = "[";

static bool has_event(const struct event *events, const char *name, size_t len, unsigned int version)
{
	for (; events->name; events++)
		if (!strncmp(events->name, name, len) && !events->name[len] &&
		    (!events->versions || (events->versions & version)))
			return true;
	return false;
}

/* A metric is for those identifiers that have all events in it; numbers (group=) are for all. */
static bool has_events(const struct event *events, const char *pmu, const char *expression,
		       unsigned int version)
{
	char mark[32];
	const char *p = expression;

	snprintf(mark, sizeof(mark), "%s@", pmu);
	while ((p = strstr(p, mark))) {
		size_t len;

		p += strlen(mark);
		len = strcspn(p, "@");
		if (!memchr(p, '=', len) && !has_event(events, p, len, version))
			return false;
		p += len + 1;
	}
	return true;
}

static void print_event(const struct event *event, const char *pmu, const char *identifier)
{
	printf("%s\n  {\n"
	       "    \"EventName\": \"%s\",\n"
	       "    \"ConfigCode\": \"0x%x\",\n"
	       "    \"BriefDescription\": \"%s [%s]\",\n"
	       "    \"Unit\": \"%s\",\n"
	       "    \"Compat\": \"%s\"\n  }",
	       separator, event->name, event->config, event->desc, event->unit, pmu, identifier);
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
	for (size_t i = 0; argc == 2 && i < sizeof(pmus) / sizeof(pmus[0]); i++) {
		if (strcmp(argv[1], pmus[i].name))
			continue;
		for (const struct identifier *id = pmus[i].identifiers; id->text; id++) {
			for (const struct event *event = pmus[i].events; event->name; event++)
				if (!event->versions || (event->versions & id->version))
					print_event(event, argv[1], id->text);
			for (size_t m = 0; m < sizeof(metrics) / sizeof(metrics[0]); m++)
				if (!strcmp(metrics[m].pmu, argv[1]) &&
				    has_events(pmus[i].events, argv[1], metrics[m].expression, id->version))
					print_metric(metrics + m, id->text);
		}
		printf("\n]\n");
		return fclose(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
	}
	fprintf(stderr, "usage: perf-json espmon|mrfld_visa|upmem|hexagon\n");
	return 2;
}
