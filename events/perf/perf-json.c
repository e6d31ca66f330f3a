/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf-json PMU [FILE]: writes the events of a PMU and the metrics of a file of events/metrics/ as JSON of perf's
 * pmu-events to standard output.
 *
 * perf selects system PMUs by the file identifier in sysfs ("Compat"), so an event appears once for each identifier
 * that its driver may show.
 */
#include <ctype.h>
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

static bool has_event(const struct identifier *id, const char *name, size_t len)
{
	for (size_t i = 0; i < COUNT(events); i++)
		if (is_there(&events[i], id) && !strncmp(events[i].name, name, len) &&
		    !events[i].name[len])
			return true;
	return false;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The name or number at p; its length, 0 if there is none. */
static size_t word_at(const char *p)
{
	size_t n = 0;

	while (is_word(p[n]))
		n++;
	return n;
}

static bool is_event(const char *word, size_t n)
{
	static const char duration[] = "duration_time";

	return !isdigit((unsigned char)*word) && (n != strlen(duration) || strncmp(word, duration, n));
}

/* A metric exists for the identifiers that have all its events; numbers (group=) exist for all. */
static bool has_events(const struct identifier *id, const char *expression)
{
	for (const char *p = expression; *p;) {
		size_t n = word_at(p);

		if (*p == '{')
			p += strcspn(p, "}");
		if (n && is_event(p, n) && !has_event(id, p, n))
			return false;
		p += n ? n : 1;
	}
	return true;
}

/* perf's notation, pmu@event@: = and , between the signs follow a backslash, which JSON doubles. */
static void print_expression(const struct metric *metric)
{
	for (const char *p = metric->expression; *p;) {
		size_t n = word_at(p);

		if (*p == '{') {
			printf("%s@", metric->kind);
			for (p++; *p && *p != '}'; p++)
				printf(*p == '=' || *p == ',' ? "\\\\%c" : "%c", *p);
			printf("@");
			p += *p == '}';
		} else if (n && is_event(p, n)) {
			printf("%s@%.*s@", metric->kind, (int)n, p);
			p += n;
		} else {
			printf("%.*s", n ? (int)n : 1, p);
			p += n ? n : 1;
		}
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
	print_expression(metric);
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
			if (!strcmp(set.metric[k].kind, id->pmu) && has_events(id, set.metric[k].expression))
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
