// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting: what perf calls for events, groups and transactions.
 *
 * Every hardware counter has one 64-bit value, kept under the PMU's lock from the differences of
 * successive readings, however many events look at it. An event remembers the sum of its counters'
 * values and adds what that sum has grown by.
 *
 * Registers are read in passes: all counters that belong together first, then the driver says
 * whether the values can be believed, and only then they count. A READ transaction is one pass.
 *
 * perf deletes events and adds them again when it makes room for others. At first only the books
 * change: who has which counter. With pmu_enable, events that have left are read and end, and those
 * that have come begin, each with one pass; what left and came back is not touched. The budget
 * bounds the registers that the events in the books have, and so what a pass reads.
 *
 * What was lost is counted, for each counter and for the PMU. perf lets a driver tell this to who
 * reads a group, as the result of the transaction, and to nobody else.
 */
#include <linux/bitmap.h>
#include <linux/lockdep.h>
#include <linux/moduleparam.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "mon_compat.h"
#include "mon_counter.h"
#include "mon_pmu.h"

static uint registers = 16384;
module_param(registers, uint, 0644);
MODULE_PARM_DESC(registers,
		 "Registers that the events of a PMU may have at a time: they are read with interrupts off (default 16384)");

/**
 * struct mon_event - an event's data
 * @event: perf's
 * @open: in mon_pmu.events
 * @node: in entering, leaving, moved or a transaction
 * @claimed: the books give it its counters
 * @losses: of its counters when it began
 * @n: its counters; of no other number from the first claim to the last
 * @counters: which, since it has them
 */
struct mon_event {
	struct perf_event *event;
	struct list_head open;
	struct list_head node;
	bool claimed;
	u32 losses;
	unsigned int n;
	u16 counters[];
};

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

static void mon_pmu_unlock(struct mon_pmu *mp, unsigned long flags)
	__releases(&mp->lock)
{
	raw_spin_unlock(&mp->lock);
	barrier();
	WRITE_ONCE(this_cpu_ptr(mp->txn)->inside, false);
	local_irq_restore(flags);
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

/* The first part of a pass: reads a counter, once. */
static int mon_counter_take(struct mon_pmu *mp, unsigned int i)
{
	struct mon_pmu_counter *c = &mp->counters[i];

	if (!c->taken) {
		c->failed = mp->desc->ops->read(mp, i, &c->raw);
		c->taken = true;
	}
	return c->failed ? -EIO : 0;
}

/* The second: can what was read be believed? */
static int mon_pmu_settle(struct mon_pmu *mp)
{
	mp->hold = false;
	mp->doubt = mp->desc->ops->end(mp);
	/* readings happen in tracepoints of the clock, too */
	mp->now = ktime_get_mono_fast_ns();
	return mp->doubt;
}

/* The third, for each counter that was taken: then it counts. */
static void mon_counter_fold(struct mon_pmu *mp, struct mon_pmu_counter *c)
{
	if (!c->taken)
		return;
	c->taken = false;
	c->failed |= !!mp->doubt;
	if ((c->based || c->failed) && mon_counter_late(c->good_ns, mp->now, c->wrap_ns)) {
		mon_counter_lose(mp, c);
		c->good_ns = mp->now;
	}
	if (c->failed)
		return;
	if (c->based)
		c->acc += mon_counter_delta(c->last, c->raw, c->mask);
	c->based = true;
	c->last = c->raw;
	c->good_ns = mp->now;
}

static int mon_event_take(struct mon_pmu *mp, struct mon_event *me)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < me->n; i++)
		err |= mon_counter_take(mp, me->counters[i]);
	return err;
}

/* Reads the counters of events, all of which are summed up next. */
static int mon_pmu_pass(struct mon_pmu *mp, struct list_head *events)
{
	struct mon_event *me;
	int err = 0, ret;

	lockdep_assert_held(&mp->lock);
	if (mp->gone)
		return -ENODEV;
	/* an event alone has nothing that it must be from one instant with */
	mp->hold = !list_is_singular(events);
	list_for_each_entry(me, events, node)
		err |= mon_event_take(mp, me);
	ret = mon_pmu_settle(mp);
	return ret ?: err;
}

