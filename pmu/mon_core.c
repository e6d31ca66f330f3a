// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perf side of mon_pmu: events, counting, groups and transactions.
 *
 * Every hardware counter has one 64-bit value, kept under the PMU's lock from the differences of
 * successive register readings, however many events look at it. An event remembers the sum of its
 * counters' values and adds what that sum has grown by. So nothing depends on who reads when: the
 * poll timer, a reader on another CPU (PERF_EV_CAP_READ_ACTIVE_PKG) and the scheduler can meet.
 */
#include <linux/module.h>
#include <linux/slab.h>

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

/* Takes the present register value as the starting point. */
void mon_pmu_rebase(struct mon_pmu *mp, unsigned int counter)
{
	struct mon_pmu_value *value = &mp->values[counter];
	u64 raw;

	if (mp->desc.ops->read(mp, counter, &raw))
		return;
	mon_pmu_publish(value, value->acc, raw);
}

static int mon_pmu_fold(struct mon_pmu *mp, unsigned int counter)
{
	struct mon_pmu_value *value = &mp->values[counter];
	u64 raw, delta;
	int err;

	err = mp->desc.ops->read(mp, counter, &raw);
	if (err)
		return err;
	delta = mon_counter_delta(value->last, raw, mon_counter_mask(value->width));
	if (delta)
		mon_pmu_publish(value, value->acc + delta, raw);
	return 0;
}

void mon_pmu_fold_running(struct mon_pmu *mp)
{
	unsigned int i;

	for (i = 0; i < mp->desc.counters; i++)
		if (mp->users[i])
			mon_pmu_fold(mp, i);
}

static u64 mon_pmu_sum(struct mon_pmu *mp, struct perf_event *event)
{
	const struct mon_pmu_ops *ops = mp->desc.ops;
	u64 sum = 0;
	int i;

	for (i = ops->next(mp, event, -1); i >= 0; i = ops->next(mp, event, i))
		sum += mp->values[i].acc;
	return sum;
}

/* Brings a started event up to date; the lock is held. */
static int mon_pmu_update(struct mon_pmu *mp, struct perf_event *event)
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

	raw_spin_lock_irqsave(&mp->lock, flags);
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
	raw_spin_unlock_irqrestore(&mp->lock, flags);
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
 * active; the lock is held.
 */
static void mon_pmu_start_timer(struct mon_pmu *mp)
{
	if (mp->polling || smp_processor_id() != mp->on_cpu)
		return;
	mp->polling = true;
	hrtimer_start(&mp->timer, ns_to_ktime(mp->poll_ns), HRTIMER_MODE_REL_PINNED_HARD);
}

/*
 * Events are about to go to another CPU, which takes the perf core a while. Counters that need not
 * be allocated run on meanwhile, and what they count belongs to the events.
 */
void mon_pmu_begin_move(struct mon_pmu *mp)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&mp->lock, flags);
	mp->polling = false;
	if (!mp->desc.ops->claim) {
		mp->moving = true;
		for (i = 0; i < mp->desc.counters; i++)
			if (mp->users[i])
				mp->users[i] |= MON_PMU_HELD;
	}
	raw_spin_unlock_irqrestore(&mp->lock, flags);
}

/* On the CPU that has the events now. */
void mon_pmu_end_move(void *info)
{
	struct mon_pmu *mp = info;
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&mp->lock, flags);
	mp->moving = false;
	for (i = 0; i < mp->desc.counters; i++) {
		if (mp->users[i] == MON_PMU_HELD && mp->desc.ops->stop && !mp->gone)
			mp->desc.ops->stop(mp, i);
		mp->users[i] &= ~MON_PMU_HELD;
	}
	if (mp->active)
		mon_pmu_start_timer(mp);
	raw_spin_unlock_irqrestore(&mp->lock, flags);
}

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

/* An event is opened or closed: the device supplies what it wants from the first to the last. */
static void mon_pmu_want(struct mon_pmu *mp, struct perf_event *event, int change)
{
	const struct mon_pmu_ops *ops = mp->desc.ops;
	unsigned long flags;
	bool was;

	if (!ops->wants || !ops->wants(mp, event))
		return;
	raw_spin_lock_irqsave(&mp->lock, flags);
	was = mp->wanting;
	mp->wanting += change;
	if (!mp->gone && was != !!mp->wanting)
		ops->supply(mp, mp->wanting);
	raw_spin_unlock_irqrestore(&mp->lock, flags);
}

static void mon_pmu_event_destroy(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_pmu_event_ref *ref = (void *)event->hw.event_base;

	mutex_lock(&mp->fail_lock);
	mutex_lock(&mp->events_lock);
	list_del(&ref->list);
	mutex_unlock(&mp->events_lock);
	mutex_unlock(&mp->fail_lock);
	mon_pmu_want(mp, event, -1);
	kfree(ref);
}

static int mon_pmu_event_init(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	struct mon_pmu_event_ref *ref;
	int cpu, err;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (READ_ONCE(mp->gone))
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
	mutex_lock(&mp->events_lock);
	list_add(&ref->list, &mp->events);
	mutex_unlock(&mp->events_lock);
	event->hw.event_base = (unsigned long)ref;
	event->destroy = mon_pmu_event_destroy;
	mon_pmu_want(mp, event, 1);

	event->cpu = cpu;
	event->hw.idx = -1;
	event->hw.config_base = event->attr.config;
	/* every CPU reaches the registers, so a read needs no interrupt to another one */
	event->event_caps |= PERF_EV_CAP_READ_ACTIVE_PKG;
	return 0;
}

