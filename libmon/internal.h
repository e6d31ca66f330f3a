/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of libmon share and nobody else sees. */
#ifndef LIBMON_INTERNAL_H
#define LIBMON_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libmon/include/mon.h"

#define MON_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Roots of the file systems that the library reads; unit tests point them to trees of their own. */
extern const char *mon_sysfs_root;	/* "/sys" */
extern const char *mon_procfs_root;	/* "/proc" */

/* error.c: sets errno and the sentence of mon_error(). Always returns -1. */
__attribute__((format(printf, 2, 3))) int mon_fail(int error, const char *format, ...);

/* sysfs.c */
/* Contents of a small file without trailing white space, to be freed; NULL with errno. */
char *mon_read_text(const char *path);
__attribute__((format(printf, 1, 2))) char *mon_format(const char *format, ...);
bool mon_is_dir(const char *path);
/* Sorted names of a folder's entries without . and .., to be freed with mon_names_free(). */
int mon_list_dir(const char *path, char ***names, size_t *count);
void mon_names_free(char **names, size_t count);
/* Number with nothing after it, decimal or 0x; false otherwise. */
bool mon_parse_u64(const char *text, uint64_t *value);

/* pmu.c */
struct mon_format_range {
	unsigned int word;		/* 0 config, 1 config1, 2 config2 */
	unsigned int first, last;	/* bits */
};

struct mon_format {
	char *name;
	struct mon_format_range range[4];
	size_t nranges;
};

struct mon_config {
	uint64_t word[3];
};

struct mon_event {
	char *name;
	char *unit;
	double scale;
	const char *description;
	char *where;
	struct mon_config config;
};

struct mon_pmu {
	char *name;
	char *path;
	uint32_t type;
	int cpu;
	struct mon_format *formats;
	size_t nformats;
	struct mon_event *events;
	size_t nevents;
};

/* "event=0x5,bytile" -> config. context stands in front of messages; event, if not NULL, is set to
 * the event that a term names.
 */
int mon_pmu_parse_terms(const struct mon_pmu *pmu, const char *terms, const char *context,
			struct mon_config *config, const struct mon_event **event);
/* Why a PMU is not there: sets errno to ENODEV and the sentence. */
int mon_pmu_missing(const char *name);

/* catalogue.c: description, unit and places of an event of one of this project's PMUs. */
struct mon_catalogue_entry {
	const char *unit, *description;
	char where[256];
};

bool mon_catalogue_find(const char *pmu, const char *name, uint64_t config,
			struct mon_catalogue_entry *entry);

/* perf.c: the only file that knows libperf. */
struct mon_perf;

struct mon_perf *mon_perf_new(uint32_t type, int cpu);
void mon_perf_free(struct mon_perf *perf);
/* Opens one more event of the group, disabled; the first is the leader. -errno of the kernel. */
int mon_perf_add(struct mon_perf *perf, const struct mon_config *config);
int mon_perf_fd(const struct mon_perf *perf, size_t index);
/* perf's control page of an event, mapped when first asked for; NULL if that is not possible. */
const void *mon_perf_page(struct mon_perf *perf, size_t index);
int mon_perf_enable(struct mon_perf *perf);
int mon_perf_disable(struct mon_perf *perf);
int mon_perf_reset(struct mon_perf *perf);

/* live.c: reading one event without a system call. */
struct mon_live;

extern const char *mon_dev_root;	/* "/dev" */

/* NULL if that is not possible for the event. */
struct mon_live *mon_live_new(const struct mon_pmu *pmu, const struct mon_config *config,
			      int event_fd, const void *page);
void mon_live_free(struct mon_live *live);
/* false: not now, ask the kernel. */
bool mon_live_read(const struct mon_live *live, uint64_t *count);

/* limits.c: raises the soft limit of open files as far as it goes; true if that gained anything. */
bool mon_raise_nofile(void);
unsigned long mon_nofile(void);

#endif
