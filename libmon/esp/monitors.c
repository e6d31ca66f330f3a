// SPDX-License-Identifier: LGPL-2.1-or-later
/* esp_monitor() for single monitors; sets.c has the sets. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/esp/monitors.h"
#include "libmon/esp/report.h"
#include "libmon/esp/sets.h"

/*
 * Everything that is open. Readers find an open counter without a lock; only opening takes it.
 * esp_monitor_free() must be the last call, so what it frees is not read.
 */
struct monitors {
	struct mon_esp_soc *soc;
	struct mon_esp_sets *sets;
	_Atomic(struct mon_group *) single[ESP_MAX_TILES][ESP_NMON];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct monitors *) monitors;

/* Call with the lock held. */
static struct monitors *monitors_new(void)
{
	struct monitors *m = calloc(1, sizeof(*m));

	if (!m) {
		mon_fail(ENOMEM, "esp_monitor: out of memory");
		return NULL;
	}
	m->soc = mon_esp_soc_new();
	m->sets = m->soc ? mon_esp_sets_new(m->soc) : NULL;
	if (!m->sets) {
		mon_esp_soc_free(m->soc);
		free(m);
		return NULL;
	}
	atomic_store_explicit(&monitors, m, memory_order_release);
	return m;
}

static struct monitors *get_monitors(void)
{
	struct monitors *m = atomic_load_explicit(&monitors, memory_order_acquire);

	if (m)
		return m;
	pthread_mutex_lock(&lock);
	m = atomic_load_explicit(&monitors, memory_order_relaxed);
	if (!m)
		m = monitors_new();
	pthread_mutex_unlock(&lock);
	return m;
}

/* Read one half of a 64-bit pair as the whole pair, so that both halves are from one instant. */
static unsigned int event_of(unsigned int monitor)
{
	switch (monitor) {
	case ESP_MON_ACC_MEM_LO:
	case ESP_MON_ACC_MEM_HI:
		return ESPMON_acc_mem_cycles;
	case ESP_MON_ACC_TOT_LO:
	case ESP_MON_ACC_TOT_HI:
		return ESPMON_acc_tot_cycles;
	default:
		return monitor;
	}
}

static struct mon_group *open_single(struct monitors *m, unsigned int tile, unsigned int monitor)
{
	struct mon_group *group;

	pthread_mutex_lock(&lock);
	group = atomic_load_explicit(&m->single[tile][monitor], memory_order_relaxed);
	if (!group) {
		group = mon_group_new();
		if (group && (mon_group_add_config(group, m->soc->pmu,
						   espmon_bytile(event_of(monitor), tile)) < 0 ||
			      mon_group_open(group) || mon_group_enable(group))) {
			mon_group_free(group);
			group = NULL;
		}
		atomic_store_explicit(&m->single[tile][monitor], group, memory_order_release);
	}
	pthread_mutex_unlock(&lock);
	return group;
}

static int read_single(struct monitors *m, unsigned int tile, unsigned int monitor,
		       unsigned int *value)
{
	struct mon_group *group;
	uint64_t count;

	if (tile >= m->soc->ntiles)
		return mon_fail(EINVAL, "esp_monitor: tile_index %u: the SoC has %u tiles", tile,
				m->soc->ntiles);
	if (monitor >= ESP_NMON)
		return mon_fail(EINVAL, "esp_monitor: mon_index %u: a tile has monitors 0 to %u",
				monitor, ESP_NMON - 1);
	group = atomic_load_explicit(&m->single[tile][monitor], memory_order_acquire);
	if (!group)
		group = open_single(m, tile, monitor);
	if (!group || mon_group_read(group, &count, 1, NULL))
		return -1;
	if (monitor == ESP_MON_ACC_MEM_HI || monitor == ESP_MON_ACC_TOT_HI)
		count >>= 32;
	*value = count;
	return 0;
}

/* SINGLE: the monitor in *value; ALL and MANY: the sets in vals. 0, or -1. */
static int read_monitors(const struct libmon_esp_dims *dims, const esp_monitor_args_t *args,
			 unsigned int *vals, unsigned int *value)
{
	struct monitors *m = get_monitors();
	struct mon_esp_layout layout;

	if (args->read_mode != ESP_MON_READ_SINGLE) {
		if (!vals)
			return mon_fail(EFAULT, "esp_monitor: vals is NULL: ALL and MANY write to it");
		mon_esp_layout(dims, &layout);
		memset(vals, 0, layout.words * sizeof(*vals));
	}
	if (!m || mon_esp_soc_match(m->soc, dims))
		return -1;
	if (args->read_mode == ESP_MON_READ_SINGLE)
		return read_single(m, args->tile_index, args->mon_index, value);
	return mon_esp_sets_read(m->sets, args, vals);
}

unsigned int libmon_esp_monitor(const struct libmon_esp_dims *dims, const esp_monitor_args_t *args,
				unsigned int *vals)
{
	unsigned int value = 0;
	int error = errno;

	if (read_monitors(dims, args, vals, &value)) {
		mon_esp_report();
		return -1;
	}
	/* if the value is -1, errno tells callers that this is no failure */
	errno = error;
	return value;
}

/* Structures from esp_monitor_vals_alloc(). */
struct vals {
	struct vals *next;
	unsigned int words[];
};

static struct vals *all_vals;

void *libmon_esp_vals_alloc(size_t size)
{
	struct vals *vals = calloc(1, sizeof(*vals) + size);

	if (!vals) {
		mon_fail(ENOMEM, "esp_monitor_vals_alloc: out of memory");
		mon_esp_report();
		return NULL;
	}
	pthread_mutex_lock(&lock);
	vals->next = all_vals;
	all_vals = vals;
	pthread_mutex_unlock(&lock);
	return vals->words;
}

void libmon_esp_free(void)
{
	struct monitors *m;
	unsigned int t, i;

	pthread_mutex_lock(&lock);
	m = atomic_exchange(&monitors, NULL);
	while (all_vals) {
		struct vals *next = all_vals->next;

		free(all_vals);
		all_vals = next;
	}
	pthread_mutex_unlock(&lock);
	if (!m)
		return;
	for (t = 0; t < m->soc->ntiles; t++)
		for (i = 0; i < ESP_NMON; i++)
			mon_group_free(m->single[t][i]);
	mon_esp_sets_free(m->sets);
	mon_esp_soc_free(m->soc);
	free(m);
}
