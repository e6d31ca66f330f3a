// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lost counts. Counts that are lost for good must not pass for right ones: the events that should
 * have them get perf's error state, in which read(2) returns 0 bytes, until somebody enables them
 * again. These are all enabled events if the device has lost its counters, and one event with its
 * group's leader if the reading failed that begins or ends its count.
 *
 * perf has two ways for a driver to report a failure: the result of a READ transaction, which only
 * reads of groups have, and that of add(), after which an event no longer counts. Neither reaches
 * who reads a single event, or disables a group before the last read as `perf stat` does; they
 * would take for the count what there is of it. The answer of read(2) for an event without a count
 * is end of file: so perf_event_open(2) documents the error state, for pinned events, and kernels
 * that can revoke the events of a PMU (6.16) answer the same.
 *
 * The perf core sets that state itself and exports no way to ask for it. perf_event_disable() is
 * exported and does all that there is to do: the event leaves its counters and its times stand
 * still. Being off and being in error differ in nothing but the answer of read(2), so that the
 * state, under the lock that guards it, is all that is written here.
 */
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/workqueue.h>

#include "mon_private.h"

/* Readings may happen in the scheduler, where neither work nor a message can be queued. */
void mon_pmu_fail(struct mon_pmu *mp)
{
	WRITE_ONCE(mp->fail_all, true);
	irq_work_queue(&mp->fail_irq);
}
EXPORT_SYMBOL_GPL(mon_pmu_fail);

static void mon_pmu_mark_ended(struct mon_pmu *mp, struct mon_pmu_event_ref *ref)
{
	if (list_empty(&ref->ended))
		list_add_tail(&ref->ended, &mp->ended);
}

static void mon_pmu_mark_lost(struct mon_pmu *mp, struct mon_pmu_event_ref *ref)
{
	ref->lost = true;
	WRITE_ONCE(ref->fail, true);
	mon_pmu_mark_ended(mp, ref);
}

/*
 * The reading that begins or ends the count of an event has failed. Other events go on, except the
 * leader, by which the group is read. It is there: one that is being closed leaves the group first
 * and needs the lock, which is held, before it can go.
 */
void mon_pmu_fail_event(struct mon_pmu *mp, struct perf_event *event)
{
	struct perf_event *leader = READ_ONCE(event->group_leader);

	mon_pmu_mark_lost(mp, mon_pmu_ref(event));
	if (leader != event && leader->pmu == event->pmu)
		mon_pmu_mark_lost(mp, mon_pmu_ref(leader));
	irq_work_queue(&mp->error_irq);
	irq_work_queue(&mp->fail_irq);
}

static void mon_pmu_fail_irq(struct irq_work *irq)
{
	struct mon_pmu *mp = container_of(irq, struct mon_pmu, fail_irq);
	int cpu = READ_ONCE(mp->on_cpu);

	/* where the events are, see mon_pmu_error_irq() */
	schedule_work_on(cpu < 0 ? WORK_CPU_UNBOUND : cpu, &mp->fail_work);
}

static void mon_pmu_mark_all(struct mon_pmu *mp)
{
	struct mon_pmu_event_ref *ref;

	mutex_lock(&mp->events_lock);
	list_for_each_entry(ref, &mp->events, list)
		WRITE_ONCE(ref->fail, true);
	mutex_unlock(&mp->events_lock);
}

/* The oldest first: a group that has lost counts is read by its leader. */
static struct perf_event *mon_pmu_next_marked(struct mon_pmu *mp)
{
	struct perf_event *event = NULL;
	struct mon_pmu_event_ref *ref;

	mutex_lock(&mp->events_lock);
	list_for_each_entry_reverse(ref, &mp->events, list) {
		if (READ_ONCE(ref->fail)) {
			WRITE_ONCE(ref->fail, false);
			event = ref->event;
			break;
		}
	}
	mutex_unlock(&mp->events_lock);
	return event;
}

/* A member of a group does not count without its leader, whatever its own state says. */
static bool mon_pmu_event_is_off(struct perf_event *event)
{
	return event->state == PERF_EVENT_STATE_OFF ||
	       (event->state == PERF_EVENT_STATE_INACTIVE && event->group_leader != event &&
		event->group_leader->state < PERF_EVENT_STATE_INACTIVE);
}

