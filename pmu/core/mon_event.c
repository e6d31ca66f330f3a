// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events: what perf calls.
 *
 * An event remembers the sum of its counters' values and adds what that sum has grown by. add() and
 * del() change only the books: which event has which counters. pmu_enable() compares them with what
 * counts: one pass reads and ends the events that have left or got other counters, and a second one
 * begins those that have come. An event that has left and come back is not read.
 *
 * A READ transaction is one pass, under the lock from its start to its end. Its result is the only
 * way in which perf lets a driver report a loss, and only readers of a group get it: once for each
 * loss, then the group counts on.
 */
#include <linux/bitmap.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "mon_compat.h"
#include "mon_core.h"

static struct mon_pmu *to_mon_pmu(struct pmu *pmu)
{
	return container_of(pmu, struct mon_pmu, pmu);
}

/* Two CPUs must not write an event's page at a time; not all callers hold perf's lock. */
static void mon_event_set_state(struct mon_pmu *mp, struct mon_event *me, int state)
{
	lockdep_assert_held(&mp->lock);
	me->event->hw.state = state;
	perf_event_update_userpage(me->event);
}

/* Ends events. Those that go on with other counters stay in the list. */
static void mon_pmu_end_events(struct mon_pmu *mp, struct list_head *events)
{
	struct mon_event *me, *next;
	unsigned int i, k;

	if (list_empty(events))
		return;
	mon_pmu_pass(mp, events, MON_END);
	list_for_each_entry_safe(me, next, events, node) {
		mon_event_update(mp, me, MON_END);
		me->counting = false;
		for (i = 0; i < me->n; i++) {
			k = me->counters[i];
			if (--mp->counters[k].users)
				continue;
			__clear_bit(k, mp->running);
			mon_counter_stop(mp, k);
		}
		if (me->booked)
			continue;
		list_del_init(&me->node);
		mon_event_set_state(mp, me, PERF_HES_STOPPED | PERF_HES_UPTODATE);
	}
	mon_pmu_end(mp);
}

static void mon_pmu_begin_events(struct mon_pmu *mp, struct list_head *events)
{
	struct mon_event *me, *next;
	unsigned int i, k;

	mp->now = ktime_get_mono_fast_ns();
	list_for_each_entry(me, events, node) {
		me->counting = true;
		memcpy(me->counters, me->wanted, me->n * sizeof(u16));
		for (i = 0; i < me->n; i++) {
			k = me->counters[i];
			if (mp->counters[k].users++)
				continue;
			__set_bit(k, mp->running);
			mon_counter_start(mp, k);
		}
	}
	mon_pmu_pass(mp, events, MON_BEGIN);
	list_for_each_entry_safe(me, next, events, node) {
		list_del_init(&me->node);
		mon_event_update(mp, me, MON_BEGIN);
		mon_event_set_state(mp, me, 0);
	}
}

/* It counts with the counters that the books have for it. */
static bool mon_event_stays(const struct mon_event *me)
{
	return me->booked && !memcmp(me->counters, me->wanted, me->n * sizeof(u16));
}

/* Stops and starts what differs between the books and what counts. */
static void mon_pmu_reassign(struct mon_pmu *mp)
{
	struct mon_event *me, *next;
	LIST_HEAD(end);
	LIST_HEAD(begin);

	list_for_each_entry_safe(me, next, &mp->changed, node) {
		/* an event that moves to another CPU counts on */
		if (me->event->hw.state & PERF_HES_STOPPED && me->booked && me->counting)
			continue;
		if (me->counting && mon_event_stays(me))
			list_del_init(&me->node);
		else
			list_move_tail(&me->node, me->counting ? &end : &begin);
	}
	mon_pmu_end_events(mp, &end);
	list_splice_tail(&end, &begin);
	mon_pmu_begin_events(mp, &begin);
}

static void mon_event_unbook(struct mon_pmu *mp, struct mon_event *me)
{
	if (me->booked && mp->desc->ops->release)
		mp->desc->ops->release(mp, mp->alloc, me->event->attr.config);
	me->booked = false;
}

/* Events on their way to another CPU have counters that perf may want for a pinned one. */
static void mon_pmu_unbook_moving(struct mon_pmu *mp)
{
	struct mon_event *me;

	list_for_each_entry(me, &mp->changed, node)
		if (me->event->hw.state & PERF_HES_STOPPED && !me->event->attr.pinned)
			mon_event_unbook(mp, me);
}

/* perf never tries a pinned event again. */
static bool mon_event_book(struct mon_pmu *mp, struct mon_event *me)
{
	const struct mon_pmu_ops *ops = mp->desc->ops;
	u64 config = me->event->attr.config;
	int n = 0;

	if (!me->booked && ops->release)
		n = ops->claim(mp, mp->alloc, config, me->wanted);
	if (n < 0 && mp->moving && me->event->attr.pinned) {
		mon_pmu_unbook_moving(mp);
		n = ops->claim(mp, mp->alloc, config, me->wanted);
	}
	me->booked |= n >= 0;
	return me->booked;
}

