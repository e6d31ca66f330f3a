// SPDX-License-Identifier: GPL-2.0-only
/* monctl top: the events of the PMU that is shown. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/show/top.h"

const struct mon_pmu *top_pmu(const struct top *top)
{
	return mon_pmus_get(top->sel.pmus, top->pmu);
}

static bool is_same_event(const struct counter *a, const struct counter *b)
{
	return a->pmu == b->pmu && !strcmp(a->terms, b->terms);
}

void top_find_events(struct top *top)
{
	top->first = calloc(top->sel.count, sizeof(*top->first));
	if (!top->first)
		die("out of memory");
	for (size_t i = 0; i < top->sel.count; i++) {
		const struct counter *c = &top->sel.counter[i];

		/* mostly that of the counter before */
		top->first[i] = i ? top->first[i - 1] : 0;
		if (is_same_event(&top->sel.counter[top->first[i]], c))
			continue;
		top->first[i] = 0;
		while (!is_same_event(&top->sel.counter[top->first[i]], c))
			top->first[i]++;
	}
}

const struct counter *top_event(const struct top *top, size_t number)
{
	for (size_t i = 0; i < top->sel.count; i++)
		if (top->sel.counter[i].pmu == top_pmu(top) && top->first[i] == i && !number--)
			return &top->sel.counter[i];
	return NULL;
}

double top_rate(const struct top *top, const struct counter *event)
{
	size_t first = event - top->sel.counter;
	double sum = 0;

	for (size_t i = first; i < top->sel.count; i++)
		if (top->first[i] == first)
			sum += top->rate[i];
	return sum;
}

void top_keep(struct top *top)
{
	double *kept = top->past + top->readings++ % TOP_PAST * top->sel.count;

	memset(kept, 0, top->sel.count * sizeof(*kept));
	for (size_t i = 0; i < top->sel.count; i++)
		kept[top->first[i]] += top->rate[i];
}

double top_past(const struct top *top, const struct counter *event, size_t ago)
{
	if (ago >= top->readings || ago >= TOP_PAST)
		return NAN;
	return top->past[(top->readings - 1 - ago) % TOP_PAST * top->sel.count + (event - top->sel.counter)];
}
