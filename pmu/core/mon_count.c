// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting: from the registers to 64-bit values and from those to events.
 *
 * Every hardware counter has one 64-bit value, kept under the PMU's lock from the differences of
 * successive register readings, however many events look at it. An event remembers the sum of its
 * counters' values and adds what that sum has grown by. So nothing depends on who reads when: the
 * poll timer, a reader on another CPU (PERF_EV_CAP_READ_ACTIVE_PKG) and the scheduler can meet.
 */
#include <linux/list.h>
#include <linux/module.h>

#include "mon_private.h"

/* Readers in user space take acc and last only if seq was even and the same before and after. */
static void mon_pmu_publish(struct mon_pmu_value *value, u64 acc, u64 last)
{
	WRITE_ONCE(value->seq, value->seq + 1);
	smp_wmb();	/* the odd number is seen before any new value */
	WRITE_ONCE(value->acc, acc);
	WRITE_ONCE(value->last, last);
	smp_wmb();	/* the values are seen before the even number */
	WRITE_ONCE(value->seq, value->seq + 1);
}

static int mon_pmu_fold(struct mon_pmu *mp, unsigned int i)
{
	struct mon_pmu_counter *counter = &mp->counters[i];
	struct mon_pmu_value *value = &mp->values[i];
	bool based = counter->based;
	u64 raw, delta;
	int err;

	err = mp->desc.ops->read(mp, i, &raw);
	if (err)
		return err;
	delta = mon_counter_advance(&counter->based, value->last, raw,
				    mon_counter_mask(value->width));
	if (delta || !based)
		mon_pmu_publish(value, value->acc + delta, raw);
	return 0;
}

/* Takes the present register value as the starting point. */
int mon_pmu_rebase(struct mon_pmu *mp, unsigned int i)
{
	mp->counters[i].based = false;
	return mon_pmu_fold(mp, i);
}

void mon_pmu_fold_running(struct mon_pmu *mp)
{
	unsigned int i;

	for (i = 0; i < mp->desc.counters; i++)
		if (mp->counters[i].users)
			mon_pmu_fold(mp, i);
}

u64 mon_pmu_sum(struct mon_pmu *mp, struct perf_event *event)
{
	const struct mon_pmu_ops *ops = mp->desc.ops;
	u64 sum = 0;
	int i;

	for (i = ops->next(mp, event, -1); i >= 0; i = ops->next(mp, event, i))
		sum += mp->values[i].acc;
	return sum;
}

/* Brings a started event up to date; the lock is held. */
int mon_pmu_update(struct mon_pmu *mp, struct perf_event *event)
{
	const struct mon_pmu_ops *ops = mp->desc.ops;
	int err = mp->gone ? -ENODEV : 0, ret, i;
	u64 sum = 0, prev;

	/* what was folded last, before the device went, belongs to the event, too */
	for (i = ops->next(mp, event, -1); i >= 0; i = ops->next(mp, event, i)) {
		ret = mp->gone ? 0 : mon_pmu_fold(mp, i);
		if (ret && !err)
			err = ret;
		sum += mp->values[i].acc;
	}
	prev = local64_read(&event->hw.prev_count);
	local64_set(&event->hw.prev_count, sum);
	local64_add(sum - prev, &event->count);
	return err;
}

static enum hrtimer_restart mon_pmu_poll(struct hrtimer *timer)
{
	struct mon_pmu *mp = container_of(timer, struct mon_pmu, timer);
	enum hrtimer_restart restart = HRTIMER_NORESTART;
	bool tell = false;
	unsigned long flags;
	u64 now;

	flags = mon_pmu_lock(mp);
	if (mp->active) {
		now = ktime_get_ns();
		if (!mp->gone) {
			mon_pmu_fold_running(mp);
			if (now - mp->polled_at > mp->wrap_ns) {
				mp->late_polls++;
				tell = !mp->late_told;
				mp->late_told = true;
			}
		}
		mp->polled_at = now;
		hrtimer_forward_now(timer, ns_to_ktime(mp->poll_ns));
		restart = HRTIMER_RESTART;
	} else {
		mp->polling = false;
	}
	mon_pmu_unlock(mp, flags);
	if (tell)
		pr_notice("%s: a counter may have wrapped between two polls; counts since then may be low\n",
			  mp->name);
	return restart;
}

