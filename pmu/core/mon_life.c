// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a mon_pmu: registration, CPU hotplug, suspend, removal.
 *
 * The perf core of these kernels frees what open events still use when a PMU is
 * unregistered. So a PMU whose device goes is taken down at once only if nobody holds the
 * driver's module; otherwise it is parked: its events keep their counts and new ones get
 * -ENODEV. Either is taken over when such a device comes back, and freed when the module exits.
 *
 * The core also shows a PMU to those who open events before perf_pmu_register() has made all
 * that they use, and may still give them its address when perf_pmu_unregister() has returned.
 * So a PMU refuses events (gone) until it is whole, and its memory stays until nobody can be on
 * the way to it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/vmalloc.h>

#include "mon_private.h"

static DEFINE_MUTEX(mon_pmu_mutex);	/* the list and the names */
static LIST_HEAD(mon_pmus);
static int mon_pmu_cpuhp_state;

static int mon_pmu_online(unsigned int cpu, struct hlist_node *node)
{
	struct mon_pmu *mp = hlist_entry(node, struct mon_pmu, cpuhp);

	if (mp->on_cpu < 0)
		WRITE_ONCE(mp->on_cpu, cpu);
	return 0;
}

static int mon_pmu_offline(unsigned int cpu, struct hlist_node *node)
{
	struct mon_pmu *mp = hlist_entry(node, struct mon_pmu, cpuhp);
	unsigned int target = nr_cpu_ids, i;

	if (mp->on_cpu != cpu)
		return 0;
	for_each_online_cpu(i) {
		if (i == cpu)
			continue;
		if (target >= nr_cpu_ids || cpu_to_node(i) == cpu_to_node(cpu))
			target = i;
		if (cpu_to_node(target) == cpu_to_node(cpu))
			break;
	}
	if (target >= nr_cpu_ids) {
		WRITE_ONCE(mp->on_cpu, -1);
		return 0;
	}
	/* events that are being opened meanwhile go to the new CPU; the rest is moved */
	WRITE_ONCE(mp->on_cpu, target);
	hrtimer_cancel(&mp->timer);
	mon_pmu_begin_move(mp);
	perf_pmu_migrate_context(&mp->pmu, cpu, target);
	smp_call_function_single(target, mon_pmu_end_move, mp, 1);
	return 0;
}

static void mon_pmu_free(struct mon_pmu *mp)
{
	if (!mp)
		return;
	free_percpu(mp->txn);
	vfree(mp->values);
	kvfree(mp->counters);
	kfree(mp->alloc);
	kvfree(mp->priv);
	mon_pmu_free_groups(mp);
	kfree(mp->name);
	kfree(mp);
}

static struct mon_pmu *mon_pmu_new(const struct mon_pmu_desc *desc, const void *priv, int instance)
{
	struct mon_pmu *mp;
	unsigned int i;

	mp = kzalloc(sizeof(*mp), GFP_KERNEL);
	if (!mp)
		return NULL;
	mp->desc = *desc;
	mp->instance = instance;
	mp->name = instance ? kasprintf(GFP_KERNEL, "%s_%d", desc->name, instance) :
			      kstrdup(desc->name, GFP_KERNEL);
	mp->values_size = PAGE_ALIGN(desc->counters * sizeof(*mp->values));
	mp->values = vmalloc_user(mp->values_size);
	mp->counters = kvcalloc(desc->counters, sizeof(*mp->counters), GFP_KERNEL);
	mp->txn = alloc_percpu(struct mon_pmu_txn);
	mp->priv = kvmalloc(desc->priv_size, GFP_KERNEL);
	if (desc->ops->alloc_size)
		mp->alloc = kzalloc(desc->ops->alloc_size, GFP_KERNEL);
	if (!mp->name || !mp->values || !mp->counters || !mp->txn || !mp->priv ||
	    (desc->ops->alloc_size && !mp->alloc)) {
		mon_pmu_free(mp);
		return NULL;
	}
	memcpy(mp->priv, priv, desc->priv_size);
	if (mon_pmu_make_groups(mp)) {
		mon_pmu_free(mp);
		return NULL;
	}
	mp->desc.identifier = NULL;
	for (i = 0; i < desc->counters; i++)
		mp->values[i].width = desc->width_of ? desc->width_of(i) : desc->width;
	raw_spin_lock_init(&mp->lock);
	mon_pmu_fail_init(mp);
	mutex_init(&mp->events_lock);
	INIT_LIST_HEAD(&mp->events);
	INIT_LIST_HEAD(&mp->kept);
	mutex_init(&mp->regs_lock);
	mutex_init(&mp->map_lock);
	INIT_LIST_HEAD(&mp->map_files);
	mon_pmu_timer_init(mp);
	mp->wrap_ns = mon_counter_wrap_ns(mon_counter_mask(desc->width), desc->max_hz);
	mp->poll_ns = mon_counter_poll_ns(mp->wrap_ns);
	mp->on_cpu = -1;
	mp->gone = true;
	mp->leaving = true;
	mp->parked = true;
	mp->down = true;
	mp->pmu.module = desc->owner;
	mp->pmu.hrtimer_interval_ms = desc->mux_interval_ms;
	mon_pmu_init_callbacks(&mp->pmu);
	return mp;
}

