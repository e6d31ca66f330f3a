// SPDX-License-Identifier: LGPL-2.1-or-later
/* PMUs from sysfs, one by one and as lists. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libmon/internal.h"

static struct mon_pmu *shared;
static pthread_mutex_t shared_lock = PTHREAD_MUTEX_INITIALIZER;

struct mon_pmus {
	struct mon_pmu **pmu;
	size_t count;
};

static bool read_number(struct mon_pmu *pmu, const char *file, uint64_t *value)
{
	char *path = mon_format("%s/%s", pmu->path, file);
	char *text = path ? mon_read_text(path) : NULL;
	bool good = false;

	/* The first CPU of a list of CPUs. */
	if (text) {
		text[strcspn(text, ",-")] = '\0';
		good = mon_parse_u64(text, value);
	}
	free(text);
	free(path);
	return good;
}

/* Reads what does not depend on events and fields; false after a message. */
static bool pmu_identify(struct mon_pmu *pmu, const char *name)
{
	uint64_t type = 0, cpu = 0;
	struct stat st;

	pmu->name = strdup(name);
	pmu->kind = mon_pmu_split_name(name, &pmu->instance);
	pmu->path = mon_format("%s/bus/event_source/devices/%s", mon_sysfs_root, name);
	if (!pmu->name || !pmu->kind || !pmu->path) {
		mon_fail(ENOMEM, "%s: out of memory", name);
		return false;
	}
	if (!*name || strchr(name, '/') || stat(pmu->path, &st) ||
	    !read_number(pmu, "type", &type) || !read_number(pmu, "cpumask", &cpu)) {
		mon_pmu_missing(name);
		return false;
	}
	pmu->device = st.st_dev;
	pmu->inode = st.st_ino;
	pmu->type = type;
	pmu->cpu = cpu;
	return true;
}

/* An espmon has some 400 small files in sysfs, so use an object that is already there. */
static struct mon_pmu *find_shared(const struct mon_pmu *wanted)
{
	struct mon_pmu *pmu;

	for (pmu = shared; pmu; pmu = pmu->next)
		if (!strcmp(pmu->path, wanted->path) && pmu->device == wanted->device &&
		    pmu->inode == wanted->inode && pmu->type == wanted->type &&
		    pmu->cpu == wanted->cpu)
			return pmu;
	return NULL;
}

static bool pmu_read_all(struct mon_pmu *pmu)
{
	pmu->topology = mon_topology_find(pmu->kind);
	mon_places_read(pmu);
	if (!mon_fields_read(pmu) && !mon_events_read(pmu))
		return true;
	mon_fail(ENOMEM, "%s: out of memory", pmu->name);
	return false;
}

static void free_pmu(struct mon_pmu *pmu)
{
	mon_events_free(pmu);
	mon_fields_free(pmu);
	mon_places_free(pmu);
	free(pmu->path);
	free(pmu->kind);
	free(pmu->name);
	free(pmu);
}

struct mon_pmu *mon_pmu_new(const char *name)
{
	struct mon_pmu *pmu = calloc(1, sizeof(*pmu)), *found;

	if (!pmu) {
		mon_fail(ENOMEM, "%s: out of memory", name);
		return NULL;
	}
	if (!pmu_identify(pmu, name)) {
		free_pmu(pmu);
		return NULL;
	}
	pthread_mutex_lock(&shared_lock);
	found = find_shared(pmu);
	if (!found && pmu_read_all(pmu)) {
		found = pmu;
		found->next = shared;
		shared = found;
	}
	if (found)
		found->users++;
	pthread_mutex_unlock(&shared_lock);
	if (found != pmu)
		free_pmu(pmu);
	return found;
}

void mon_pmu_free(struct mon_pmu *pmu)
{
	struct mon_pmu **link;
	bool last;

	if (!pmu)
		return;
	pthread_mutex_lock(&shared_lock);
	last = !--pmu->users;
	for (link = &shared; last && *link; link = &(*link)->next) {
		if (*link == pmu) {
			*link = pmu->next;
			break;
		}
	}
	pthread_mutex_unlock(&shared_lock);
	if (last)
		free_pmu(pmu);
}

static int compare_pmus(const void *a, const void *b)
{
	const struct mon_pmu *x = *(struct mon_pmu *const *)a, *y = *(struct mon_pmu *const *)b;
	int order = strcmp(x->kind, y->kind);

	return order ? order : (x->instance > y->instance) - (x->instance < y->instance);
}

static bool is_of_kind(const char *name, const char *kind)
{
	unsigned int instance;
	char *own = mon_pmu_split_name(name, &instance);
	bool is = own && !strcmp(own, kind);

	free(own);
	return is;
}

/* kind: NULL for all kinds. */
static struct mon_pmus *list_pmus(const char *kind)
{
	char *dir = mon_format("%s/bus/event_source/devices", mon_sysfs_root);
	struct mon_pmus *pmus = calloc(1, sizeof(*pmus));
	char **names = NULL;
	size_t count = 0, i;

	if (!dir || !pmus || mon_list_dir(dir, &names, &count)) {
		mon_fail(errno, "%s: %s", dir ? dir : "PMUs", strerror(errno));
		free(pmus);
		free(dir);
		return NULL;
	}
	pmus->pmu = calloc(count + 1, sizeof(*pmus->pmu));
	for (i = 0; pmus->pmu && i < count; i++) {
		struct mon_pmu *pmu = NULL;

		if (!kind || is_of_kind(names[i], kind))
			pmu = mon_pmu_new(names[i]);
		if (pmu)
			pmus->pmu[pmus->count++] = pmu;
	}
	mon_names_free(names, count);
	free(dir);
	if (!pmus->pmu) {
		free(pmus);
		mon_fail(ENOMEM, "PMUs: out of memory");
		return NULL;
	}
	qsort(pmus->pmu, pmus->count, sizeof(*pmus->pmu), compare_pmus);
	return pmus;
}

struct mon_pmus *mon_pmus_new(void)
{
	return list_pmus(NULL);
}

struct mon_pmus *mon_pmus_new_of(const char *kind)
{
	return list_pmus(kind);
}

void mon_pmus_free(struct mon_pmus *pmus)
{
	if (!pmus)
		return;
	while (pmus->count)
		mon_pmu_free(pmus->pmu[--pmus->count]);
	free(pmus->pmu);
	free(pmus);
}

size_t mon_pmus_get_count(const struct mon_pmus *pmus)
{
	return pmus->count;
}

const struct mon_pmu *mon_pmus_get(const struct mon_pmus *pmus, size_t index)
{
	return index < pmus->count ? pmus->pmu[index] : NULL;
}

const char *mon_pmu_get_name(const struct mon_pmu *pmu)
{
	return pmu->name;
}

const char *mon_pmu_get_kind(const struct mon_pmu *pmu)
{
	return pmu->kind;
}

unsigned int mon_pmu_get_instance(const struct mon_pmu *pmu)
{
	return pmu->instance;
}

uint32_t mon_pmu_get_type(const struct mon_pmu *pmu)
{
	return pmu->type;
}

int mon_pmu_get_cpu(const struct mon_pmu *pmu)
{
	return pmu->cpu;
}

char *mon_pmu_read_file(const struct mon_pmu *pmu, const char *file)
{
	char *path = mon_format("%s/%s", pmu->path, file);
	char *text = path ? mon_read_text(path) : NULL;

	if (!text)
		mon_fail(errno, "%s: %s: %s", pmu->name, file, strerror(errno));
	free(path);
	return text;
}
