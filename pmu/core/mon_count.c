// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting: what perf calls for events, groups and transactions.
 *
 * Every hardware counter has one 64-bit value, kept under the PMU's lock from the differences of
 * successive readings, however many events look at it. An event remembers the sum of its counters'
 * values and adds what that sum has grown by.
 *
 * Registers are read in passes: all counters that belong together first, then the driver says
 * whether the values can be believed, and only then they count. A READ transaction is one pass. So
 * is what the perf core schedules between pmu_disable and pmu_enable: events that come and go there
 * begin and end with pmu_enable, all at the same instant.
 *
 * What was lost is counted, for each counter and for the PMU. perf lets a driver tell this to who
 * reads a group, as the result of the transaction, and to nobody else.
 */
#include <linux/bitmap.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "mon_compat.h"
#include "mon_counter.h"
#include "mon_pmu.h"

/**
 * struct mon_event - an event's data, in event->hw
 * @reserved: what the perf core and the architectures look at in all events
 * @open: in mon_pmu.events
 * @node: in entering, leaving or a transaction
 * @losses: of its counters when it started
 */
struct mon_event {
	u8 reserved[offsetof(struct hw_perf_event, extra_reg)];
	struct list_head open;
	struct list_head node;
	u32 losses;
};

static_assert(sizeof(struct mon_event) <= offsetof(struct hw_perf_event, target));

static struct mon_event *to_mon_event(struct perf_event *event)
{
	return (struct mon_event *)&event->hw;
}

static struct perf_event *mon_perf_event(struct mon_event *me)
{
	return container_of((struct hw_perf_event *)me, struct perf_event, hw);
}

/**
 * struct mon_pmu_txn - what a CPU is doing with a PMU
 * @flags: of the transaction that the perf core has open; interrupts are off from start to end
 * @events: to be read by it
 * @inside: the CPU has the PMU's lock or is about to take it
 */
struct mon_pmu_txn {
	unsigned int flags;
	struct list_head events;
	bool inside;
};

/*
 * Tracepoints and the like fire while the lock is held and while it is being taken, and perf may
 * read our events in them: mon_pmu_read() has to know that.
 */
static unsigned long mon_pmu_lock(struct mon_pmu *mp)
	__acquires(&mp->lock)
{
	unsigned long flags;

	local_irq_save(flags);
	WRITE_ONCE(this_cpu_ptr(mp->txn)->inside, true);
	barrier();
	raw_spin_lock(&mp->lock);
	return flags;
}

/*
 * Polls end when they find no counter running or no device, and begin again with both. The timer
 * of the next poll is set without the lock: events are also read in tracepoints with the lock of
 * a CPU's timers held.
 */
static void mon_pmu_unlock(struct mon_pmu *mp, unsigned long flags)
	__releases(&mp->lock)
{
	bool start = mp->nrunning && !mp->polling && !mp->gone;

	mp->polling |= start;
	raw_spin_unlock(&mp->lock);
	barrier();
	WRITE_ONCE(this_cpu_ptr(mp->txn)->inside, false);
	if (start)
		schedule_delayed_work(&mp->poll, nsecs_to_jiffies(mp->poll_ns));
	local_irq_restore(flags);
}

/* The counter of an event that comes after i, or the first after -1; negative: there is none. */
static int mon_pmu_next(struct mon_pmu *mp, struct perf_event *event, int i)
{
	/* kept since its start; most events have one counter */
	if (event->hw.idx >= 0)
		return i < 0 ? event->hw.idx : -1;
	return mp->desc->ops->next(mp, event->attr.config, i);
}

static void mon_counter_lose(struct mon_pmu *mp, struct mon_pmu_counter *c)
{
	c->losses++;
	WRITE_ONCE(mp->losses, mp->losses + 1);
}

void mon_pmu_lost(struct mon_pmu *mp)
{
	unsigned int i;

	lockdep_assert_held(&mp->lock);
	for_each_set_bit(i, mp->running, mp->ncounters) {
		mon_counter_lose(mp, &mp->counters[i]);
		mp->counters[i].based = false;
	}
}
EXPORT_SYMBOL_GPL(mon_pmu_lost);

