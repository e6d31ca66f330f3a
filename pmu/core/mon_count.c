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
 * What was lost is counted, for each counter and for the PMU: readings that failed or came late for
 * longer than a counter takes to wrap, readings that failed when an event began or ended, and
 * devices that went away. perf lets a driver tell this to who reads a group, as the result of the
 * transaction, and to nobody else.
 */
#include <linux/bitmap.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "mon_private.h"

/* A pass of a poll takes some microseconds; polls that are closer load a processor too much. */
#define MON_MIN_TICK_NS	(100 * NSEC_PER_USEC)

/*
 * struct mon_pmu_hw - an event's data, in event->hw
 *
 * The perf core and the architectures look at some members of event->hw of all events, but not from
 * extra_reg on.
 */
struct mon_pmu_hw {
	u8 reserved[offsetof(struct hw_perf_event, extra_reg)];
	struct list_head open;		/* in mon_pmu.events */
	struct list_head node;		/* in entering, leaving or a transaction */
	u32 losses;			/* of its counters when it started */
	bool lost;			/* some of what it should have counted since then */
	bool unbased;			/* since when it counts is not known yet */
};

static_assert(sizeof(struct mon_pmu_hw) <= offsetof(struct hw_perf_event, target));

static struct mon_pmu_hw *to_mon_hw(struct perf_event *event)
{
	return (struct mon_pmu_hw *)&event->hw;
}

