// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters: passes that read them, and polls.
 *
 * Every hardware counter has one 64-bit value, kept under the PMU's lock from the differences of
 * successive readings, however many events look at it. A pass reads all counters that belong
 * together, asks the driver whether the values can be believed, and only then counts them. What a
 * counter cannot have counted since its last good reading is a loss.
 */
#include <linux/bitmap.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "mon_compat.h"
#include "mon_counter.h"
#include "mon_core.h"

DEFINE_PER_CPU(bool, mon_inside);

unsigned long mon_pmu_lock(struct mon_pmu *mp) __acquires(&mp->lock)
{
	unsigned long flags;

	local_irq_save(flags);
	this_cpu_write(mon_inside, true);
	barrier();
	raw_spin_lock(&mp->lock);
	return flags;
}

void mon_pmu_unlock(struct mon_pmu *mp, unsigned long flags) __releases(&mp->lock)
{
	raw_spin_unlock(&mp->lock);
	barrier();
	this_cpu_write(mon_inside, false);
	local_irq_restore(flags);
}

int mon_pmu_end(struct mon_pmu *mp)
{
	return !mp->gone && mp->desc->ops->end ? mp->desc->ops->end(mp) : 0;
}

static void mon_counter_lose(struct mon_pmu *mp, struct mon_pmu_counter *c)
{
	c->lost = mp->losses + 1;
	WRITE_ONCE(mp->losses, c->lost);
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

void mon_counter_start(struct mon_pmu *mp, unsigned int i)
{
	mp->counters[i].good_ns = mp->now;
	mp->counters[i].based = false;
	if (!mp->gone && mp->desc->ops->start)
		mp->desc->ops->start(mp, i);
}

void mon_counter_stop(struct mon_pmu *mp, unsigned int i)
{
	if (!mp->gone && mp->desc->ops->stop)
		mp->desc->ops->stop(mp, i);
}

static void mon_pmu_begin_pass(struct mon_pmu *mp, bool hold)
{
	mp->hold = hold;
	mp->failing = mp->gone;
	mp->began = ktime_get_mono_fast_ns();
}

/* The first part of a pass: reads a counter, once. What fails once is not asked again. */
static void mon_counter_take(struct mon_pmu *mp, unsigned int i)
{
	struct mon_pmu_counter *c = &mp->counters[i];

	if (c->taken)
		return;
	c->taken = true;
	c->failed = mp->failing || mp->desc->ops->read(mp, i, &c->raw);
	mp->failing |= c->failed;
	mp->list[mp->ntaken++] = i;
}

int mon_event_update(struct mon_pmu *mp, struct mon_event *me, enum mon_why why)
{
	bool failed = false, lost = false;
	const struct mon_pmu_counter *c;
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < me->n; i++) {
		c = &mp->counters[me->counters[i]];
		sum += c->acc;
		failed |= c->failed;
		lost |= c->lost > me->losses;
	}
	/* what others had lost before is none of its losses */
	if (why == MON_BEGIN)
		lost = false;
	if (failed && (why == MON_BEGIN || (why == MON_END && !mp->gone))) {
		WRITE_ONCE(mp->losses, mp->losses + 1);
		lost = true;
	}
	me->lost |= lost;
	me->losses = mp->losses;
	if (why != MON_BEGIN)
		local64_add(sum - local64_read(&me->event->hw.prev_count), &me->event->count);
	local64_set(&me->event->hw.prev_count, sum);
	return me->lost ? -EIO : 0;
}

/*
 * The values of a pass lie between its begin and its end. The longest time that can have passed
 * since the last good reading decides whether the counter may have wrapped and whether it can have
 * counted so much: after a loss it starts anew from what was read.
 */
static void mon_counter_settle(struct mon_pmu *mp, struct mon_pmu_counter *c)
{
	u64 delta = mon_counter_delta(c->last, c->raw, c->mask);

	if (mon_counter_late(c->good_ns, mp->now, c->wrap_ns) && (c->based || c->failed) &&
	    !mp->gone) {
		mon_counter_lose(mp, c);
		c->good_ns = mp->now;
	}
	if (c->failed)
		return;
	/* most deltas are within the slack, and a division takes longer than all the rest */
	if (c->based && (delta <= mp->slack || delta - mp->slack <=
			 mon_counter_most(mp->now - c->good_ns, mp->max_hz)))
		c->acc += delta;
	else if (c->based)
		mon_counter_lose(mp, c);
	c->based = true;
	c->last = c->raw;
	c->good_ns = mp->began;
}

/* The second part: the driver says whether the values can be believed. Then they count. */
static int mon_pmu_settle(struct mon_pmu *mp)
{
	bool doubt = mp->ntaken && mon_pmu_end(mp);
	int err = doubt || mp->failing ? -EIO : 0;
	struct mon_pmu_counter *c;

	mp->hold = false;
	mp->failing = false;
	/* perf may read in tracepoints of the clock, where only this function is safe */
	mp->now = ktime_get_mono_fast_ns();
	while (mp->ntaken) {
		c = &mp->counters[mp->list[--mp->ntaken]];
		c->taken = false;
		c->failed |= doubt;
		mon_counter_settle(mp, c);
	}
	return err;
}

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
	mon_pmu_begin_pass(mp, !list_is_singular(events));
	list_for_each_entry(me, events, node)
		for (i = 0; i < me->n; i++)
			mon_counter_take(mp, me->counters[i]);
	return mon_pmu_settle(mp);
}

static void mon_pmu_pass_running(struct mon_pmu *mp)
{
	unsigned int i;

	mon_pmu_begin_pass(mp, true);
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
	unsigned int polls = max_t(unsigned int, bitmap_weight(mp->running, mp->ncounters), 1);
	unsigned int i = mp->next_poll;

	mp->next_poll = 0;
	mon_pmu_begin_pass(mp, false);
	for_each_set_bit_from(i, mp->running, mp->ncounters) {
		if (mp->ntaken == mp->desc->batch || mp->failing) {
			mp->next_poll = i;
			break;
		}
		if (~mp->counters[i].mask)
			mon_counter_take(mp, i);
	}
	/* a counter that does not answer ends its poll, and the next one comes soon */
	if (!mp->failing)
		polls = DIV_ROUND_UP(polls, mp->desc->batch);
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
 * There are polls while there is a device and an event whose counters wrap is open, on the CPU of
 * the events. The timer is set where no lock is held, because perf may read events in tracepoints
 * that fire with the lock of a CPU's timers held. A move does not put off a poll: there may be more
 * moves than polls.
 */
void mon_pmu_set_poll(struct mon_pmu *mp)
{
	int cpu;

	mutex_lock(&mp->poll_lock);
	cpu = !READ_ONCE(mp->gone) && atomic_read(&mp->npolled) ? READ_ONCE(mp->on_cpu) : -1;
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
	mp->slack = mon_counter_most(NSEC_PER_SEC / 10, mp->max_hz);
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
		      HRTIMER_MODE_ABS_PINNED_HARD);
	return 0;
}
