/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all perf drivers of libmon share: one PMU for a device whose counters have no interrupt.
 *
 * A driver names its hardware counters by small integers and says how one of them is read. An
 * event is the sum over one or more counters. The core widens every counter to 64 bits, polls it
 * often enough, keeps the values of a group from one instant, follows CPU hotplug and outlives the
 * device while user space still holds events.
 */
#ifndef MON_PMU_H
#define MON_PMU_H

#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "events/mon_pmu_uapi.h"

struct mon_pmu;

/**
 * struct mon_pmu_ops - what a driver does for its PMU
 *
 * @start, @stop, @read, @thaw, @wants and @supply run with interrupts off under the PMU's lock and
 * must not sleep; so do @claim and @release for events that the scheduler adds and deletes. @claim
 * for a group that is being opened, and @next, also run without the lock: they change nothing but
 * @alloc. Neither they nor @release touch the hardware, because they are called for the events of a
 * device that has gone, too.
 *
 * @check: says whether attr.config names an event of this device; process context, may sleep,
 *	must not touch the hardware. Returns 0 or a negative error (-EINVAL for user mistakes).
 * @claim: takes the counters of an event in the allocation state @alloc (@alloc_size bytes, zero
 *	at first), or returns -ENOSPC and leaves @alloc alone. The same function validates groups on
 *	a scratch state and schedules events on the real one, so it looks at nothing but @alloc and
 *	the event's configuration. May be NULL if every event always has its counter.
 * @release: gives the counters of @event in @alloc back.
 * @next: iterates over the counters of a claimed event: the first one after @prev (-1 to begin), or
 *	a negative value after the last.
 * @start: sets the counter up for the events that have claimed it, when the first of them starts
 *	and after the device lost its state. The counter may restart from any value. May be NULL.
 * @stop: the last user of the counter stopped. May be NULL.
 * @read: raw value of a counter. While @mon_pmu.freeze is not 0 all values that are read must be
 *	from one instant for each unit that the hardware can latch. A failing read returns a
 *	negative error and nothing is folded.
 * @thaw: @mon_pmu.freeze went back to 0: release what @read latched. May be NULL.
 * @wants: does the event count something that the device only supplies on demand? Looks at nothing
 *	but the event's configuration. NULL: no event does.
 * @supply: the first such event is about to start, or the last one that did was closed; also after
 *	the device came back while there are some. Nothing is read or latched by it.
 */
struct mon_pmu_ops {
	int (*check)(struct mon_pmu *mp, struct perf_event *event);
	size_t alloc_size;
	int (*claim)(struct mon_pmu *mp, void *alloc, struct perf_event *event);
	void (*release)(struct mon_pmu *mp, void *alloc, struct perf_event *event);
	int (*next)(struct mon_pmu *mp, struct perf_event *event, int prev);
	void (*start)(struct mon_pmu *mp, unsigned int counter);
	void (*stop)(struct mon_pmu *mp, unsigned int counter);
	int (*read)(struct mon_pmu *mp, unsigned int counter, u64 *raw);
	void (*thaw)(struct mon_pmu *mp);
	bool (*wants)(struct mon_pmu *mp, struct perf_event *event);
	void (*supply)(struct mon_pmu *mp, bool on);
};

/**
 * struct mon_pmu_event - one file in events/
 * @name: lower case
 * @config: attr.config
 * @unit: of @scale counts, or NULL
 * @scale: decimal factor, or NULL for 1
 */
struct mon_pmu_event {
	const char *name;
	u64 config;
	const char *unit;
	const char *scale;
};

/**
 * struct mon_pmu_cap - one file in caps/
 * @name: lower case
 * @value: a number that never changes
 */
struct mon_pmu_cap {
	const char *name;
	u64 value;
};

#define MON_PMU_MAX_CAPS	8

/**
 * struct mon_pmu_desc - description of a PMU, for mon_pmu_register()
 * @name: sysfs name of the first instance; further ones get _1, _2, ...
 * @owner: the driver's module; it cannot go while an event is open
 * @ops: see struct mon_pmu_ops
 * @attr_groups: format and what else the driver shows; the core adds events/, caps/, poll/, cpumask
 *	and identifier
 * @identifier: selects tables of events and metrics; used until mon_pmu_register() returns
 * @caps: what the device looks like; ends with the first that has no name. The core adds "width"
 * @events: the named events, with @nevents entries
 * @event_visible: does this device have the event? @priv is the driver's data. NULL: it has all
 * @event_terms: prints attr.config as perf terms; NULL: "event=0x.."
 * @counters: number of hardware counters, named 0 to @counters - 1
 * @width: bits of a counter
 * @width_of: bits of one counter, where they differ; NULL: all have @width
 * @max_hz: no counter counts faster than this
 * @mux_interval_ms: first value of perf_event_mux_interval_ms; 0: the kernel's, a few ms
 * @regs: physical address of registers that user space may read itself (uapi/mon_pmu_uapi.h)
 * @regs_size: their size in whole pages; 0: there are none
 * @priv_size: bytes of the driver's data, see mon_pmu_priv()
 * @id_size: the first bytes of these that say what the device looks like; they never change
 */
struct mon_pmu_desc {
	const char *name;
	struct module *owner;
	const struct mon_pmu_ops *ops;
	const struct attribute_group *const *attr_groups;
	const char *identifier;
	struct mon_pmu_cap caps[MON_PMU_MAX_CAPS];
	const struct mon_pmu_event *events;
	unsigned int nevents;
	bool (*event_visible)(const void *priv, u64 config);
	int (*event_terms)(char *buf, u64 config);
	unsigned int counters;
	unsigned int width;
	unsigned int (*width_of)(unsigned int counter);
	u64 max_hz;
	int mux_interval_ms;
	phys_addr_t regs;
	size_t regs_size;
	size_t priv_size;
	size_t id_size;
};