static void mon_pmu_set_parked(struct mon_pmu *mp, bool parked)
{
	mutex_lock(&mp->regs_lock);
	mp->parked = parked;
	mutex_unlock(&mp->regs_lock);
}

/* The device that a PMU left behind has come back; mon_pmu_mutex is held. */
static void mon_pmu_take_over(struct mon_pmu *mp, const struct mon_pmu_desc *desc, const void *priv)
{
	unsigned long flags;

	flags = mon_pmu_lock(mp);
	/* sysfs files may be looking at the identity, which is the same */
	memcpy(mp->priv + desc->id_size, priv + desc->id_size, desc->priv_size - desc->id_size);
	mp->desc.regs = desc->regs;
	mp->desc.regs_size = desc->regs_size;
	mon_pmu_unlock(mp, flags);
}

/* Of the devices that are there or have left events behind; mon_pmu_mutex is held. */
static int mon_pmu_free_instance(const struct mon_pmu_desc *desc)
{
	struct mon_pmu *mp;
	int instance = 0;

again:
	list_for_each_entry(mp, &mon_pmus, list) {
		if (!mp->down && mp->instance == instance && !strcmp(mp->desc.name, desc->name)) {
			instance++;
			goto again;
		}
	}
	return instance;
}

/* A PMU of the same driver and identity that has no device: parked, or down with this number. */
static struct mon_pmu *mon_pmu_find(const struct mon_pmu_desc *desc, const void *priv, bool down,
				    int instance)
{
	struct mon_pmu *mp;

	list_for_each_entry(mp, &mon_pmus, list) {
		if (mp->parked && mp->down == down && (!down || mp->instance == instance) &&
		    mp->desc.owner == desc->owner && mp->desc.ops == desc->ops &&
		    mp->desc.priv_size == desc->priv_size && mp->desc.id_size == desc->id_size &&
		    !memcmp(mp->priv, priv, desc->id_size))
			return mp;
	}
	return NULL;
}

/*
 * It was never up, or is down; mon_pmu_mutex is held. CPUs come and go for it only while perf has
 * the contexts that its events would be moved between.
 */
static int mon_pmu_put_up(struct mon_pmu *mp)
{
	int err;

	/* newer kernels would take that of an earlier registration for this one's */
	mp->pmu.dev = NULL;
	err = perf_pmu_register(&mp->pmu, mp->name, -1);
	if (err)
		return err;
	err = cpuhp_state_add_instance(mon_pmu_cpuhp_state, &mp->cpuhp);
	if (err) {
		mon_pmu_stop_turns(&mp->pmu);
		perf_pmu_unregister(&mp->pmu);
		return err;
	}
	mp->down = false;
	return 0;
}

struct mon_pmu *mon_pmu_register(const struct mon_pmu_desc *desc, const void *priv)
{
	struct mon_pmu *mp;
	int err = 0, instance;

	mutex_lock(&mon_pmu_mutex);
	instance = mon_pmu_free_instance(desc);
	mp = mon_pmu_find(desc, priv, false, 0);
	if (!mp)
		mp = mon_pmu_find(desc, priv, true, instance);
	if (mp) {
		mon_pmu_take_over(mp, desc, priv);
	} else {
		mp = mon_pmu_new(desc, priv, instance);
		if (!mp) {
			err = -ENOMEM;
			goto out;
		}
		list_add_tail(&mp->list, &mon_pmus);
	}
	if (mp->down)
		err = mon_pmu_put_up(mp);
	if (err)
		goto out;
	mon_pmu_set_parked(mp, false);
	/* before events say that the registers are to be read */
	mon_pmu_map_zap(mp);
	mon_pmu_resume(mp);
	/* without the device file programs read through the kernel, no more */
	mp->mapped = desc->regs_size && !mon_pmu_map_register(mp);
out:
	mutex_unlock(&mon_pmu_mutex);
	return err ? ERR_PTR(err) : mp;
}
EXPORT_SYMBOL_GPL(mon_pmu_register);

/* mon_pmu_mutex is held and nobody can have an event. */
static void mon_pmu_take_down(struct mon_pmu *mp)
{
	cpuhp_state_remove_instance_nocalls(mon_pmu_cpuhp_state, &mp->cpuhp);
	mon_pmu_stop_turns(&mp->pmu);
	perf_pmu_unregister(&mp->pmu);
	hrtimer_cancel(&mp->timer);
	mp->polling = false;
	mon_pmu_fail_cancel(mp);
	mp->on_cpu = -1;
	mp->down = true;
}

