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
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "mon_compat.h"
#include "mon_core.h"
#include "mon_counter.h"

/*
 * Tracepoints fire while the lock is held and while it is being taken, and perf may read our events
 * in them: mon_pmu_read() looks here. While it is set nothing of the core takes a lock.
 */
DEFINE_PER_CPU(bool, mon_inside);

unsigned long mon_pmu_lock(struct mon_pmu *mp)
	__acquires(&mp->lock)
{
	unsigned long flags;

	local_irq_save(flags);
	this_cpu_write(mon_inside, true);
	barrier();
	raw_spin_lock(&mp->lock);
	return flags;
}

void mon_pmu_unlock(struct mon_pmu *mp, unsigned long flags)
	__releases(&mp->lock)
{
	raw_spin_unlock(&mp->lock);
	barrier();
	this_cpu_write(mon_inside, false);
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
	if (!mp->gone && mp->desc->ops->start)
		mp->desc->ops->start(mp, i);
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
	} else if (why == MON_END) {
		mon_counter_lose(mp, c);
	} else if (why == MON_BEGIN) {
		/* that of the event which begins; others that have the counter lose nothing */
		WRITE_ONCE(mp->losses, mp->losses + 1);
	}
}

/* The second part: asks the driver whether the values can be believed. Then the third. */
static int mon_pmu_settle(struct mon_pmu *mp, enum mon_why why)
{
	bool doubt = mon_pmu_end(mp);
	int err = doubt ? -EIO : 0;

	mp->hold = false;
	mp->failing = false;
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

/* Reads all running counters. */
static void mon_pmu_pass_running(struct mon_pmu *mp)
{
	unsigned int i;

	mp->hold = true;
	for_each_set_bit(i, mp->running, mp->ncounters)
		mon_counter_take(mp, i);
	mon_pmu_settle(mp, MON_READ);
}

/* Reads the next batch of running counters that can wrap. */
static void mon_pmu_pass_batch(struct mon_pmu *mp)
{
	unsigned int i = mp->next_poll;

	mp->next_poll = 0;
	for_each_set_bit_from(i, mp->running, mp->ncounters) {
		if (mp->ntaken == mp->desc->batch) {
			mp->next_poll = i;
			break;
		}
		if (~mp->counters[i].mask)
			mon_counter_take(mp, i);
	}
	mon_pmu_settle(mp, MON_READ);
}

/*
 * Polls run in the interrupt, where no task can delay them. Each reads a batch, so that all running
 * counters are read in poll_ns. Counters that begin to run wait for one more poll_ns at most.
 */
static enum hrtimer_restart mon_pmu_poll(struct hrtimer *timer)
{
	struct mon_pmu *mp = container_of(timer, struct mon_pmu, poll);
	unsigned long flags = mon_pmu_lock(mp);
	unsigned int running = bitmap_weight(mp->running, mp->ncounters);

	if (running && !mp->gone)
		mon_pmu_pass_batch(mp);
	mon_pmu_unlock(mp, flags);
	hrtimer_forward_now(timer, div_u64(mp->poll_ns,
					   max(DIV_ROUND_UP(running, mp->desc->batch), 1U)));
	return HRTIMER_RESTART;
}

static void mon_pmu_start_poll(void *data)
{
	struct mon_pmu *mp = data;

	hrtimer_start(&mp->poll, ns_to_ktime(mp->poll_ns), HRTIMER_MODE_REL_PINNED_HARD);
}

/*
 * There are polls while there is a device and an event is open, on the CPU of the events. The timer
 * is set where no lock is held, because perf may read events in tracepoints that fire with the lock
 * of a CPU's timers held.
 */
void mon_pmu_set_poll(struct mon_pmu *mp)
{
	int cpu;

	mutex_lock(&mp->poll_lock);
	cpu = !READ_ONCE(mp->gone) && atomic_read(&mp->nopen) ? READ_ONCE(mp->on_cpu) : -1;
	if (cpu != mp->poll_cpu) {
		hrtimer_cancel(&mp->poll);
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
	const struct mon_pmu_ops *ops = mp->desc->ops;
	unsigned long flags = mon_pmu_lock(mp);
	unsigned int i;

	if (!mp->gone) {
		mon_pmu_pass_running(mp);
		mon_pmu_lost(mp);
		for_each_set_bit(i, mp->running, ops->stop ? mp->ncounters : 0)
			ops->stop(mp, i);
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
	hrtimer_setup(&mp->poll, mon_pmu_poll, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}