/* Reads at most n running counters from the first on; returns with which to go on. */
static unsigned int mon_pmu_pass_running(struct mon_pmu *mp, unsigned int first, unsigned int n)
{
	unsigned int i = first, end;

	for_each_set_bit_from(i, mp->running, mp->ncounters) {
		if (!n--)
			break;
		mon_counter_take(mp, i);
	}
	end = i;
	mon_pmu_settle(mp);
	i = first;
	for_each_set_bit_from(i, mp->running, end)
		mon_counter_fold(mp, &mp->counters[i]);
	return end;
}

/* Sum of an event's counters; losses gets theirs. */
static u64 mon_event_sum(struct mon_pmu *mp, struct mon_event *me, u32 *losses)
{
	unsigned int i;
	u64 sum = 0;

	*losses = 0;
	for (i = 0; i < me->n; i++) {
		struct mon_pmu_counter *c = &mp->counters[me->counters[i]];

		mon_counter_fold(mp, c);
		sum += c->acc;
		*losses += c->losses;
	}
	return sum;
}

/* After a pass: brings an event that counts up to date. -EIO: it has lost counts. */
static int mon_event_update(struct mon_pmu *mp, struct mon_event *me)
{
	u32 losses;
	u64 sum = mon_event_sum(mp, me, &losses);

	lockdep_assert_held(&mp->lock);
	local64_add(sum - local64_read(&me->event->hw.prev_count), &me->event->count);
	local64_set(&me->event->hw.prev_count, sum);
	return losses == me->losses ? 0 : -EIO;
}

/* Two CPUs that write an event's page at a time tear it; not all who come here hold perf's lock. */
static void mon_event_set_state(struct mon_pmu *mp, struct mon_event *me, int state)
{
	lockdep_assert_held(&mp->lock);
	me->event->hw.state = state;
	perf_event_update_userpage(me->event);
}

/* The books: gives the counters back. */
static void mon_event_release(struct mon_pmu *mp, struct mon_event *me)
{
	unsigned int i;

	me->claimed = false;
	for (i = 0; i < me->n; i++)
		mp->nclaimed -= !--mp->counters[me->counters[i]].claims;
	if (mp->desc->ops->release)
		mp->desc->ops->release(mp, mp->alloc, me->event->attr.config);
}

/* Takes counters and a part of the budget; what still counts goes on with the same, or not. */
static int mon_event_claim(struct mon_pmu *mp, struct mon_event *me, bool counts)
{
	const struct mon_pmu_ops *ops = mp->desc->ops;
	size_t size = me->n * sizeof(*me->counters);
	unsigned int i;
	int ret;

	if (ops->release) {
		ret = ops->claim(mp, mp->alloc, me->event->attr.config, mp->scratch);
		if (ret < 0)
			return ret;
		if (counts && memcmp(me->counters, mp->scratch, size)) {
			ops->release(mp, mp->alloc, me->event->attr.config);
			return -EAGAIN;
		}
		memcpy(me->counters, mp->scratch, size);
	}
	for (i = 0; i < me->n; i++)
		mp->nclaimed += !mp->counters[me->counters[i]].claims++;
	me->claimed = true;
	if (mp->nclaimed <= READ_ONCE(registers))
		return 0;
	mon_event_release(mp, me);
	return -ENOSPC;
}

/* What has left gives its counters back when others need them, or when it ends. */
static void mon_pmu_release_leaving(struct mon_pmu *mp)
{
	struct mon_event *me;

	list_for_each_entry(me, &mp->leaving, node)
		if (me->claimed)
			mon_event_release(mp, me);
}

/* After its last pass. */
static void mon_event_end(struct mon_pmu *mp, struct mon_event *me)
{
	unsigned int i;

	mon_event_update(mp, me);
	if (me->claimed)
		mon_event_release(mp, me);
	for (i = 0; i < me->n; i++) {
		struct mon_pmu_counter *c = &mp->counters[me->counters[i]];

		/* there will be no later reading; what a device that went lost has been told */
		if (c->failed && !mp->gone)
			mon_counter_lose(mp, c);
		if (--c->users)
			continue;
		__clear_bit(me->counters[i], mp->running);
		mp->nrunning--;
		if (!mp->gone)
			mp->desc->ops->stop(mp, me->counters[i]);
	}
	mon_event_set_state(mp, me, me->event->hw.state | PERF_HES_UPTODATE);
}

