// SPDX-License-Identifier: GPL-2.0-only
/*
 * The books: which event has which counters, and how many registers all of them have.
 *
 * perf deletes events and adds them again when it makes room for others. At first only the books
 * change. The budget bounds the registers of the events in the books, and so what a pass reads.
 */
#include <linux/bitmap.h>
#include <linux/moduleparam.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "mon_core.h"

static uint registers = 16384;
module_param(registers, uint, 0644);
MODULE_PARM_DESC(registers,
		 "Registers that the events of a PMU may have at a time: they are read with interrupts off (default 16384)");

/* Gives the counters back. */
void mon_event_release(struct mon_pmu *mp, struct mon_event *me)
{
	struct mon_pmu_counter *c;
	unsigned int i;

	me->claimed = false;
	for (i = 0; (c = mon_event_counter(mp, me, i)); i++)
		mp->nclaimed -= !--c->claims;
	if (mp->desc->ops->release)
		mp->desc->ops->release(mp, mp->alloc, me->event->attr.config);
}

/* Takes counters and a part of the budget. -EAGAIN: an event that still counts would get others. */
int mon_event_claim(struct mon_pmu *mp, struct mon_event *me, bool counts)
{
	const struct mon_pmu_ops *ops = mp->desc->ops;
	size_t size = me->n * sizeof(*me->counters);
	struct mon_pmu_counter *c;
	unsigned int i;
	int ret;

	if (ops->release) {
		ret = ops->claim(mp, mp->alloc, me->event->attr.config, mp->list);
		if (ret < 0)
			return ret;
		if (counts && memcmp(me->counters, mp->list, size)) {
			ops->release(mp, mp->alloc, me->event->attr.config);
			return -EAGAIN;
		}
		memcpy(me->counters, mp->list, size);
	}
	for (i = 0; (c = mon_event_counter(mp, me, i)); i++)
		mp->nclaimed += !c->claims++;
	me->claimed = true;
	if (mp->nclaimed <= READ_ONCE(registers))
		return 0;
	mon_event_release(mp, me);
	return -ENOSPC;
}

/* What a group would have if nothing else counted. */
struct mon_trial {
	void *alloc;		/* allocation state */
	unsigned long *seen;	/* counters */
	unsigned int nseen;	/* how many */
};

/* Feeds an event to the allocator that add() uses. It gets the counters that are free for it. */
static int mon_trial_claim(struct mon_pmu *mp, struct mon_trial *t, u64 config, u16 *counters)
{
	int i, n = mp->desc->ops->claim(mp, t->alloc, config, counters);

	for (i = 0; i < n; i++)
		t->nseen += !__test_and_set_bit(counters[i], t->seen);
	return n < 0 ? -EINVAL : 0;
}

static int mon_trial_member(struct mon_pmu *mp, struct mon_trial *t, struct perf_event *event)
{
	const struct mon_event *me = event->pmu_private;
	u16 *counters;
	int err;

	if (event->pmu != &mp->pmu)
		return is_software_event(event) ? 0 : -EINVAL;
	counters = kmalloc_array(me->n, sizeof(*counters), GFP_KERNEL);
	err = counters ? mon_trial_claim(mp, t, event->attr.config, counters) : -ENOMEM;
	kfree(counters);
	return err;
}

/* -EINVAL is what perf's tools take for a group that is too large, and do without the group. */
static int mon_trial_group(struct mon_pmu *mp, struct mon_trial *t, struct mon_event *me)
{
	struct perf_event *leader = me->event->group_leader, *sibling;
	int err = 0;

	if (leader != me->event) {
		err = mon_trial_member(mp, t, leader);
		for_each_sibling_event(sibling, leader)
			err = err ?: mon_trial_member(mp, t, sibling);
	}
	err = err ?: mon_trial_claim(mp, t, me->event->attr.config, me->counters);
	if (err || t->nseen <= READ_ONCE(registers))
		return err;
	/* an event alone can be too much as well */
	return leader == me->event ? -ENOSPC : -EINVAL;
}

struct mon_event *mon_event_new(struct mon_pmu *mp, struct perf_event *event)
{
	int n = mp->desc->ops->check(mp, event->attr.config), err = -ENOMEM;
	struct mon_trial t = {};
	struct mon_event *me;

	if (n < 0)
		return ERR_PTR(n);
	me = kvzalloc(struct_size(me, counters, n), GFP_KERNEL);
	t.alloc = kzalloc(mp->desc->alloc_size, GFP_KERNEL);
	t.seen = bitmap_zalloc(mp->ncounters, GFP_KERNEL);
	if (me && t.alloc && t.seen) {
		me->event = event;
		me->n = n;
		INIT_LIST_HEAD(&me->node);
		err = mon_trial_group(mp, &t, me);
	}
	kfree(t.alloc);
	bitmap_free(t.seen);
	if (!err)
		return me;
	kvfree(me);
	return ERR_PTR(err);
}
