/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The core of libmon's perf drivers: a PMU for a device whose counters have no interrupt.
 *
 * A driver names its hardware counters by small integers and says how one of them is read. An
 * event is the sum over one or more counters. The core widens every counter to 64 bits, polls it
 * before it wraps, reads the counters of a group at one instant, follows CPU hotplug, and counts
 * losses.
 */
#ifndef MON_PMU_H
#define MON_PMU_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/pm.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>
#include <linux/version.h>

/*
 * Since 6.16 perf_pmu_unregister() takes the events that are still open away from the PMU. Earlier
 * kernels free what such events use, so there a PMU stays until its module goes, when none is open.
 */
#define MON_PERF_DETACHES (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0))

struct mon_pmu;

/*
 * What a driver does for its PMU. @check, and @claim on a scratch state, run in process context and
 * change nothing else. All others run with interrupts off under the PMU's lock. @start, @stop,
 * @read and @end are the only ones that touch the hardware, and are called only while the device is
 * attached.
 */
struct mon_pmu_ops {
	/* how many counters an event of this config has, or -EINVAL */
	int (*check)(struct mon_pmu *mp, u64 config);
	/*
	 * Takes the counters of an event in the allocation state (zero at first) and writes their
	 * numbers, unless NULL; returns how many, or -ENOSPC and leaves the state alone. What an
	 * event had when it was released it should get again, if it is free.
	 */
	int (*claim)(struct mon_pmu *mp, void *alloc, u64 config, u16 *counters);
	/* gives them back; NULL: the counters run free, every event always has the same */
	void (*release)(struct mon_pmu *mp, void *alloc, u64 config);
	/*
	 * Sets a counter up when its first event starts, and after the device lost its state; it
	 * may restart from any value. The last event of the counter has stopped. NULL: nothing.
	 */
	void (*start)(struct mon_pmu *mp, unsigned int counter);
	void (*stop)(struct mon_pmu *mp, unsigned int counter);
	/*
	 * Raw value of a counter. While mon_pmu.hold is set all values must be from one instant, as
	 * far as the hardware can latch them.
	 */
	int (*read)(struct mon_pmu *mp, unsigned int counter, u64 *raw);
	/*
	 * A series of the three above is over: releases what they latched. An error means that what
	 * was read cannot be believed. NULL: nothing to do.
	 */
	int (*end)(struct mon_pmu *mp);
};

/* A driver's PMUs. */
struct mon_pmu_desc {
	const char *name;		/* in sysfs; further ones get _1, _2, ... */
	struct ida *instances;		/* numbers in use */
	struct module *owner;		/* it cannot go while an event is open */
	const struct mon_pmu_ops *ops;
	size_t size;			/* of the driver's structure, struct mon_pmu first */
	size_t id_size;			/* of the description of the device's build */
	size_t alloc_size;		/* of the allocation state */
	unsigned int (*width)(unsigned int counter); /* its bits; NULL: 32 */
	unsigned int batch;		/* counters that a poll reads in about 100 accesses */
	int mux_interval_ms;		/* first value of the file; 0: the kernel's, a few ms */
};

/* A hardware counter. */
struct mon_pmu_counter {
	u64 acc;		/* what it has counted, up to the value last */
	u64 last;		/* its last good reading */
	u64 raw;		/* its last reading */
	u64 good_ns;		/* not later than last was read */
	u64 mask;		/* of its bits */
	u64 wrap_ns;		/* in which it may wrap */
	unsigned long lost;	/* mon_pmu.losses when it last lost what it had counted */
	u32 users;		/* events that it runs for */
	bool based;		/* last is valid */
	bool failed;		/* raw is not */
	bool taken;		/* raw is of the pass that goes on */
};

/* The PMU of a device; driver data follow. */
struct mon_pmu {
	struct pmu pmu;
	const struct mon_pmu_desc *desc;
	void *id;			/* how the device is made; never changes */
	void *alloc;			/* allocation state of the events that have counters */
	bool hold;			/* this read must be from one instant */
	bool failing;			/* a reading of the pass that goes on has failed */

	/* set by the driver before mon_pmu_attach() */
	const struct attribute_group **groups;	/* sysfs; mon_pmu_group among them */
	char identifier[20];		/* selects tables of events and metrics */
	unsigned int ncounters;		/* hardware counters, named 0 to ncounters - 1 */
	u64 max_hz;			/* no counter counts faster */
	struct mon_pci_dev *pci;	/* mon_pci.c's */

	/* private to the core */
	struct device *dev;		/* while it is attached */
#if !MON_PERF_DETACHES
	struct list_head seat;		/* in mon_pmu_seats */
	const struct bus_type *bus;	/* of the device */
	char *address;			/* its name there */
#endif
	char name[32];			/* as perf knows it, or empty */
	int instance;
	int on_cpu;			/* all events live there; -1 before the first CPU */
	int node;			/* of the device, which may be gone */
	atomic_t nopen;			/* events */
	atomic_t npolled;		/* those of them whose counters wrap */
	struct hlist_node cpuhp;
	struct mutex poll_lock;		/* sets the timer */
	struct hrtimer poll;
	int poll_cpu;			/* where it is pinned; -1: it is not set */
	u64 poll_ns;
	u64 slack;			/* counts by which the device's clock may be ahead */

