// SPDX-License-Identifier: GPL-2.0-only
/*
 * Passes: what hardware counters say, and when.
 *
 * Every hardware counter has one 64-bit value, kept under the PMU's lock from the differences of
 * successive readings, however many events look at it. All counters that belong together are read
 * first, then the driver says whether the values can be believed, and only then they count.
 *
 * What was lost is counted, for each counter and for the PMU.
 */
#include <linux/bitmap.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "mon_compat.h"
#include "mon_core.h"
#include "mon_counter.h"

/*
 * Tracepoints fire while the lock is held and while it is being taken, and perf may read our events
 * in them. mp->inside tells mon_pmu_read() so.
 */
unsigned long mon_pmu_lock(struct mon_pmu *mp)
	__acquires(&mp->lock)
{
	unsigned long flags;

	local_irq_save(flags);
	this_cpu_write(*mp->inside, MON_INSIDE);
	barrier();
	raw_spin_lock(&mp->lock);
	return flags;
}

void mon_pmu_unlock(struct mon_pmu *mp, unsigned long flags)
	__releases(&mp->lock)
{
	raw_spin_unlock(&mp->lock);
	barrier();
	this_cpu_write(*mp->inside, MON_OUTSIDE);
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

void mon_counter_start(struct mon_pmu *mp, unsigned int i)
{
	mp->counters[i].good_ns = mp->now;
	mp->counters[i].based = false;
	if (!mp->gone)
		mp->desc->ops->start(mp, i);
}

/* The first part of a pass: reads a counter, once. */
static void mon_counter_take(struct mon_pmu *mp, unsigned int i)
{
	struct mon_pmu_counter *c = &mp->counters[i];

	if (c->taken)
		return;
	c->taken = true;
	c->failed = mp->gone || mp->desc->ops->read(mp, i, &c->raw);
	mp->list[mp->ntaken++] = i;
}

/* The third part: adds what was read to the counter's value. */
static void mon_counter_fold(struct mon_pmu *mp, struct mon_pmu_counter *c, enum mon_why why)
{
	if ((c->based || c->failed) && !mp->gone &&
	    mon_counter_late(c->good_ns, mp->now, c->wrap_ns)) {
		mon_counter_lose(mp, c);
		c->good_ns = mp->now;
	}
	if (!c->failed) {
		if (c->based)
			c->acc += mon_counter_delta(c->last, c->raw, c->mask);
		c->based = true;
		c->last = c->raw;
		c->good_ns = mp->now;
	} else if (why != MON_READ) {
		mon_counter_lose(mp, c);
		/* when it began to count is not known: its next value is a new base */
		if (why == MON_BEGIN)
			c->based = false;
	}
}

/* The second part: asks the driver whether the values can be believed. Then the third. */
static int mon_pmu_settle(struct mon_pmu *mp, enum mon_why why)
{
	bool doubt = !mp->gone && mp->desc->ops->end(mp);
	int err = doubt ? -EIO : 0;

	mp->hold = false;
	mp->polled = false;
	/* perf may read in tracepoints of the clock, where only this function is safe */
	mp->now = ktime_get_mono_fast_ns();
	while (mp->ntaken) {
		struct mon_pmu_counter *c = &mp->counters[mp->list[--mp->ntaken]];

		c->taken = false;
		c->failed |= doubt;
		if (c->failed)
			err = -EIO;
		mon_counter_fold(mp, c, why);
	}
	return err;
}

/* Reads the counters of events. */
int mon_pmu_pass(struct mon_pmu *mp, struct list_head *events, enum mon_why why)
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
	return mon_pmu_settle(mp, why);
}

/* Reads at most n running counters from the first on; returns with which to go on. */
static unsigned int mon_pmu_pass_running(struct mon_pmu *mp, unsigned int first, unsigned int n)
{
	unsigned int i = first;

	for_each_set_bit_from(i, mp->running, mp->ncounters) {
		if (!n--)
			break;
		mon_counter_take(mp, i);
	}
	mon_pmu_settle(mp, MON_READ);
	return i;
}

