// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sets of monitors that esp_monitor() reads together, in modes ALL and MANY.
 *
 * A set is opened when its arguments are used for the first time and stays open, so its values
 * always count from the same moment. A set is one or more perf groups. A tile is never split
 * between groups, because the driver reads all events of a tile in a group from one burst snapshot.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/esp/report.h"
#include "libmon/esp/sets.h"

#define ALL_SETS	((1u << (ESP_MON_READ_NOC_QUEUE_FULL_PLANE + 1)) - 1)
#define NO_TILE		UINT_MAX

/* The selection. Members that the mask does not use are NO_TILE, so that equal sets compare equal. */
struct key {
	bool all;
	unsigned int mask, tile, acc, plane;
};

/* An event and the word (a pair: the two words) of esp_monitor_vals_t that it fills. */
struct item {
	uint64_t config;
	unsigned int word;
	bool pair;
};

struct chunk {
	struct mon_group *group;
	size_t first, count;	/* items */
};

struct set {
	struct key key;
	struct item *items;
	size_t nitems;
	struct chunk *chunks;
	size_t nchunks;
	struct set *next;
};

struct mon_esp_sets {
	const struct mon_esp_soc *soc;
	struct mon_esp_layout layout;
	pthread_mutex_t lock;		/* held while a set is added */
	_Atomic(struct set *) first;
};

struct mon_esp_sets *mon_esp_sets_new(const struct mon_esp_soc *soc)
{
	struct mon_esp_sets *sets = calloc(1, sizeof(*sets));

	if (!sets) {
		mon_fail(ENOMEM, "esp_monitor: out of memory");
		return NULL;
	}
	sets->soc = soc;
	mon_esp_layout(&soc->dims, &sets->layout);
	pthread_mutex_init(&sets->lock, NULL);
	return sets;
}

static void set_free(struct set *set)
{
	while (set->nchunks)
		mon_group_free(set->chunks[--set->nchunks].group);
	free(set->chunks);
	free(set->items);
	free(set);
}

void mon_esp_sets_free(struct mon_esp_sets *sets)
{
	struct set *set, *next;

	if (!sets)
		return;
	for (set = sets->first; set; set = next) {
		next = set->next;
		set_free(set);
	}
	pthread_mutex_destroy(&sets->lock);
	free(sets);
}

static bool wants(const struct key *key, unsigned int bit)
{
	return key->mask & 1u << bit;
}

/* Instead of a count that is too low ALL leaves the member 0 and says so, and MANY fails. */
static int lacks_accesses(void)
{
	return mon_fail(EOPNOTSUPP, "esp_monitor: this SoC has no ddr_accesses: release 2026.1.0 counts written words alone, read ddr_writes with mon.h or perf");
}

static int make_key(const struct mon_esp_soc *soc, const esp_monitor_args_t *args, struct key *key)
{
	memset(key, 0, sizeof(*key));
	key->tile = NO_TILE;
	key->acc = NO_TILE;
	key->plane = NO_TILE;
	if (args->read_mode == ESP_MON_READ_ALL) {
		key->all = true;
		key->mask = ALL_SETS;
		if (!soc->has_accesses) {
			key->mask &= ~(1u << ESP_MON_READ_DDR_ACCESSES);
			lacks_accesses();
			mon_esp_report();
		}
		return 0;
	}
	if (args->read_mode != ESP_MON_READ_MANY)
		return mon_fail(EINVAL, "esp_monitor: read_mode %d: not ALL, SINGLE or MANY",
				(int)args->read_mode);
	key->mask = args->read_mask;
	if (key->mask & ~ALL_SETS)
		return mon_fail(EINVAL, "esp_monitor: read_mask %#x: has bits above %#x", key->mask,
				ALL_SETS);
	if (wants(key, ESP_MON_READ_DDR_ACCESSES) && !soc->has_accesses)
		return lacks_accesses();
	if (wants(key, ESP_MON_READ_ACC_STATS))
		key->acc = args->acc_index;
	if (wants(key, ESP_MON_READ_DVFS_OP) || wants(key, ESP_MON_READ_NOC_INJECTS) ||
	    wants(key, ESP_MON_READ_NOC_QUEUE_FULL_TILE))
		key->tile = args->tile_index;
	if (wants(key, ESP_MON_READ_NOC_QUEUE_FULL_PLANE))
		key->plane = args->noc_index;
	if (key->acc != NO_TILE && key->acc >= soc->dims.nacc)
		return mon_fail(EINVAL, "esp_monitor: acc_index %u: the SoC has %u accelerators",
				key->acc, soc->dims.nacc);
	if (key->tile != NO_TILE && key->tile >= soc->ntiles)
		return mon_fail(EINVAL, "esp_monitor: tile_index %u: the SoC has %u tiles",
				key->tile, soc->ntiles);
	if (key->plane != NO_TILE && key->plane >= NOC_PLANES)
		return mon_fail(EINVAL, "esp_monitor: noc_index %u: there are planes 0 to %u",
				key->plane, NOC_PLANES - 1);
	return 0;
}

