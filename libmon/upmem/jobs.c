// SPDX-License-Identifier: LGPL-2.1-or-later
/* The queue of asynchronous jobs of a rank, worked off by a thread that starts when needed. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "libmon/upmem/internal.h"

static _Thread_local const struct dpu_set_t *held;

void dpu_jobs_hold(const struct dpu_set_t *set)
{
	held = set;
}

/* With the rank's lock; the error of this thread. */
static void keep_error(struct dpu_rank_t *rank, dpu_error_t error)
{
	if (!rank->failed && error) {
		rank->failed = error;
		snprintf(rank->why, sizeof(rank->why), "%s", dpu_sentence(error));
	}
	pthread_cond_broadcast(&rank->changed);
}

static void *jobs_work(void *arg)
{
	struct dpu_rank_t *rank = arg;

	dpu_enter_job();
	pthread_mutex_lock(&rank->lock);
	for (;;) {
		struct dpu_job *job;
		dpu_error_t error;

		while (!rank->first && !rank->quit)
			pthread_cond_wait(&rank->changed, &rank->lock);
		job = rank->first;
		if (!job)
			break;
		pthread_mutex_unlock(&rank->lock);
		error = job->work(rank, job);
		dpu_clock_spend(&rank, 1, job->from, job->seconds);
		pthread_mutex_lock(&rank->lock);
		rank->first = job->next;
		if (!rank->first)
			rank->last = NULL;
		free(job->data);
		free(job);
		keep_error(rank, error);
	}
	pthread_mutex_unlock(&rank->lock);
	return NULL;
}

/* Signals are for the program's own threads. */
static bool start_thread(pthread_t *thread, void *(*function)(void *), void *arg)
{
	sigset_t all, old;
	bool ok;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ok = !pthread_create(thread, NULL, function, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ok;
}

static bool start_worker(struct dpu_rank_t *rank)
{
	if (!rank->has_worker)
		rank->has_worker = start_thread(&rank->worker, jobs_work, rank);
	return rank->has_worker;
}

dpu_error_t dpu_job_add(struct dpu_rank_t *rank, const struct dpu_job *job)
{
	struct dpu_job *copy = malloc(sizeof(*copy));

	if (!copy || !start_worker(rank)) {
		free(copy);
		return dpu_failed(DPU_ERR_SYSTEM, "cannot start a thread for asynchronous jobs");
	}
	*copy = *job;
	copy->next = NULL;
	copy->from = dpu_clock_now();
	pthread_mutex_lock(&rank->lock);
	if (rank->last)
		rank->last->next = copy;
	else
		rank->first = copy;
	rank->last = copy;
	pthread_cond_broadcast(&rank->changed);
	pthread_mutex_unlock(&rank->lock);
	return DPU_OK;
}

struct beside {
	struct dpu_rank_t *rank;
	dpu_error_t (*work)(void *arg);
	void *arg;
};

static void *work_beside(void *arg)
{
	struct beside beside = *(struct beside *)arg;
	dpu_error_t error;

	free(arg);
	dpu_enter_job();
	error = beside.work(beside.arg);
	pthread_mutex_lock(&beside.rank->lock);
	beside.rank->beside--;
	keep_error(beside.rank, error);
	pthread_mutex_unlock(&beside.rank->lock);
	return NULL;
}

void dpu_job_beside(struct dpu_rank_t *rank, dpu_error_t (*function)(void *arg), void *arg)
{
	struct beside *beside = malloc(sizeof(*beside));
	dpu_error_t error;
	pthread_t thread;

	pthread_mutex_lock(&rank->lock);
	rank->beside++;
	pthread_mutex_unlock(&rank->lock);
	if (beside) {
		*beside = (struct beside){ rank, function, arg };
		if (start_thread(&thread, work_beside, beside)) {
			pthread_detach(thread);
			return;
		}
		free(beside);
	}
	/* without a thread it holds up the queue, but it is done */
	error = function(arg);
	pthread_mutex_lock(&rank->lock);
	rank->beside--;
	keep_error(rank, error);
	pthread_mutex_unlock(&rank->lock);
}

static void wait_for(struct dpu_rank_t *rank, bool beside)
{
	pthread_mutex_lock(&rank->lock);
	while (rank->first || (beside && rank->beside))
		pthread_cond_wait(&rank->changed, &rank->lock);
	pthread_mutex_unlock(&rank->lock);
}

void dpu_jobs_wait(struct dpu_rank_t *rank)
{
	struct dpu_set_t set;
	struct dpu_rank_t **ranks;
	uint32_t count = 0;

	if (held) {
		set = *held;
		count = dpu_set_ranks(&set, &ranks);
	}
	for (uint32_t i = 0; i < count; i++)
		if (ranks[i] == rank)
			return;
	wait_for(rank, false);
}

void dpu_jobs_wait_set(struct dpu_set_t set)
{
	struct dpu_rank_t **ranks;
	uint32_t count = dpu_set_ranks(&set, &ranks);

	for (uint32_t i = 0; i < count; i++)
		dpu_jobs_wait(ranks[i]);
}

void dpu_jobs_wait_all(struct dpu_rank_t *rank)
{
	wait_for(rank, true);
}

void dpu_jobs_quit(struct dpu_rank_t *rank)
{
	uint64_t all = ~UINT64_C(0) >> (64 - rank->info.dpus);

	if (!rank->has_worker)
		return;
	pthread_mutex_lock(&rank->lock);
	rank->quit = true;
	rank->device->ioctl(rank->fd, UPMEM_IOC_HALT, &all);
	pthread_cond_broadcast(&rank->changed);
	pthread_mutex_unlock(&rank->lock);
}

void dpu_jobs_end(struct dpu_rank_t *rank)
{
	if (!rank->has_worker)
		return;
	pthread_join(rank->worker, NULL);
	wait_for(rank, true);
	rank->has_worker = false;
}