static void mon_pmu_end_events(struct mon_pmu *mp, struct list_head *events)
{
	struct mon_event *me, *next;

	if (list_empty(events))
		return;
	mon_pmu_pass(mp, events);
	list_for_each_entry_safe(me, next, events, node) {
		list_del_init(&me->node);
		mon_event_end(mp, me);
	}
	if (!mp->gone)
		mp->desc->ops->end(mp);
}

static void mon_pmu_start_counter(struct mon_pmu *mp, unsigned int i)
{
	mp->counters[i].good_ns = mp->now;
	if (!mp->gone)
		mp->desc->ops->start(mp, i);
}

static void mon_event_start_counters(struct mon_pmu *mp, struct mon_event *me)
{
	unsigned int i;

	for (i = 0; i < me->n; i++) {
		struct mon_pmu_counter *c = &mp->counters[me->counters[i]];

		if (c->users++)
			continue;
		__set_bit(me->counters[i], mp->running);
		mp->nrunning++;
		c->based = false;
		mon_pmu_start_counter(mp, me->counters[i]);
	}
}

/* After its first pass. */
static void mon_event_begin(struct mon_pmu *mp, struct mon_event *me, bool failed)
{
	unsigned int i;

	local64_set(&me->event->hw.prev_count, mon_event_sum(mp, me, &me->losses));
	for (i = 0; failed && i < me->n; i++) {
		struct mon_pmu_counter *c = &mp->counters[me->counters[i]];

		/* since when it counts is not known: its next value is a new base for all */
		if (c->failed || mp->gone) {
			mon_counter_lose(mp, c);
			c->based = false;
		}
	}
	mon_event_set_state(mp, me, 0);
}

static void mon_pmu_begin_events(struct mon_pmu *mp, struct list_head *events)
{
	struct mon_event *me, *next;
	bool failed;

	if (list_empty(events))
		return;
	mp->now = ktime_get_mono_fast_ns();
	list_for_each_entry(me, events, node)
		mon_event_start_counters(mp, me);
	failed = mon_pmu_pass(mp, events);
	list_for_each_entry_safe(me, next, events, node) {
		list_del_init(&me->node);
		mon_event_begin(mp, me, failed);
	}
}

/* Until the next poll: each reads a batch, so that all running counters are read in poll_ns. */
static ktime_t mon_pmu_slice(struct mon_pmu *mp)
{
	return ns_to_ktime(div_u64(mp->poll_ns, DIV_ROUND_UP(mp->nrunning, mp->desc->batch)));
}

/* In the interrupt, where no task can keep it waiting. */
static enum hrtimer_restart mon_pmu_poll(struct hrtimer *timer)
{
	struct mon_pmu *mp = container_of(timer, struct mon_pmu, poll);
	unsigned long flags = mon_pmu_lock(mp);
	ktime_t slice = 0;

	mp->polling = mp->nrunning && !mp->gone;
	if (mp->polling) {
		mp->polled = true;
		mp->next_poll = mon_pmu_pass_running(mp, mp->next_poll, mp->desc->batch);
		mp->polled = false;
		if (mp->next_poll >= mp->ncounters)
			mp->next_poll = 0;
		slice = mon_pmu_slice(mp);
	}
	mon_pmu_unlock(mp, flags);
	if (!slice)
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, slice);
	return HRTIMER_RESTART;
}

/*
 * Polls end when they find no counter running or no device, and begin again with both. Their timer
 * is set without the lock: events are also read in tracepoints with a CPU's lock of timers held.
 */
static void mon_pmu_unlock_and_poll(struct mon_pmu *mp, unsigned long flags)
	__releases(&mp->lock)
{
	bool start = mp->nrunning && !mp->polling && !mp->gone;
	ktime_t slice = start ? mon_pmu_slice(mp) : 0;

	mp->polling |= start;
	mon_pmu_unlock(mp, flags);
	if (start)
		hrtimer_start(&mp->poll, slice, HRTIMER_MODE_REL_HARD);
}

