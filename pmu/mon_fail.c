// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lost counts. Counts that are lost for good must not pass for right ones: all enabled events get
 * perf's error state, in which read(2) returns 0 bytes, until somebody enables them again.
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
	irq_work_queue(&mp->fail_irq);
}
EXPORT_SYMBOL_GPL(mon_pmu_fail);

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
		ref->fail = true;
	mutex_unlock(&mp->events_lock);
}

/* The oldest first: a group that has lost counts is read by its leader. */
static struct perf_event *mon_pmu_next_marked(struct mon_pmu *mp)
{
	struct perf_event *event = NULL;
	struct mon_pmu_event_ref *ref;

	mutex_lock(&mp->events_lock);
	list_for_each_entry_reverse(ref, &mp->events, list) {
		if (ref->fail) {
			ref->fail = false;
			event = ref->event;
			break;
		}
	}
	mutex_unlock(&mp->events_lock);
	return event;
}

static void mon_pmu_set_error(struct perf_event *event, struct perf_event_context *ctx)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&ctx->lock, flags);
	if (event->ctx == ctx && event->state == PERF_EVENT_STATE_OFF)
		event->state = PERF_EVENT_STATE_ERROR;
	raw_spin_unlock_irqrestore(&ctx->lock, flags);
}

/*
 * Between off and error a reader would get the count of an event that is off. Readers hold the
 * context's mutex, which perf_event_disable() gives back only after the CPU that has the events has
 * taken this interrupt, if that is where it was called.
 */
static void mon_pmu_error_irq(struct irq_work *irq)
{
	struct mon_pmu *mp = container_of(irq, struct mon_pmu, error_irq);
	struct perf_event *event = READ_ONCE(mp->failing);

	if (event)
		mon_pmu_set_error(event, event->ctx);
}

/* An event leaves its counters; interrupts are off. */
void mon_pmu_fail_deleted(struct mon_pmu *mp, struct perf_event *event)
{
	if (READ_ONCE(mp->failing) == event)
		irq_work_queue(&mp->error_irq);
}

static void mon_pmu_fail_event(struct mon_pmu *mp, struct perf_event *event)
{
	struct perf_event_context *ctx = READ_ONCE(event->ctx);

	/* an event that is just being opened, or that does not count, has lost nothing */
	if (!ctx || READ_ONCE(event->state) < PERF_EVENT_STATE_INACTIVE)
		return;
	WRITE_ONCE(mp->failing, event);
	perf_event_disable(event);
	WRITE_ONCE(mp->failing, NULL);
	irq_work_sync(&mp->error_irq);
	/* one that was enabled but had no counters */
	mon_pmu_set_error(event, ctx);
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
	mon_pmu_mark_all(mp);
	while ((event = mon_pmu_next_marked(mp)))
		mon_pmu_fail_event(mp, event);
	mutex_unlock(&mp->fail_lock);
	pr_notice("%s: counts were lost: events that were counting are in error state until they are enabled again\n",
		  mp->name);
}

void mon_pmu_fail_init(struct mon_pmu *mp)
{
	mutex_init(&mp->fail_lock);
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