static void mon_counter_fold(struct mon_pmu *mp, struct mon_pmu_counter *c, u64 now)
{
	bool late = c->mask != U64_MAX && now - c->good_ns > mp->wrap_ns;

	if (late && (c->based || c->failed)) {
		mon_counter_lose(mp, c);
		c->good_ns = now;
	}
	if (c->failed)
		return;
	if (c->based)
		c->acc += mon_counter_delta(c->last, c->raw, c->mask);
	c->based = true;
	c->last = c->raw;
	c->good_ns = now;
}

/* Reads the counters in todo, and empties it. */
static int mon_pmu_pass(struct mon_pmu *mp, bool hold)
{
	const struct mon_pmu_ops *ops = mp->desc->ops;
	int err = 0, ret;
	unsigned int i;
	u64 now;

	lockdep_assert_held(&mp->lock);
	if (mp->gone) {
		bitmap_zero(mp->todo, mp->ncounters);
		return -ENODEV;
	}
	mp->hold = hold;
	for_each_set_bit(i, mp->todo, mp->ncounters) {
		ret = ops->read(mp, i, &mp->counters[i].raw);
		mp->counters[i].failed = ret;
		err = err ?: ret;
	}
	mp->hold = false;
	ret = ops->end(mp);
	/* readings happen in tracepoints of the clock, too */
	now = ktime_get_mono_fast_ns();
	for_each_set_bit(i, mp->todo, mp->ncounters) {
		mp->counters[i].failed |= !!ret;
		mon_counter_fold(mp, &mp->counters[i], now);
	}
	bitmap_zero(mp->todo, mp->ncounters);
	return ret ?: err;
}

/*
 * A pass for one event, without the bitmap, which takes longer than its counter: perf reads the
 * members of a group one by one when a timer samples them.
 */
static void mon_pmu_pass_event(struct mon_pmu *mp, struct perf_event *event)
{
	const struct mon_pmu_ops *ops = mp->desc->ops;
	int i = -1, ret;
	u64 now;

	lockdep_assert_held(&mp->lock);
	if (mp->gone)
		return;
	while ((i = mon_pmu_next(mp, event, i)) >= 0)
		mp->counters[i].failed = ops->read(mp, i, &mp->counters[i].raw);
	ret = ops->end(mp);
	now = ktime_get_mono_fast_ns();
	i = -1;
	while ((i = mon_pmu_next(mp, event, i)) >= 0) {
		mp->counters[i].failed |= !!ret;
		mon_counter_fold(mp, &mp->counters[i], now);
	}
}

static void mon_pmu_want(struct mon_pmu *mp, struct perf_event *event)
{
	int i = -1;

	while ((i = mon_pmu_next(mp, event, i)) >= 0)
		__set_bit(i, mp->todo);
}

static int mon_pmu_pass_list(struct mon_pmu *mp, struct list_head *list)
{
	struct mon_event *me;

	list_for_each_entry(me, list, node)
		mon_pmu_want(mp, mon_perf_event(me));
	/* an event alone has nothing that it must be from one instant with */
	return mon_pmu_pass(mp, !list_is_singular(list));
}

/* Sum of an event's counters; losses gets theirs. */
static u64 mon_pmu_sum(struct mon_pmu *mp, struct perf_event *event, u32 *losses)
{
	u64 sum = 0;
	int i = -1;

	*losses = 0;
	while ((i = mon_pmu_next(mp, event, i)) >= 0) {
		sum += mp->counters[i].acc;
		*losses += mp->counters[i].losses;
	}
	return sum;
}

/* After a pass: brings an event that counts up to date. -EIO: it has lost counts. */
static int mon_pmu_update(struct mon_pmu *mp, struct perf_event *event)
{
	u32 losses;
	u64 sum = mon_pmu_sum(mp, event, &losses);

	lockdep_assert_held(&mp->lock);
	local64_add(sum - local64_read(&event->hw.prev_count), &event->count);
	local64_set(&event->hw.prev_count, sum);
	return losses == to_mon_event(event)->losses ? 0 : -EIO;
}

/* Two CPUs that write an event's page at a time tear it; not all who come here hold perf's lock. */
static void mon_pmu_set_state(struct mon_pmu *mp, struct perf_event *event, int state)
{
	lockdep_assert_held(&mp->lock);
	event->hw.state = state;
	perf_event_update_userpage(event);
}