/**
 * struct mon_pmu - one PMU
 * @pmu: what perf knows
 * @desc: copy of the driver's description
 * @freeze: > 0 while values that belong together are being read
 * @gone: the device is not there, or not yet; counts stay as they are
 * @leaving: gone, or going to be: programs read through the kernel
 * @on_cpu: the CPU that all events live on, or -1
 * @values: counters as they are published; a multiple of whole pages
 * @values_size: bytes of @values
 * @late_polls: polls that came later than a counter needs to wrap
 */
struct mon_pmu {
	struct pmu pmu;
	struct mon_pmu_desc desc;
	int freeze;
	bool gone;
	bool leaving;
	int on_cpu;
	struct mon_pmu_value *values;
	size_t values_size;
	unsigned long late_polls;

	/* private to the core */
	raw_spinlock_t lock;		/* counters, allocation state and the device's registers */
	struct mutex events_lock;	/* the list of events */
	struct list_head events;	/* all that are open: struct mon_pmu_event_ref */
	struct mutex fail_lock;		/* held while events get the error state */
	bool fail_all;			/* not only those that are marked get it */
	struct irq_work fail_irq;
	struct work_struct fail_work;
	struct perf_event *failing;	/* the one that is about to get it */
	struct list_head ended;		/* those that get it at once if they are off */
	struct irq_work error_irq;
	struct mutex regs_lock;		/* parked, for page faults */
	struct mutex map_lock;		/* the list of files */
	struct list_head map_files;
	struct miscdevice misc;
	struct mon_pmu_counter *counters;
	struct list_head kept;		/* deleted events whose counters run on */
	void *alloc;
	void *priv;
	unsigned int active;		/* events that counters run for */
	unsigned int wanting;		/* events with mon_pmu_event_ref.wants */
	struct hrtimer timer;
	u64 wrap_ns;
	u64 poll_ns;
	u64 polled_at;
	struct mon_pmu_txn __percpu *txn;
	struct hlist_node cpuhp;
	struct list_head list;
	const struct attribute_group **groups;
	struct attribute_group identifier_group;
	struct attribute_group caps_group;
	struct attribute_group events_group;
	struct mon_pmu_attr *attrs;
	unsigned int nattrs;
	struct attribute **attr_list;
	char *name;
	int instance;
	bool late_told;
	bool polling;			/* the timer is going, or its CPU takes it up again */
	bool moving;			/* events are on their way to another CPU */
	bool parked;			/* it has no device */
	bool down;			/* perf does not know it: it has no events either */
	bool mapped;			/* misc is registered */
};

static inline struct mon_pmu *to_mon_pmu(struct pmu *pmu)
{
	return container_of(pmu, struct mon_pmu, pmu);
}

/**
 * mon_pmu_register() - make a device's counters a PMU
 * @desc: what it is; copied, but the strings except identifier, groups and ops must stay
 * @priv: desc.priv_size bytes of driver data, copied
 *
 * A PMU that an earlier device with the same identity (desc.id_size) left behind because user space
 * still held its events is taken over, so that its perf type and the events go on. Returns the PMU
 * or an ERR_PTR().
 */
struct mon_pmu *mon_pmu_register(const struct mon_pmu_desc *desc, const void *priv);

/**
 * mon_pmu_priv() - the driver's data
 * @mp: the PMU
 *
 * Lives as long as the PMU, which may be longer than the device: sysfs files look at the identity
 * only; register addresses are valid in the ops and until mon_pmu_unregister().
 */
static inline void *mon_pmu_priv(struct mon_pmu *mp)
{
	return mp->priv;
}

/**
 * mon_pmu_unregister() - the device goes away
 * @mp: from mon_pmu_register(); not to be used afterwards
 *
 * Events that are still open keep what they have counted; new ones are refused with -ENODEV. On
 * return no callback runs any more that may touch the hardware. The PMU itself stays registered
 * while it has users.
 */
void mon_pmu_unregister(struct mon_pmu *mp);

/**
 * mon_pmu_drain() - free the PMUs that devices of a driver have left behind
 * @owner: the calling module, in its exit function, when no event can exist any more
 */
void mon_pmu_drain(struct module *owner);

/**
 * mon_pmu_fail() - counts are lost for good
 * @mp: the PMU
 *
 * Soon all enabled events have perf's error state, in which read(2) returns 0 bytes; enabling them
 * leaves it. For ops: runs under the PMU's lock. A failing @read needs no more than its error.
 */
void mon_pmu_fail(struct mon_pmu *mp);

/**
 * mon_pmu_suspend() - fold what the registers hold, because they are about to lose it
 * @mp: the PMU
 *
 * Until mon_pmu_resume() no register is accessed; events keep their counts.
 */
void mon_pmu_suspend(struct mon_pmu *mp);

/**
 * mon_pmu_resume() - set the running counters up again and go on from their present values
 * @mp: the PMU
 */
void mon_pmu_resume(struct mon_pmu *mp);

/* The PMU behind a device in /sys/bus/event_source/devices/. */
static inline struct mon_pmu *mon_pmu_of_device(struct device *dev)
{
	return to_mon_pmu(dev_get_drvdata(dev));
}

#endif
