// SPDX-License-Identifier: GPL-2.0-only
/* Metrics: a small calculator for perf's notation of expressions. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/metric.h"

static const struct metric metrics[] = {
#define PERF_METRIC(pmu, name, group, unit, expression, description) \
	{ #pmu, #name, group, unit, expression, description },
#include "events/perf/metrics.def"
};

static const size_t count = sizeof(metrics) / sizeof(metrics[0]);

const struct metric *metric_find(const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(metrics[i].name, name))
			return &metrics[i];
	return NULL;
}

const struct metric *metric_get(size_t index)
{
	return index < count ? &metrics[index] : NULL;
}

/* "pmu@terms@" at p: copies the terms without perf's backslashes; NULL if there is none. */
static const char *read_event(const struct metric *metric, const char *p, char *terms, size_t room)
{
	size_t n = strlen(metric->kind), used = 0;

	if (strncmp(p, metric->kind, n) || p[n] != '@')
		return NULL;
	for (p += n + 1; *p && *p != '@'; p++)
		if (*p != '\\' && used + 1 < room)
			terms[used++] = *p;
	terms[used] = '\0';
	return *p == '@' ? p + 1 : NULL;
}

bool metric_next_event(const struct metric *metric, size_t *at, char *terms, size_t room)
{
	const char *p = metric->expression + *at, *end;

	for (; *p; p++) {
		end = read_event(metric, p, terms, room);
		if (!end)
			continue;
		*at = end - metric->expression;
		return true;
	}
	return false;
}

struct calculator {
	const struct metric *metric;
	const char *p;
	metric_lookup lookup;
	void *arg;
	double seconds;
};

static double metric_sum(struct calculator *c);

static void skip_spaces(struct calculator *c)
{
	c->p += strspn(c->p, " ");
}

static double metric_operand(struct calculator *c)
{
	static const char duration[] = "duration_time";
	const char *end;
	char terms[128], *rest;
	double value;

	skip_spaces(c);
	if (*c->p == '(') {
		c->p++;
		value = metric_sum(c);
		skip_spaces(c);
		if (*c->p == ')')
			c->p++;
		return value;
	}
	if (isdigit((unsigned char)*c->p)) {
		value = strtod(c->p, &rest);
		c->p = rest;
		return value;
	}
	if (!strncmp(c->p, duration, strlen(duration))) {
		c->p += strlen(duration);
		return c->seconds;
	}
	end = read_event(c->metric, c->p, terms, sizeof(terms));
	if (!end) {
		c->p += strlen(c->p);
		return NAN;
	}
	c->p = end;
	return c->lookup(c->arg, terms);
}

static double metric_product(struct calculator *c)
{
	double value = metric_operand(c), by;

	for (;;) {
		char sign;

		skip_spaces(c);
		sign = *c->p;
		if (sign != '*' && sign != '/')
			return value;
		c->p++;
		by = metric_operand(c);
		value = sign == '*' ? value * by : by == 0 ? NAN : value / by;
	}
}

static double metric_sum(struct calculator *c)
{
	double value = metric_product(c);

	for (;;) {
		char sign;

		skip_spaces(c);
		sign = *c->p;
		if (sign != '+' && sign != '-')
			return value;
		c->p++;
		value += sign == '+' ? metric_product(c) : -metric_product(c);
	}
}

double metric_value(const struct metric *metric, metric_lookup lookup, void *arg, double seconds)
{
	struct calculator c = {
		.metric = metric, .p = metric->expression, .lookup = lookup, .arg = arg,
		.seconds = seconds,
	};
	double value = metric_sum(&c);

	skip_spaces(&c);
	return *c.p ? NAN : value * strtod(metric->unit, NULL);
}

const char *metric_unit(const struct metric *metric)
{
	char *unit;

	strtod(metric->unit, &unit);
	return unit;
}