/* The caller has made room for one more tile's items. */
static void sets_add(struct set *set, unsigned int tile, unsigned int event, unsigned int word)
{
	struct item *item = &set->items[set->nitems++];

	item->config = espmon_bytile(event, tile);
	item->word = word;
	item->pair = event == ESPMON_acc_mem_cycles || event == ESPMON_acc_tot_cycles;
}

static unsigned int number_of(const uint8_t *list, unsigned int tile)
{
	unsigned int i = 0;

	while (list[i] != tile)
		i++;
	return i;
}

static void add_mem(const struct mon_esp_sets *sets, struct set *set, unsigned int t)
{
	const struct mon_esp_layout *at = &sets->layout;
	unsigned int m = number_of(sets->soc->mem_tile, t), i;

	if (wants(&set->key, ESP_MON_READ_DDR_ACCESSES))
		sets_add(set, t, ESP_MON_DDR, at->ddr + m);
	if (wants(&set->key, ESP_MON_READ_MEM_REQS))
		for (i = 0; i < 8; i++)
			sets_add(set, t, ESP_MON_COH_REQ + i, at->mem + 8 * m + i);
	if (wants(&set->key, ESP_MON_READ_LLC_STATS)) {
		sets_add(set, t, ESP_MON_LLC_HIT, at->llc + 2 * m);
		sets_add(set, t, ESP_MON_LLC_MISS, at->llc + 2 * m + 1);
	}
}

static void add_acc(const struct mon_esp_sets *sets, struct set *set, unsigned int t)
{
	unsigned int k = number_of(sets->soc->acc_tile, t);
	unsigned int word = sets->layout.acc + 6 * k;

	if (!wants(&set->key, ESP_MON_READ_ACC_STATS) || (!set->key.all && set->key.acc != k))
		return;
	sets_add(set, t, ESP_MON_ACC_TLB, word);
	sets_add(set, t, ESPMON_acc_mem_cycles, word + 1);
	sets_add(set, t, ESPMON_acc_tot_cycles, word + 3);
	if (sets->soc->has_invocations)
		sets_add(set, t, ESP_MON_ACC_INVOCATIONS, word + 5);
}

static void add_queues(const struct mon_esp_sets *sets, struct set *set, unsigned int t)
{
	const struct key *key = &set->key;
	bool tile = key->all || (wants(key, ESP_MON_READ_NOC_QUEUE_FULL_TILE) && key->tile == t);
	unsigned int p, q;

	for (p = 0; p < NOC_PLANES; p++) {
		if (!tile && key->plane != p)
			continue;
		for (q = 0; q < NOC_QUEUES; q++)
			sets_add(set, t, ESP_MON_NOC_QUEUE(p, q),
				 sets->layout.queue + (t * NOC_PLANES + p) * NOC_QUEUES + q);
	}
}

static void add_tile(const struct mon_esp_sets *sets, struct set *set, unsigned int t)
{
	const struct mon_esp_tile *tile = &sets->soc->tile[t];
	const struct mon_esp_layout *at = &sets->layout;
	const struct key *key = &set->key;
	bool here = key->all || key->tile == t;
	unsigned int i;

	if (tile->kind == ESP_TILE_MEM)
		add_mem(sets, set, t);
	if (wants(key, ESP_MON_READ_L2_STATS) && (tile->kind == ESP_TILE_CPU || tile->has_l2)) {
		sets_add(set, t, ESP_MON_L2_HIT, at->l2 + 2 * t);
		sets_add(set, t, ESP_MON_L2_MISS, at->l2 + 2 * t + 1);
	}
	if (tile->kind == ESP_TILE_ACC)
		add_acc(sets, set, t);
	if (wants(key, ESP_MON_READ_DVFS_OP) && here)
		for (i = 0; i < DVFS_OP_POINTS; i++)
			sets_add(set, t, ESP_MON_DVFS(i), at->dvfs + t * DVFS_OP_POINTS + i);
	if (wants(key, ESP_MON_READ_NOC_INJECTS) && here)
		for (i = 0; i < NOC_PLANES; i++)
			sets_add(set, t, ESP_MON_NOC_INJECT(i), at->inject + t * NOC_PLANES + i);
	add_queues(sets, set, t);
}

