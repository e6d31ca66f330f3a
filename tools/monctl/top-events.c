// SPDX-License-Identifier: GPL-2.0-only
/* monctl top: the events of the PMU that is shown. */
#include <math.h>
#include <string.h>

#include "tools/monctl/top.h"

const struct mon_pmu *top_pmu(const struct top *top)
{
	return mon_pmus_get(top->sel.pmus, top->pmu);
}

static bool is_same_event(const struct counter *a, const struct counter *b)
{
	return a->pmu == b->pmu && !strcmp(a->terms, b->terms);
}

/* Returns the first counter of an event. The counters of an event follow each other. */
const struct counter *top_event(const struct top *top, size_t number)
{
	const struct counter *last = NULL;

	for (size_t i = 0; i < top->sel.count; i++) {
		const struct counter *c = &top->sel.counter[i];

		if (c->pmu != top_pmu(top) || (last && is_same_event(last, c)))
			continue;
		last = c;
		if (!number--)
			return c;
	}
	return NULL;
}

static double sum_of(const struct top *top, const struct counter *event, const double *rate)
{
	double sum = 0;

	for (size_t i = event - top->sel.counter; i < top->sel.count; i++)
		if (is_same_event(event, &top->sel.counter[i]))
			sum += rate[i];
	return sum;
}

double top_rate(const struct top *top, const struct counter *event)
{
	return sum_of(top, event, top->rate);
}

double top_past(const struct top *top, const struct counter *event, size_t ago)
{
	if (ago >= top->readings || ago >= TOP_PAST)
		return NAN;
	return sum_of(top, event, top->past + (top->readings - 1 - ago) % TOP_PAST * top->sel.count);
}
