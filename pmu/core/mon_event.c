// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events, groups and transactions: what perf calls.
 *
 * An event remembers the sum of its counters' values and adds what that sum has grown by. In
 * pmu_enable one pass reads the events that have left and ends them, and a second one begins those
 * that have come. An event that has left and come back is not read. A READ transaction is one pass,
 * under the lock from its start to its end. Its result is the only way in which perf lets a driver
 * report a loss, and only readers of a group get it.
 */
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "mon_compat.h"
#include "mon_core.h"

/* Updates an event that counts, or begins to, after a pass. -EIO: it has lost counts. */
static int mon_event_update(struct mon_pmu *mp, struct mon_event *me, bool begins)
{
	struct mon_pmu_counter *c;
	unsigned int i;
	u32 losses = 0;
	u64 sum = 0;

	lockdep_assert_held(&mp->lock);
	for (i = 0; (c = mon_event_counter(mp, me, i)); i++) {
		sum += c->acc;
		/* a loss at its begin is the event's own */
		losses += c->losses - (begins && c->failed);
	}
	if (begins)
		me->losses = losses;
	else
		local64_add(sum - local64_read(&me->event->hw.prev_count), &me->event->count);
	local64_set(&me->event->hw.prev_count, sum);
	return losses == me->losses ? 0 : -EIO;
}

/* Two CPUs must not write an event's page at a time; not all callers hold perf's lock. */
static void mon_event_set_state(struct mon_pmu *mp, struct mon_event *me, int state)
{
	lockdep_assert_held(&mp->lock);
	me->event->hw.state = state;
	perf_event_update_userpage(me->event);
}

static void mon_pmu_end_events(struct mon_pmu *mp, struct list_head *events)
{
	struct mon_event *me, *next;
	struct mon_pmu_counter *c;
	unsigned int i;

	if (list_empty(events))
		return;
	mon_pmu_pass(mp, events, MON_END);
	list_for_each_entry_safe(me, next, events, node) {
		list_del_init(&me->node);
		mon_event_update(mp, me, false);
		if (me->claimed)
			mon_event_release(mp, me);
		for (i = 0; (c = mon_event_counter(mp, me, i)); i++) {
			if (--c->users)
				continue;
			__clear_bit(me->counters[i], mp->running);
			if (!mp->gone)
				mp->desc->ops->stop(mp, me->counters[i]);
		}
		mon_event_set_state(mp, me, me->event->hw.state | PERF_HES_UPTODATE);
	}
	if (!mp->gone)
		mp->desc->ops->end(mp);
}

static void mon_pmu_begin_events(struct mon_pmu *mp, struct list_head *events)
{
	struct mon_event *me, *next;
	struct mon_pmu_counter *c;
	unsigned int i;

	mp->now = ktime_get_mono_fast_ns();
	list_for_each_entry(me, events, node) {
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

static void mon_pmu_event_destroy(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = event->pmu_private;
	unsigned long flags;
	LIST_HEAD(alone);

	flags = mon_pmu_lock(mp);
	/* an event that is closed during a move to another CPU still waits in mp->leaving */
	if (!list_empty(&me->node))
		list_move(&me->node, &alone);
	mon_pmu_end_events(mp, &alone);
	mon_pmu_unlock(mp, flags);
	atomic_dec(&mp->nopen);
	kvfree(me);
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
	    mon_attr_config3(&event->attr))
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
	atomic_inc(&mp->nopen);
	return 0;
}

static int mon_pmu_add(struct perf_event *event, int pmu_flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = event->pmu_private, *left;
	unsigned long flags = mon_pmu_lock(mp);
	bool counts = !list_empty(&me->node);
	int err = me->claimed ? 0 : mon_event_claim(mp, me, counts);

	if (err && !mp->moving) {
		/* events that have left keep their counters until others need them */
		list_for_each_entry(left, &mp->leaving, node)
			if (left->claimed)
				mon_event_release(mp, left);
		err = mon_event_claim(mp, me, counts);
	}
	if (!err && counts) {
		list_del_init(&me->node);
		event->hw.state = 0;
	} else if (!err) {
		list_add_tail(&me->node, &mp->entering);
	}
	mon_pmu_unlock(mp, flags);
	return err;
}

static void mon_pmu_del(struct perf_event *event, int pmu_flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = event->pmu_private;
	unsigned long flags = mon_pmu_lock(mp);

	if (event->hw.state & PERF_HES_STOPPED) {
		list_del_init(&me->node);
		mon_event_release(mp, me);
	} else {
		event->hw.state |= PERF_HES_STOPPED;
		list_add_tail(&me->node, &mp->leaving);
	}
	mon_pmu_unlock(mp, flags);
}

static void mon_pmu_pmu_enable(struct pmu *pmu)
{
	struct mon_pmu *mp = to_mon_pmu(pmu);
	unsigned long flags = mon_pmu_lock(mp);

	/* events that move to another CPU keep their counters, even if others need them */
	if (!mp->moving)
		mon_pmu_end_events(mp, &mp->leaving);
	mon_pmu_begin_events(mp, &mp->entering);
	mon_pmu_unlock_and_poll(mp, flags);
}

static void mon_pmu_start_txn(struct pmu *pmu, unsigned int txn_flags)
{
	struct mon_pmu *mp = to_mon_pmu(pmu);
	unsigned long flags;

	if (txn_flags != PERF_PMU_TXN_READ)
		return;
	flags = mon_pmu_lock(mp);
	mp->txn_flags = flags;
	this_cpu_write(*mp->inside, MON_COLLECTING);
	__release(&mp->lock);	/* by the end of the transaction */
}

static int mon_pmu_commit_txn(struct pmu *pmu)
{
	struct mon_pmu *mp = to_mon_pmu(pmu);
	struct mon_event *me, *next;
	int err, ret;

	if (this_cpu_read(*mp->inside) != MON_COLLECTING)
		return 0;
	__acquire(&mp->lock);	/* by its start */
	this_cpu_write(*mp->inside, MON_INSIDE);
	barrier();
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
	enum mon_inside inside = this_cpu_read(*mp->inside);

	/*
	 * A sample in a tracepoint or an NMI may read this event while this CPU works on the PMU.
	 * Then the count is that of the last reading.
	 */
	if (in_nmi() || inside == MON_INSIDE)
		return;
	if (inside == MON_OUTSIDE)
		mon_pmu_start_txn(event->pmu, PERF_PMU_TXN_READ);
	if (!(event->hw.state & PERF_HES_STOPPED) && list_empty(&me->node))
		list_add_tail(&me->node, &mp->reading);
	if (inside == MON_OUTSIDE)
		mon_pmu_commit_txn(event->pmu);
}

/* Between add and del perf starts and stops only events that sample. */
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
	unsigned long flags;

	WRITE_ONCE(mp->on_cpu, to);
	WRITE_ONCE(mp->moving, true);
	mon_pmu_migrate(&mp->pmu, from, to, atomic_read(&mp->nopen));
	flags = mon_pmu_lock(mp);
	mp->moving = false;
	mon_pmu_end_events(mp, &mp->leaving);
	mon_pmu_unlock(mp, flags);
}