static void mon_pmu_set_error(struct perf_event *event)
{
	struct perf_event_context *ctx = READ_ONCE(event->ctx);
	unsigned long flags;

	raw_spin_lock_irqsave(&ctx->lock, flags);
	if (event->ctx == ctx && mon_pmu_event_is_off(event)) {
		event->state = PERF_EVENT_STATE_ERROR;
		/* who enables it from now on has a new count */
		WRITE_ONCE(mon_pmu_ref(event)->fail, false);
	}
	raw_spin_unlock_irqrestore(&ctx->lock, flags);
}

/*
 * Between off and error a reader would get the count of an event that is off. Readers need the
 * context's mutex, and whoever disables an event on the CPU that has it gives that back only after
 * this interrupt. From another CPU it is a matter of what is first: this interrupt, or the way back
 * from a system call and into the next one.
 */
static void mon_pmu_error_irq(struct irq_work *irq)
{
	struct mon_pmu *mp = container_of(irq, struct mon_pmu, error_irq);
	struct mon_pmu_event_ref *ref;
	unsigned long flags;

	do {
		flags = mon_pmu_lock(mp);
		ref = list_first_entry_or_null(&mp->ended, struct mon_pmu_event_ref, ended);
		if (ref)
			list_del_init(&ref->ended);
		mon_pmu_unlock(mp, flags);
		if (ref)
			mon_pmu_set_error(ref->event);
	} while (ref);
}

/* An event leaves its counters; the lock is held. */
void mon_pmu_fail_deleted(struct mon_pmu *mp, struct perf_event *event)
{
	if (READ_ONCE(mp->failing) != event)
		return;
	mon_pmu_mark_ended(mp, mon_pmu_ref(event));
	irq_work_queue(&mp->error_irq);
}

static void mon_pmu_disable_event(struct mon_pmu *mp, struct perf_event *event)
{
	enum perf_event_state state = READ_ONCE(event->state);

	/* an event that is just being opened, or that does not count, has lost nothing */
	if (!READ_ONCE(event->ctx) || state < PERF_EVENT_STATE_OFF ||
	    (state == PERF_EVENT_STATE_OFF && !READ_ONCE(mon_pmu_ref(event)->lost)))
		return;
	WRITE_ONCE(mp->failing, event);
	perf_event_disable(event);
	WRITE_ONCE(mp->failing, NULL);
	irq_work_sync(&mp->error_irq);
	/* one that was enabled but had no counters */
	mon_pmu_set_error(event);
}

static void mon_pmu_fail_work(struct work_struct *work)
{
	struct mon_pmu *mp = container_of(work, struct mon_pmu, fail_work);
	struct perf_event *event;

	/*
	 * An event cannot be freed while fail_lock is held. events_lock is not held meanwhile,
	 * because events are opened under the context's mutex, which perf_event_disable() takes.
	 */
	mutex_lock(&mp->fail_lock);
	if (READ_ONCE(mp->fail_all)) {
		WRITE_ONCE(mp->fail_all, false);
		mon_pmu_mark_all(mp);
	}
	while ((event = mon_pmu_next_marked(mp)))
		mon_pmu_disable_event(mp, event);
	mutex_unlock(&mp->fail_lock);
	pr_notice_ratelimited("%s: counts were lost: events are in error state until enabled again\n",
			      mp->name);
}

void mon_pmu_fail_init(struct mon_pmu *mp)
{
	mutex_init(&mp->fail_lock);
	INIT_LIST_HEAD(&mp->ended);
	init_irq_work(&mp->fail_irq, mon_pmu_fail_irq);
	mp->error_irq = IRQ_WORK_INIT_HARD(mon_pmu_error_irq);
	INIT_WORK(&mp->fail_work, mon_pmu_fail_work);
}

void mon_pmu_fail_cancel(struct mon_pmu *mp)
{
	irq_work_sync(&mp->fail_irq);
	cancel_work_sync(&mp->fail_work);
	irq_work_sync(&mp->error_irq);
}
