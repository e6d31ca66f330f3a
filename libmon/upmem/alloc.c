// SPDX-License-Identifier: LGPL-2.1-or-later
/* Ranks and sets of DPUs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libmon/upmem/internal.h"
#include "libmon/upmem/include/dpu_management.h"

/* More ranks than any server has. */
#define MAX_RANKS 256

/* The ranks that this process has. */
static struct {
	pthread_mutex_t lock;
	struct dpu_rank_t *ranks[2][MAX_RANKS];		/* devices, and those of the simulator */
} owned = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void set_owned(const struct dpu_rank_t *rank, struct dpu_rank_t *value)
{
	pthread_mutex_lock(&owned.lock);
	owned.ranks[rank->device->simulator][rank->id] = value;
	pthread_mutex_unlock(&owned.lock);
}

static void rank_free(struct dpu_rank_t *rank)
{
	dpu_jobs_end(rank);
	set_owned(rank, NULL);
	dpu_free_description(rank->description);
	for (uint32_t i = 0; i < rank->info.dpus; i++) {
		dpu_pmc_close(&rank->dpus[i]);
		dpu_program_put(rank->dpus[i].program);
	}
	dpu_report_free(rank);
	rank->device->close(rank->fd);
	pthread_cond_destroy(&rank->changed);
	pthread_mutex_destroy(&rank->lock);
	free(rank);
}

