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

#include "tools/monctl/groups.h"

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

/* Returns false if the hardware cannot count them together. */
static bool open_group(const struct selection *sel, struct member_group *g)
{
	struct mon_group *group = mon_group_new();
	size_t i;

	if (!group)
		die_mon();
	for (i = 0; i < g->count; i++)
		if (mon_group_add(group, sel->counter[g->member[i]].text) < 0)
			break;
	if (i < g->count && errno != E2BIG)
		die_mon();
	if (i < g->count || mon_group_open(group)) {
		bool fits_not = i < g->count || errno == EINVAL || errno == ENOSPC;

		if (!fits_not || g->count == 1)
			die_mon();
		mon_group_free(group);
		return false;
	}
	mon_group_free(g->group);
	g->group = group;
	return true;
}

static struct member_group *add_group(struct groups *groups)
{
	struct member_group *g = reallocarray(groups->group, groups->count + 1, sizeof(*g));

	if (!g)
		die("out of memory");
	groups->group = g;
	g += groups->count++;
	*g = (struct member_group){ .member = calloc(MON_GROUP_MAX, sizeof(*g->member)) };
	if (!g->member)
		die("out of memory");
	return g;
}

/* Puts each counter into the first group that can take it. */
static void open_one_by_one(struct groups *groups, size_t first, size_t count)
{
	size_t first_group = groups->count, i, k;
	struct member_group *g;

	for (i = first; i < first + count; i++) {
		for (k = first_group; k <= groups->count; k++) {
			g = k < groups->count ? &groups->group[k] : add_group(groups);
			g->member[g->count++] = i;
			if (open_group(groups->sel, g))
				break;
			g->count--;
		}
	}
}

static void open_counters(struct groups *groups, size_t first, size_t count)
{
	struct member_group *g = add_group(groups);

	for (size_t i = 0; i < count; i++)
		g->member[g->count++] = first + i;
	if (open_group(groups->sel, g))
		return;
	free(g->member);
	groups->count--;
	open_one_by_one(groups, first, count);
}

struct groups *groups_open(const struct selection *sel)
{
	struct groups *groups = calloc(1, sizeof(*groups));
	size_t i, n;

	if (!groups)
		die("out of memory");
	groups->sel = sel;
	groups->values = calloc(MON_GROUP_MAX, sizeof(*groups->values));
	if (!groups->values)
		die("out of memory");
	for (i = 0; i < sel->count; i += n) {
		for (n = 1; i + n < sel->count && n < MON_GROUP_MAX; n++)
			if (sel->counter[i + n].pmu != sel->counter[i].pmu)
				break;
		open_counters(groups, i, n);
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

/* A device that was busy answers a later read. */
#define MOST_READS 3

static int read_group(struct groups *groups, const struct member_group *g, struct mon_times *times)
{
	int ret, tries = 0;

	do {
		ret = mon_group_read(g->group, groups->values, MON_GROUP_MAX, times);
	} while (ret && errno == EIO && ++tries < MOST_READS);
	return ret;
}

int groups_read(struct groups *groups, struct reading *readings)
{
	struct mon_times times;
	int ret = 0;

	for (size_t i = 0; i < groups->count; i++) {
		const struct member_group *g = &groups->group[i];
		bool is_missing = read_group(groups, g, &times);

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

	if (after->is_missing || (times.enabled && !times.running))
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
