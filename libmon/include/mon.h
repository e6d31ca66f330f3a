/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mon.h - counters of uncore PMUs by name.
 *
 * A PMU is a folder of /sys/bus/event_source/devices that has a file cpumask: espmon, mrfld_visa,
 * upmem, hexagon, and any other of the kernel's system PMUs. A group is a set of events of one PMU
 * that count together and are read together, in one system call; its values belong to one instant as
 * far as the hardware allows (man page of the PMU).
 *
 * Conventions. Functions that return int return 0 or a number >= 0, or -1 with errno set. Functions
 * that return a pointer return NULL with errno set. mon_error() then has a sentence for the user
 * that names the thing, the reason and the remedy. The library never prints and never ends the
 * program. Strings that it returns belong to the object that they were got from.
 *
 * Threads. Different objects may be used by different threads at any time. A struct mon_pmu never
 * changes. Of one struct mon_group, several threads may call the read and get functions at a time;
 * adding, opening, enabling and freeing need the group for themselves.
 */
#ifndef MON_H
#define MON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MON_API __attribute__((visibility("default")))

/* What went wrong in the last failed call of this thread; "" if none has failed yet. */
MON_API const char *mon_error(void);

/* ---- PMUs ---- */

struct mon_pmu;
struct mon_pmus;

/* All PMUs that are there now, sorted by name. */
MON_API struct mon_pmus *mon_pmus_new(void);
MON_API void mon_pmus_free(struct mon_pmus *pmus);
MON_API size_t mon_pmus_get_count(const struct mon_pmus *pmus);
/* NULL if index is not below the count. Belongs to pmus. */
MON_API const struct mon_pmu *mon_pmus_get(const struct mon_pmus *pmus, size_t index);

/* One PMU by name; ENODEV if it is not there, mon_error() says whether module or device is missing. */
MON_API struct mon_pmu *mon_pmu_new(const char *name);
MON_API void mon_pmu_free(struct mon_pmu *pmu);
MON_API const char *mon_pmu_get_name(const struct mon_pmu *pmu);
/* Value for perf_event_attr.type. */
MON_API uint32_t mon_pmu_get_type(const struct mon_pmu *pmu);
/* The CPU on which its events are opened: the first of cpumask. */
MON_API int mon_pmu_get_cpu(const struct mon_pmu *pmu);
/* A file below the PMU's folder, for example "caps/rows", without the newline. Free with free(). */
MON_API char *mon_pmu_read_file(const struct mon_pmu *pmu, const char *file);

/* ---- events of a PMU ---- */

struct mon_event;

MON_API size_t mon_pmu_get_event_count(const struct mon_pmu *pmu);
/* In alphabetical order; NULL if index is not below the count. */
MON_API const struct mon_event *mon_pmu_get_event(const struct mon_pmu *pmu, size_t index);
/* ENOENT if there is none of that name. */
MON_API const struct mon_event *mon_pmu_find_event(const struct mon_pmu *pmu, const char *name);
MON_API const char *mon_event_get_name(const struct mon_event *event);
/* Unit of value * scale, for example "flits"; "" if the event has none. */
MON_API const char *mon_event_get_unit(const struct mon_event *event);
MON_API double mon_event_get_scale(const struct mon_event *event);
/* One sentence from the event catalogue; "" if the catalogue does not have the event. */
MON_API const char *mon_event_get_description(const struct mon_event *event);
/* Where it counts, for example "mem slm" (kinds of tiles); "" if that has no meaning for the PMU. */
MON_API const char *mon_event_get_where(const struct mon_event *event);
/* Value for perf_event_attr.config. */
MON_API uint64_t mon_event_get_config(const struct mon_event *event);

/* ---- groups ---- */

struct mon_group;

/* Times for which a group was enabled and for which it really counted, nanoseconds. */
struct mon_times {
	uint64_t enabled;
	uint64_t running;
};

/*
 * Most events of one group: the kernel reads at most 16 KiB at a time, which is 2048 words: the number
 * of events, two times and these.
 */
#define MON_GROUP_MAX 2045

MON_API struct mon_group *mon_group_new(void);
/* Closes it, too. NULL is allowed. */
MON_API void mon_group_free(struct mon_group *group);
/*
 * Adds an event in perf's notation: "espmon/ddr_accesses/", "espmon/dma_reqs,bytile,tile=2/",
 * "espmon/event=5/", "espmon/config=0x5/". Returns its index: 0 for the first. ENODEV: no such PMU;
 * ENOENT: no such event; EINVAL: bad notation, bad value or another PMU than the first event's;
 * E2BIG: the group is full; EBUSY: the group is open.
 */
MON_API int mon_group_add(struct mon_group *group, const char *event);
/* Adds an event by its code, without a look at sysfs beyond pmu. */
MON_API int mon_group_add_config(struct mon_group *group, const struct mon_pmu *pmu,
				 uint64_t config);
/*
 * Opens all events, disabled, with values 0. The soft limit of open files is raised to the hard
 * limit if need be. EACCES: the user may not count on the whole system; EMFILE: too many files;
 * EINVAL: the driver refuses an event, which mon_error() names; EBADF: the group has no event.
 */
MON_API int mon_group_open(struct mon_group *group);
MON_API void mon_group_close(struct mon_group *group);
MON_API int mon_group_enable(struct mon_group *group);
MON_API int mon_group_disable(struct mon_group *group);
/* Values start again from 0; times go on. */
MON_API int mon_group_reset(struct mon_group *group);
MON_API size_t mon_group_get_count(const struct mon_group *group);
/* Name of an event as it was added (a code as "espmon/config=0x5/"). */
MON_API const char *mon_group_get_name(const struct mon_group *group, size_t index);
/* Catalogue entry of an event, NULL if it was added by code or by terms. */
MON_API const struct mon_event *mon_group_get_event(const struct mon_group *group, size_t index);
/*
 * Raw counts of all events in the order in which they were added, in one system call. times may be
 * NULL. ENODEV: the device went away.
 */
MON_API int mon_group_read(struct mon_group *group, uint64_t *values, struct mon_times *times);
/*
 * One event's raw count. Without a system call where the driver offers it, else by read(2).
 * It does not belong to the same instant as another call's.
 */
MON_API int mon_group_read_one(struct mon_group *group, size_t index, uint64_t *value);
/*
 * An estimate for the whole enabled time from a raw count, for groups that had to share the
 * hardware: value * enabled / running; 0 if the group never ran.
 */
MON_API double mon_scale(uint64_t value, const struct mon_times *times);

#ifdef __cplusplus
}
#endif
#endif
