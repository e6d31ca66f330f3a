// SPDX-License-Identifier: LGPL-2.1-or-later
/* Host threads that execute the DPUs of one rank, or of several. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "upmem/rank-internal.h"

#define BIT(n) (UINT64_C(1) << (n))
#define SLICE_TURNS (UINT64_C(1) << 20)	/* some milliseconds of a DPU, then it is another one's turn */

/* In turn, because programs may wait for the host, which may wait for all of them. */
static unsigned int take_dpu(struct upmem_rank *rank)
{
	uint64_t later = rank->waiting & ~(BIT(rank->turn) - 1);
	unsigned int n = __builtin_ctzll(later ? later : rank->waiting);

	rank->turn = (n + 1) % UPMEM_MAX_DPUS;
	rank->waiting &= ~BIT(n);
	rank->executing |= BIT(n);
	return n;
}

/* A rank with a DPU that waits, the ranks in turn; NULL: none. */
static struct upmem_rank *next_rank(struct upmem_workers *workers)
{
	struct upmem_rank *rank = workers->ranks;

	do {
		if (!rank)
			return NULL;
		rank = rank->next;
		if (rank->waiting && !rank->paused) {
			workers->ranks = rank;
			return rank;
		}
	} while (rank != workers->ranks);
	return NULL;
}

/* Runs one DPU for a while or to its end; with the lock, but while it runs. */
static void run_slice(struct upmem_workers *workers, struct upmem_rank *rank)
{
	unsigned int n = take_dpu(rank);
	enum dpu_state state;
	bool idle;

	pthread_mutex_unlock(&workers->lock);
	state = rank->config.run ? rank->config.run(rank->config.opaque, n, SLICE_TURNS) :
		dpu_run(rank->dpus[n], SLICE_TURNS);
	pthread_mutex_lock(&workers->lock);
	rank->executing &= ~BIT(n);
	if (rank->halting & BIT(n)) {
		dpu_halt(rank->dpus[n]);
		state = dpu_state(rank->dpus[n]);
	}
	rank->halting &= ~BIT(n);
	if (state == DPU_RUNNING)
		rank->waiting |= BIT(n);	/* continues later */
	else
		rank->running &= ~BIT(n);
	if (state == DPU_FAULT)
		rank->faulted |= BIT(n);
	idle = state != DPU_RUNNING && !rank->running;
	if (idle)
		rank->irq |= UPMEM_IRQ_IDLE;
	if (idle && rank->config.idle) {
		rank->telling++;
		pthread_cond_broadcast(&workers->quiet);
		pthread_mutex_unlock(&workers->lock);
		rank->config.idle(rank->config.opaque);
		pthread_mutex_lock(&workers->lock);
		rank->telling--;
	}
	pthread_cond_broadcast(&workers->quiet);
}

static void *work(void *opaque)
{
	struct upmem_workers *workers = opaque;

	pthread_mutex_lock(&workers->lock);
	while (!workers->quit) {
		struct upmem_rank *rank = next_rank(workers);

		if (rank)
			run_slice(workers, rank);
		else
			pthread_cond_wait(&workers->work, &workers->lock);
	}
	pthread_mutex_unlock(&workers->lock);
	return NULL;
}

/* Signals are for the program's own threads. */
static bool start_thread(struct upmem_workers *workers)
{
	sigset_t all, old;
	bool ok;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ok = !pthread_create(&workers->threads[workers->thread_count], NULL, work, workers);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	workers->thread_count += ok;
	return ok;
}

struct upmem_workers *upmem_workers_new(unsigned int threads)
{
	long count = threads ? (long)threads : sysconf(_SC_NPROCESSORS_ONLN);
	struct upmem_workers *workers;

	if (count < 1)
		count = 1;
	workers = calloc(1, sizeof(*workers) + count * sizeof(workers->threads[0]));
	if (!workers)
		return NULL;
	pthread_mutex_init(&workers->lock, NULL);
	pthread_cond_init(&workers->work, NULL);
	pthread_cond_init(&workers->quiet, NULL);
	while (workers->thread_count < (unsigned int)count && start_thread(workers))
		;
	if (workers->thread_count)
		return workers;
	upmem_workers_free(workers);
	errno = EAGAIN;
	return NULL;
}

void upmem_workers_free(struct upmem_workers *workers)
{
	if (!workers)
		return;
	pthread_mutex_lock(&workers->lock);
	workers->quit = true;
	pthread_cond_broadcast(&workers->work);
	pthread_mutex_unlock(&workers->lock);
	for (unsigned int i = 0; i < workers->thread_count; i++)
		pthread_join(workers->threads[i], NULL);
	pthread_cond_destroy(&workers->quiet);
	pthread_cond_destroy(&workers->work);
	pthread_mutex_destroy(&workers->lock);
	free(workers);
}

/* More threads than DPUs have no work. */
static struct upmem_workers *own_workers(struct upmem_rank *rank)
{
	long count = rank->config.threads ? (long)rank->config.threads : sysconf(_SC_NPROCESSORS_ONLN);
	struct upmem_workers *workers;

	workers = upmem_workers_new(count > (long)rank->config.dpus ? rank->config.dpus : count);
	if (workers)
		workers->owned = true;
	return workers;
}

struct upmem_workers *upmem_workers_join(struct upmem_workers *workers, struct upmem_rank *rank)
{
	if (!workers)
		workers = own_workers(rank);
	if (!workers)
		return NULL;
	pthread_mutex_lock(&workers->lock);
	rank->next = workers->ranks ? workers->ranks->next : rank;
	if (workers->ranks)
		workers->ranks->next = rank;
	workers->ranks = rank;
	pthread_mutex_unlock(&workers->lock);
	return workers;
}

void upmem_workers_leave(struct upmem_workers *workers, struct upmem_rank *rank)
{
	struct upmem_rank *before = rank;

	pthread_mutex_lock(&workers->lock);
	while (rank->telling)
		pthread_cond_wait(&workers->quiet, &workers->lock);
	while (before->next != rank)
		before = before->next;
	before->next = rank->next;
	workers->ranks = before == rank ? NULL : before;
	pthread_mutex_unlock(&workers->lock);
	if (workers->owned)
		upmem_workers_free(workers);
}