/* NULL: not there, in use, or another kind; errno tells which (0: another kind). */
static struct dpu_rank_t *rank_open(const struct dpu_device_ops *device, uint32_t id,
				    const struct dpu_want *want)
{
	struct dpu_rank_t *rank = calloc(1, sizeof(*rank));

	if (!rank)
		return NULL;
	rank->device = device;
	rank->id = id;
	rank->any_chip = want->any_chip;
	rank->fd = device->open(id, want);
	if (rank->fd < 0) {
		free(rank);
		return NULL;
	}
	pthread_mutex_init(&rank->lock, NULL);
	pthread_cond_init(&rank->changed, NULL);
	if (device->ioctl(rank->fd, UPMEM_IOC_INFO, &rank->info) ||
	    rank->info.dpus > DPU_RANK_MAX_DPUS) {
		rank->info.dpus = 0;
		rank_free(rank);
		return NULL;
	}
	if (!want->any_chip && want->v1b != (rank->info.chip_id >= DPU_CHIP_ID_V1B)) {
		rank_free(rank);
		errno = 0;
		return NULL;
	}
	for (uint32_t i = 0; i < rank->info.dpus; i++) {
		struct dpu_t *dpu = &rank->dpus[i];

		dpu->rank = rank;
		dpu->index = i;
		dpu->enabled = true;
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

/* What was found, and why not more. */
struct found {
	struct dpu_rank_t **list;
	uint32_t ranks, dpus;
	bool busy, denied, none;
	int error;		/* the simulator's */
};

static dpu_error_t too_few(const struct dpu_device_ops *device, const struct found *found)
{
	const char *why = found->busy ? "another process has a rank: wait for it" :
			  found->denied ? "permission denied for /dev/dpu_rank*: run as root or change its mode" :
			  found->ranks ? "the machine has no more of them" :
			  "no /dev/dpu_rank*: load upmem.ko, in a guest with the device upmem-rank; or use "
			  "backend=simulator";

	if (device->simulator && found->error)
		return dpu_failed(DPU_ERR_ALLOCATION, "the simulator cannot make a rank after %u DPUs: %s",
				  found->dpus, strerror(found->error));
	if (device->simulator)
		why = "the simulator has at most 256 ranks in a process";
	return dpu_failed(DPU_ERR_ALLOCATION, "not enough DPUs: %s", why);
}

/* Numbers the DPUs of a list and disables those that were not requested. */
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

/* Takes ranks until there are ranks of them or dpus in them. Enough? */
static bool take_ranks(const struct dpu_device_ops *device, uint32_t ranks, uint32_t dpus,
		       const struct dpu_want *want, struct found *found)
{
	for (uint32_t id = 0; id < MAX_RANKS && found->ranks < ranks && found->dpus < dpus; id++) {
		const struct dpu_want here = {
			.dpus = dpus - found->dpus < want->dpus ? dpus - found->dpus : want->dpus,
			.any_chip = want->any_chip, .v1b = want->v1b,
		};
		struct dpu_rank_t *rank = rank_open(device, id, &here);
		int error = rank ? 0 : errno;

		found->busy |= error == EBUSY && !device->simulator;
		found->denied |= error == EACCES;
		found->none |= error == ENOENT && !id;
		if (device->simulator && error && error != EBUSY) {
			found->error = error;
			break;
		}
		if (error == ENOENT)
			break;
		if (!rank)
			continue;
		found->list[found->ranks++] = rank;
		found->dpus += rank->info.dpus;
	}
	return found->ranks && (ranks == DPU_ALLOCATE_ALL || found->ranks >= ranks) &&
	       (dpus == DPU_ALLOCATE_ALL || found->dpus >= dpus);
}

/* Without devices all DPUs are a number that is set, and so are those of a rank, up to what one can have. */
static dpu_error_t take_simulated(uint32_t ranks, uint32_t *dpus, struct dpu_want *want, struct found *found)
{
	uint32_t count;
	dpu_error_t error = dpu_env_number("LIBMON_DPU_COUNT", MAX_RANKS * DPU_RANK_MAX_DPUS,
					   DPU_RANK_MAX_DPUS, &count);

	if (!error)
		error = dpu_simulator_check();
	if (error)
		return error;
	if (ranks == DPU_ALLOCATE_ALL && *dpus == DPU_ALLOCATE_ALL)
		*dpus = count;
	want->dpus = ranks == DPU_ALLOCATE_ALL || count > DPU_RANK_MAX_DPUS ? DPU_RANK_MAX_DPUS : count;
	return take_ranks(&dpu_simulator, ranks, *dpus, want, found) ? DPU_OK :
	       too_few(&dpu_simulator, found);
}

static dpu_error_t take(uint32_t ranks, uint32_t *dpus, struct dpu_profile *profile, struct found *found)
{
	profile->want.dpus = DPU_RANK_MAX_DPUS;
	if (profile->backend != DPU_BACKEND_SIMULATOR) {
		if (take_ranks(dpu_device, ranks, *dpus, &profile->want, found))
			return DPU_OK;
		if (profile->backend == DPU_BACKEND_HW || !found->none)
			return too_few(dpu_device, found);
	}
	return take_simulated(ranks, dpus, &profile->want, found);
}

static dpu_error_t alloc_allocate(uint32_t ranks, uint32_t dpus, const char *text,
				  struct dpu_set_t *set)
{
	struct dpu_profile profile;
	struct found found = { 0 };
	dpu_error_t error = dpu_profile_parse(text, &profile);

	if (error)
		return error;
	found.list = calloc(MAX_RANKS, sizeof(*found.list));
	if (!found.list)
		return dpu_failed(DPU_ERR_SYSTEM, "out of memory");
	error = take(ranks, &dpus, &profile, &found);
	if (error) {
		free_list(found.list, found.ranks);
		return error;
	}
	for (uint32_t i = 0; i < found.ranks; i++) {
		struct dpu_rank_t *rank = found.list[i];

		rank->list = found.list;
		rank->list_size = found.ranks;
		rank->sg_enabled = profile.sg_enabled;
		rank->sg_blocks = profile.sg_blocks ? profile.sg_blocks : found.dpus;
		set_owned(rank, rank);
	}
	count_dpus(found.list, found.ranks, dpus);
	set->kind = DPU_SET_RANKS;
	set->list.nr_ranks = found.ranks;
	set->list.ranks = found.list;
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
static dpu_description_t alloc_describe(const struct dpu_device_ops *device, uint32_t id,
					const struct dpu_want *want)
{
	dpu_description_t description = NULL;
	struct dpu_rank_t *rank;

	pthread_mutex_lock(&owned.lock);
	rank = owned.ranks[device->simulator][id];
	if (rank && (want->any_chip || want->v1b == (rank->info.chip_id >= DPU_CHIP_ID_V1B)))
		description = dpu_description_new(&rank->info);
	pthread_mutex_unlock(&owned.lock);
	if (rank)
		return description;
	rank = rank_open(device, id, want);
	if (!rank)
		return NULL;
	description = dpu_description_new(&rank->info);
	rank_free(rank);
	return description;
}

/* none: there are no ranks. */
static dpu_description_t describe_one(const struct dpu_device_ops *device, const struct dpu_want *want,
				      bool *none)
{
	dpu_description_t description = NULL;

	*none = false;
	for (uint32_t id = 0; !description && id < MAX_RANKS; id++) {
		errno = 0;
		description = alloc_describe(device, id, want);
		*none |= !description && !id && errno == ENOENT;
	}
	return description;
}

dpu_error_t dpu_get_profile_description(const char *text, dpu_description_t *description)
{
	struct dpu_profile profile;
	dpu_error_t error = dpu_profile_parse(text, &profile);
	bool none = true;

	if (error)
		return error;
	profile.want.dpus = DPU_RANK_MAX_DPUS;
	*description = NULL;
	if (profile.backend != DPU_BACKEND_SIMULATOR)
		*description = describe_one(dpu_device, &profile.want, &none);
	if (!*description && none && profile.backend != DPU_BACKEND_HW)
		*description = describe_one(&dpu_simulator, &profile.want, &none);
	return *description ? DPU_OK :
	       dpu_failed(DPU_ERR_ALLOCATION, "no rank of this profile is there and free");
}
