// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perf side of mon_pmu: what perf calls for events, groups and transactions.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "mon_private.h"

/* Feeds the group, then the new event, to the allocator that add() uses. */
static int mon_pmu_check_group(struct mon_pmu *mp, struct perf_event *event)
{
	const struct mon_pmu_ops *ops = mp->desc.ops;
	struct perf_event *leader = event->group_leader;
	struct perf_event *sibling;
	void *scratch = NULL;
	int err = 0;

	/* an event alone can be too much as well, so it is replayed like a group */
	if (ops->claim) {
		scratch = kzalloc(ops->alloc_size, GFP_KERNEL);
		if (!scratch)
			return -ENOMEM;
	}
	if (leader != event) {
		if (leader->pmu == event->pmu)
			err = ops->claim ? ops->claim(mp, scratch, leader) : 0;
		else if (!is_software_event(leader))
			err = -EINVAL;
		if (err)
			goto out;
		for_each_sibling_event(sibling, leader) {
			if (sibling->pmu == event->pmu)
				err = ops->claim ? ops->claim(mp, scratch, sibling) : 0;
			else if (!is_software_event(sibling))
				err = -EINVAL;
			if (err)
				goto out;
		}
	}
	if (ops->claim)
		err = ops->claim(mp, scratch, event);
out:
	kfree(scratch);
	return err ? -EINVAL : 0;
}

/*
 * From the first start of an event until it is closed the device supplies what it wants: not only
 * while it counts, because events that take turns would have the device switch all the time. The
 * lock is held.
 */
static void mon_pmu_want(struct mon_pmu *mp, struct perf_event *event)
{
	struct mon_pmu_event_ref *ref = mon_pmu_ref(event);
	const struct mon_pmu_ops *ops = mp->desc.ops;

	if (ref->wants || !ops->wants || !ops->wants(mp, event))
		return;
	ref->wants = true;
	if (!mp->wanting++ && !mp->gone)
		ops->supply(mp, true);
}

static void mon_pmu_want_no_more(struct mon_pmu *mp, struct mon_pmu_event_ref *ref)
{
	if (ref->wants && !--mp->wanting && !mp->gone)
		mp->desc.ops->supply(mp, false);
}

static void mon_pmu_event_destroy(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_pmu_event_ref *ref = mon_pmu_ref(event);
	unsigned long flags;

	mutex_lock(&mp->fail_lock);
	mutex_lock(&mp->events_lock);
	list_del(&ref->list);
	mutex_unlock(&mp->events_lock);
	mutex_unlock(&mp->fail_lock);
	flags = mon_pmu_lock(mp);
	if (!list_empty(&ref->kept))
		mon_pmu_let_go(mp, ref);
	mon_pmu_want_no_more(mp, ref);
	list_del(&ref->ended);
	mon_pmu_unlock(mp, flags);
	/* who took it from that list is done with it then */
	irq_work_sync(&mp->error_irq);
	kfree(ref);
}

static int mon_pmu_event_init(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_pmu_event_ref *ref;
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
	err = mp->desc.ops->check(mp, event);
	if (err)
		return err;
	cpu = READ_ONCE(mp->on_cpu);
	if (cpu < 0)
		return -ENODEV;
	err = mon_pmu_check_group(mp, event);
	if (err)
		return err;

	ref = kzalloc(sizeof(*ref), GFP_KERNEL_ACCOUNT);
	if (!ref)
		return -ENOMEM;
	ref->event = event;
	INIT_LIST_HEAD(&ref->kept);
	INIT_LIST_HEAD(&ref->ended);
	mutex_lock(&mp->events_lock);
	list_add(&ref->list, &mp->events);
	mutex_unlock(&mp->events_lock);
	event->hw.event_base = (unsigned long)ref;
	event->destroy = mon_pmu_event_destroy;

	event->cpu = cpu;
	event->hw.idx = -1;
	event->hw.state = PERF_HES_STOPPED;
	event->hw.config_base = event->attr.config;
	/* every CPU reaches the registers, so a read needs no interrupt to another one */
	event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	return 0;
}

static void mon_pmu_start(struct perf_event *event, int flags)
{
	struct mon_pmu_event_ref *ref = mon_pmu_ref(event);
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	unsigned long irqflags;
	bool timer;

	if (!(event->hw.state & PERF_HES_STOPPED))
		return;

	irqflags = mon_pmu_lock(mp);
	event->hw.state = 0;
	if (!list_empty(&ref->kept)) {
		/* the counters have not stopped, and what they have counted since is the event's */
		list_del_init(&ref->kept);
		ref->unread = false;
	} else {
		mon_pmu_want(mp, event);
		ref->lost = false;
		if (mon_pmu_start_counters(mp, event))
			mon_pmu_fail_event(mp, event);
		local64_set(&event->hw.prev_count, mon_pmu_sum(mp, event));
	}
	timer = mon_pmu_needs_timer(mp);
	mon_pmu_unlock(mp, irqflags);
	if (timer)
		mon_pmu_start_timer(mp);

	perf_event_update_userpage(event);
}

