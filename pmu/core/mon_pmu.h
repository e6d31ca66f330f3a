/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all perf drivers of libmon share: a PMU for a device whose counters have no interrupt.
 *
 * A driver names its hardware counters by small integers and says how one of them is read. An
 * event is the sum over one or more counters. The core widens every counter to 64 bits, polls it
 * often enough, keeps the values of a group from one instant, follows CPU hotplug, and says what
 * has been lost.
 */
#ifndef MON_PMU_H
#define MON_PMU_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>

struct dentry;
struct mon_pmu;

/**
 * struct mon_pmu_ops - what a driver does for its PMU
 * @check: does @config name an event of this device? 0 or -EINVAL
 * @claim: takes the counters of an event in the allocation state @alloc (zero at first), writes
 *	their numbers to @counters and returns how many, which depends on @config alone; or returns
 *	-ENOSPC and leaves @alloc alone. It validates groups on a scratch state and schedules events
 *	on mon_pmu.alloc. What an event had when it was released it gets again, if it is free
 * @release: gives them back. NULL: every event always has the same counters
 * @start: sets a counter up when its first event starts, and after the device lost its state; it
 *	may restart from any value
 * @stop: the last event of the counter has stopped
 * @read: raw value of a counter. While mon_pmu.hold is set all values must be from one instant, as
 *	far as the hardware can latch them
 * @end: a series of @start, @stop and @read is over: releases what they latched. An error means
 *	that what was read cannot be believed
 *
 * @check, and @claim on a scratch state, run in process context and change nothing else. All others
 * run with interrupts off under the PMU's lock. @start, @stop, @read and @end are the only ones
 * that touch the hardware, and are called only while the device is attached.
 */
struct mon_pmu_ops {
	int (*check)(struct mon_pmu *mp, u64 config);
	int (*claim)(struct mon_pmu *mp, void *alloc, u64 config, u16 *counters);
	void (*release)(struct mon_pmu *mp, void *alloc, u64 config);
	void (*start)(struct mon_pmu *mp, unsigned int counter);
	void (*stop)(struct mon_pmu *mp, unsigned int counter);
	int (*read)(struct mon_pmu *mp, unsigned int counter, u64 *raw);
	int (*end)(struct mon_pmu *mp);
};

/**
 * struct mon_pmu_desc - a driver's PMUs
 * @name: sysfs name of the first; further ones get _1, _2, ...
 * @owner: the driver's module; it cannot go while an event is open
 * @ops: see struct mon_pmu_ops
 * @size: of the driver's structure, which begins with struct mon_pmu
 * @id_size: of what says how the device is made
 * @alloc_size: of the allocation state
 * @width: bits of a counter
 * @batch: counters that a poll reads with interrupts off: as many as take 100 accesses
 * @statistic: name of mon_pmu.statistic in debugfs, or NULL
 * @mux_interval_ms: first value of perf_event_mux_interval_ms; 0: the kernel's, a few ms
 */
struct mon_pmu_desc {
	const char *name;
	struct module *owner;
	const struct mon_pmu_ops *ops;
	size_t size;
	size_t id_size;
	size_t alloc_size;
	unsigned int (*width)(unsigned int counter);
	unsigned int batch;
	const char *statistic;
	int mux_interval_ms;
};

/**
 * struct mon_pmu_counter - a hardware counter
 * @acc: what it has counted, up to the value @last
 * @last: its last good reading
 * @raw: its last reading
 * @good_ns: when @last was read
 * @mask: of its bits
 * @wrap_ns: in which it may wrap
 * @claims: events that have it in the books
 * @users: events that it runs for
 * @losses: how often what it counted was lost
 * @based: @last is valid
 * @failed: @raw is not
 * @taken: @raw is of the pass that goes on
 */
struct mon_pmu_counter {
	u64 acc;
	u64 last;
	u64 raw;
	u64 good_ns;
	u64 mask;
	u64 wrap_ns;
	u32 claims;
	u32 users;
	u32 losses;
	bool based;
	bool failed;
	bool taken;
};

/**
 * struct mon_pmu - the PMU of a device; driver data follow
 * @pmu: what perf knows
 * @desc: of the driver
 * @id: how the device is made, desc.id_size bytes; never changes while perf knows the PMU
 * @groups: sysfs, for pmu.attr_groups; mon_pmu_group among them. Set by the driver before
 *	mon_pmu_attach(), and so are the next three
 * @identifier: selects tables of events and metrics
 * @ncounters: hardware counters, named 0 to @ncounters - 1
 * @max_hz: no counter counts faster
 * @alloc: allocation state of the events that have counters
 * @statistic: what the driver counts for desc.statistic
 * @hold: what is read now is to be from one instant
 * @polled: it is read by a poll, which ends what keeps counters from going on
 */
struct mon_pmu {
	struct pmu pmu;
	const struct mon_pmu_desc *desc;
	void *id;
	const struct attribute_group **groups;
	const char *identifier;
	unsigned int ncounters;
	u64 max_hz;
	void *alloc;
	u32 statistic;
	bool hold;
	bool polled;

	/* private to the core */
	struct list_head list;		/* of all PMUs, the address and the name */
	struct dentry *debugfs;		/* its folder */
	struct device *dev;		/* while it is attached */
	const struct bus_type *bus;
	char *address;
	char *name;
	bool registered;		/* perf knows it */
	int node;			/* of the device */
	int on_cpu;			/* all events live there, or -1 */
	struct hlist_node cpuhp;
	struct mon_pmu_txn __percpu *txn;