static void mon_pmu_release(struct mon_pmu *mp, struct perf_event *event)
{
	if (mp->desc->ops->release)
		mp->desc->ops->release(mp, mp->alloc, event->attr.config);
}

/* After its last pass. */
static void mon_pmu_end_event(struct mon_pmu *mp, struct perf_event *event)
{
	const struct mon_pmu_ops *ops = mp->desc->ops;
	int i = -1;

	mon_pmu_update(mp, event);
	while ((i = mon_pmu_next(mp, event, i)) >= 0) {
		struct mon_pmu_counter *c = &mp->counters[i];

		/* there will be no later reading; what a device that went lost has been told */
		if (c->failed && !mp->gone)
			mon_counter_lose(mp, c);
		if (--c->users)
			continue;
		__clear_bit(i, mp->running);
		mp->nrunning--;
		if (!mp->gone)
			ops->stop(mp, i);
	}
	mon_pmu_release(mp, event);
	mon_pmu_set_state(mp, event, event->hw.state | PERF_HES_UPTODATE);
}

static void mon_pmu_end_leaving(struct mon_pmu *mp)
{
	struct mon_event *me, *next;

	lockdep_assert_held(&mp->lock);
	if (list_empty(&mp->leaving))
		return;
	mon_pmu_pass_list(mp, &mp->leaving);
	list_for_each_entry_safe(me, next, &mp->leaving, node) {
		list_del_init(&me->node);
		mon_pmu_end_event(mp, mon_perf_event(me));
	}
	if (!mp->gone)
		mp->desc->ops->end(mp);
}

static void mon_pmu_start_counter(struct mon_pmu *mp, unsigned int i)
{
	struct mon_pmu_counter *c = &mp->counters[i];

	c->good_ns = ktime_get_mono_fast_ns();
	if (!mp->gone)
		mp->desc->ops->start(mp, i);
}

static void mon_pmu_start_counters(struct mon_pmu *mp, struct perf_event *event)
{
	int i = -1, first;

	event->hw.idx = -1;
	first = mon_pmu_next(mp, event, i);
	if (first >= 0 && mon_pmu_next(mp, event, first) < 0)
		event->hw.idx = first;
	while ((i = mon_pmu_next(mp, event, i)) >= 0) {
		if (mp->counters[i].users++)
			continue;
		__set_bit(i, mp->running);
		mp->nrunning++;
		mp->counters[i].based = false;
		mon_pmu_start_counter(mp, i);
	}
}

/* After its first pass. */
static void mon_pmu_begin_event(struct mon_pmu *mp, struct perf_event *event)
{
	int i = -1;

	local64_set(&event->hw.prev_count, mon_pmu_sum(mp, event, &to_mon_event(event)->losses));
	while ((i = mon_pmu_next(mp, event, i)) >= 0) {
		struct mon_pmu_counter *c = &mp->counters[i];

		/* since when it counts is not known: its next value is a new base for all */
		if (c->failed || mp->gone) {
			mon_counter_lose(mp, c);
			c->based = false;
		}
	}
	mon_pmu_set_state(mp, event, 0);
}

static void mon_pmu_begin_entering(struct mon_pmu *mp)
{
	struct mon_event *me, *next;

	lockdep_assert_held(&mp->lock);
	if (list_empty(&mp->entering))
		return;
	list_for_each_entry(me, &mp->entering, node)
		mon_pmu_start_counters(mp, mon_perf_event(me));
	mon_pmu_pass_list(mp, &mp->entering);
	list_for_each_entry_safe(me, next, &mp->entering, node) {
		list_del_init(&me->node);
		mon_pmu_begin_event(mp, mon_perf_event(me));
	}
}

/* Reads all running counters, in parts, so that neither interrupts nor tasks wait for long. */
static void mon_pmu_read_running(struct mon_pmu *mp)
{
	unsigned int i = 0, n;
	unsigned long flags;

	do {
		n = 0;
		flags = mon_pmu_lock(mp);
		for_each_set_bit_from(i, mp->running, mp->ncounters) {
			if (n++ == mp->desc->batch)
				break;
			__set_bit(i, mp->todo);
		}
		mon_pmu_pass(mp, true);
		mon_pmu_unlock(mp, flags);
		cond_resched();
	} while (i < mp->ncounters);
}

