// SPDX-License-Identifier: GPL-2.0-only
/* Ranks and sets of DPUs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/dpu/internal.h"
#include "libmon/include/dpu_management.h"

/* More ranks than any server has. */
#define MAX_RANKS 256

/* What a profile asks of a rank. */
struct profile {
	bool any_chip;
	bool v1b;
	bool sg_enabled;
	uint64_t sg_blocks;	/* 0: as many as there are DPUs */
};

/* The ranks that this process has. */
static struct {
	pthread_mutex_t lock;
	struct dpu_rank_t *ranks[MAX_RANKS];
} owned = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void set_owned(uint32_t id, struct dpu_rank_t *rank)
{
	pthread_mutex_lock(&owned.lock);
	owned.ranks[id] = rank;
	pthread_mutex_unlock(&owned.lock);
}

static bool parse_chip(const char *value, struct profile *profile)
{
	uint64_t chip;

	if (!mon_parse_u64(value, &chip))
		return false;
	profile->any_chip = false;
	profile->v1b = chip >= DPU_CHIP_ID_V1B;
	return true;
}

/* Keys of the SDK's profiles; most of them say how to reach hardware that is not here. */
static bool parse_pair(const char *key, const char *value, struct profile *profile)
{
	static const char *const keys[] = {
		"nrThreadsPerRank", "nrThreadPerRank", "regionMode", "rankPath", "dpuNumber",
		"nrJobsPerRank", "disableMuxSwitch", "mramAccessByDpuOnly",
		"cycleAccurate", "ignoreVersion", "ignoreVpd", "enableProfiling", "symbolsFile"
	};

	if (!strcmp(key, "chipId"))
		return parse_chip(value, profile);
	if (!strcmp(key, "backend"))
		return !strcmp(value, "simulator") || !strcmp(value, "hw");
	if (!strcmp(key, "sgXferEnable")) {
		profile->sg_enabled = !strcmp(value, "true");
		return profile->sg_enabled || !strcmp(value, "false");
	}
	if (!strcmp(key, "sgXferMaxBlocksPerDpu"))
		return mon_parse_u64(value, &profile->sg_blocks) && profile->sg_blocks &&
			profile->sg_blocks <= UINT32_MAX;
	for (size_t i = 0; i < MON_ARRAY_SIZE(keys); i++)
		if (!strcmp(key, keys[i]))
			return *value;
	return false;
}

static dpu_error_t parse_profile(const char *text, struct profile *profile)
{
	char *copy, *pair, *rest = NULL;
	dpu_error_t error = DPU_OK;

	*profile = (struct profile){ .any_chip = true };
	if (!text)
		text = getenv("UPMEM_PROFILE");
	if (!text)
		return DPU_OK;
	copy = strdup(text);
	if (!copy)
		return dpu_failed(DPU_ERR_SYSTEM, "out of memory");
	for (pair = strtok_r(copy, ",", &rest); pair; pair = strtok_r(NULL, ",", &rest)) {
		char *value;

		pair += strspn(pair, " ");
		value = strchr(pair, '=');
		if (value)
			*value++ = '\0';
		if (!value || !parse_pair(pair, value, profile)) {
			error = dpu_failed(DPU_ERR_INVALID_PROFILE,
					   "profile \"%s\": '%s' is no key=value that this library knows; "
					   "see dpu(3)", text, pair);
			break;
		}
	}
	free(copy);
	return error;
}

static void rank_free(struct dpu_rank_t *rank)
{
	dpu_jobs_end(rank);
	set_owned(rank->id, NULL);
	dpu_free_description(rank->description);
	for (uint32_t i = 0; i < rank->info.dpus; i++) {
		dpu_pmc_close(&rank->dpus[i]);
		dpu_program_put(rank->dpus[i].program);
	}
	dpu_device->close(rank->fd);
	pthread_cond_destroy(&rank->changed);
	pthread_mutex_destroy(&rank->lock);
	free(rank);
}

/* NULL: not there, in use, or another kind; errno tells which (0: another kind). */
static struct dpu_rank_t *rank_open(uint32_t id, const struct profile *profile)
{
	struct dpu_rank_t *rank = calloc(1, sizeof(*rank));

	if (!rank)
		return NULL;
	rank->id = id;
	rank->fd = dpu_device->open(id);
	if (rank->fd < 0) {
		free(rank);
		return NULL;
	}
	pthread_mutex_init(&rank->lock, NULL);
	pthread_cond_init(&rank->changed, NULL);
	if (dpu_device->ioctl(rank->fd, UPMEM_IOC_INFO, &rank->info) ||
	    rank->info.dpus > DPU_RANK_MAX_DPUS) {
		rank->info.dpus = 0;
		rank_free(rank);
		return NULL;
	}
	if (!profile->any_chip && profile->v1b != (rank->info.chip_id >= DPU_CHIP_ID_V1B)) {
		rank_free(rank);
		errno = 0;
		return NULL;
	}
	for (uint32_t i = 0; i < rank->info.dpus; i++) {
		struct dpu_t *dpu = &rank->dpus[i];

		dpu->rank = rank;
		dpu->index = i;
		dpu->enabled = true;
		dpu->pmc.fd[0] = -1;
		dpu->pmc.fd[1] = -1;
	}
	return rank;
}

