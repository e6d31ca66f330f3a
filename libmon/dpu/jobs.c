// SPDX-License-Identifier: GPL-2.0-only
/* The queue of asynchronous jobs of a rank, worked off by a thread that starts when needed. */
#include <signal.h>
#include <stdlib.h>

#include "libmon/dpu/dpu.h"

static void *work(void *arg)
{
	struct dpu_rank_t *rank = arg;

	pthread_mutex_lock(&rank->lock);
	for (;;) {
		struct dpu_job *job;
		dpu_error_t error;

		while (!rank->first && !rank->quit)
			pthread_cond_wait(&rank->changed, &rank->lock);
		job = rank->first;
		if (!job)
			break;
		rank->busy = true;
		pthread_mutex_unlock(&rank->lock);
		error = job->work(rank, job);
		pthread_mutex_lock(&rank->lock);
		rank->first = job->next;
		if (!rank->first)
			rank->last = NULL;
		rank->busy = false;
		if (error && !rank->failed)
			rank->failed = error;
		free(job->data);
		free(job);
		pthread_cond_broadcast(&rank->changed);
	}
	pthread_mutex_unlock(&rank->lock);
	return NULL;
}

/* Signals are for the program's own threads. */
static bool start_worker(struct dpu_rank_t *rank)
{
	sigset_t all, old;

	if (rank->has_worker)
		return true;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	rank->has_worker = !pthread_create(&rank->worker, NULL, work, rank);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
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

void dpu_jobs_wait(struct dpu_rank_t *rank)
{
	/* A callback of this queue is itself what would be waited for. */
	if (!rank->has_worker || pthread_equal(rank->worker, pthread_self()))
		return;
	pthread_mutex_lock(&rank->lock);
	while (rank->first)
		pthread_cond_wait(&rank->changed, &rank->lock);
	pthread_mutex_unlock(&rank->lock);
}

void dpu_jobs_end(struct dpu_rank_t *rank)
{
	if (!rank->has_worker)
		return;
	pthread_mutex_lock(&rank->lock);
	rank->quit = true;
	pthread_cond_broadcast(&rank->changed);
	pthread_mutex_unlock(&rank->lock);
	pthread_join(rank->worker, NULL);
	rank->has_worker = false;
}