static void mon_pmu_poll(struct work_struct *work)
{
	struct mon_pmu *mp = container_of(work, struct mon_pmu, poll.work);
	unsigned long flags;

	mon_pmu_read_running(mp);
	flags = mon_pmu_lock(mp);
	mp->polling = false;
	mon_pmu_unlock(mp, flags);
}

static int mon_pmu_claim(struct mon_pmu *mp, void *alloc, struct perf_event *event)
{
	return mp->desc->ops->claim ? mp->desc->ops->claim(mp, alloc, event->attr.config) : 0;
}

static int mon_pmu_claim_member(struct mon_pmu *mp, void *alloc, struct perf_event *event)
{
	if (event->pmu == &mp->pmu)
		return mon_pmu_claim(mp, alloc, event);
	return is_software_event(event) ? 0 : -EINVAL;
}

/* Feeds the group, then the new event, to the allocator that add() uses. */
static int mon_pmu_check_group(struct mon_pmu *mp, struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	void *scratch = kzalloc(mp->desc->alloc_size, GFP_KERNEL);
	int err = 0;

	if (!scratch)
		return -ENOMEM;
	if (leader != event) {
		err = mon_pmu_claim_member(mp, scratch, leader);
		for_each_sibling_event(sibling, leader)
			err = err ?: mon_pmu_claim_member(mp, scratch, sibling);
	}
	/* an event alone can be too much as well */
	err = err ?: mon_pmu_claim(mp, scratch, event);
	kfree(scratch);
	return err ? -EINVAL : 0;
}

static void mon_pmu_event_destroy(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	unsigned long flags;

	flags = mon_pmu_lock(mp);
	list_del(&to_mon_event(event)->open);
	/* while events move to another CPU one that is closed may wait to be taken up again */
	if (!list_empty(&to_mon_event(event)->node))
		mon_pmu_end_leaving(mp);
	mon_pmu_unlock(mp, flags);
}

static int mon_pmu_event_init(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = to_mon_event(event);
	unsigned long flags;
	int cpu, err;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	/* pairs with mon_pmu_resume(): perf has what the event is going to use */
	if (smp_load_acquire(&mp->gone))
		return -ENODEV;
	if (is_sampling_event(event) || has_branch_stack(event) ||
	    (event->attach_state & PERF_ATTACH_TASK))
		return -EOPNOTSUPP;
	if (event->cpu < 0 || event->attr.config1 || event->attr.config2 ||
	    mon_attr_config3(&event->attr))
		return -EINVAL;
	err = mp->desc->ops->check(mp, event->attr.config);
	if (err)
		return err;
	cpu = READ_ONCE(mp->on_cpu);
	if (cpu < 0)
		return -ENODEV;
	err = mon_pmu_check_group(mp, event);
	if (err)
		return err;

	event->cpu = cpu;
	event->hw.state = PERF_HES_STOPPED;
	/* every CPU reaches the registers, so a read needs no interrupt to another one */
	event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	event->destroy = mon_pmu_event_destroy;
	INIT_LIST_HEAD(&me->node);
	flags = mon_pmu_lock(mp);
	list_add(&me->open, &mp->events);
	mon_pmu_unlock(mp, flags);
	return 0;
}

/*
 * The perf core deletes events and adds them again when it makes room for others and when their CPU
 * goes. Their counters must not lose anything meanwhile, nor change hands: a deleted event keeps
 * them until the PMU is enabled again or the move is over, unless another one needs them.
 */
static int mon_pmu_add(struct perf_event *event, int pmu_flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = to_mon_event(event);
	unsigned long flags;
	int err = 0;

	flags = mon_pmu_lock(mp);
	if (!list_empty(&me->node)) {
		list_del_init(&me->node);
		event->hw.state = 0;
	} else {
		err = mon_pmu_claim(mp, mp->alloc, event);
		if (err && !list_empty(&mp->leaving)) {
			mon_pmu_end_leaving(mp);
			err = mon_pmu_claim(mp, mp->alloc, event);
		}
		if (!err)
			list_add_tail(&me->node, &mp->entering);
	}
	mon_pmu_unlock(mp, flags);
	return err;
}

