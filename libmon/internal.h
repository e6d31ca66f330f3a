/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of libmon share. */
#ifndef LIBMON_INTERNAL_H
#define LIBMON_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "libmon/include/mon.h"
#include "libmon/text.h"

/* Roots of the file systems that the library reads; unit tests set them to folders of their own. */
extern const char *mon_sysfs_root;	/* "/sys" */
extern const char *mon_procfs_root;	/* "/proc" */

struct mon_config {
	uint64_t word[3];		/* config, config1, config2 of perf_event_attr */
};

struct mon_bits {
	unsigned int first, last;
};

struct mon_field {
	char *name;
	char *text;			/* as in sysfs: "config:8-15" */
	unsigned int word;
	struct mon_bits bits[4];
	size_t nbits;
	uint64_t max;
};

struct mon_place {
	unsigned int number;
	int row, column;
	char *kind, *name, *device, *terms;
	char *feature;			/* another feature that the kernel reports: "l2" or "" */
};

struct mon_event {
	char *name;
	char *unit;
	double scale;
	const char *description;
	char *where;
	struct mon_config config;
};

/* Never changes; all users of one PMU share one object. */
struct mon_pmu {
	struct mon_pmu *next;		/* list of the objects in use */
	unsigned int users;
	dev_t device;			/* of its folder in sysfs; the device has another one after removal and return */
	ino_t inode;
	char *name, *kind;
	unsigned int instance;
	char *path;
	uint32_t type;
	int cpu;
	const struct mon_topology *topology;	/* NULL: it has no places */
	struct mon_field *fields;
	size_t nfields;
	struct mon_place *places;
	size_t nplaces;
	struct mon_event *events;
	size_t nevents;
};

/* systems.c: tables made from events/. */
struct mon_system {
	const char *pmu;		/* name of the first instance, and of the module */
	const char *description;
	unsigned int pci_vendor, pci_device;
};

/* How a PMU names the places in which its events count (MON_TOPOLOGY in events/event.h). */
struct mon_topology {
	const char *pmu, *noun, *field, *select;
	unsigned int first;
	const char *file;
};

struct mon_catalogue_entry {
	const char *pmu, *name;
	uint64_t config;
	const char *unit, *description;
	unsigned int places;
};

/* pmu is the kind in all of these. NULL: not a PMU of this project; it has no places; no such event. */
const struct mon_system *mon_system_find(const char *pmu);
const struct mon_topology *mon_topology_find(const char *pmu);
/* If several events have the name, config selects one. */
const struct mon_catalogue_entry *mon_catalogue_find(const char *pmu, const char *name,
						     uint64_t config);
/* The places of an entry as text, to be freed. */
char *mon_catalogue_where(const struct mon_catalogue_entry *entry);

/* sysfs.c */
/* Splits "espmon_12" into "espmon" and 12. Free the kind; NULL: out of memory. */
char *mon_pmu_split_name(const char *name, unsigned int *instance);
/*
 * The sorted names in one of the PMU's folders, and the folder's path; free them with mon_names_free() and free().
 * No names if there is no such folder. -1: out of memory, or it cannot be read.
 */
int mon_pmu_list(const struct mon_pmu *pmu, const char *folder, char **dir, char ***names,
		 size_t *count);
/* missing.c: sets errno to ENODEV and a message that says why there is no such PMU. */
int mon_pmu_missing(const char *name);

/* place.c: a PMU without a topology file, or with one that is not understood, has no places. */
void mon_places_read(struct mon_pmu *pmu);
void mon_places_free(struct mon_pmu *pmu);

/* field.c */
int mon_fields_read(struct mon_pmu *pmu);
void mon_fields_free(struct mon_pmu *pmu);
/*
 * Parses "event=0x5,bytile". context is the prefix of messages; *event, unless event is NULL, is
 * the event that a term names.
 */
int mon_pmu_parse_terms(const struct mon_pmu *pmu, const char *terms, const char *context,
			struct mon_config *config, const struct mon_event **event);
/* EINVAL and a message if config names a place that the device does not have. */
int mon_pmu_check_place(const struct mon_pmu *pmu, const struct mon_config *config,
			const char *context);

/* event-read.c */
int mon_events_read(struct mon_pmu *pmu);
void mon_events_free(struct mon_pmu *pmu);

/* perf.c */
struct mon_perf;

struct mon_perf *mon_perf_new(uint32_t type, int cpu);
void mon_perf_free(struct mon_perf *perf);
/* Opens one more event of the group, disabled; the first is the leader. Returns -errno. */
int mon_perf_add(struct mon_perf *perf, const struct mon_config *config);
int mon_perf_fd(const struct mon_perf *perf, size_t index);
int mon_perf_enable(struct mon_perf *perf);
int mon_perf_disable(struct mon_perf *perf);
int mon_perf_reset(struct mon_perf *perf);
/* True since Linux 6.16 when the PMU is gone: read(2) still gives the last counts. */
bool mon_perf_is_gone(const struct mon_perf *perf);

/* limits.c: raises the soft limit of open files to the hard limit; true if that changed anything. */
bool mon_raise_nofile(void);
unsigned long mon_nofile(void);

#endif
