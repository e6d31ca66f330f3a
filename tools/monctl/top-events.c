// SPDX-License-Identifier: GPL-2.0-only
/* monctl top: the events of the PMU that is shown. */
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

/* The counters of an event stand together. */
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

double top_rate(const struct top *top, const struct counter *event)
{
	double sum = 0;

	for (size_t i = event - top->sel.counter; i < top->sel.count; i++)
		if (is_same_event(event, &top->sel.counter[i]))
			sum += top->rate[i];
	return sum;
}