/* Ends the count of an event; its counters run on if @keep. */
static void mon_pmu_end(struct perf_event *event, bool keep)
{
	struct mon_pmu_event_ref *ref = mon_pmu_ref(event);
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	unsigned long irqflags;

	/* programs that read by themselves leave off first: none sees more than the final count */
	event->hw.state |= PERF_HES_STOPPED;
	perf_event_update_userpage(event);

	irqflags = mon_pmu_lock(mp);
	/* of a device that has gone there is nothing to read */
	ref->unread = mon_pmu_update(mp, event) && !mp->gone;
	if (keep)
		list_add_tail(&ref->kept, &mp->kept);
	else
		mon_pmu_end_counters(mp, event);
	event->hw.state |= PERF_HES_UPTODATE;
	mon_pmu_unlock(mp, irqflags);

	perf_event_update_userpage(event);
}

static void mon_pmu_stop(struct perf_event *event, int flags)
{
	if (!(event->hw.state & PERF_HES_STOPPED))
		mon_pmu_end(event, false);
}

/* Claims the counters of an event, unless it comes back for those that it has kept. */
static int mon_pmu_claim(struct mon_pmu *mp, struct perf_event *event)
{
	const struct mon_pmu_ops *ops = mp->desc.ops;
	int err;

	if (!ops->claim || !list_empty(&mon_pmu_ref(event)->kept))
		return 0;
	err = ops->claim(mp, mp->alloc, event);
	if (!err || list_empty(&mp->kept))
		return err;
	/* what is kept only for the case that it is wanted again makes way */
	mon_pmu_let_go_all(mp);
	return ops->claim(mp, mp->alloc, event);
}

static int mon_pmu_add(struct perf_event *event, int flags)
{
	struct mon_pmu_event_ref *ref = mon_pmu_ref(event);
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	unsigned long irqflags;
	int err;

	irqflags = mon_pmu_lock(mp);
	err = mon_pmu_claim(mp, event);
	if (!(flags & PERF_EF_START) && !list_empty(&ref->kept)) {
		list_del_init(&ref->kept);
		mon_pmu_end_counters(mp, event);
	}
	mon_pmu_unlock(mp, irqflags);
	if (err)
		return err;

	event->hw.idx = 0;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		mon_pmu_start(event, PERF_EF_RELOAD);
	else
		perf_event_update_userpage(event);
	return 0;
}

/*
 * The perf core deletes events and adds them again when it makes room for others and when their
 * CPU goes. Their counters must not lose anything meanwhile, nor change hands, so they are kept
 * until the PMU is enabled again or the move is over.
 */
static void mon_pmu_del(struct perf_event *event, int flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	const struct mon_pmu_ops *ops = mp->desc.ops;
	bool started = !(event->hw.state & PERF_HES_STOPPED);
	unsigned long irqflags;

	event->hw.idx = -1;
	if (started)
		mon_pmu_end(event, true);
	irqflags = mon_pmu_lock(mp);
	mon_pmu_fail_deleted(mp, event);
	if (!started && ops->release)
		ops->release(mp, mp->alloc, event);
	mon_pmu_let_go_unwanted(mp);
	mon_pmu_unlock(mp, irqflags);
	if (!started)
		perf_event_update_userpage(event);
}

static void mon_pmu_freeze(struct mon_pmu *mp)
{
	unsigned long flags;

	flags = mon_pmu_lock(mp);
	mp->freeze++;
	mon_pmu_unlock(mp, flags);
}

static void mon_pmu_thaw(struct mon_pmu *mp)
{
	unsigned long flags;

	flags = mon_pmu_lock(mp);
	if (!--mp->freeze && mp->desc.ops->thaw && !mp->gone)
		mp->desc.ops->thaw(mp);
	mon_pmu_let_go_unwanted(mp);
	mon_pmu_unlock(mp, flags);
}