void mon_pmu_unregister(struct mon_pmu *mp)
{
	mutex_lock(&mon_pmu_mutex);
	mon_pmu_suspend(mp);
	mon_pmu_set_parked(mp, true);
	mon_pmu_map_zap(mp);
	if (mp->mapped)
		mon_pmu_map_unregister(mp);
	/*
	 * An event holds a module reference until after the core's last look at event->pmu, and so
	 * does an open device file. Without any reference there is neither, an event that is being
	 * opened now meets gone, and the device file cannot be opened any more. Pairs with the
	 * reference that the core takes before it asks mon_pmu_event_init().
	 */
	smp_mb();
	if (mon_module_users(mp->desc.owner) <= 0)
		mon_pmu_take_down(mp);
	mutex_unlock(&mon_pmu_mutex);
}
EXPORT_SYMBOL_GPL(mon_pmu_unregister);

void mon_pmu_drain(struct module *owner)
{
	struct mon_pmu *mp, *next;

	mutex_lock(&mon_pmu_mutex);
	list_for_each_entry(mp, &mon_pmus, list)
		if (mp->desc.owner == owner && !mp->down)
			mon_pmu_take_down(mp);
	/*
	 * Who has just got the address from the core looks at pmu.module next, without sleeping
	 * before, and finds a module that is going.
	 */
	synchronize_rcu_tasks();
	list_for_each_entry_safe(mp, next, &mon_pmus, list) {
		if (mp->desc.owner != owner)
			continue;
		list_del(&mp->list);
		mon_pmu_free(mp);
	}
	mutex_unlock(&mon_pmu_mutex);
}
EXPORT_SYMBOL_GPL(mon_pmu_drain);

void mon_pmu_suspend(struct mon_pmu *mp)
{
	unsigned long flags;

	/* programs that read by themselves leave off first: none sees more than the final count */
	WRITE_ONCE(mp->leaving, true);
	mon_pmu_update_pages(mp);
	flags = mon_pmu_lock(mp);
	if (!mp->gone) {
		bool thaw = mp->freeze && mp->desc.ops->thaw;

		/*
		 * A group may be being read on another CPU, perhaps since long ago where CPUs are
		 * virtual. It gets an error, and what has been counted since is not lost with the
		 * values that it has frozen. Nothing stays latched.
		 */
		if (thaw)
			mp->desc.ops->thaw(mp);
		mon_pmu_fold_running(mp);
		if (thaw)
			mp->desc.ops->thaw(mp);
	}
	WRITE_ONCE(mp->gone, true);
	mon_pmu_unlock(mp, flags);
	/* what has been counted to the end */
	mon_pmu_update_pages(mp);
}
EXPORT_SYMBOL_GPL(mon_pmu_suspend);

/* What all events that count have counted since the device came back is not known. */
static void mon_pmu_lose(struct mon_pmu *mp)
{
	struct mon_pmu_event_ref *ref;

	list_for_each_entry(ref, &mp->events, list)
		if (!(ref->event->hw.state & PERF_HES_STOPPED) || !list_empty(&ref->kept))
			ref->lost = true;
	mon_pmu_fail(mp);
}

void mon_pmu_resume(struct mon_pmu *mp)
{
	unsigned long flags;
	bool lost = false;
	unsigned int i;

	mutex_lock(&mp->events_lock);
	flags = mon_pmu_lock(mp);
	/* who sees this sees all that registration has made */
	smp_store_release(&mp->gone, false);
	if (mp->wanting)
		mp->desc.ops->supply(mp, true);
	for (i = 0; i < mp->desc.counters; i++) {
		if (!mp->counters[i].users)
			continue;
		if (mp->desc.ops->start)
			mp->desc.ops->start(mp, i);
		if (mon_pmu_rebase(mp, i))
			lost = true;
	}
	if (lost)
		mon_pmu_lose(mp);
	mp->polled_at = ktime_get_ns();
	mon_pmu_unlock(mp, flags);
	mutex_unlock(&mp->events_lock);
	WRITE_ONCE(mp->leaving, false);
	mon_pmu_update_pages(mp);
}
EXPORT_SYMBOL_GPL(mon_pmu_resume);

static int __init mon_pmu_init(void)
{
	int state;

	state = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "perf/mon_pmu:online", mon_pmu_online,
					mon_pmu_offline);
	if (state < 0)
		return state;
	mon_pmu_cpuhp_state = state;
	return 0;
}
module_init(mon_pmu_init);

static void __exit mon_pmu_exit(void)
{
	cpuhp_remove_multi_state(mon_pmu_cpuhp_state);
}
module_exit(mon_pmu_exit);

MODULE_DESCRIPTION("Shared core of the libmon perf drivers");
MODULE_LICENSE("GPL");