	raw_spinlock_t lock;		/* all below, and the device's registers */
	bool gone;			/* no device */
	bool moving;			/* events are being moved to another CPU */
	struct list_head changed;	/* events whose books have changed in this scheduling */
	int reader;			/* the CPU with a READ transaction, or -1 */
	struct list_head reading;	/* events that this transaction reads */
	unsigned long txn_flags;	/* interrupts before it */
	struct mon_pmu_counter *counters;
	unsigned long *running;		/* counters with users */
	u16 *list;			/* what a pass has taken */
	unsigned int ntaken;
	unsigned long losses;		/* of counters, and of events at their begin and end */
	u64 began;			/* when a pass has begun */
	u64 now;			/* when the last one was, or a counter started */
	unsigned int next_poll;		/* the counter that is polled next */
};

/* For @read: was that the last good reading, too? Then nothing can be wrong with it. */
static inline bool mon_pmu_is_unchanged(const struct mon_pmu *mp, unsigned int counter, u64 raw)
{
	return mp->counters[counter].based && mp->counters[counter].last == raw;
}

/* The PMU behind a device in /sys/bus/event_source/devices/. */
static inline struct mon_pmu *mon_pmu_of_device(struct device *dev)
{
	return container_of(dev_get_drvdata(dev), struct mon_pmu, pmu);
}

/*
 * The PMU of a device that is being probed, or an ERR_PTR(). The driver sets its own members, then
 * calls mon_pmu_attach(): events can be opened, and those that are open go on, but for what the
 * device counted meanwhile. After an error there is no PMU. mon_pmu_detach(): the device goes away,
 * open events keep what they have counted, new ones are refused with -ENODEV, and nothing touches
 * the hardware any more. Not to be used until the next mon_pmu_get().
 */
struct mon_pmu *mon_pmu_get(struct device *dev, const struct mon_pmu_desc *desc, const void *id);
int mon_pmu_attach(struct mon_pmu *mp);
void mon_pmu_detach(struct mon_pmu *mp);

/* The driver's module goes, with all devices detached: ends its PMUs. */
#if MON_PERF_DETACHES
static inline void mon_pmu_forget(const struct mon_pmu_desc *desc) { }
#else
void mon_pmu_forget(const struct mon_pmu_desc *desc);
#endif

/* The device is about to lose its registers, and has them again. Between them it is not touched. */
void mon_pmu_suspend(struct mon_pmu *mp);
void mon_pmu_resume(struct mon_pmu *mp);
/* For a device whose driver's data are the PMU. */
extern const struct dev_pm_ops mon_pmu_pm_ops;

/*
 * For @start and @read: what running counters have counted since the last pass is lost, and they go
 * on from the value that is read next.
 */
void mon_pmu_lost(struct mon_pmu *mp);

/* cpumask, identifier and losses */
extern const struct attribute_group mon_pmu_group;

/* Files: with a text; in caps/, a u32 of mon_pmu.id; in events/ PMU_EVENT_ATTR_ID(): event=0x.. */
#define MON_PMU_TEXT(_name, _config, _text)				\
	(&((struct perf_pmu_events_attr[]) { {				\
		.attr = __ATTR(_name, 0444, perf_event_sysfs_show, NULL),\
		.id = (_config),					\
		.event_str = (_text),					\
	} })[0].attr.attr)
#define MON_PMU_CAP(_name, _struct, _member)				\
	PMU_EVENT_ATTR_ID(_name, mon_pmu_cap_show, offsetof(_struct, _member))
/* A folder of them: the attribute group _group. */
#define MON_PMU_FOLDER(_group, _name, ...)				\
	static const struct attribute_group _group = {			\
		.name = (_name),					\
		.attrs = (struct attribute *[]) { __VA_ARGS__, NULL },	\
	}
/* events/ of all that @check takes, from PMU_EVENT_ATTR_ID() and MON_PMU_TEXT(). */
#define MON_PMU_EVENTS(_group, _attrs)					\
	static const struct attribute_group _group = {			\
		.name = "events",					\
		.attrs = (_attrs),					\
		.is_visible = mon_pmu_event_visible,			\
	}

umode_t mon_pmu_event_visible(struct kobject *kobj, struct attribute *attr, int n);
ssize_t mon_pmu_cap_show(struct device *dev, struct device_attribute *attr, char *buf);
ssize_t mon_pmu_event_show(struct device *dev, struct device_attribute *attr, char *buf);

/* attr.config of such a file */
static inline u64 mon_pmu_event_config(const struct device_attribute *attr)
{
	return container_of(attr, struct perf_pmu_events_attr, attr)->id;
}

#endif