/**
 * struct mon_trial - what a group would have
 * @alloc: allocation state
 * @seen: counters
 * @nseen: how many
 * @list: those of the event that was tried last
 */
struct mon_trial {
	void *alloc;
	unsigned long *seen;
	unsigned int nseen;
	u16 *list;
};

static int mon_pmu_try(struct mon_pmu *mp, struct mon_trial *t, struct perf_event *event)
{
	int i, n;

	if (event->pmu != &mp->pmu)
		return is_software_event(event) ? 0 : -EINVAL;
	n = mp->desc->ops->claim(mp, t->alloc, event->attr.config, t->list);
	for (i = 0; i < n; i++)
		t->nseen += !__test_and_set_bit(t->list[i], t->seen);
	return n < 0 ? -EINVAL : n;
}

/* Feeds the group, then the new event, to the allocator that add() uses. Returns the counters. */
static int mon_pmu_try_group(struct mon_pmu *mp, struct mon_trial *t, struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	int n = 0;

	if (leader != event) {
		n = mon_pmu_try(mp, t, leader);
		for_each_sibling_event(sibling, leader)
			n = n < 0 ? n : mon_pmu_try(mp, t, sibling);
	}
	/* an event alone can be too much as well */
	n = n < 0 ? n : mon_pmu_try(mp, t, event);
	return n >= 0 && t->nseen > READ_ONCE(registers) ? -ENOSPC : n;
}

static struct mon_event *mon_event_new(struct mon_pmu *mp, struct perf_event *event)
{
	struct mon_trial t = {
		.alloc = kzalloc(mp->desc->alloc_size, GFP_KERNEL),
		.seen = bitmap_zalloc(mp->ncounters, GFP_KERNEL),
		.list = kvmalloc_array(mp->ncounters, sizeof(*t.list), GFP_KERNEL),
	};
	struct mon_event *me = NULL;
	int n = -ENOMEM;

	if (t.alloc && t.seen && t.list)
		n = mon_pmu_try_group(mp, &t, event);
	if (n >= 0) {
		me = kvzalloc(struct_size(me, counters, n), GFP_KERNEL);
		n = me ? n : -ENOMEM;
	}
	if (me) {
		me->event = event;
		me->n = n;
		memcpy(me->counters, t.list, n * sizeof(*t.list));
		INIT_LIST_HEAD(&me->node);
	}
	kfree(t.alloc);
	bitmap_free(t.seen);
	kvfree(t.list);
	return me ?: ERR_PTR(n);
}

static void mon_pmu_event_destroy(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = event->pmu_private;
	unsigned long flags;
	LIST_HEAD(alone);

	flags = mon_pmu_lock(mp);
	list_del(&me->open);
	/* while events move to another CPU one that is closed may wait to be taken up again */
	if (!list_empty(&me->node))
		list_move(&me->node, &alone);
	mon_pmu_end_events(mp, &alone);
	mon_pmu_unlock(mp, flags);
	kvfree(me);
}

static int mon_pmu_event_init(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me;
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
	me = mon_event_new(mp, event);
	if (IS_ERR(me))
		return PTR_ERR(me);

	event->cpu = cpu;
	event->hw.state = PERF_HES_STOPPED;
	/* every CPU reaches the registers, so a read needs no interrupt to another one */
	event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	event->pmu_private = me;
	event->destroy = mon_pmu_event_destroy;
	flags = mon_pmu_lock(mp);
	list_add(&me->open, &mp->events);
	mon_pmu_unlock(mp, flags);
	return 0;
}