static void mon_pmu_del(struct perf_event *event, int pmu_flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = to_mon_event(event);
	unsigned long flags;

	flags = mon_pmu_lock(mp);
	if (event->hw.state & PERF_HES_STOPPED) {
		list_del_init(&me->node);
		mon_pmu_release(mp, event);
	} else {
		event->hw.state |= PERF_HES_STOPPED;
		list_add_tail(&me->node, &mp->leaving);
	}
	mon_pmu_unlock(mp, flags);
}

/* Between add and del the core starts and stops only events that sample. */
static void mon_pmu_start_or_stop(struct perf_event *event, int pmu_flags)
{
}

/* The counters run all the time. */
static void mon_pmu_pmu_disable(struct pmu *pmu)
{
}

static void mon_pmu_pmu_enable(struct pmu *pmu)
{
	struct mon_pmu *mp = to_mon_pmu(pmu);
	unsigned long flags;

	flags = mon_pmu_lock(mp);
	if (!mp->moving)
		mon_pmu_end_leaving(mp);
	mon_pmu_begin_entering(mp);
	mon_pmu_unlock(mp, flags);
}

static void mon_pmu_read(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = to_mon_event(event);
	struct mon_pmu_txn *txn = this_cpu_ptr(mp->txn);
	unsigned long flags;

	/*
	 * Who samples in a tracepoint or an NMI may have this read in the midst of what this CPU
	 * does with the PMU. Then the count is that of the last reading.
	 */
	if (in_nmi() || READ_ONCE(txn->inside))
		return;
	if (txn->flags & PERF_PMU_TXN_READ) {
		if (!(event->hw.state & PERF_HES_STOPPED) && list_empty(&me->node))
			list_add_tail(&me->node, &txn->events);
		return;
	}
	flags = mon_pmu_lock(mp);
	if (!(event->hw.state & PERF_HES_STOPPED)) {
		mon_pmu_pass_event(mp, event);
		/* what was read last, before the device went, is the event's, too */
		mon_pmu_update(mp, event);
	}
	mon_pmu_unlock(mp, flags);
}

static void mon_pmu_start_txn(struct pmu *pmu, unsigned int txn_flags)
{
	struct mon_pmu_txn *txn = this_cpu_ptr(to_mon_pmu(pmu)->txn);

	txn->flags = txn_flags;
	INIT_LIST_HEAD(&txn->events);
}

static int mon_pmu_commit_txn(struct pmu *pmu)
{
	struct mon_pmu *mp = to_mon_pmu(pmu);
	struct mon_pmu_txn *txn = this_cpu_ptr(mp->txn);
	struct mon_event *me, *next;
	unsigned long flags;
	int err = 0, ret;

	if (txn->flags & PERF_PMU_TXN_READ) {
		flags = mon_pmu_lock(mp);
		err = mon_pmu_pass_list(mp, &txn->events);
		list_for_each_entry_safe(me, next, &txn->events, node) {
			list_del_init(&me->node);
			ret = mon_pmu_update(mp, mon_perf_event(me));
			err = err ?: ret;
		}
		mon_pmu_unlock(mp, flags);
	}
	txn->flags = 0;
	return err;
}

static void mon_pmu_cancel_txn(struct pmu *pmu)
{
	this_cpu_ptr(to_mon_pmu(pmu)->txn)->flags = 0;
}

/* What has been counted until now stays; what is counted from now on is lost. */
void mon_pmu_suspend(struct mon_pmu *mp)
{
	const struct mon_pmu_ops *ops = mp->desc->ops;
	unsigned long flags;
	unsigned int i;

	mon_pmu_read_running(mp);
	flags = mon_pmu_lock(mp);
	if (!mp->gone) {
		mon_pmu_lost(mp);
		for_each_set_bit(i, mp->running, mp->ncounters)
			ops->stop(mp, i);
		ops->end(mp);
	}
	WRITE_ONCE(mp->gone, true);
	mp->polling = false;
	mon_pmu_unlock(mp, flags);
	cancel_delayed_work_sync(&mp->poll);
}
EXPORT_SYMBOL_GPL(mon_pmu_suspend);

