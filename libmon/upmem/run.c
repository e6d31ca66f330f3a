// SPDX-License-Identifier: LGPL-2.1-or-later
/* Launching and waiting. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "libmon/upmem/debug.h"
#include "libmon/upmem/include/dpu_management.h"

static dpu_error_t rank_status(struct dpu_rank_t *rank, struct upmem_status *status)
{
	if (rank->device->ioctl(rank->fd, UPMEM_IOC_STATUS, status))
		return dpu_device_error(rank, "status");
	return DPU_OK;
}

static dpu_error_t run_start(struct dpu_rank_t *rank, uint64_t mask)
{
	dpu_report_before(rank, mask);
	if (!rank->device->ioctl(rank->fd, UPMEM_IOC_LAUNCH, &mask))
		return DPU_OK;
	if (errno == EBUSY)
		return dpu_failed(DPU_ERR_DPU_ALREADY_RUNNING, "a DPU of rank %u runs already: call dpu_sync",
				  rank->id);
	return dpu_device_error(rank, "launch");
}

static dpu_error_t wait(struct dpu_rank_t *rank, uint64_t mask)
{
	while (rank->device->ioctl(rank->fd, UPMEM_IOC_WAIT, &mask)) {
		if (errno != EINTR)
			return dpu_device_error(rank, "wait");
	}
	dpu_simulator_findings(rank, mask);
	return DPU_OK;
}

static dpu_error_t check_faults(struct dpu_rank_t *rank, uint64_t mask)
{
	struct upmem_status status;
	dpu_error_t error = rank_status(rank, &status);

	if (error || !(status.fault & mask))
		return error;
	dpu_simulator_cores(rank, status.fault & mask);
	dpu_debug_device_cores(rank, status.fault & mask);
	return dpu_fault_error(rank, status.fault & mask);
}

/* A rank that is given back starts nothing more. */
static dpu_error_t launch_job(struct dpu_rank_t *rank, struct dpu_job *job)
{
	dpu_error_t error = DPU_OK;

	pthread_mutex_lock(&rank->lock);
	if (!rank->quit)
		error = run_start(rank, job->mask);
	pthread_mutex_unlock(&rank->lock);
	if (!error)
		error = wait(rank, job->mask);
	if (!error)
		job->seconds = dpu_report_after(dpu_set_from_rank(&rank), &rank, 1, job->ranks);
	return error ? error : check_faults(rank, job->mask);
}

static bool launch_pending(struct dpu_rank_t *rank, uint64_t mask)
{
	bool pending = false;

	pthread_mutex_lock(&rank->lock);
	for (const struct dpu_job *job = rank->first; job; job = job->next)
		pending |= job->launch && job->mask & mask;
	pthread_mutex_unlock(&rank->lock);
	return pending;
}

static dpu_error_t check_launch(struct dpu_set_t set, struct dpu_rank_t **ranks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint64_t mask = dpu_set_mask(set, ranks[i]);

		for (uint32_t d = 0; d < ranks[i]->info.dpus; d++)
			if (mask >> d & 1 && !ranks[i]->dpus[d].program)
				return dpu_failed(DPU_ERR_NO_PROGRAM_LOADED,
						  "DPU %u of rank %u has no program: call dpu_load", d,
						  ranks[i]->id);
		if (launch_pending(ranks[i], mask))
			return dpu_failed(DPU_ERR_DPU_ALREADY_RUNNING,
					  "a DPU of rank %u runs already: call dpu_sync", ranks[i]->id);
	}
	return DPU_OK;
}

static dpu_error_t launch_async(struct dpu_set_t set, struct dpu_rank_t **ranks, uint32_t count)
{
	dpu_error_t error = DPU_OK;

	for (uint32_t i = 0; !error && i < count; i++) {
		const struct dpu_job job = {
			.work = launch_job, .launch = true, .mask = dpu_set_mask(set, ranks[i]), .ranks = count
		};

		if (job.mask)
			error = dpu_job_add(ranks[i], &job);
	}
	return error;
}

static dpu_error_t launch_sync(struct dpu_set_t set, struct dpu_rank_t **ranks, uint32_t count)
{
	uint32_t started = 0;
	dpu_error_t error, first = DPU_OK;

	dpu_jobs_wait_set(set);
	while (started < count && !first) {
		first = run_start(ranks[started], dpu_set_mask(set, ranks[started]));
		started += !first;
	}
	/* all must have stopped, whatever the first one says */
	for (uint32_t i = 0; i < started; i++) {
		error = wait(ranks[i], dpu_set_mask(set, ranks[i]));
		first = first ? first : error;
	}
	if (!first)
		dpu_clock_spend(ranks, count, dpu_clock_now(), dpu_report_after(set, ranks, count, count));
	for (uint32_t i = 0; !first && i < count; i++)
		first = check_faults(ranks[i], dpu_set_mask(set, ranks[i]));
	return first;
}

dpu_error_t dpu_launch(struct dpu_set_t set, dpu_launch_policy_t policy)
{
	struct dpu_rank_t **ranks;
	uint32_t count = dpu_set_ranks(&set, &ranks);
	dpu_error_t error;

	if (policy != DPU_ASYNCHRONOUS && policy != DPU_SYNCHRONOUS)
		return dpu_failed(DPU_ERR_INVALID_LAUNCH_POLICY, "%d is no launch policy", (int)policy);
	error = check_launch(set, ranks, count);
	if (error)
		return error;
	if (policy == DPU_ASYNCHRONOUS)
		return launch_async(set, ranks, count);
	dpu_clock_stop();
	error = launch_sync(set, ranks, count);
	dpu_clock_wait(ranks, count);
	dpu_clock_go();
	return error;
}

dpu_error_t dpu_status(struct dpu_set_t set, bool *done, bool *fault)
{
	struct dpu_rank_t **ranks;
	uint32_t count = dpu_set_ranks(&set, &ranks);
	bool is_done = true, is_fault = false;

	for (uint32_t i = 0; i < count; i++) {
		uint64_t mask = dpu_set_mask(set, ranks[i]);
		struct upmem_status status;
		dpu_error_t error;

		pthread_mutex_lock(&ranks[i]->lock);
		is_done &= !ranks[i]->first && !ranks[i]->beside;
		pthread_mutex_unlock(&ranks[i]->lock);
		error = rank_status(ranks[i], &status);
		if (error)
			return error;
		is_done &= !(status.running & mask);
		is_fault |= !!(status.fault & mask);
	}
	if (is_done)
		dpu_clock_wait(ranks, count);
	if (done)
		*done = is_done;
	if (fault)
		*fault = is_fault;
	return DPU_OK;
}

dpu_error_t dpu_sync(struct dpu_set_t set)
{
	struct dpu_rank_t **ranks;
	uint32_t count = dpu_set_ranks(&set, &ranks);
	dpu_error_t first = DPU_OK;

	if (dpu_in_job())
		return dpu_failed(DPU_ERR_INTERNAL,
				  "dpu_sync in an asynchronous callback would wait for itself");
	dpu_clock_stop();
	for (uint32_t i = 0; i < count; i++) {
		dpu_error_t error;

		dpu_jobs_wait_all(ranks[i]);
		pthread_mutex_lock(&ranks[i]->lock);
		error = ranks[i]->failed;
		ranks[i]->failed = DPU_OK;
		if (error && !first)
			dpu_failed(error, "%s", *ranks[i]->why ? ranks[i]->why :
				   "an asynchronous callback has returned this error");
		pthread_mutex_unlock(&ranks[i]->lock);
		first = first ? first : error;
	}
	dpu_clock_wait(ranks, count);
	dpu_clock_go();
	return first;
}