/* Opens a group of the items from first on. */
static int open_chunk(const struct mon_esp_sets *sets, struct set *set, size_t first)
{
	struct chunk *chunk = &set->chunks[set->nchunks];
	size_t i;

	chunk->first = first;
	chunk->count = set->nitems - first;
	chunk->group = mon_group_new();
	if (!chunk->group)
		return -1;
	set->nchunks++;
	for (i = first; i < set->nitems; i++)
		if (mon_group_add_config(chunk->group, sets->soc->pmu, set->items[i].config) < 0)
			return -1;
	return mon_group_open(chunk->group) || mon_group_enable(chunk->group) ? -1 : 0;
}

static int open_set(const struct mon_esp_sets *sets, struct set *set)
{
	size_t first = 0, before;
	unsigned int t;

	for (t = 0; t < sets->soc->ntiles; t++) {
		before = set->nitems;
		add_tile(sets, set, t);
		if (set->nitems - first <= MON_GROUP_MAX)
			continue;
		/* This tile starts the next group. */
		set->nitems = before;
		if (open_chunk(sets, set, first))
			return -1;
		first = before;
		add_tile(sets, set, t);
	}
	return set->nitems > first ? open_chunk(sets, set, first) : 0;
}

static struct set *set_new(const struct mon_esp_sets *sets, const struct key *key)
{
	size_t most = (size_t)sets->soc->ntiles * ESP_NMON;
	struct set *set = calloc(1, sizeof(*set));

	if (set) {
		set->key = *key;
		set->items = calloc(most, sizeof(*set->items));
		set->chunks = calloc(most / (MON_GROUP_MAX - ESP_NMON) + 1, sizeof(*set->chunks));
	}
	if (!set || !set->items || !set->chunks) {
		mon_fail(ENOMEM, "esp_monitor: out of memory");
	} else if (!open_set(sets, set)) {
		return set;
	}
	if (set)
		set_free(set);
	return NULL;
}

static struct set *sets_find(struct set *set, const struct key *key)
{
	while (set && memcmp(&set->key, key, sizeof(*key)))
		set = set->next;
	return set;
}

static struct set *get_set(struct mon_esp_sets *sets, const struct key *key)
{
	struct set *set = sets_find(atomic_load_explicit(&sets->first, memory_order_acquire), key);

	if (set)
		return set;
	pthread_mutex_lock(&sets->lock);
	set = sets_find(sets->first, key);
	if (!set) {
		set = set_new(sets, key);
		if (set) {
			set->next = sets->first;
			atomic_store_explicit(&sets->first, set, memory_order_release);
		}
	}
	pthread_mutex_unlock(&sets->lock);
	return set;
}

static int read_set(const struct set *set, unsigned int *vals)
{
	uint64_t *values = malloc(MON_GROUP_MAX * sizeof(*values));
	size_t c, i;
	int ret = 0;

	if (!values)
		return mon_fail(ENOMEM, "esp_monitor: out of memory");
	for (c = 0; c < set->nchunks && !ret; c++) {
		const struct item *items = set->items + set->chunks[c].first;

		ret = mon_group_read(set->chunks[c].group, values, MON_GROUP_MAX, NULL);
		for (i = 0; i < set->chunks[c].count && !ret; i++) {
			vals[items[i].word] = values[i];
			if (items[i].pair)
				vals[items[i].word + 1] = values[i] >> 32;
		}
	}
	free(values);
	return ret;
}

int mon_esp_sets_read(struct mon_esp_sets *sets, const esp_monitor_args_t *args,
		      unsigned int *vals)
{
	struct set *set;
	struct key key;

	if (make_key(sets->soc, args, &key))
		return -1;
	set = get_set(sets, &key);
	if (!set)
		return -1;
	if (!read_set(set, vals))
		return 0;
	memset(vals, 0, sets->layout.words * sizeof(*vals));
	return -1;
}