static int mon_pmu_add(struct perf_event *event, int pmu_flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = event->pmu_private;
	unsigned long flags = mon_pmu_lock(mp);
	bool counts = !list_empty(&me->node);
	int err = me->claimed ? 0 : mon_event_claim(mp, me, counts);

	if (err) {
		mon_pmu_release_leaving(mp);
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

/* What goes to another CPU keeps its counters in the books, whoever else needs them. */
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
		list_add_tail(&me->node, mp->moving ? &mp->moved : &mp->leaving);
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
	unsigned long flags = mon_pmu_lock(mp);

	mon_pmu_end_events(mp, &mp->leaving);
	mon_pmu_begin_events(mp, &mp->entering);
	mon_pmu_unlock_and_poll(mp, flags);
}

static void mon_pmu_read(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = event->pmu_private;
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
		/* its node may be in a transaction of another CPU, so this is no list */
		if (!mp->gone) {
			mon_event_take(mp, me);
			mon_pmu_settle(mp);
		}
		/* what was read last, before the device went, is the event's, too */
		mon_event_update(mp, me);
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
		err = mon_pmu_pass(mp, &txn->events);
		list_for_each_entry_safe(me, next, &txn->events, node) {
			list_del_init(&me->node);
			ret = mon_event_update(mp, me);
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
	unsigned long flags = mon_pmu_lock(mp);
	unsigned int i;

	if (!mp->gone) {
		mon_pmu_pass_running(mp, 0, UINT_MAX);
		mon_pmu_lost(mp);
		for_each_set_bit(i, mp->running, mp->ncounters)
			ops->stop(mp, i);
		ops->end(mp);
	}
	WRITE_ONCE(mp->gone, true);
	mp->polling = false;
	mon_pmu_unlock(mp, flags);
	hrtimer_cancel(&mp->poll);
}
EXPORT_SYMBOL_GPL(mon_pmu_suspend);

void mon_pmu_resume(struct mon_pmu *mp)
{
	unsigned long flags = mon_pmu_lock(mp);
	unsigned int i;

	/* who sees this sees all that registration has made */
	smp_store_release(&mp->gone, false);
	mp->now = ktime_get_mono_fast_ns();
	for_each_set_bit(i, mp->running, mp->ncounters)
		mon_pmu_start_counter(mp, i);
	mp->hold = true;
	mon_pmu_pass_running(mp, 0, UINT_MAX);
	mon_pmu_unlock_and_poll(mp, flags);
}
EXPORT_SYMBOL_GPL(mon_pmu_resume);

static unsigned int mon_pmu_events_on(struct mon_pmu *mp, int cpu)
{
	unsigned long flags = mon_pmu_lock(mp);
	struct mon_event *me;
	unsigned int n = 0;

	list_for_each_entry(me, &mp->events, open)
		n += READ_ONCE(me->event->cpu) == cpu;
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
	mon_pmu_end_events(mp, &mp->moved);
	mon_pmu_unlock(mp, flags);
}

void mon_pmu_free_counters(struct mon_pmu *mp)
{
	free_percpu(mp->txn);
	kvfree(mp->counters);
	kvfree(mp->scratch);
	bitmap_free(mp->running);
	kfree(mp->alloc);
}

int mon_pmu_alloc_counters(struct mon_pmu *mp)
{
	struct mon_pmu_counter *c;
	unsigned int i;

	mp->txn = alloc_percpu(struct mon_pmu_txn);
	mp->counters = kvcalloc(mp->ncounters, sizeof(*mp->counters), GFP_KERNEL);
	mp->scratch = kvcalloc(mp->ncounters, sizeof(*mp->scratch), GFP_KERNEL);
	mp->running = bitmap_zalloc(mp->ncounters, GFP_KERNEL);
	mp->alloc = kzalloc(mp->desc->alloc_size, GFP_KERNEL);
	if (!mp->txn || !mp->counters || !mp->scratch || !mp->running || !mp->alloc) {
		mon_pmu_free_counters(mp);
		return -ENOMEM;
	}
	mp->poll_ns = U64_MAX;
	for (i = 0; i < mp->ncounters; i++) {
		c = &mp->counters[i];
		c->mask = mon_counter_mask(mp->desc->width(i));
		c->wrap_ns = mon_counter_wrap_ns(c->mask, mp->max_hz);
		mp->poll_ns = min(mp->poll_ns, mon_counter_poll_ns(c->wrap_ns));
	}
	mp->nrunning = 0;
	mp->nclaimed = 0;
	raw_spin_lock_init(&mp->lock);
	INIT_LIST_HEAD(&mp->events);
	INIT_LIST_HEAD(&mp->entering);
	INIT_LIST_HEAD(&mp->leaving);
	INIT_LIST_HEAD(&mp->moved);
	hrtimer_setup(&mp->poll, mon_pmu_poll, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
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
