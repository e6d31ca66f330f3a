// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events, groups and transactions: what perf calls.
 *
 * An event remembers the sum of its counters' values and adds what that sum has grown by. add() and
 * del() change only the books: which event has which counters. pmu_enable() compares them with what
 * counts: one pass reads the events that have left or got other counters and ends them, and a
 * second one begins those that have come. An event that has left and come back is not read.
 *
 * A READ transaction is one pass, under the lock from its start to its end. Its result is the only
 * way in which perf lets a driver report a loss, and only readers of a group get it.
 */
#include <linux/lockdep.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "mon_compat.h"
#include "mon_core.h"

/* Updates an event that counts, or begins to, after a pass. -EIO: it has lost counts. */
static int mon_event_update(struct mon_pmu *mp, struct mon_event *me, bool begins)
{
	bool failed = false, late = false;
	struct mon_pmu_counter *c;
	unsigned int i;
	u32 losses = 0;
	u64 sum = 0;

	lockdep_assert_held(&mp->lock);
	for (i = 0; (c = mon_event_counter(mp, me, i)); i++) {
		sum += c->acc;
		losses += c->losses;
		failed |= c->failed;
		/* a counter that others have started has a base that is older than the event */
		late |= c->failed && c->based;
	}
	if (begins) {
		me->late = late;
		me->lost |= failed;
	} else {
		me->lost |= losses != me->losses;
		if (!me->late)
			local64_add(sum - local64_read(&me->event->hw.prev_count),
				    &me->event->count);
		me->late &= failed;
	}
	me->losses = losses;
	local64_set(&me->event->hw.prev_count, sum);
	return me->lost ? -EIO : 0;
}

/* Two CPUs must not write an event's page at a time; not all callers hold perf's lock. */
static void mon_event_set_state(struct mon_pmu *mp, struct mon_event *me, int state)
{
	lockdep_assert_held(&mp->lock);
	me->event->hw.state = state;
	perf_event_update_userpage(me->event);
}

/* Ends events; those that have other counters now go to the list next. */
static void mon_pmu_end_events(struct mon_pmu *mp, struct list_head *events, struct list_head *next)
{
	const struct mon_pmu_ops *ops = mp->desc->ops;
	struct mon_event *me, *after;
	struct mon_pmu_counter *c;
	unsigned int i;

	if (list_empty(events))
		return;
	mon_pmu_pass(mp, events, MON_END);
	list_for_each_entry_safe(me, after, events, node) {
		list_del_init(&me->node);
		mon_event_update(mp, me, false);
		me->counting = false;
		for (i = 0; (c = mon_event_counter(mp, me, i)); i++) {
			if (--c->users)
				continue;
			__clear_bit(me->counters[i], mp->running);
			if (!mp->gone && ops->stop)
				ops->stop(mp, me->counters[i]);
		}
		if (me->booked)
			list_add_tail(&me->node, next);
		else
			mon_event_set_state(mp, me, PERF_HES_STOPPED | PERF_HES_UPTODATE);
	}
	mon_pmu_end(mp);
}

static void mon_pmu_begin_events(struct mon_pmu *mp, struct list_head *events)
{
	struct mon_event *me, *next;
	struct mon_pmu_counter *c;
	unsigned int i;

	mp->now = ktime_get_mono_fast_ns();
	list_for_each_entry(me, events, node) {
		me->counting = true;
		memcpy(me->counters, me->wanted, me->n * sizeof(*me->counters));
		for (i = 0; (c = mon_event_counter(mp, me, i)); i++) {
			if (c->users++)
				continue;
			__set_bit(me->counters[i], mp->running);
			mon_counter_start(mp, me->counters[i]);
		}
	}
	mon_pmu_pass(mp, events, MON_BEGIN);
	list_for_each_entry_safe(me, next, events, node) {
		list_del_init(&me->node);
		mon_event_update(mp, me, true);
		mon_event_set_state(mp, me, 0);
	}
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
		if (!me->counting)
			list_move_tail(&me->node, &begin);
		else if (!me->booked || memcmp(me->counters, me->wanted, me->n * sizeof(u16)))
			list_move_tail(&me->node, &end);
		else
			list_del_init(&me->node);
	}
	mon_pmu_end_events(mp, &end, &begin);
	mon_pmu_begin_events(mp, &begin);
}

static int mon_event_book(struct mon_pmu *mp, struct mon_event *me)
{
	const struct mon_pmu_ops *ops = mp->desc->ops;
	int ret = 0;

	if (ops->release)
		ret = ops->claim(mp, mp->alloc, me->event->attr.config, me->wanted);
	if (ret >= 0)
		me->booked = true;
	return min(ret, 0);
}