void mon_pmu_resume(struct mon_pmu *mp)
{
	unsigned long flags;
	unsigned int i;

	flags = mon_pmu_lock(mp);
	/* who sees this sees all that registration has made */
	smp_store_release(&mp->gone, false);
	for_each_set_bit(i, mp->running, mp->ncounters)
		mon_pmu_start_counter(mp, i);
	bitmap_copy(mp->todo, mp->running, mp->ncounters);
	mon_pmu_pass(mp, true);
	mon_pmu_unlock(mp, flags);
}
EXPORT_SYMBOL_GPL(mon_pmu_resume);

static unsigned int mon_pmu_events_on(struct mon_pmu *mp, int cpu)
{
	struct mon_event *me;
	unsigned long flags;
	unsigned int n = 0;

	flags = mon_pmu_lock(mp);
	list_for_each_entry(me, &mp->events, open)
		n += READ_ONCE(mon_perf_event(me)->cpu) == cpu;
	mon_pmu_unlock(mp, flags);
	return n;
}

/* What the counters of an event count while it is on its way is the event's. */
void mon_pmu_move(struct mon_pmu *mp, int from, int to)
{
	unsigned int left = UINT_MAX, before;
	unsigned long flags;

	WRITE_ONCE(mp->on_cpu, to);
	WRITE_ONCE(mp->moving, true);
	/*
	 * Since 6.2 a call may move only one of the events. An event that is just being opened is
	 * not moved at all, so this ends when a call has moved none.
	 */
	do {
		before = left;
		perf_pmu_migrate_context(&mp->pmu, from, to);
		left = mon_pmu_events_on(mp, from);
	} while (left && left < before);
	flags = mon_pmu_lock(mp);
	mp->moving = false;
	mon_pmu_end_leaving(mp);
	mon_pmu_unlock(mp, flags);
}

void mon_pmu_free_counters(struct mon_pmu *mp)
{
	free_percpu(mp->txn);
	kvfree(mp->counters);
	bitmap_free(mp->running);
	bitmap_free(mp->todo);
	kfree(mp->alloc);
}

int mon_pmu_alloc_counters(struct mon_pmu *mp)
{
	unsigned int i;

	mp->txn = alloc_percpu(struct mon_pmu_txn);
	mp->counters = kvcalloc(mp->ncounters, sizeof(*mp->counters), GFP_KERNEL);
	mp->running = bitmap_zalloc(mp->ncounters, GFP_KERNEL);
	mp->todo = bitmap_zalloc(mp->ncounters, GFP_KERNEL);
	mp->alloc = kzalloc(mp->desc->alloc_size, GFP_KERNEL);
	if (!mp->txn || !mp->counters || !mp->running || !mp->todo || !mp->alloc) {
		mon_pmu_free_counters(mp);
		return -ENOMEM;
	}
	for (i = 0; i < mp->ncounters; i++)
		mp->counters[i].mask = mon_counter_mask(mp->desc->width(i));
	mp->nrunning = 0;
	mp->wrap_ns = mon_counter_wrap_ns(U32_MAX, mp->max_hz);
	mp->poll_ns = mon_counter_poll_ns(mp->wrap_ns);
	raw_spin_lock_init(&mp->lock);
	INIT_LIST_HEAD(&mp->events);
	INIT_LIST_HEAD(&mp->entering);
	INIT_LIST_HEAD(&mp->leaving);
	INIT_DELAYED_WORK(&mp->poll, mon_pmu_poll);
	mp->polling = false;
	mp->gone = true;
	mp->pmu = (struct pmu) {
		.module = mp->desc->owner,
		.attr_groups = mp->groups,
		.hrtimer_interval_ms = mp->desc->mux_interval_ms,
		.task_ctx_nr = perf_invalid_context,
		.capabilities = PERF_PMU_CAP_NO_EXCLUDE | PERF_PMU_CAP_NO_INTERRUPT,
		.event_init = mon_pmu_event_init,
		.add = mon_pmu_add,
		.del = mon_pmu_del,
		.start = mon_pmu_start_or_stop,
		.stop = mon_pmu_start_or_stop,
		.read = mon_pmu_read,
		.pmu_enable = mon_pmu_pmu_enable,
		.pmu_disable = mon_pmu_pmu_disable,
		.start_txn = mon_pmu_start_txn,
		.commit_txn = mon_pmu_commit_txn,
		.cancel_txn = mon_pmu_cancel_txn,
	};
	mon_pmu_set_parent(&mp->pmu, mp->dev);
	return 0;
}
