// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events: what perf calls, and what their counters say.
 *
 * Every hardware counter has one 64-bit value, kept under the PMU's lock from the differences of
 * successive readings, however many events look at it. A pass reads all counters that belong
 * together, asks the driver whether the values can be believed, and only then counts them.
 *
 * An event remembers the sum of its counters' values and adds what that sum has grown by. add() and
 * del() change only the books: which event has which counters. pmu_enable() compares them with what
 * counts: one pass reads and ends the events that have left or got other counters, and a second one
 * begins those that have come. An event that has left and come back is not read.
 *
 * A READ transaction is one pass, under the lock from its start to its end. Its result is the only
 * way in which perf lets a driver report a loss, and only readers of a group get it.
 */
#include <linux/bitmap.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "mon_compat.h"
#include "mon_counter.h"

struct mon_event {
	struct perf_event *event;
	struct list_head node;	/* in mon_pmu.changed or mon_pmu.reading */
	struct list_head late;	/* in mon_pmu.late */
	bool booked;		/* perf has added it */
	bool counting;		/* it counts with counters */
	bool lost;		/* it has lost counts */
	u32 losses;		/* of its counters when it was last updated */
	u16 *wanted;		/* its counters from the end of this scheduling on */
	unsigned int n;		/* its counters; always as many */
	u16 counters[];		/* which they are */
};

static struct mon_pmu *to_mon_pmu(struct pmu *pmu)
{
	return container_of(pmu, struct mon_pmu, pmu);
}

/* Why counters are read. At the begin and the end of an event a failed reading is a loss. */
enum mon_why { MON_READ, MON_BEGIN, MON_END };

/*
 * Tracepoints fire while the lock is held and while it is being taken, and perf may read our events
 * in them. While it is set nothing of the core takes a lock.
 */
static DEFINE_PER_CPU(bool, mon_inside);

static unsigned long mon_pmu_lock(struct mon_pmu *mp) __acquires(&mp->lock)
{
	unsigned long flags;

	local_irq_save(flags);
	this_cpu_write(mon_inside, true);
	barrier();
	raw_spin_lock(&mp->lock);
	return flags;
}

static void mon_pmu_unlock(struct mon_pmu *mp, unsigned long flags) __releases(&mp->lock)
{
	raw_spin_unlock(&mp->lock);
	barrier();
	this_cpu_write(mon_inside, false);
	local_irq_restore(flags);
}

/* What was read since the last time cannot be believed: an error. */
static int mon_pmu_end(struct mon_pmu *mp)
{
	return !mp->gone && mp->desc->ops->end ? mp->desc->ops->end(mp) : 0;
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
		/* what this pass has read of it is older */
		mp->counters[i].failed |= mp->counters[i].taken;
	}
}
EXPORT_SYMBOL_GPL(mon_pmu_lost);

static void mon_counter_start(struct mon_pmu *mp, unsigned int i)
{
	mp->counters[i].good_ns = mp->now;
	mp->counters[i].based = false;
	if (!mp->gone && mp->desc->ops->start)
		mp->desc->ops->start(mp, i);
}

static void mon_counter_stop(struct mon_pmu *mp, unsigned int i)
{
	if (!mp->gone && mp->desc->ops->stop)
		mp->desc->ops->stop(mp, i);
}

/* The first part of a pass: reads a counter, once. What fails once is not asked again. */
static void mon_counter_take(struct mon_pmu *mp, unsigned int i)
{
	struct mon_pmu_counter *c = &mp->counters[i];

	if (c->taken)
		return;
	c->taken = true;
	c->failed = mp->gone || mp->failing || mp->desc->ops->read(mp, i, &c->raw);
	mp->failing |= c->failed;
	mp->list[mp->ntaken++] = i;
}

/* Updates an event that counts, begins to or ends, after a pass. -EIO: it has lost counts. */
static int mon_event_update(struct mon_pmu *mp, struct mon_event *me, enum mon_why why)
{
	bool failed = false, late = why != MON_BEGIN && !list_empty(&me->late);
	struct mon_pmu_counter *c;
	unsigned int i, missed = 0;
	u64 sum = 0;
	u32 losses = 0;

	for (i = 0; i < me->n; i++) {
		c = &mp->counters[me->counters[i]];
		sum += c->acc;
		/* a counter that others have started has a base that is older than the event */
		failed |= c->failed && (late || c->based);
		/* others that have the counter lose nothing */
		missed += c->failed && (why == MON_BEGIN || (why == MON_END && !mp->gone));
		losses += c->losses;
	}
	if (missed)
		WRITE_ONCE(mp->losses, mp->losses + missed);
	me->lost |= missed;
	me->lost |= why != MON_BEGIN && losses != me->losses;
	me->losses = losses;
	if (why != MON_BEGIN && !late)
		local64_add(sum - local64_read(&me->event->hw.prev_count), &me->event->count);
	local64_set(&me->event->hw.prev_count, sum);
	list_del_init(&me->late);
	if (failed && (why == MON_BEGIN || (why == MON_READ && late)))
		list_add(&me->late, &mp->late);
	return me->lost ? -EIO : 0;
}