static struct perf_event *mon_hw_event(struct mon_pmu_hw *hw)
{
	return container_of((struct hw_perf_event *)hw, struct perf_event, hw);
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

static void mon_pmu_unlock(struct mon_pmu *mp, unsigned long flags)
	__releases(&mp->lock)
{
	raw_spin_unlock(&mp->lock);
	barrier();
	WRITE_ONCE(this_cpu_ptr(mp->txn)->inside, false);
	local_irq_restore(flags);
}

#define for_each_counter(i, mp, event)							\
	for (i = (mp)->desc->ops->next(mp, (event)->attr.config, -1); i >= 0;		\
	     i = (mp)->desc->ops->next(mp, (event)->attr.config, i))

static void mon_pmu_lose(struct mon_pmu *mp)
{
	WRITE_ONCE(mp->losses, mp->losses + 1);
}

void mon_pmu_lost(struct mon_pmu *mp)
{
	unsigned int i;

	lockdep_assert_held(&mp->lock);
	for_each_set_bit(i, mp->running, mp->ncounters) {
		mp->counters[i].losses++;
		mp->counters[i].based = false;
		mon_pmu_lose(mp);
	}
}
EXPORT_SYMBOL_GPL(mon_pmu_lost);

static void mon_pmu_fold(struct mon_pmu *mp, struct mon_pmu_counter *c, u64 now)
{
	bool late = c->mask != U64_MAX && now - c->good_ns > mp->wrap_ns;

	if (late && (c->based || c->failed)) {
		c->losses++;
		mon_pmu_lose(mp);
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
	mp->hold = hold;
	for_each_set_bit(i, mp->todo, mp->ncounters) {
		ret = ops->read(mp, i, &mp->counters[i].raw);
		mp->counters[i].failed = ret;
		if (ret)
			err = ret;
	}
	ret = ops->end ? ops->end(mp) : 0;
	mp->hold = false;
	mp->stopped = false;
	/* readings happen in tracepoints of the clock, too */
	now = ktime_get_mono_fast_ns();
	for_each_set_bit(i, mp->todo, mp->ncounters) {
		mp->counters[i].failed |= !!ret;
		mon_pmu_fold(mp, &mp->counters[i], now);
	}
	bitmap_zero(mp->todo, mp->ncounters);
	return ret ?: err;
}

static void mon_pmu_want(struct mon_pmu *mp, struct perf_event *event)
{
	int i;

	for_each_counter(i, mp, event)
		__set_bit(i, mp->todo);
}

static int mon_pmu_pass_list(struct mon_pmu *mp, struct list_head *list)
{
	struct mon_pmu_hw *hw;

	list_for_each_entry(hw, list, node)
		mon_pmu_want(mp, mon_hw_event(hw));
	/* an event alone has nothing that it must be from one instant with */
	return mon_pmu_pass(mp, !list_is_singular(list));
}

/* Sum of an event's counters, and of their losses; -EIO: some were not read in the last pass. */
static int mon_pmu_sum(struct mon_pmu *mp, struct perf_event *event, u64 *sum, u32 *losses)
{
	int err = 0, i;

	*sum = 0;
	*losses = 0;
	for_each_counter(i, mp, event) {
		*sum += mp->counters[i].acc;
		*losses += mp->counters[i].losses;
		if (mp->counters[i].failed)
			err = -EIO;
	}
	return err;
}

/* After a pass: brings an event that counts up to date. -EIO: it has lost counts. */
static int mon_pmu_update(struct mon_pmu *mp, struct perf_event *event)
{
	struct mon_pmu_hw *hw = to_mon_hw(event);
	u64 sum, prev;
	u32 losses;
	int err;

	lockdep_assert_held(&mp->lock);
	err = mon_pmu_sum(mp, event, &sum, &losses);
	hw->lost |= losses != hw->losses;
	if (hw->unbased && err)
		return err;
	prev = hw->unbased ? sum : local64_read(&event->hw.prev_count);
	hw->unbased = false;
	local64_set(&event->hw.prev_count, sum);
	local64_add(sum - prev, &event->count);
	return hw->lost ? -EIO : err;
}

/* After the events' last pass. */
static void mon_pmu_end_event(struct mon_pmu *mp, struct perf_event *event)
{
	const struct mon_pmu_ops *ops = mp->desc->ops;
	struct mon_pmu_hw *hw = to_mon_hw(event);
	bool lost = hw->lost;
	int i;

	/*
	 * the reading that failed would have been the last; what a loss is for the counter is known
	 */
	if (mon_pmu_update(mp, event) && !lost && !hw->lost && !mp->gone) {
		hw->lost = true;
		mon_pmu_lose(mp);
	}
	for_each_counter(i, mp, event) {
		if (--mp->counters[i].users)
			continue;
		__clear_bit(i, mp->running);
		mp->nrunning--;
		if (ops->stop && !mp->gone)
			ops->stop(mp, i);
		mp->stopped = true;
	}
	event->hw.state |= PERF_HES_UPTODATE;
	perf_event_update_userpage(event);
}

static void mon_pmu_release(struct mon_pmu *mp, struct perf_event *event)
{
	if (mp->desc->ops->release)
		mp->desc->ops->release(mp, mp->alloc, event->attr.config);
}

static void mon_pmu_end_leaving(struct mon_pmu *mp)
{
	struct mon_pmu_hw *hw, *next;

	lockdep_assert_held(&mp->lock);
	if (list_empty(&mp->leaving))
		return;
	if (!mp->gone)
		mon_pmu_pass_list(mp, &mp->leaving);
	list_for_each_entry_safe(hw, next, &mp->leaving, node) {
		list_del_init(&hw->node);
		mon_pmu_end_event(mp, mon_hw_event(hw));
		mon_pmu_release(mp, mon_hw_event(hw));
	}
}

/* After counters have stopped, unless a pass has followed. */
static void mon_pmu_settle(struct mon_pmu *mp)
{
	if (mp->stopped && mp->desc->ops->end && !mp->gone)
		mp->desc->ops->end(mp);
	mp->stopped = false;
}

static void mon_pmu_start_counters(struct mon_pmu *mp, struct perf_event *event)
{
	const struct mon_pmu_ops *ops = mp->desc->ops;
	u64 now = ktime_get_mono_fast_ns();
	int i;

	for_each_counter(i, mp, event) {
		struct mon_pmu_counter *c = &mp->counters[i];

		if (c->users++)
			continue;
		__set_bit(i, mp->running);
		mp->nrunning++;
		c->based = false;
		c->failed = mp->gone;
		c->good_ns = now;
		if (ops->start && !mp->gone)
			ops->start(mp, i);
	}
}

static void mon_pmu_begin_entering(struct mon_pmu *mp)
{
	struct mon_pmu_hw *hw, *next;

	lockdep_assert_held(&mp->lock);
	if (list_empty(&mp->entering))
		return;
	list_for_each_entry(hw, &mp->entering, node)
		mon_pmu_start_counters(mp, mon_hw_event(hw));
	if (!mp->gone)
		mon_pmu_pass_list(mp, &mp->entering);
	list_for_each_entry_safe(hw, next, &mp->entering, node) {
		struct perf_event *event = mon_hw_event(hw);
		u64 sum;

		hw->unbased = mon_pmu_sum(mp, event, &sum, &hw->losses) || mp->gone;
		hw->lost = hw->unbased;
		if (hw->lost)
			mon_pmu_lose(mp);
		local64_set(&event->hw.prev_count, sum);
		event->hw.state = 0;
		list_del_init(&hw->node);
		perf_event_update_userpage(event);
	}
}

/* A part of the running counters, so that interrupts are not off for long; true after the last. */
static bool mon_pmu_pass_batch(struct mon_pmu *mp)
{
	unsigned int i = mp->poll_at, n = 0;

	lockdep_assert_held(&mp->lock);
	for_each_set_bit_from(i, mp->running, mp->ncounters) {
		if (n++ == mp->desc->batch)
			break;
		__set_bit(i, mp->todo);
	}
	mp->poll_at = i < mp->ncounters ? i : 0;
	mon_pmu_pass(mp, true);
	return !mp->poll_at;
}

static u64 mon_pmu_tick(const struct mon_pmu *mp)
{
	u64 tick = div_u64(mp->poll_ns, DIV_ROUND_UP(mp->nrunning, mp->desc->batch) ?: 1);

	return max_t(u64, tick, MON_MIN_TICK_NS);
}

static enum hrtimer_restart mon_pmu_poll(struct hrtimer *timer)
{
	struct mon_pmu *mp = container_of(timer, struct mon_pmu, timer);
	unsigned long flags;
	bool polling;

	flags = mon_pmu_lock(mp);
	if (!mp->gone)
		mon_pmu_pass_batch(mp);
	hrtimer_forward_now(timer, ns_to_ktime(mon_pmu_tick(mp)));
	polling = mp->nrunning;
	mp->polling = polling;
	mon_pmu_unlock(mp, flags);
	return polling ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

/*
 * Unlocks. The timer runs on the CPU in charge and ends when it finds nothing running. It is
 * started
 * without the lock: events may be read in a tracepoint with the lock of a CPU's timers held.
 */
static void mon_pmu_unlock_poll(struct mon_pmu *mp, unsigned long flags)
	__releases(&mp->lock)
{
	bool start = mp->nrunning && !mp->polling && smp_processor_id() == mp->on_cpu;
	u64 tick = start ? mon_pmu_tick(mp) : 0;

	mp->polling |= start;
	raw_spin_unlock(&mp->lock);
	barrier();
	WRITE_ONCE(this_cpu_ptr(mp->txn)->inside, false);
	if (start)
		hrtimer_start(&mp->timer, ns_to_ktime(tick), HRTIMER_MODE_REL_PINNED_HARD);
	local_irq_restore(flags);
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
	/*
	 * Once an event has found no counter the core tries no other flexible one, whatever that
	 * needs.
	 * An event that needs none, and will not lead a group, is therefore pinned.
	 */
	if (leader == event && !(event->attr.read_format & PERF_FORMAT_GROUP) &&
	    !memchr_inv(scratch, 0, mp->desc->alloc_size))
		event->attr.pinned = 1;
	kfree(scratch);
	return err ? -EINVAL : 0;
}

static void mon_pmu_event_destroy(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_pmu_hw *hw = to_mon_hw(event);
	unsigned long flags;

	mutex_lock(&mp->events_lock);
	list_del(&hw->open);
	mutex_unlock(&mp->events_lock);
	/*
	 * while events move to another CPU one that is closed may still wait to be taken up again
	 */
	flags = mon_pmu_lock(mp);
	if (!list_empty(&hw->node))
		mon_pmu_end_leaving(mp);
	mon_pmu_settle(mp);
	mon_pmu_unlock(mp, flags);
}

static int mon_pmu_event_init(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_pmu_hw *hw = to_mon_hw(event);
	int cpu, err;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	/* pairs with mon_pmu_resume(): perf has what the event is going to use */
	if (smp_load_acquire(&mp->gone))
		return -ENODEV;
	if (is_sampling_event(event) || (event->attach_state & PERF_ATTACH_TASK))
		return -EOPNOTSUPP;
	if (event->cpu < 0)
		return -EINVAL;
	if (has_branch_stack(event))
		return -EOPNOTSUPP;
	if (event->attr.config1 || event->attr.config2 || mon_attr_config3(&event->attr))
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
	INIT_LIST_HEAD(&hw->node);
	mutex_lock(&mp->events_lock);
	list_add(&hw->open, &mp->events);
	mutex_unlock(&mp->events_lock);
	event->destroy = mon_pmu_event_destroy;
	return 0;
}

static void mon_pmu_start(struct perf_event *event, int pmu_flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	unsigned long flags;

	flags = mon_pmu_lock(mp);
	if ((event->hw.state & PERF_HES_STOPPED) && list_empty(&to_mon_hw(event)->node)) {
		list_add_tail(&to_mon_hw(event)->node, &mp->entering);
		mon_pmu_begin_entering(mp);
	}
	mon_pmu_unlock_poll(mp, flags);
}

static void mon_pmu_stop(struct perf_event *event, int pmu_flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	unsigned long flags;

	flags = mon_pmu_lock(mp);
	if (!(event->hw.state & PERF_HES_STOPPED)) {
		event->hw.state |= PERF_HES_STOPPED;
		mon_pmu_want(mp, event);
		if (mp->gone)
			bitmap_zero(mp->todo, mp->ncounters);
		else
			mon_pmu_pass(mp, false);
		mon_pmu_end_event(mp, event);
		mon_pmu_settle(mp);
	}
	mon_pmu_unlock(mp, flags);
}

/*
 * The perf core deletes events and adds them again when it makes room for others and when their CPU
 * goes. Their counters must not lose anything meanwhile, nor change hands: a deleted event keeps
 * them until the PMU is enabled again or the move is over, unless another one needs them.
 */
static int mon_pmu_add(struct perf_event *event, int pmu_flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_pmu_hw *hw = to_mon_hw(event);
	unsigned long flags;
	int err = 0;

	flags = mon_pmu_lock(mp);
	if (!list_empty(&hw->node)) {
		list_del_init(&hw->node);
		event->hw.state = 0;
	} else {
		err = mon_pmu_claim(mp, mp->alloc, event);
		if (err && !list_empty(&mp->leaving)) {
			mon_pmu_end_leaving(mp);
			err = mon_pmu_claim(mp, mp->alloc, event);
		}
		event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
		if (!err && (pmu_flags & PERF_EF_START))
			list_add_tail(&hw->node, &mp->entering);
	}
	mon_pmu_unlock(mp, flags);
	return err;
}

static void mon_pmu_del(struct perf_event *event, int pmu_flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_pmu_hw *hw = to_mon_hw(event);
	unsigned long flags;

	flags = mon_pmu_lock(mp);
	if (event->hw.state & PERF_HES_STOPPED) {
		list_del_init(&hw->node);
		mon_pmu_release(mp, event);
	} else {
		event->hw.state |= PERF_HES_STOPPED;
		list_add_tail(&hw->node, &mp->leaving);
	}
	mon_pmu_unlock(mp, flags);
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
	mon_pmu_settle(mp);
	mon_pmu_unlock_poll(mp, flags);
}

static void mon_pmu_read(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_pmu_hw *hw = to_mon_hw(event);
	struct mon_pmu_txn *txn = this_cpu_ptr(mp->txn);
	unsigned long flags;

	/*
	 * Who samples in a tracepoint or an NMI may have this read in the midst of what this CPU
	 * does with the PMU. Then the count is that of the last reading.
	 */
	if (in_nmi() || READ_ONCE(txn->inside))
		return;
	if (txn->flags & PERF_PMU_TXN_READ) {
		if (!(event->hw.state & PERF_HES_STOPPED) && list_empty(&hw->node))
			list_add_tail(&hw->node, &txn->events);
		return;
	}
	flags = mon_pmu_lock(mp);
	if (!(event->hw.state & PERF_HES_STOPPED)) {
		if (!mp->gone) {
			mon_pmu_want(mp, event);
			mon_pmu_pass(mp, false);
		}
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
	struct mon_pmu_hw *hw, *next;
	unsigned long flags;
	int err, ret;

	if (!(txn->flags & PERF_PMU_TXN_READ)) {
		txn->flags = 0;
		return 0;
	}
	flags = mon_pmu_lock(mp);
	err = mp->gone ? -ENODEV : mon_pmu_pass_list(mp, &txn->events);
	list_for_each_entry_safe(hw, next, &txn->events, node) {
		list_del_init(&hw->node);
		ret = mon_pmu_update(mp, mon_hw_event(hw));
		err = err ?: ret;
	}
	txn->flags = 0;
	mon_pmu_unlock(mp, flags);
	return err;
}

static void mon_pmu_cancel_txn(struct pmu *pmu)
{
	this_cpu_ptr(to_mon_pmu(pmu)->txn)->flags = 0;
}

void mon_pmu_init(struct mon_pmu *mp)
{
	mutex_init(&mp->events_lock);
	INIT_LIST_HEAD(&mp->events);
	raw_spin_lock_init(&mp->lock);
	INIT_LIST_HEAD(&mp->entering);
	INIT_LIST_HEAD(&mp->leaving);
	mon_hrtimer_setup(&mp->timer, mon_pmu_poll, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	mp->gone = true;
}

void mon_pmu_init_callbacks(struct mon_pmu *mp)
{
	mp->pmu = (struct pmu) {
		.module = mp->desc->owner,
		.attr_groups = mp->groups,
		.hrtimer_interval_ms = mp->desc->mux_interval_ms,
		.task_ctx_nr = perf_invalid_context,
		.capabilities = PERF_PMU_CAP_NO_EXCLUDE | PERF_PMU_CAP_NO_INTERRUPT,
		.event_init = mon_pmu_event_init,
		.add = mon_pmu_add,
		.del = mon_pmu_del,
		.start = mon_pmu_start,
		.stop = mon_pmu_stop,
		.read = mon_pmu_read,
		.pmu_enable = mon_pmu_pmu_enable,
		.pmu_disable = mon_pmu_pmu_disable,
		.start_txn = mon_pmu_start_txn,
		.commit_txn = mon_pmu_commit_txn,
		.cancel_txn = mon_pmu_cancel_txn,
	};
	mon_pmu_set_parent(&mp->pmu, mp->dev);
}

/* What has been counted until now stays; what is counted from now on is lost. */
void mon_pmu_suspend(struct mon_pmu *mp)
{
	const struct mon_pmu_ops *ops = mp->desc->ops;
	unsigned long flags;
	unsigned int i;

	flags = mon_pmu_lock(mp);
	mp->poll_at = 0;
	while (!mp->gone && !mon_pmu_pass_batch(mp)) {
		mon_pmu_unlock(mp, flags);
		flags = mon_pmu_lock(mp);
	}
	if (!mp->gone) {
		mon_pmu_lost(mp);
		for_each_set_bit(i, mp->running, mp->ncounters)
			if (ops->stop)
				ops->stop(mp, i);
		if (ops->end)
			ops->end(mp);
	}
	WRITE_ONCE(mp->gone, true);
	mon_pmu_unlock(mp, flags);
}
EXPORT_SYMBOL_GPL(mon_pmu_suspend);

void mon_pmu_resume(struct mon_pmu *mp)
{
	unsigned long flags;
	unsigned int i;

	flags = mon_pmu_lock(mp);
	for_each_set_bit(i, mp->running, mp->ncounters) {
		mp->counters[i].good_ns = ktime_get_mono_fast_ns();
		if (mp->desc->ops->start)
			mp->desc->ops->start(mp, i);
		__set_bit(i, mp->todo);
	}
	mon_pmu_pass(mp, true);
	/* who sees this sees all that registration has made */
	smp_store_release(&mp->gone, false);
	mon_pmu_unlock(mp, flags);
}
EXPORT_SYMBOL_GPL(mon_pmu_resume);

static unsigned int mon_pmu_events_on(struct mon_pmu *mp, int cpu)
{
	struct mon_pmu_hw *hw;
	unsigned int n = 0;

	mutex_lock(&mp->events_lock);
	list_for_each_entry(hw, &mp->events, open)
		n += READ_ONCE(mon_hw_event(hw)->cpu) == cpu;
	mutex_unlock(&mp->events_lock);
	return n;
}

static void mon_pmu_end_move(void *info)
{
	struct mon_pmu *mp = info;
	unsigned long flags;

	flags = mon_pmu_lock(mp);
	mp->moving = false;
	mon_pmu_end_leaving(mp);
	mon_pmu_settle(mp);
	mon_pmu_unlock_poll(mp, flags);
}

/* What the counters of an event count while it is on its way is the event's. */
void mon_pmu_move(struct mon_pmu *mp, int from, int to)
{
	unsigned int left = UINT_MAX, before;
	unsigned long flags;

	WRITE_ONCE(mp->on_cpu, to);
	hrtimer_cancel(&mp->timer);
	flags = mon_pmu_lock(mp);
	mp->polling = false;
	mp->moving = true;
	mon_pmu_unlock(mp, flags);
	/*
	 * Since 6.2 a call may move only one of the events. An event that is just being opened is
	 * not
	 * moved at all, so this ends when a call has moved none.
	 */
	do {
		before = left;
		perf_pmu_migrate_context(&mp->pmu, from, to);
		left = mon_pmu_events_on(mp, from);
	} while (left && left < before);
	smp_call_function_single(to, mon_pmu_end_move, mp, 1);
}

int mon_pmu_alloc_counters(struct mon_pmu *mp)
{
	unsigned int i;
	int cpu;

	mp->txn = alloc_percpu(struct mon_pmu_txn);
	mp->counters = kvcalloc(mp->ncounters, sizeof(*mp->counters), GFP_KERNEL);
	mp->running = bitmap_zalloc(mp->ncounters, GFP_KERNEL);
	mp->todo = bitmap_zalloc(mp->ncounters, GFP_KERNEL);
	mp->alloc = kzalloc(mp->desc->alloc_size, GFP_KERNEL);
	if (!mp->txn || !mp->counters || !mp->running || !mp->todo || !mp->alloc) {
		mon_pmu_free_counters(mp);
		return -ENOMEM;
	}
	for_each_possible_cpu(cpu)
		INIT_LIST_HEAD(&per_cpu_ptr(mp->txn, cpu)->events);
	for (i = 0; i < mp->ncounters; i++)
		mp->counters[i].mask = mon_counter_mask(mp->desc->width(i));
	mp->wrap_ns = mon_counter_wrap_ns(U32_MAX, mp->max_hz);
	mp->poll_ns = mon_counter_poll_ns(mp->wrap_ns);
	return 0;
}

void mon_pmu_free_counters(struct mon_pmu *mp)
{
	free_percpu(mp->txn);
	kvfree(mp->counters);
	bitmap_free(mp->running);
	bitmap_free(mp->todo);
	kfree(mp->alloc);
	mp->txn = NULL;
	mp->counters = NULL;
	mp->running = NULL;
	mp->todo = NULL;
	mp->alloc = NULL;
}