static void mon_pmu_event_destroy(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = event->pmu_private;
	unsigned long flags = mon_pmu_lock(mp);

	/* it may have been closed while it moved to another CPU */
	mon_event_unbook(mp, me);
	if (me->counting)
		mon_pmu_reassign(mp);
	mon_pmu_unlock(mp, flags);
	atomic_dec(&mp->nopen);
	if (me->polled && atomic_dec_and_test(&mp->npolled))
		mon_pmu_set_poll(mp);
	kvfree(me);
}

/* Feeds a member of the group to the allocator that add() uses. */
static int mon_event_try(struct mon_pmu *mp, void *alloc, struct perf_event *event)
{
	if (event->pmu != &mp->pmu)
		return is_software_event(event) ? 0 : -EINVAL;
	/* counters that run free are not scarce */
	if (!mp->desc->ops->release)
		return 0;
	return min(mp->desc->ops->claim(mp, alloc, event->attr.config, NULL), 0);
}

static int mon_event_fits(struct mon_pmu *mp, struct mon_event *me)
{
	struct perf_event *leader = me->event->group_leader, *sibling;
	void *alloc = kzalloc(mp->desc->alloc_size, GFP_KERNEL);
	int err = 0;

	if (!alloc)
		return -ENOMEM;
	if (leader != me->event) {
		err = mon_event_try(mp, alloc, leader);
		for_each_sibling_event(sibling, leader)
			err = err ?: mon_event_try(mp, alloc, sibling);
	}
	if (!err)
		err = mp->desc->ops->claim(mp, alloc, me->event->attr.config, me->wanted);
	kfree(alloc);
	/* perf's tools take it for a group that is too large, and do without the group */
	return err < 0 ? -EINVAL : 0;
}

static struct mon_event *mon_event_new(struct mon_pmu *mp, struct perf_event *event)
{
	int n = mp->desc->ops->check(mp, event->attr.config);
	struct mon_event *me;
	/* counters that run free are always the same */
	int room = mp->desc->ops->release ? 2 * n : n;
	int err;

	if (n < 0)
		return ERR_PTR(n);
	me = kvzalloc(struct_size(me, counters, room), GFP_KERNEL);
	if (!me)
		return ERR_PTR(-ENOMEM);
	me->event = event;
	me->n = n;
	INIT_LIST_HEAD(&me->node);
	me->wanted = me->counters + room - n;
	err = mon_event_fits(mp, me);
	if (err) {
		kvfree(me);
		return ERR_PTR(err);
	}
	me->polled = n && ~mp->counters[*me->wanted].mask;
	return me;
}

static int mon_pmu_event_init(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	/* pairs with mon_pmu_resume(): perf has set up what the event is going to use */
	if (smp_load_acquire(&mp->gone))
		return -ENODEV;
	if (is_sampling_event(event) || has_branch_stack(event) ||
	    (event->attach_state & PERF_ATTACH_TASK))
		return -EOPNOTSUPP;
	if (event->cpu < 0 || event->attr.config1 || event->attr.config2)
		return -EINVAL;
#ifdef PERF_ATTR_SIZE_VER8
	if (event->attr.config3)
		return -EINVAL;
#endif
#ifdef PERF_ATTR_SIZE_VER9
	if (event->attr.config4)
		return -EINVAL;
#endif
	me = mon_event_new(mp, event);
	if (IS_ERR(me))
		return PTR_ERR(me);

	event->cpu = READ_ONCE(mp->on_cpu);
	event->hw.state = PERF_HES_STOPPED;
	/* every CPU reaches the registers, so a read needs no interrupt to another one */
	event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	event->pmu_private = me;
	event->destroy = mon_pmu_event_destroy;
	atomic_inc(&mp->nopen);
	if (me->polled && atomic_inc_return(&mp->npolled) == 1)
		mon_pmu_set_poll(mp);
	return 0;
}

static int mon_pmu_add(struct perf_event *event, int pmu_flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = event->pmu_private;
	unsigned long flags = mon_pmu_lock(mp);

	if (!mon_event_book(mp, me)) {
		mon_pmu_unlock(mp, flags);
		return -ENOSPC;
	}
	/* what counts already is compared with the books; it may be read only after that */
	if (me->counting)
		event->hw.state = 0;
	list_move_tail(&me->node, &mp->changed);
	mon_pmu_unlock(mp, flags);
	return 0;
}

