/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mon.h - counters of uncore PMUs by name.
 *
 * A PMU is a folder of /sys/bus/event_source/devices that has a file cpumask: espmon, mrfld_visa, upmem, hexagon,
 * and any other of the kernel's system PMUs. One PMU is one device; a second device of the same kind has a PMU of
 * its own (espmon_1). A group is a set of events of one PMU that count together and are read together, in one
 * system call. As far as the hardware allows, its values are from one instant; the PMU's man page has the limits.
 *
 * Errors, of all functions of this file and of the libraries and headers that use it:
 *   - a function that returns int returns 0 or a number >= 0, or -1 with errno set;
 *   - a function that returns a pointer to an object returns NULL with errno set;
 *   - mon_error() then has a sentence for the user that names the thing, the reason and the remedy.
 * The get functions of one value cannot fail; their comments say what an index out of range gives. Where a vendor's
 * API prescribes another return value (esp_monitor(), dpu_error_t) errno and mon_error() are set in addition. The
 * library never prints and never ends the program.
 *
 * A returned string belongs to the object that you got it from, unless free() is mentioned.
 *
 * Threads. Different objects may be used by different threads at any time. A struct mon_pmu never changes. Several
 * threads may call the read and get functions of one struct mon_group at a time; no other function may run
 * concurrently on the same group.
 */
#ifndef MON_H
#define MON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MON_API __attribute__((visibility("default")))

/* Version of the loaded library, for example "0.2.0". */
MON_API const char *mon_version(void);
/* Message of the last failed call of this thread; "" if none has failed yet. */
MON_API const char *mon_error(void);
/**
 * Sets errno and the message of mon_error(), for libraries on top of this one.
 * @param error The value for errno.
 * @param format The message, as for printf(3).
 * @return -1.
 */
