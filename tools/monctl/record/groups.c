// SPDX-License-Identifier: GPL-2.0-only
/*
 * A selection's counters in groups of mon.h: one for each PMU, read in one system call. Where the
 * hardware has not enough counters for that (eight of a Hexagon core, one event group of Merrifield) there
 * are several groups, which the kernel lets take turns.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/monctl/record/groups.h"

struct member_group {
	struct mon_group *group;
	size_t *member;			/* indexes of counters */
	size_t count;
};

struct groups {
	const struct selection *sel;
	struct member_group *group;
	size_t count;
	uint64_t *values;
};

static struct member_group *add_group(struct groups *groups)
{
	struct member_group *g;

	groups->group = grow(groups->group, groups->count, sizeof(*g));
	g = &groups->group[groups->count++];
	*g = (struct member_group){ mon_group_new(), zeros(MON_GROUP_MAX, sizeof(*g->member)), 0 };
	return g;
}

/* Adds a counter to a group; returns false if the hardware cannot count it together with the others. */
static bool add_counter(const struct selection *sel, struct member_group *g, size_t counter)
{
	const char *text = sel->counter[counter].text;

	if (mon_group_add(g->group, text) < 0) {
		if (g->count && (errno == E2BIG || errno == EINVAL || errno == ENOSPC))
			return false;
		die_mon();
	}
	/* with its first counter: the others are opened as they are added */
	if (!g->count && mon_group_open(g->group))
		die_mon();
	g->member[g->count++] = counter;
	return true;
}

/* Puts each counter into the first group of its PMU that can take it. */
struct groups *groups_open(const struct selection *sel)
{
	struct groups *groups = zeros(1, sizeof(*groups));
	size_t first = 0, i, k;

	groups->sel = sel;
	groups->values = zeros(MON_GROUP_MAX, sizeof(*groups->values));
	for (i = 0; i < sel->count; i++) {
		if (i && sel->counter[i].pmu != sel->counter[i - 1].pmu)
			first = groups->count;
		for (k = first; k < groups->count; k++)
			if (add_counter(sel, &groups->group[k], i))
				break;
		if (k == groups->count)
			add_counter(sel, add_group(groups), i);
	}
	return groups;
}

void groups_free(struct groups *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		mon_group_free(groups->group[i].group);
		free(groups->group[i].member);
	}
	free(groups->group);
	free(groups->values);
	free(groups);
}

void groups_enable(struct groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		if (mon_group_enable(groups->group[i].group))
			die_mon();
}

void groups_disable(struct groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		if (mon_group_disable(groups->group[i].group))
			die_mon();
}

int groups_read(struct groups *groups, struct reading *readings)
{
	struct mon_times times;
	int ret = 0;

	for (size_t i = 0; i < groups->count; i++) {
		const struct member_group *g = &groups->group[i];
		/* a loss is told once: a second try would hide it */
		bool is_missing = mon_group_read(g->group, groups->values, MON_GROUP_MAX, &times);

		for (size_t k = 0; k < g->count; k++) {
			struct reading *reading = &readings[g->member[k]];

			reading->is_missing = is_missing;
			if (is_missing)
				continue;
			reading->value = groups->values[k];
			reading->times = times;
		}
		ret |= -is_missing;
	}
	return ret;
}

double reading_count(const struct reading *before, const struct reading *after)
{
	struct mon_times times = {
		after->times.enabled - before->times.enabled,
		after->times.running - before->times.running,
	};

	if (before->is_missing || after->is_missing || (times.enabled && !times.running))
		return NAN;
	if (times.running == times.enabled)
		return after->value - before->value;
	return mon_scale(after->value - before->value, &times);
}

double reading_share(const struct reading *before, const struct reading *after)
{
	uint64_t enabled = after->times.enabled - before->times.enabled;

	return enabled ? (double)(after->times.running - before->times.running) / enabled : 1;
}