static void mon_event_unbook(struct mon_pmu *mp, struct mon_event *me)
{
	if (me->booked && mp->desc->ops->release)
		mp->desc->ops->release(mp, mp->alloc, me->event->attr.config);
	me->booked = false;
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
	mon_pmu_set_poll(mp);
	kvfree(me);
}

/* Feeds an event to the allocator that add() uses. */
static int mon_event_try(struct mon_pmu *mp, void *alloc, struct perf_event *event, u16 *counters)
{
	if (event->pmu != &mp->pmu)
		return is_software_event(event) ? 0 : -EINVAL;
	/* counters that run free are not looked up, nor are they scarce */
	if (!counters)
		return 0;
	return mp->desc->ops->claim(mp, alloc, event->attr.config, counters) < 0 ? -EINVAL : 0;
}

/* -EINVAL: perf's tools take it for a group that is too large, and do without the group. */
static int mon_event_fits(struct mon_pmu *mp, struct mon_event *me)
{
	struct perf_event *leader = me->event->group_leader, *sibling;
	void *alloc = kzalloc(mp->desc->alloc_size, GFP_KERNEL);
	u16 *scratch = NULL;
	int err = alloc ? 0 : -ENOMEM;

	if (mp->desc->ops->release) {
		scratch = kvcalloc(mp->ncounters, sizeof(*scratch), GFP_KERNEL);
		err = scratch ? err : -ENOMEM;
	}

	if (leader != me->event && !err) {
		err = mon_event_try(mp, alloc, leader, scratch);
		for_each_sibling_event(sibling, leader)
			err = err ?: mon_event_try(mp, alloc, sibling, scratch);
	}
	err = err ?: mon_event_try(mp, alloc, me->event, me->wanted);
	kfree(alloc);
	kvfree(scratch);
	return err;
}

static struct mon_event *mon_event_new(struct mon_pmu *mp, struct perf_event *event)
{
	int n = mp->desc->ops->check(mp, event->attr.config), err;
	/* counters that run free are always the same */
	int room = mp->desc->ops->release ? 2 * n : n;
	struct mon_event *me;

	if (n < 0)
		return ERR_PTR(n);
	me = kvzalloc(struct_size(me, counters, room), GFP_KERNEL);
	if (!me)
		return ERR_PTR(-ENOMEM);
	me->event = event;
	me->n = n;
	me->wanted = me->counters + room - n;
	INIT_LIST_HEAD(&me->node);
	err = mon_event_fits(mp, me);
	if (!err)
		return me;
	kvfree(me);
	return ERR_PTR(err);
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
	if (event->cpu < 0 || event->attr.config1 || event->attr.config2 ||
	    mon_attr_config3(&event->attr) || mon_attr_config4(&event->attr))
		return -EINVAL;
	me = mon_event_new(mp, event);
	if (IS_ERR(me))
		return PTR_ERR(me);

	event->cpu = READ_ONCE(mp->on_cpu);
	event->hw.state = PERF_HES_STOPPED;
	/* every CPU reaches the registers, so a read needs no interrupt to another one */
	event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	event->pmu_private = me;
	event->destroy = mon_pmu_event_destroy;
	if (atomic_inc_return(&mp->nopen) == 1)
		mon_pmu_set_poll(mp);
	return 0;
}

static int mon_pmu_add(struct perf_event *event, int pmu_flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = event->pmu_private;
	unsigned long flags = mon_pmu_lock(mp);
	int err = me->booked ? 0 : mon_event_book(mp, me);

	if (!err) {
		/* what counts already is compared with the books; it may be read only after that */
		if (me->counting)
			event->hw.state = 0;
		list_move_tail(&me->node, &mp->changed);
	}
	mon_pmu_unlock(mp, flags);
	return err;
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

static int mon_pmu_commit_txn(struct pmu *pmu)
{
	struct mon_pmu *mp = to_mon_pmu(pmu);
	struct mon_event *me, *next;
	int err, ret;

	if (!mon_pmu_collects(mp))
		return 0;
	__acquire(&mp->lock);	/* by its start */
	WRITE_ONCE(mp->reader, -1);
	err = mon_pmu_pass(mp, &mp->reading, MON_READ);
	list_for_each_entry_safe(me, next, &mp->reading, node) {
		list_del_init(&me->node);
		/* the last reading before the device went counts, too */
		ret = mon_event_update(mp, me, false);
		err = err ?: ret;
	}
	mon_pmu_unlock(mp, mp->txn_flags);
	return err;
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
		mon_pmu_commit_txn(event->pmu);
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
	.capabilities = PERF_PMU_CAP_NO_EXCLUDE | PERF_PMU_CAP_NO_INTERRUPT,
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