MON_API int mon_fail(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- PMUs ---- */

struct mon_pmu;
struct mon_pmus;

/**
 * Lists all PMUs of the system, sorted by name; instances of a kind by number.
 * @return The list, which may be empty; NULL with errno. Free it with mon_pmus_free().
 */
MON_API struct mon_pmus *mon_pmus_new(void);
/**
 * Lists the instances of a kind.
 * @param kind Name without a number: "espmon" gives espmon, espmon_1 and so on.
 * @return The list, which may be empty; NULL with errno. Free it with mon_pmus_free().
 */
MON_API struct mon_pmus *mon_pmus_new_of(const char *kind);
MON_API void mon_pmus_free(struct mon_pmus *pmus);
MON_API size_t mon_pmus_get_count(const struct mon_pmus *pmus);
/**
 * @param pmus The list.
 * @param index From 0 to mon_pmus_get_count() - 1.
 * @return The PMU, which belongs to the list; NULL if there is no such index.
 */
MON_API const struct mon_pmu *mon_pmus_get(const struct mon_pmus *pmus, size_t index);

/**
 * Finds one PMU.
 * @param name Its folder in /sys/bus/event_source/devices, for example "espmon".
 * @return The PMU; NULL with errno. Free it with mon_pmu_free().
 * @error ENODEV It does not exist; mon_error() says whether the module or the device is missing.
 */
MON_API struct mon_pmu *mon_pmu_new(const char *name);
MON_API void mon_pmu_free(struct mon_pmu *pmu);
MON_API const char *mon_pmu_get_name(const struct mon_pmu *pmu);
/* The name without the number of the instance: "espmon" of espmon_1. */
MON_API const char *mon_pmu_get_kind(const struct mon_pmu *pmu);
/* 0 for espmon, 1 for espmon_1. */
MON_API unsigned int mon_pmu_get_instance(const struct mon_pmu *pmu);
/* Value for perf_event_attr.type. */
MON_API uint32_t mon_pmu_get_type(const struct mon_pmu *pmu);
/* The CPU on which its events are opened: the first of cpumask. */
MON_API int mon_pmu_get_cpu(const struct mon_pmu *pmu);
/**
 * Reads a file of the PMU's folder in sysfs.
 * @param pmu The PMU.
 * @param file Path below the folder, for example "caps/layout".
 * @return The text without the newline at its end, to be freed with free(); NULL with errno.
 */
MON_API char *mon_pmu_read_file(const struct mon_pmu *pmu, const char *file);

/* ---- places: where the events of a PMU count ---- */

/*
 * A place is a tile of an ESP SoC, a DPU of an UPMEM rank or a hardware thread of a Hexagon core.
 * An event counts in all places, or in one that the event's terms name. Other PMUs have no places.
 */
struct mon_place;

/* "tile", "dpu", "thread"; "" for a PMU without places. */
MON_API const char *mon_pmu_get_place_noun(const struct mon_pmu *pmu);
MON_API size_t mon_pmu_get_place_count(const struct mon_pmu *pmu);
/**
 * @param pmu The PMU.
 * @param index From 0 to mon_pmu_get_place_count() - 1, in the order of the places' numbers.
 * @return The place, which belongs to the PMU; NULL if there is no such index.
 */
MON_API const struct mon_place *mon_pmu_get_place(const struct mon_pmu *pmu, size_t index);
/* The place's number, from 0, as users know it ("tile 0"). */
MON_API unsigned int mon_place_get_number(const struct mon_place *place);
/* Kind of a tile: empty, cpu, io, mem, slm or acc. For other places: the noun. */
MON_API const char *mon_place_get_kind(const struct mon_place *place);
/* Accelerator in the tile: "fft_stratus"; "" elsewhere. */
MON_API const char *mon_place_get_name(const struct mon_place *place);
/* Its file in /dev: "fft_stratus.0"; "" if it has none of its own. */
MON_API const char *mon_place_get_device(const struct mon_place *place);
/* Position in the grid, from 0; -1 if there is no grid. */
MON_API int mon_place_get_row(const struct mon_place *place);
MON_API int mon_place_get_column(const struct mon_place *place);
/*
 * Terms that make an event count in this place only: "bytile,tile=2" as in
 * "espmon/dma_reqs,bytile,tile=2/".
 */
MON_API const char *mon_place_get_terms(const struct mon_place *place);

/* ---- format fields: the terms of a PMU ---- */

struct mon_field;

MON_API size_t mon_pmu_get_field_count(const struct mon_pmu *pmu);
/**
 * @param pmu The PMU.
 * @param index From 0 to mon_pmu_get_field_count() - 1, in alphabetical order.
 * @return The field, which belongs to the PMU; NULL if there is no such index.
 */
MON_API const struct mon_field *mon_pmu_get_field(const struct mon_pmu *pmu, size_t index);
/**
 * @param pmu The PMU.
 * @param name Name of a field, for example "tile".
 * @return The field, which belongs to the PMU; NULL with errno.
 * @error ENOENT The PMU has no field of that name.
 */
MON_API const struct mon_field *mon_pmu_find_field(const struct mon_pmu *pmu, const char *name);
/* For example "tile". */
MON_API const char *mon_field_get_name(const struct mon_field *field);
/* Its bits, as in sysfs: "config:8-15". */
MON_API const char *mon_field_get_bits(const struct mon_field *field);
/**
 * @param field The field.
 * @return The largest value. For a field that takes a place's number it is this device's last place; for other fields
 *         what the bits can hold. The smallest value is 0.
 */
MON_API uint64_t mon_field_get_max(const struct mon_field *field);

/* ---- events of a PMU ---- */

struct mon_event;

MON_API size_t mon_pmu_get_event_count(const struct mon_pmu *pmu);
/**
 * @param pmu The PMU.
 * @param index From 0 to mon_pmu_get_event_count() - 1, in alphabetical order.
 * @return The event, which belongs to the PMU; NULL if there is no such index.
 */
MON_API const struct mon_event *mon_pmu_get_event(const struct mon_pmu *pmu, size_t index);
/**
 * @param pmu The PMU.
 * @param name Name of an event, for example "ddr_accesses".
 * @return The event, which belongs to the PMU; NULL with errno.
 * @error ENOENT The PMU has no event of that name.
 */
MON_API const struct mon_event *mon_pmu_find_event(const struct mon_pmu *pmu, const char *name);
MON_API const char *mon_event_get_name(const struct mon_event *event);
/* Unit of value * scale, for example "flits"; "" if the event has none. */
MON_API const char *mon_event_get_unit(const struct mon_event *event);
MON_API double mon_event_get_scale(const struct mon_event *event);
/* Description from the event catalogue; "" if the catalogue does not have the event. */
MON_API const char *mon_event_get_description(const struct mon_event *event);
/*
 * Kinds of places where it counts, separated by spaces ("mem slm"; "acc+l2" is an accelerator with a private L2
 * cache); for mrfld_visa the event group. "" if the catalogue does not have the event.
 */
MON_API const char *mon_event_get_where(const struct mon_event *event);
/**
 * @param event The event.
 * @param place A place of the same PMU.
 * @return 1 if the event counts there, 0 if it always reads 0 there.
 */
MON_API int mon_event_counts_in(const struct mon_event *event, const struct mon_place *place);
/**
 * @param event The event.
 * @param word 0 for perf_event_attr.config, 1 for config1, 2 for config2.
 * @return Its value.
 */
MON_API uint64_t mon_event_get_config(const struct mon_event *event, unsigned int word);

/* ---- groups ---- */

struct mon_group;

/* Times for which a group was enabled and for which it counted, in nanoseconds. */
struct mon_times {
	uint64_t enabled;
	uint64_t running;
};

/*
 * Largest number of events in a group. The kernel reads at most 16 KiB at a time, which is 2048 words: the number
 * of events, two times and the values.
 */
#define MON_GROUP_MAX 2045

/**
 * @return An empty group; NULL with errno. Free it with mon_group_free().
 */
MON_API struct mon_group *mon_group_new(void);
/* Closes the group, too. NULL is allowed. */
MON_API void mon_group_free(struct mon_group *group);
/**
 * Adds an event. If the group is open, the event is opened, too. An event that is refused leaves the group as it was.
 * @param group The group.
 * @param event In perf's notation: "espmon/ddr_accesses/", "espmon/dma_reqs,bytile,tile=2/", "espmon/event=5/",
 *              "espmon/config=0x5/".
 * @return The event's index, 0 for the first; -1 with errno.
 * @error ENODEV There is no such PMU.
 * @error ENOENT There is no such event.
 * @error EINVAL Bad notation, bad value, or another PMU than the first event's; in an open group also: the hardware
 *        cannot count it together with the others.
 * @error E2BIG The group is full: MON_GROUP_MAX.
 * @error ENOSPC In an open group: the hardware cannot count it together with the others. Also the errors of
 *        mon_group_open().
 */
MON_API int mon_group_add(struct mon_group *group, const char *event);
/**
 * Adds an event by its code, without reading sysfs for it.
 * @param group The group.
 * @param pmu The PMU of all events of the group.
 * @param config The value of perf_event_attr.config.
 * @return The event's index; -1 with errno, as mon_group_add().
 */
MON_API int mon_group_add_config(struct mon_group *group, const struct mon_pmu *pmu,
				 uint64_t config);
/**
 * Opens all events, disabled, with values 0. Raises the soft limit of open files to the hard limit if need be.
 * @param group A group with at least one event.
 * @return 0; -1 with errno.
 * @error EACCES The user may not count on the whole system.
 * @error EMFILE Too many open files.
 * @error EINVAL The driver refuses an event, which mon_error() names.
 * @error EBADF The group has no event.
 */
MON_API int mon_group_open(struct mon_group *group);
MON_API void mon_group_close(struct mon_group *group);
MON_API int mon_group_enable(struct mon_group *group);
MON_API int mon_group_disable(struct mon_group *group);
/* Values start again from 0; the times continue. */
MON_API int mon_group_reset(struct mon_group *group);
MON_API size_t mon_group_get_count(const struct mon_group *group);
/* The PMU of the group's events; NULL if the group is empty. */
MON_API const struct mon_pmu *mon_group_get_pmu(const struct mon_group *group);
/**
 * @param group The group.
 * @param index Of an event.
 * @return Its name as it was added, "espmon/config=0x5/" if by code; NULL if there is no such index.
 */
MON_API const char *mon_group_get_name(const struct mon_group *group, size_t index);
/**
 * @param group The group.
 * @param index Of an event.
 * @return Its entry of the catalogue; NULL if it was added by code or by terms, or if there is no such index.
 */
MON_API const struct mon_event *mon_group_get_event(const struct mon_group *group, size_t index);
/**
 * @param group The group.
 * @param index Of an event.
 * @param word 0 for perf_event_attr.config, 1 for config1, 2 for config2, with the event's terms.
 * @return Its value; 0 if there is no such index or word.
 */
MON_API uint64_t mon_group_get_config(const struct mon_group *group, size_t index, unsigned int word);
/**
 * @param group An open group.
 * @param index Of an event; 0 is the leader.
 * @return The file descriptor of the perf event; -1 with errno. It belongs to the group: you may read, poll and map it,
 *         but not close it.
 * @error EBADF The group is closed.
 * @error EINVAL There is no such index.
 */
MON_API int mon_group_get_fd(const struct mon_group *group, size_t index);
/**
 * Reads the raw counts of all events, in the order in which they were added, in one system call.
 * @param group An open group.
 * @param values Gets the counts; as before on failure.
 * @param nvalues Number of elements of values, at least mon_group_get_count().
 * @param times Gets the times for which the group was enabled and counted, or NULL; as before on failure.
 * @return 0; -1 with errno.
 * @error EINVAL values is too short.
 * @error EIO The device did not answer, or counts have been lost since the last reading; the next reading counts on.
 * @error ENODEV The device is away; since Linux 6.16 told from the second reading after that on.
 */
MON_API int mon_group_read(struct mon_group *group, uint64_t *values, size_t nvalues,
			   struct mon_times *times);
/**
 * Scales a raw count to the whole enabled time, for a group that shared the hardware with others.
 * @param value The raw count.
 * @param times The times that were read with it.
 * @return value * enabled / running; 0 if the group never ran.
 */
MON_API double mon_scale(uint64_t value, const struct mon_times *times);

/* ---- phases ---- */

/**
 * Names the phase that the program is in from now on, for monctl record. A phase lasts until the next mark of the
 * process, from any thread, or until its end. Without a recorder it does nothing; with one it takes less than 2 us.
 * It cannot fail; errno stays as it is.
 * @param phase At most 63 bytes of it are kept; "" or NULL: no phase.
 */
MON_API void mon_mark(const char *phase);
/**
 * The same for another process, as monctl mark does for a shell.
 * @param pid Its process number.
 * @param program Its name.
 * @param phase As for mon_mark().
 */
MON_API void mon_mark_of(uint32_t pid, const char *program, const char *phase);
/**
 * Tells that the program has copied data to or from a device. monctl stat and monctl record compare the sum with the time of
 * the device's kernels; libmon-dpu tells its copies.
 * @param ns Nanoseconds, of the same time as the device's clock; 0 tells nothing.
 * @return 1: somebody listens; 0: nobody does.
 */
MON_API int mon_mark_transfer(uint64_t ns);

#ifdef __cplusplus
}
#endif
#endif