void mon_pmu_timer_init(struct mon_pmu *mp)
{
	mon_hrtimer_setup(&mp->timer, mon_pmu_poll, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
}

/*
 * The timer runs on the CPU in charge, and polling is true from its start until it finds nothing
 * active. The lock is held, and the caller starts the timer without it: events may be read in a
 * tracepoint, with the lock of all timers of a CPU held.
 */
bool mon_pmu_needs_timer(struct mon_pmu *mp)
{
	if (mp->polling || smp_processor_id() != mp->on_cpu)
		return false;
	mp->polling = true;
	return true;
}

/* Interrupts have been off since mon_pmu_needs_timer(). */
void mon_pmu_start_timer(struct mon_pmu *mp)
{
	hrtimer_start(&mp->timer, ns_to_ktime(mp->poll_ns), HRTIMER_MODE_REL_PINNED_HARD);
}

/* An error if a counter could not be read: it is not known from where it counts for this event. */
int mon_pmu_start_counters(struct mon_pmu *mp, struct perf_event *event)
{
	const struct mon_pmu_ops *ops = mp->desc.ops;
	int err = 0, ret, i;

	for (i = ops->next(mp, event, -1); i >= 0; i = ops->next(mp, event, i)) {
		bool running = mp->counters[i].users++;

		if (mp->gone)
			continue;
		if (!running && ops->start)
			ops->start(mp, i);
		ret = running ? mon_pmu_fold(mp, i) : mon_pmu_rebase(mp, i);
		if (ret)
			err = ret;
	}
	if (!mp->active++)
		mp->polled_at = ktime_get_ns();
	return err;
}

static void mon_pmu_stop_counters(struct mon_pmu *mp, struct perf_event *event)
{
	const struct mon_pmu_ops *ops = mp->desc.ops;
	int i;

	for (i = ops->next(mp, event, -1); i >= 0; i = ops->next(mp, event, i))
		if (!--mp->counters[i].users && ops->stop && !mp->gone)
			ops->stop(mp, i);
	/* the timer ends by itself when it finds nothing active */
	mp->active--;
}

/* The counters of an event that has ended stop, unless others need them; the lock is held. */
void mon_pmu_end_counters(struct mon_pmu *mp, struct perf_event *event)
{
	struct mon_pmu_event_ref *ref = mon_pmu_ref(event);

	/* the last chance to get what was counted until the end, and a little more */
	if (ref->unread && mon_pmu_update(mp, event) && !mp->gone)
		mon_pmu_fail_event(mp, event);
	ref->unread = false;
	mon_pmu_stop_counters(mp, event);
}

/* The counters of a deleted event stop after all; the lock is held. */
void mon_pmu_let_go(struct mon_pmu *mp, struct mon_pmu_event_ref *ref)
{
	list_del_init(&ref->kept);
	mon_pmu_end_counters(mp, ref->event);
	if (mp->desc.ops->release)
		mp->desc.ops->release(mp, mp->alloc, ref->event);
}

void mon_pmu_let_go_all(struct mon_pmu *mp)
{
	struct mon_pmu_event_ref *ref, *next;

	list_for_each_entry_safe(ref, next, &mp->kept, kept)
		mon_pmu_let_go(mp, ref);
}

/* Nobody is going to add deleted events again right away; the lock is held. */
void mon_pmu_let_go_unwanted(struct mon_pmu *mp)
{
	if (!mp->freeze && !mp->moving)
		mon_pmu_let_go_all(mp);
}

/*
 * Events are about to go to another CPU, which takes the perf core a while. What their counters
 * count meanwhile is theirs.
 */
void mon_pmu_begin_move(struct mon_pmu *mp)
{
	unsigned long flags;

	flags = mon_pmu_lock(mp);
	mp->polling = false;
	mp->moving = true;
	mon_pmu_unlock(mp, flags);
}

void mon_pmu_end_move(void *info)
{
	struct mon_pmu *mp = info;
	unsigned long flags;
	bool timer;

	flags = mon_pmu_lock(mp);
	mp->moving = false;
	mon_pmu_let_go_unwanted(mp);
	timer = mp->active && mon_pmu_needs_timer(mp);
	mon_pmu_unlock(mp, flags);
	if (timer)
		mon_pmu_start_timer(mp);
}

