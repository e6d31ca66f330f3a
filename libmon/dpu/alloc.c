// SPDX-License-Identifier: GPL-2.0-only
/* Ranks and sets of DPUs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/dpu/dpu.h"

/* More ranks than any server has. */
#define MAX_RANKS 256

/* What a profile asks of a rank. */
struct profile {
	bool any_chip;
	bool v1b;
};

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
		"backend", "nrThreadsPerRank", "nrThreadPerRank", "regionMode", "rankPath", "dpuNumber",
		"sgXferEnable", "sgXferMaxBlocksPerDpu", "nrJobsPerRank", "disableMuxSwitch",
		"mramAccessByDpuOnly",
		"cycleAccurate", "ignoreVersion", "ignoreVpd", "enableProfiling", "symbolsFile"
	};

	if (!strcmp(key, "chipId"))
		return parse_chip(value, profile);
	if (!strcmp(key, "backend"))
		return !strcmp(value, "simulator") || !strcmp(value, "hw");
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
		char *value = strchr(pair, '=');

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

/* Takes ranks until there are ranks of them or dpus in them. */
static dpu_error_t allocate(uint32_t ranks, uint32_t dpus, const char *text, struct dpu_set_t *set)
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
	}
	set->kind = DPU_SET_RANKS;
	set->list.nr_ranks = count;
	set->list.ranks = list;
	return DPU_OK;
}

dpu_error_t dpu_alloc(uint32_t nr_dpus, const char *profile, struct dpu_set_t *dpu_set)
{
	uint32_t left = nr_dpus;
	dpu_error_t error = allocate(DPU_ALLOCATE_ALL, nr_dpus ? nr_dpus : 1, profile, dpu_set);

	if (error || nr_dpus == DPU_ALLOCATE_ALL)
		return error;
	for (uint32_t r = 0; r < dpu_set->list.nr_ranks; r++) {
		struct dpu_rank_t *rank = dpu_set->list.ranks[r];

		for (uint32_t i = 0; i < rank->info.dpus; i++) {
			rank->dpus[i].enabled = left > 0;
			left -= left > 0;
		}
	}
	return DPU_OK;
}

dpu_error_t dpu_alloc_ranks(uint32_t nr_ranks, const char *profile, struct dpu_set_t *dpu_set)
{
	return allocate(nr_ranks ? nr_ranks : 1, DPU_ALLOCATE_ALL, profile, dpu_set);
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

struct count {
	uint32_t dpus;
};

static dpu_error_t count_one(struct dpu_t *dpu, void *arg)
{
	struct count *count = arg;

	(void)dpu;
	count->dpus++;
	return DPU_OK;
}

dpu_error_t dpu_get_nr_ranks(struct dpu_set_t set, uint32_t *nr_ranks)
{
	*nr_ranks = set.kind == DPU_SET_RANKS ? set.list.nr_ranks : 1;
	return DPU_OK;
}

dpu_error_t dpu_get_nr_dpus(struct dpu_set_t set, uint32_t *nr_dpus)
{
	struct count count = { 0 };
	dpu_error_t error = dpu_visit(set, count_one, &count);

	*nr_dpus = count.dpus;
	return error;
}

struct dpu_t *dpu_from_set(struct dpu_set_t set)
{
	return set.kind == DPU_SET_DPU ? set.dpu : NULL;
}

uint32_t dpu_set_ranks(struct dpu_set_t *set, struct dpu_rank_t ***ranks)
{
	if (set->kind == DPU_SET_RANKS) {
		*ranks = set->list.ranks;
		return set->list.nr_ranks;
	}
	*ranks = &set->dpu->rank;
	return 1;
}

uint64_t dpu_set_mask(struct dpu_set_t set, const struct dpu_rank_t *rank)
{
	uint64_t mask = 0;

	if (set.kind == DPU_SET_DPU)
		return set.dpu->rank == rank ? UINT64_C(1) << set.dpu->index : 0;
	for (uint32_t i = 0; i < rank->info.dpus; i++)
		mask |= (uint64_t)rank->dpus[i].enabled << i;
	return mask;
}

dpu_error_t dpu_visit(struct dpu_set_t set, dpu_visit_fn *visit, void *arg)
{
	struct dpu_rank_t **ranks;
	uint32_t count;

	if (set.kind == DPU_SET_DPU) {
		if (!set.dpu || !set.dpu->enabled)
			return dpu_failed(DPU_ERR_DPU_DISABLED, "the DPU is not part of the allocated set");
		return visit(set.dpu, arg);
	}
	count = dpu_set_ranks(&set, &ranks);
	for (uint32_t r = 0; r < count; r++) {
		for (uint32_t i = 0; i < ranks[r]->info.dpus; i++) {
			dpu_error_t error = DPU_OK;

			if (ranks[r]->dpus[i].enabled)
				error = visit(&ranks[r]->dpus[i], arg);
			if (error)
				return error;
		}
	}
	return DPU_OK;
}