/* A job of one rank may wait for another rank's, so that all must have been told to end first. */
static void free_list(struct dpu_rank_t **list, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		dpu_jobs_quit(list[i]);
	for (uint32_t i = 0; i < count; i++)
		rank_free(list[i]);
	free(list);
}

static dpu_error_t too_few(uint32_t found, bool busy, bool denied)
{
	const char *why = busy ? "another process has a rank: wait for it" :
			  denied ? "permission denied for /dev/dpu_rank*: run as root or change its mode" :
			  found ? "the machine has no more of them" :
			  "no /dev/dpu_rank*: load upmem.ko, in a guest with the device upmem-rank";

	return dpu_failed(DPU_ERR_ALLOCATION, "not enough DPUs: %s", why);
}

/* Numbers the DPUs of a list and disables those that nobody has asked for. */
static void count_dpus(struct dpu_rank_t **list, uint32_t ranks, uint32_t wanted)
{
	uint32_t n = 0;

	for (uint32_t r = 0; r < ranks; r++) {
		list[r]->first_dpu = n;
		for (uint32_t i = 0; i < list[r]->info.dpus; i++) {
			list[r]->dpus[i].enabled = n < wanted;
			n += n < wanted;
		}
	}
}

/* Takes ranks until there are ranks of them or dpus in them. */
static dpu_error_t alloc_allocate(uint32_t ranks, uint32_t dpus, const char *text,
				  struct dpu_set_t *set)
{
	struct dpu_rank_t **list;
	struct profile profile;
	uint32_t count = 0, found = 0;
	bool busy = false, denied = false;
	dpu_error_t error = parse_profile(text, &profile);

	if (error)
		return error;
	list = calloc(MAX_RANKS, sizeof(*list));
	if (!list)
		return dpu_failed(DPU_ERR_SYSTEM, "out of memory");
	for (uint32_t id = 0; id < MAX_RANKS && count < ranks && found < dpus; id++) {
		struct dpu_rank_t *rank = rank_open(id, &profile);

		busy |= !rank && errno == EBUSY;
		denied |= !rank && errno == EACCES;
		if (!rank && errno == ENOENT)
			break;
		if (!rank)
			continue;
		list[count++] = rank;
		found += rank->info.dpus;
	}
	if (!count || (ranks != DPU_ALLOCATE_ALL && count < ranks) ||
	    (dpus != DPU_ALLOCATE_ALL && found < dpus)) {
		free_list(list, count);
		return too_few(found, busy, denied);
	}
	for (uint32_t i = 0; i < count; i++) {
		list[i]->list = list;
		list[i]->list_size = count;
		list[i]->sg_enabled = profile.sg_enabled;
		list[i]->sg_blocks = profile.sg_blocks ? profile.sg_blocks : found;
		set_owned(list[i]->id, list[i]);
	}
	count_dpus(list, count, dpus);
	set->kind = DPU_SET_RANKS;
	set->list.nr_ranks = count;
	set->list.ranks = list;
	return DPU_OK;
}

dpu_error_t dpu_alloc(uint32_t nr_dpus, const char *profile, struct dpu_set_t *dpu_set)
{
	return alloc_allocate(DPU_ALLOCATE_ALL, nr_dpus ? nr_dpus : 1, profile, dpu_set);
}

dpu_error_t dpu_alloc_ranks(uint32_t nr_ranks, const char *profile, struct dpu_set_t *dpu_set)
{
	return alloc_allocate(nr_ranks ? nr_ranks : 1, DPU_ALLOCATE_ALL, profile, dpu_set);
}

dpu_error_t dpu_free(struct dpu_set_t set)
{
	if (set.kind != DPU_SET_RANKS || !set.list.nr_ranks ||
	    set.list.ranks[0]->list != set.list.ranks ||
	    set.list.ranks[0]->list_size != set.list.nr_ranks)
		return dpu_failed(DPU_ERR_INVALID_DPU_SET,
				  "dpu_free: not a set that dpu_alloc has returned");
	free_list(set.list.ranks, set.list.nr_ranks);
	return DPU_OK;
}

/* One of this process, or one that can be opened. */
static dpu_description_t alloc_describe(uint32_t id, const struct profile *profile)
{
	dpu_description_t description = NULL;
	struct dpu_rank_t *rank;

	pthread_mutex_lock(&owned.lock);
	rank = owned.ranks[id];
	if (rank && (profile->any_chip || profile->v1b == (rank->info.chip_id >= DPU_CHIP_ID_V1B)))
		description = dpu_description_new(&rank->info);
	pthread_mutex_unlock(&owned.lock);
	if (rank)
		return description;
	rank = rank_open(id, profile);
	if (!rank)
		return NULL;
	description = dpu_description_new(&rank->info);
	rank_free(rank);
	return description;
}

dpu_error_t dpu_get_profile_description(const char *text, dpu_description_t *description)
{
	struct profile profile;
	dpu_error_t error = parse_profile(text, &profile);

	if (error)
		return error;
	for (uint32_t id = 0; id < MAX_RANKS; id++) {
		*description = alloc_describe(id, &profile);
		if (*description)
			return DPU_OK;
	}
	return dpu_failed(DPU_ERR_ALLOCATION, "no rank of this profile is there and free");
}
