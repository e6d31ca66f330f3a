// SPDX-License-Identifier: LGPL-2.1-or-later
/* Callbacks, at once or when the jobs before them are done. */
#include <stdlib.h>

#include "libmon/upmem/internal.h"

/* One call for one or more ranks. The last rank to come to it makes it. */
struct call {
	dpu_error_t (*callback)(struct dpu_set_t set, uint32_t index, void *args);
	void *args;
	struct dpu_set_t set;
	uint32_t index;
	bool nonblocking;

	pthread_mutex_t lock;
	pthread_cond_t returned;
	uint32_t missing;	/* ranks that have not come */
	uint32_t users;		/* of this structure */
	bool done;
};

static struct call *call_new(const struct call *call, uint32_t ranks)
{
	struct call *copy = malloc(sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *call;
	pthread_mutex_init(&copy->lock, NULL);
	pthread_cond_init(&copy->returned, NULL);
	copy->missing = ranks;
	copy->users = ranks;
	return copy;
}

/* With its lock, which is gone afterwards. */
static void call_put(struct call *call, uint32_t users)
{
	call->users -= users;
	if (call->users) {
		pthread_mutex_unlock(&call->lock);
		return;
	}
	pthread_mutex_unlock(&call->lock);
	pthread_cond_destroy(&call->returned);
	pthread_mutex_destroy(&call->lock);
	free(call);
}

static dpu_error_t callback_make(void *arg)
{
	struct call *call = arg;
	dpu_error_t error;

	dpu_jobs_hold(call->nonblocking ? NULL : &call->set);
	error = call->callback(call->set, call->index, call->args);
	dpu_jobs_hold(NULL);
	pthread_mutex_lock(&call->lock);
	call->done = true;
	pthread_cond_broadcast(&call->returned);
	call_put(call, 1);
	return error;
}

/* What a job carries: the worker frees it, not the call. */
struct part {
	struct call *call;
};

static dpu_error_t call_job(struct dpu_rank_t *rank, struct dpu_job *job)
{
	struct call *call = ((struct part *)job->data)->call;

	pthread_mutex_lock(&call->lock);
	if (--call->missing) {
		while (!call->nonblocking && !call->done)
			pthread_cond_wait(&call->returned, &call->lock);
		call_put(call, 1);
		return DPU_OK;
	}
	pthread_mutex_unlock(&call->lock);
	if (!call->nonblocking)
		return callback_make(call);
	dpu_job_beside(rank, callback_make, call);
	return DPU_OK;
}

/* A rank that cannot take the job counts as one that has come. */
static dpu_error_t give_up(struct call *call, uint32_t ranks)
{
	pthread_mutex_lock(&call->lock);
	call->missing -= ranks;
	if (!call->missing) {
		call->done = true;
		pthread_cond_broadcast(&call->returned);
	}
	call_put(call, ranks);
	return dpu_failed(DPU_ERR_SYSTEM, "an asynchronous callback finds no memory or no thread");
}

static dpu_error_t call_later(const struct call *wanted, struct dpu_rank_t **ranks, uint32_t count)
{
	struct call *call = call_new(wanted, count);

	if (!call)
		return dpu_failed(DPU_ERR_SYSTEM, "out of memory");
	for (uint32_t i = 0; i < count; i++) {
		struct dpu_job job = { .work = call_job };
		struct part *part = malloc(sizeof(*part));

		job.data = part;
		if (part)
			part->call = call;
		if (!part || dpu_job_add(ranks[i], &job)) {
			free(part);
			return give_up(call, count - i);
		}
	}
	return DPU_OK;
}

static dpu_error_t call_for(const struct call *call, struct dpu_rank_t **ranks, uint32_t count,
			    bool async)
{
	if (async)
		return call_later(call, ranks, count);
	dpu_jobs_wait_set(call->set);
	return call->callback(call->set, call->index, call->args);
}

dpu_error_t dpu_callback(struct dpu_set_t set,
			 dpu_error_t (*callback)(struct dpu_set_t, uint32_t, void *), void *args,
			 dpu_callback_flags_t flags)
{
	struct call call = {
		.callback = callback, .args = args, .set = set,
		.nonblocking = flags & DPU_CALLBACK_NONBLOCKING,
	};
	struct dpu_rank_t **ranks;
	uint32_t count = dpu_set_ranks(&set, &ranks);
	bool async = flags & DPU_CALLBACK_ASYNC;
	dpu_error_t error = DPU_OK;

	if (call.nonblocking && !async)
		return dpu_failed(DPU_ERR_NONBLOCKING_SYNC_CALLBACK,
				  "a nonblocking callback is asynchronous: add DPU_CALLBACK_ASYNC");
	if (set.kind == DPU_SET_DPU || flags & DPU_CALLBACK_SINGLE_CALL)
		return call_for(&call, ranks, count, async);
	for (uint32_t i = 0; !error && i < count; i++) {
		call.set.list.nr_ranks = 1;
		call.set.list.ranks = &ranks[i];
		call.index = i;
		error = call_for(&call, &ranks[i], 1, async);
	}
	return error;
}