static void mon_pmu_start_counters(struct mon_pmu *mp, struct perf_event *event)
{
	const struct mon_pmu_ops *ops = mp->desc.ops;
	int i;

	for (i = ops->next(mp, event, -1); i >= 0; i = ops->next(mp, event, i)) {
		bool running = mp->users[i]++;

		if (mp->gone)
			continue;
		if (running) {
			mon_pmu_fold(mp, i);
			continue;
		}
		if (ops->start)
			ops->start(mp, i);
		mon_pmu_rebase(mp, i);
	}
}

static void mon_pmu_start(struct perf_event *event, int flags)
{
	struct mon_pmu_event_ref *ref = (void *)event->hw.event_base;
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	unsigned long irqflags;

	if (!(event->hw.state & PERF_HES_STOPPED))
		return;

	raw_spin_lock_irqsave(&mp->lock, irqflags);
	event->hw.state = 0;
	mon_pmu_start_counters(mp, event);
	if (!ref->moving)
		local64_set(&event->hw.prev_count, mon_pmu_sum(mp, event));
	ref->moving = false;
	if (!mp->active++ && !mp->moving)
		mp->polled_at = ktime_get_ns();
	mon_pmu_start_timer(mp);
	raw_spin_unlock_irqrestore(&mp->lock, irqflags);

	perf_event_update_userpage(event);
}

static void mon_pmu_stop_counters(struct mon_pmu *mp, struct perf_event *event)
{
	const struct mon_pmu_ops *ops = mp->desc.ops;
	int i;

	for (i = ops->next(mp, event, -1); i >= 0; i = ops->next(mp, event, i))
		if (!--mp->users[i] && ops->stop && !mp->gone)
			ops->stop(mp, i);
}

static void mon_pmu_stop(struct perf_event *event, int flags)
{
	struct mon_pmu_event_ref *ref = (void *)event->hw.event_base;
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	unsigned long irqflags;

	if (event->hw.state & PERF_HES_STOPPED)
		return;

	/* programs that read by themselves leave off first: none sees more than the final count */
	event->hw.state |= PERF_HES_STOPPED;
	perf_event_update_userpage(event);

	raw_spin_lock_irqsave(&mp->lock, irqflags);
	mon_pmu_update(mp, event);
	mon_pmu_stop_counters(mp, event);
	/* the timer ends by itself when it finds nothing active */
	mp->active--;
	ref->moving = mp->moving && smp_processor_id() != mp->on_cpu;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	raw_spin_unlock_irqrestore(&mp->lock, irqflags);

	perf_event_update_userpage(event);
}

static int mon_pmu_add(struct perf_event *event, int flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	const struct mon_pmu_ops *ops = mp->desc.ops;
	unsigned long irqflags;
	int err = 0;

	raw_spin_lock_irqsave(&mp->lock, irqflags);
	if (ops->claim)
		err = ops->claim(mp, mp->alloc, event);
	raw_spin_unlock_irqrestore(&mp->lock, irqflags);
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

static void mon_pmu_del(struct perf_event *event, int flags)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	const struct mon_pmu_ops *ops = mp->desc.ops;
	unsigned long irqflags;

	mon_pmu_stop(event, PERF_EF_UPDATE);
	raw_spin_lock_irqsave(&mp->lock, irqflags);
	if (ops->release)
		ops->release(mp, mp->alloc, event);
	raw_spin_unlock_irqrestore(&mp->lock, irqflags);
	event->hw.idx = -1;
	perf_event_update_userpage(event);
}

static void mon_pmu_read(struct perf_event *event)
{
	struct mon_pmu *mp = to_mon_pmu(event->pmu);
	unsigned long irqflags;
	int err = 0;

	raw_spin_lock_irqsave(&mp->lock, irqflags);
	if (!(event->hw.state & PERF_HES_STOPPED))
		err = mon_pmu_update(mp, event);
	else if (mp->gone)
		err = -ENODEV;
	raw_spin_unlock_irqrestore(&mp->lock, irqflags);
	if (err && (this_cpu_ptr(mp->txn)->flags & PERF_PMU_TXN_READ))
		this_cpu_ptr(mp->txn)->error = err;
}

static void mon_pmu_freeze(struct mon_pmu *mp)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&mp->lock, flags);
	mp->freeze++;
	raw_spin_unlock_irqrestore(&mp->lock, flags);
}

static void mon_pmu_thaw(struct mon_pmu *mp)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&mp->lock, flags);
	if (!--mp->freeze && mp->desc.ops->thaw && !mp->gone)
		mp->desc.ops->thaw(mp);
	raw_spin_unlock_irqrestore(&mp->lock, flags);
}

/*
 * The counters run all the time. What pmu_disable brackets is the scheduling of a group, and the
 * final values of `perf stat`: it disables its events before the last read, so that no READ
 * transaction follows. Start and end values of a group are therefore taken from one instant here.
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

	return mp->desc.regs_size && !READ_ONCE(mp->leaving) && event->hw.idx >= 0;
}

static void mon_pmu_update_pages_here(void *info)
{
	struct mon_pmu *mp = info;
	struct mon_pmu_event_ref *ref;

	list_for_each_entry(ref, &mp->events, list)
		perf_event_update_userpage(ref->event);
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