/* The second part: the driver says whether the values can be believed. Then they count. */
static int mon_pmu_settle(struct mon_pmu *mp)
{
	bool doubt = mp->ntaken && mon_pmu_end(mp);
	int err = doubt || mp->failing ? -EIO : 0;
	struct mon_event *me, *next;

	mp->hold = false;
	mp->failing = false;
	/* perf may read in tracepoints of the clock, where only this function is safe */
	mp->now = ktime_get_mono_fast_ns();
	while (mp->ntaken) {
		struct mon_pmu_counter *c = &mp->counters[mp->list[--mp->ntaken]];

		c->taken = false;
		c->failed |= doubt;
		if ((c->based || c->failed) && !mp->gone &&
		    mon_counter_late(c->good_ns, mp->now, c->wrap_ns)) {
			mon_counter_lose(mp, c);
			c->good_ns = mp->now;
		}
		if (c->failed)
			continue;
		if (c->based)
			c->acc += mon_counter_delta(c->last, c->raw, c->mask);
		c->based = true;
		c->last = c->raw;
		c->good_ns = mp->now;
	}
	list_for_each_entry_safe(me, next, &mp->late, late)
		mon_event_update(mp, me, MON_READ);
	return err;
}

/* Reads the counters of events. */
static int mon_pmu_pass(struct mon_pmu *mp, struct list_head *events, enum mon_why why)
{
	struct mon_event *me;
	unsigned int i;

	lockdep_assert_held(&mp->lock);
	if (list_empty(events))
		return 0;
	/* the loss has been counted already; an event that begins now loses from its start */
	if (mp->gone && why != MON_BEGIN)
		return -ENODEV;
	/* only several events need values from one instant */
	mp->hold = !list_is_singular(events);
	list_for_each_entry(me, events, node)
		for (i = 0; i < me->n; i++)
			mon_counter_take(mp, me->counters[i]);
	return mon_pmu_settle(mp);
}

static void mon_pmu_pass_running(struct mon_pmu *mp)
{
	unsigned int i;

	mp->hold = true;
	for_each_set_bit(i, mp->running, mp->ncounters)
		mon_counter_take(mp, i);
	mon_pmu_settle(mp);
}

/*
 * Polls run in the interrupt, where no task can delay them. Each reads a batch, so that all running
 * counters are read in poll_ns. Counters that begin to run wait for one more poll_ns at most.
 */
static enum hrtimer_restart mon_pmu_poll(struct hrtimer *timer)
{
	struct mon_pmu *mp = container_of(timer, struct mon_pmu, poll);
	unsigned long flags = mon_pmu_lock(mp);
	unsigned int running = bitmap_weight(mp->running, mp->ncounters), i = mp->next_poll;
	unsigned int polls;

	mp->next_poll = 0;
	for_each_set_bit_from(i, mp->running, mp->ncounters) {
		if (mp->ntaken == mp->desc->batch || mp->failing) {
			mp->next_poll = i;
			break;
		}
		if (~mp->counters[i].mask)
			mon_counter_take(mp, i);
	}
	/* a counter that does not answer ends its poll, and the next one comes soon */
	polls = mp->failing ? running : DIV_ROUND_UP(running + !running, mp->desc->batch);
	mon_pmu_settle(mp);
	mon_pmu_unlock(mp, flags);
	hrtimer_forward_now(timer, max_t(u64, div_u64(mp->poll_ns, polls), NSEC_PER_MSEC));
	return HRTIMER_RESTART;
}

static void mon_pmu_start_poll(void *data)
{
	struct mon_pmu *mp = data;

	hrtimer_start_expires(&mp->poll, HRTIMER_MODE_ABS_PINNED_HARD);
}

/*
 * There are polls while there is a device and an event is open, on the CPU of the events. The timer
 * is set where no lock is held, because perf may read events in tracepoints that fire with the lock
 * of a CPU's timers held. A move does not put off a poll: there may be more moves than polls.
 */
static void mon_pmu_set_poll(struct mon_pmu *mp)
{
	int cpu;

	mutex_lock(&mp->poll_lock);
	cpu = !READ_ONCE(mp->gone) && atomic_read(&mp->nopen) ? READ_ONCE(mp->on_cpu) : -1;
	if (cpu != mp->poll_cpu) {
		hrtimer_cancel(&mp->poll);
		if (mp->poll_cpu < 0)
			hrtimer_set_expires(&mp->poll, ktime_add_ns(ktime_get(), mp->poll_ns));
		/* a CPU that has just gone: its timers would move here, too */
		if (cpu >= 0 && smp_call_function_single(cpu, mon_pmu_start_poll, mp, true))
			mon_pmu_start_poll(mp);
		mp->poll_cpu = cpu;
	}
	mutex_unlock(&mp->poll_lock);
}