static void mon_pmu_del(struct perf_event *event, int pmu_flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = event->pmu_private;
	unsigned long flags = mon_pmu_lock(mp);

	event->hw.state |= PERF_HES_STOPPED;
	/* events that move to another CPU keep their counters, even if others need them */
	if (!mp->moving || !me->counting)
		mon_event_unbook(mp, me);
	list_del_init(&me->node);
	if (me->counting)
		list_add_tail(&me->node, &mp->changed);
	mon_pmu_unlock(mp, flags);
}

static void mon_pmu_pmu_enable(struct pmu *pmu)
{
	struct mon_pmu *mp = to_mon_pmu(pmu);
	unsigned long flags = mon_pmu_lock(mp);

	mon_pmu_reassign(mp);
	mon_pmu_unlock(mp, flags);
}

static void mon_pmu_start_txn(struct pmu *pmu, unsigned int txn_flags)
{
	struct mon_pmu *mp = to_mon_pmu(pmu);
	unsigned long flags;

	if (txn_flags != PERF_PMU_TXN_READ)
		return;
	flags = mon_pmu_lock(mp);
	mp->txn_flags = flags;
	WRITE_ONCE(mp->reader, smp_processor_id());
	__release(&mp->lock);	/* by the end of the transaction */
}

/* Does this CPU collect events for a transaction? */
static bool mon_pmu_collects(const struct mon_pmu *mp)
{
	return this_cpu_read(mon_inside) && READ_ONCE(mp->reader) == smp_processor_id();
}

/* The end of a transaction. If it fails with EIO it tells the losses so far. */
static int mon_pmu_read_events(struct mon_pmu *mp, bool tells)
{
	int err = mon_pmu_pass(mp, &mp->reading, MON_READ), lost = 0;
	struct mon_event *me, *next;

	__acquire(&mp->lock);	/* by the start of the transaction */
	list_for_each_entry_safe(me, next, &mp->reading, node) {
		list_del_init(&me->node);
		/* the last reading before the device went counts, too */
		lost = mon_event_update(mp, me, MON_READ) ?: lost;
		me->lost &= !tells || err == -ENODEV;
	}
	WRITE_ONCE(mp->reader, -1);
	mon_pmu_unlock(mp, mp->txn_flags);
	return err ?: lost;
}

static int mon_pmu_commit_txn(struct pmu *pmu)
{
	struct mon_pmu *mp = to_mon_pmu(pmu);

	if (!mon_pmu_collects(mp))
		return 0;
	return mon_pmu_read_events(mp, true);
}

static void mon_pmu_read(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = event->pmu_private;
	bool alone = !this_cpu_read(mon_inside);

	/*
	 * A sample in a tracepoint or an NMI may read this event while this CPU works on a PMU.
	 * Then the count is that of the last reading.
	 */
	if (in_nmi() || (!alone && !mon_pmu_collects(mp)))
		return;
	if (alone)
		mon_pmu_start_txn(event->pmu, PERF_PMU_TXN_READ);
	if (!(event->hw.state & PERF_HES_STOPPED) && list_empty(&me->node))
		list_add_tail(&me->node, &mp->reading);
	if (alone)
		mon_pmu_read_events(mp, false);
}

/* Between add and del perf starts and stops events only to throttle samples. */
static void mon_pmu_start_or_stop(struct perf_event *event, int pmu_flags)
{
}

/* The counters run all the time, and only READ transactions do something. */
static void mon_pmu_nothing(struct pmu *pmu)
{
}

const struct pmu mon_pmu_methods = {
	.task_ctx_nr = perf_invalid_context,
	.capabilities = PERF_PMU_CAP_NO_EXCLUDE,
	.event_init = mon_pmu_event_init,
	.add = mon_pmu_add,
	.del = mon_pmu_del,
	.start = mon_pmu_start_or_stop,
	.stop = mon_pmu_start_or_stop,
	.read = mon_pmu_read,
	.pmu_enable = mon_pmu_pmu_enable,
	.pmu_disable = mon_pmu_nothing,
	.start_txn = mon_pmu_start_txn,
	.commit_txn = mon_pmu_commit_txn,
	.cancel_txn = mon_pmu_nothing,
};

/* Counts that occur during the move belong to the event. */
void mon_pmu_move(struct mon_pmu *mp, int from, int to)
{
	struct mon_event *me;
	unsigned long flags;

	WRITE_ONCE(mp->on_cpu, to);
	WRITE_ONCE(mp->moving, true);
	mon_pmu_migrate(&mp->pmu, from, to, atomic_read(&mp->nopen));
	flags = mon_pmu_lock(mp);
	mp->moving = false;
	/* those that perf has not added again */
	list_for_each_entry(me, &mp->changed, node)
		if (me->event->hw.state & PERF_HES_STOPPED)
			mon_event_unbook(mp, me);
	mon_pmu_reassign(mp);
	mon_pmu_unlock(mp, flags);
	mon_pmu_set_poll(mp);
}