/* Until the next poll: each reads a batch, so that all running counters are read in poll_ns. */
static ktime_t mon_pmu_slice(struct mon_pmu *mp)
{
	unsigned int running = bitmap_weight(mp->running, mp->ncounters);

	return ns_to_ktime(div_u64(mp->poll_ns, DIV_ROUND_UP(running, mp->desc->batch)));
}

/* Polls run in the interrupt, where no task can delay them. */
static enum hrtimer_restart mon_pmu_poll(struct hrtimer *timer)
{
	struct mon_pmu *mp = container_of(timer, struct mon_pmu, poll);
	unsigned long flags = mon_pmu_lock(mp);
	ktime_t slice = 0;

	mp->polling = !bitmap_empty(mp->running, mp->ncounters) && !mp->gone;
	if (mp->polling) {
		mp->polled = true;
		mp->next_poll = mon_pmu_pass_running(mp, mp->next_poll, mp->desc->batch);
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
 * Polls end when no counter runs or there is no device, and begin again when there are both. The
 * timer is set without the lock, because perf may read events in tracepoints that fire with the
 * lock of a CPU's timers held.
 */
void mon_pmu_unlock_and_poll(struct mon_pmu *mp, unsigned long flags)
	__releases(&mp->lock)
{
	bool start = !mp->polling && !mp->gone && !bitmap_empty(mp->running, mp->ncounters);
	ktime_t slice = start ? mon_pmu_slice(mp) : 0;

	mp->polling |= start;
	mon_pmu_unlock(mp, flags);
	if (start)
		hrtimer_start(&mp->poll, slice, HRTIMER_MODE_REL_HARD);
}

/* Counts up to now are kept; later ones are lost. */
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

	/* pairs with mon_pmu_event_init(): registration comes before this */
	smp_store_release(&mp->gone, false);
	mp->now = ktime_get_mono_fast_ns();
	for_each_set_bit(i, mp->running, mp->ncounters)
		mon_counter_start(mp, i);
	mp->hold = true;
	mon_pmu_pass_running(mp, 0, UINT_MAX);
	mon_pmu_unlock_and_poll(mp, flags);
}
EXPORT_SYMBOL_GPL(mon_pmu_resume);

/* Also after mon_pmu_alloc_counters() has failed. */
void mon_pmu_free_counters(struct mon_pmu *mp)
{
	free_percpu(mp->inside);
	kvfree(mp->counters);
	kvfree(mp->list);
	bitmap_free(mp->running);
	kfree(mp->alloc);
}

int mon_pmu_alloc_counters(struct mon_pmu *mp)
{
	struct mon_pmu_counter *c;
	unsigned int i;

	mp->inside = alloc_percpu(enum mon_inside);
	mp->counters = kvcalloc(mp->ncounters, sizeof(*mp->counters), GFP_KERNEL);
	mp->list = kvcalloc(mp->ncounters, sizeof(*mp->list), GFP_KERNEL);
	mp->running = bitmap_zalloc(mp->ncounters, GFP_KERNEL);
	mp->alloc = kzalloc(mp->desc->alloc_size, GFP_KERNEL);
	if (!mp->inside || !mp->counters || !mp->list || !mp->running || !mp->alloc)
		return -ENOMEM;
	mp->poll_ns = U64_MAX;
	for (i = 0; i < mp->ncounters; i++) {
		c = &mp->counters[i];
		c->mask = mon_counter_mask(mp->desc->width(i));
		c->wrap_ns = mon_counter_wrap_ns(c->mask, mp->max_hz);
		mp->poll_ns = min(mp->poll_ns, mon_counter_poll_ns(c->wrap_ns));
	}
	raw_spin_lock_init(&mp->lock);
	INIT_LIST_HEAD(&mp->entering);
	INIT_LIST_HEAD(&mp->leaving);
	INIT_LIST_HEAD(&mp->reading);
	hrtimer_setup(&mp->poll, mon_pmu_poll, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	return 0;
}