	raw_spinlock_t lock;		/* all below, and the device's registers */
	bool gone;			/* no device */
	bool moving;			/* events are on their way to another CPU */
	struct list_head events;	/* that are open */
	struct list_head entering;	/* events that count from the end of this scheduling on */
	struct list_head leaving;	/* events that count to the end of it */
	struct list_head moved;		/* events that count on, on their way */
	struct mon_pmu_counter *counters;
	unsigned long *running;		/* counters with users */
	unsigned int nrunning;
	unsigned int nclaimed;		/* counters with claims */
	u16 *scratch;			/* what an event claims */
	unsigned long losses;
	int doubt;			/* why what was read cannot be believed, or 0 */
	u64 now;			/* of what is read or started */
	struct hrtimer poll;
	bool polling;			/* it is pending or runs */
	unsigned int next_poll;		/* the counter that it reads next */
	u64 poll_ns;
};

static inline struct mon_pmu *to_mon_pmu(struct pmu *pmu)
{
	return container_of(pmu, struct mon_pmu, pmu);
}

/* The PMU behind a device in /sys/bus/event_source/devices/. */
static inline struct mon_pmu *mon_pmu_of_device(struct device *dev)
{
	return to_mon_pmu(dev_get_drvdata(dev));
}

/**
 * mon_pmu_get() - the PMU of a device that is being probed
 * @dev: its bus address is what the PMU belongs to
 * @desc: of the driver
 * @id: how the device is made, desc.id_size bytes
 *
 * A device that comes back finds the PMU that it left. -EBUSY, and a message, if another one was at
 * this address and left a PMU that perf still knows. The driver sets its own members, identifier,
 * ncounters and max_hz, then calls mon_pmu_attach(). Returns the PMU or an ERR_PTR().
 */
struct mon_pmu *mon_pmu_get(struct device *dev, const struct mon_pmu_desc *desc, const void *id);

/**
 * mon_pmu_attach() - events can be opened, and those that are open go on
 * @mp: from mon_pmu_get()
 *
 * What the device counted meanwhile is not known, so what was counting then has losses.
 */
int mon_pmu_attach(struct mon_pmu *mp);

/**
 * mon_pmu_detach() - the device goes away
 * @mp: from mon_pmu_get(); not to be used until the next mon_pmu_get()
 *
 * Open events keep what they have counted; new ones are refused with -ENODEV. On return nothing
 * touches the hardware any more.
 */
void mon_pmu_detach(struct mon_pmu *mp);

/* The device is about to lose its registers, and has them again. Between them it is not touched. */
void mon_pmu_suspend(struct mon_pmu *mp);
void mon_pmu_resume(struct mon_pmu *mp);

/**
 * mon_pmu_lost() - the device has lost its counts
 * @mp: the PMU
 *
 * For @start and @read: what running counters have counted since they were last read is lost, and
 * they go on from the value that is read next.
 */
void mon_pmu_lost(struct mon_pmu *mp);

/* The driver's module goes, with all devices detached: frees its PMUs. */
void mon_pmu_forget(const struct mon_pmu_desc *desc);

/* cpumask, identifier and losses */
extern const struct attribute_group mon_pmu_group;

/* A file in events/: its terms, by mon_pmu_event_show() or the driver's own; its unit or scale. */
#define MON_PMU_EVENT(_name, _show, _config) PMU_EVENT_ATTR_ID(_name, _show, _config)
#define MON_PMU_EVENT_TEXT(_name, _config, _text)			\
	(&((struct perf_pmu_events_attr[]) { {				\
		.attr = __ATTR(_name, 0444, perf_event_sysfs_show, NULL),\
		.id = (_config),					\
		.event_str = (_text),					\
	} })[0].attr.attr)

/* event=0x.. */
ssize_t mon_pmu_event_show(struct device *dev, struct device_attribute *attr, char *buf);

/* attr.config of such a file; true if it is to have a text and has none, and is not to be shown */
static inline bool mon_pmu_event_attr(const struct attribute *attr, u64 *config)
{
	const struct perf_pmu_events_attr *event =
		container_of(attr, struct perf_pmu_events_attr, attr.attr);

	*config = event->id;
	return event->attr.show == perf_event_sysfs_show && !event->event_str;
}

/* A file in format/: where config has this field */
#define MON_PMU_FORMAT(_name, _bits) PMU_EVENT_ATTR_ID(_name, mon_pmu_format_show, _bits)
ssize_t mon_pmu_format_show(struct device *dev, struct device_attribute *attr, char *buf);

/* A file in caps/: a u32 of mon_pmu.id */
struct mon_pmu_cap {
	struct device_attribute attr;
	size_t offset;
};

#define MON_PMU_CAP(_name, _struct, _member)				\
	(&((struct mon_pmu_cap[]) { {					\
		.attr = __ATTR(_name, 0444, mon_pmu_cap_show, NULL),	\
		.offset = offsetof(_struct, _member),			\
	} })[0].attr.attr)

ssize_t mon_pmu_cap_show(struct device *dev, struct device_attribute *attr, char *buf);

/* Between the core's files. A CPU goes: from now on its events live on another one. */
int mon_pmu_alloc_counters(struct mon_pmu *mp);
void mon_pmu_free_counters(struct mon_pmu *mp);
void mon_pmu_move(struct mon_pmu *mp, int from, int to);

#endif