static void mon_pmu_read(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	unsigned long irqflags;
	int err = 0;

	/*
	 * Who samples in a tracepoint or an NMI may have this read in the midst of what this CPU
	 * does with the PMU. Then the count is that of the last reading.
	 */
	if (in_nmi() || READ_ONCE(this_cpu_ptr(mp->txn)->inside))
		return;
	irqflags = mon_pmu_lock(mp);
	if (!(event->hw.state & PERF_HES_STOPPED))
		err = mon_pmu_update(mp, event);
	else if (mp->gone)
		err = -ENODEV;
	if (!err && mon_pmu_ref(event)->lost)
		err = -EIO;
	mon_pmu_unlock(mp, irqflags);
	if (err && (this_cpu_ptr(mp->txn)->flags & PERF_PMU_TXN_READ))
		this_cpu_ptr(mp->txn)->error = err;
}

/*
 * The counters run all the time. What pmu_disable brackets is the scheduling of a group, and the
 * final values of `perf stat`: it disables its events before the last read, so that no READ
 * transaction follows. Start and end values of a group are therefore taken from one instant here.
 * That and the reading of groups happen under the lock of the context that holds all events of the
 * PMU, so nobody meets another's instant.
 */
static void mon_pmu_pmu_disable(struct pmu *pmu)
{
	mon_pmu_freeze(to_mon_pmu(pmu));
}

static void mon_pmu_pmu_enable(struct pmu *pmu)
{
	mon_pmu_thaw(to_mon_pmu(pmu));
}

static void mon_pmu_start_txn(struct pmu *pmu, unsigned int flags)
{
	struct mon_pmu *mp = to_mon_pmu(pmu);
	struct mon_pmu_txn *txn = this_cpu_ptr(mp->txn);

	txn->flags = flags;
	txn->error = 0;
	mon_pmu_freeze(mp);
}

static int mon_pmu_commit_txn(struct pmu *pmu)
{
	struct mon_pmu *mp = to_mon_pmu(pmu);
	struct mon_pmu_txn *txn = this_cpu_ptr(mp->txn);

	mon_pmu_thaw(mp);
	txn->flags = 0;
	return txn->error;
}

static void mon_pmu_cancel_txn(struct pmu *pmu)
{
	mon_pmu_commit_txn(pmu);
}

/* Not 0: user space may read the counters itself and add the page's offset. */
static int mon_pmu_event_idx(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	int i;

	if (!mp->desc.regs_size || READ_ONCE(mp->leaving) || event->hw.idx < 0)
		return 0;
	for (i = mp->desc.ops->next(mp, event, -1); i >= 0; i = mp->desc.ops->next(mp, event, i))
		if (!READ_ONCE(mp->counters[i].based))
			return 0;
	return 1;
}

static void mon_pmu_update_pages_here(void *info)
{
	struct mon_pmu *mp = info;
	struct mon_pmu_event_ref *ref;
	unsigned long flags;

	list_for_each_entry(ref, &mp->events, list) {
		struct perf_event *event = ref->event;

		/* a page that refers to no counter shows the count as it is known here */
		flags = mon_pmu_lock(mp);
		if (READ_ONCE(event->state) == PERF_EVENT_STATE_ACTIVE &&
		    !(event->hw.state & PERF_HES_STOPPED))
			mon_pmu_update(mp, event);
		mon_pmu_unlock(mp, flags);
		perf_event_update_userpage(event);
	}
}

void mon_pmu_update_pages(struct mon_pmu *mp)
{
	mutex_lock(&mp->events_lock);
	/* on the events' own CPU, where the scheduler writes the pages with interrupts off */
	if (smp_call_function_single(READ_ONCE(mp->on_cpu), mon_pmu_update_pages_here, mp, 1)) {
		unsigned long flags;

		local_irq_save(flags);
		mon_pmu_update_pages_here(mp);
		local_irq_restore(flags);
	}
	mutex_unlock(&mp->events_lock);
}

void mon_pmu_init_callbacks(struct pmu *pmu)
{
	pmu->task_ctx_nr = perf_invalid_context;
	pmu->capabilities = PERF_PMU_CAP_NO_EXCLUDE | PERF_PMU_CAP_NO_INTERRUPT;
	pmu->event_init = mon_pmu_event_init;
	pmu->add = mon_pmu_add;
	pmu->del = mon_pmu_del;
	pmu->start = mon_pmu_start;
	pmu->stop = mon_pmu_stop;
	pmu->read = mon_pmu_read;
	pmu->pmu_enable = mon_pmu_pmu_enable;
	pmu->pmu_disable = mon_pmu_pmu_disable;
	pmu->start_txn = mon_pmu_start_txn;
	pmu->commit_txn = mon_pmu_commit_txn;
	pmu->cancel_txn = mon_pmu_cancel_txn;
	pmu->event_idx = mon_pmu_event_idx;
}