/* Counts up to now are kept; later ones are lost. */
void mon_pmu_suspend(struct mon_pmu *mp)
{
	unsigned long flags = mon_pmu_lock(mp);
	unsigned int i;

	if (!mp->gone) {
		mon_pmu_pass_running(mp);
		mon_pmu_lost(mp);
		for_each_set_bit(i, mp->running, mp->ncounters)
			mon_counter_stop(mp, i);
		mon_pmu_end(mp);
	}
	WRITE_ONCE(mp->gone, true);
	mon_pmu_unlock(mp, flags);
	mon_pmu_set_poll(mp);
}
EXPORT_SYMBOL_GPL(mon_pmu_suspend);

void mon_pmu_resume(struct mon_pmu *mp)
{
	unsigned long flags = mon_pmu_lock(mp);
	unsigned int i;

	/* pairs with mon_pmu_event_init(): registration comes before this */
	smp_store_release(&mp->gone, false);
	mp->now = ktime_get_mono_fast_ns();
	for_each_set_bit(i, mp->running, mp->ncounters)
		mon_counter_start(mp, i);
	mon_pmu_pass_running(mp);
	mon_pmu_unlock(mp, flags);
	mon_pmu_set_poll(mp);
}
EXPORT_SYMBOL_GPL(mon_pmu_resume);

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
	if (!mp->desc->ops->release)
		return 0;
	return min(mp->desc->ops->claim(mp, alloc, event->attr.config, counters), 0);
}

static int mon_event_fits(struct mon_pmu *mp, struct mon_event *me)
{
	struct perf_event *leader = me->event->group_leader, *sibling;
	size_t size = ALIGN(mp->desc->alloc_size, sizeof(u64));
	void *alloc = kvzalloc(size + mp->ncounters * sizeof(u16), GFP_KERNEL);
	int err;

	if (!alloc)
		return -ENOMEM;
	if (leader != me->event) {
		err = mon_event_try(mp, alloc, leader, alloc + size);
		for_each_sibling_event(sibling, leader)
			err = err ?: mon_event_try(mp, alloc, sibling, alloc + size);
	} else {
		err = 0;
	}
	if (!err)
		err = mp->desc->ops->claim(mp, alloc, me->event->attr.config, me->wanted);
	kvfree(alloc);
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
	INIT_LIST_HEAD(&me->late);
	me->wanted = me->counters + room - n;
	err = mon_event_fits(mp, me);
	if (err) {
		kvfree(me);
		return ERR_PTR(err);
	}
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
	if (atomic_inc_return(&mp->nopen) == 1)
		mon_pmu_set_poll(mp);
	return 0;
}

static int mon_pmu_add(struct perf_event *event, int pmu_flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_event *me = event->pmu_private;
	unsigned long flags = mon_pmu_lock(mp);

	if (!me->booked && mp->desc->ops->release &&
	    mp->desc->ops->claim(mp, mp->alloc, event->attr.config, me->wanted) < 0) {
		mon_pmu_unlock(mp, flags);
		return -ENOSPC;
	}
	me->booked = true;
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
		ret = mon_event_update(mp, me, MON_READ);
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

/* Also after mon_pmu_alloc_counters() has failed. */
void mon_pmu_free_counters(struct mon_pmu *mp)
{
	kvfree(mp->counters);
	kvfree(mp->list);
	bitmap_free(mp->running);
	kfree(mp->alloc);
}

int mon_pmu_alloc_counters(struct mon_pmu *mp)
{
	struct mon_pmu_counter *c;
	unsigned int i;

	mp->counters = kvcalloc(mp->ncounters, sizeof(*mp->counters), GFP_KERNEL);
	mp->list = kvcalloc(mp->ncounters, sizeof(*mp->list), GFP_KERNEL);
	mp->running = bitmap_zalloc(mp->ncounters, GFP_KERNEL);
	mp->alloc = kzalloc(mp->desc->alloc_size, GFP_KERNEL);
	if (!mp->counters || !mp->list || !mp->running || !mp->alloc)
		return -ENOMEM;
	mp->poll_ns = U64_MAX;
	for (i = 0; i < mp->ncounters; i++) {
		c = &mp->counters[i];
		c->mask = mon_counter_mask(mp->desc->width ? mp->desc->width(i) : 32);
		c->wrap_ns = mon_counter_wrap_ns(c->mask, mp->max_hz);
		mp->poll_ns = min(mp->poll_ns, mon_counter_poll_ns(c->wrap_ns));
	}
	raw_spin_lock_init(&mp->lock);
	mutex_init(&mp->poll_lock);
	mp->poll_cpu = -1;
	mp->reader = -1;
	INIT_LIST_HEAD(&mp->changed);
	INIT_LIST_HEAD(&mp->reading);
	INIT_LIST_HEAD(&mp->late);
	hrtimer_setup(&mp->poll, mon_pmu_poll, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED_HARD);
	return 0;
}
