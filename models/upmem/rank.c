// SPDX-License-Identifier: GPL-2.0-only
/* The rank's threads and its life. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "upmem/rank-internal.h"

#define BIT(n) (UINT64_C(1) << (n))
#define SLICE_TURNS (UINT64_C(1) << 20)	/* some milliseconds of a DPU, then another one's turn */

static int next_dpu(uint64_t mask)
{
	return mask ? __builtin_ctzll(mask) : -1;
}

/* In turn: programs may wait for what the host does when it has seen all of them. */
static int next_waiting(struct upmem_rank *rank)
{
	uint64_t later = rank->waiting & ~(BIT(rank->turn) - 1);
	int n = next_dpu(later ? later : rank->waiting);

	rank->turn = (n + 1) % UPMEM_MAX_DPUS;
	return n;
}

/* One thread of the rank: takes a DPU that waits, runs it for a while or to its end, and so on. */
static void *rank_work(void *opaque)
{
	struct upmem_rank *rank = opaque;
	int n;

	pthread_mutex_lock(&rank->lock);
	for (;;) {
		enum dpu_state state;
		bool idle;

		while (!rank->quit && (rank->paused || !rank->waiting))
			pthread_cond_wait(&rank->work, &rank->lock);
		if (rank->quit)
			break;
		n = next_waiting(rank);
		rank->waiting &= ~BIT(n);
		rank->executing |= BIT(n);
		pthread_mutex_unlock(&rank->lock);
		state = dpu_run(rank->dpus[n], SLICE_TURNS);
		pthread_mutex_lock(&rank->lock);
		rank->executing &= ~BIT(n);
		if (rank->halting & BIT(n)) {
			dpu_halt(rank->dpus[n]);
			state = dpu_state(rank->dpus[n]);
		}
		rank->halting &= ~BIT(n);
		if (state == DPU_RUNNING)
			rank->waiting |= BIT(n);	/* goes on later */
		else
			rank->running &= ~BIT(n);
		if (state == DPU_FAULT)
			rank->faulted |= BIT(n);
		idle = state != DPU_RUNNING && !rank->running;
		if (idle)
			rank->irq |= UPMEM_IRQ_IDLE;
		pthread_cond_broadcast(&rank->quiet);
		if (idle && rank->config.idle) {
			pthread_mutex_unlock(&rank->lock);
			rank->config.idle(rank->config.opaque);
			pthread_mutex_lock(&rank->lock);
		}
	}
	pthread_mutex_unlock(&rank->lock);
	return NULL;
}

/* Signals are for the program that the rank lives in. */
static bool start_thread(struct upmem_rank *rank)
{
	sigset_t all, old;
	bool ok;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	ok = !pthread_create(&rank->threads[rank->thread_count], NULL, rank_work, rank);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	rank->thread_count += ok;
	return ok;
}

static bool start_threads(struct upmem_rank *rank)
{
	long count = rank->config.threads ? (long)rank->config.threads :
		sysconf(_SC_NPROCESSORS_ONLN);

	if (count < 1)
		count = 1;
	if (count > (long)rank->config.dpus)
		count = rank->config.dpus;
	while (rank->thread_count < (unsigned int)count)
		if (!start_thread(rank))
			break;
	return rank->thread_count;
}

struct upmem_rank *upmem_rank_new(const struct upmem_rank_config *config)
{
	struct upmem_rank *rank = calloc(1, sizeof(*rank));

	if (!rank)
		return NULL;
	rank->config = *config;
	pthread_mutex_init(&rank->lock, NULL);
	pthread_cond_init(&rank->work, NULL);
	pthread_cond_init(&rank->quiet, NULL);
	for (unsigned int i = 0; i < config->dpus; i++) {
		uint8_t *mram = config->mram ? config->mram(config->opaque, i) : NULL;

		rank->dpus[i] = dpu_new(config->arch, &config->timing, config->clock, mram);
		if (!rank->dpus[i] || (config->profile && !dpu_set_profile(rank->dpus[i], true)))
			goto fail;
	}
	if (!start_threads(rank)) {
		errno = EAGAIN;
		goto fail;
	}
	return rank;
fail:
	upmem_rank_free(rank);
	return NULL;
}

void upmem_rank_pause(struct upmem_rank *rank)
{
	pthread_mutex_lock(&rank->lock);
	rank->paused = true;
	while (rank->executing) {
		for (unsigned int i = 0; i < rank->config.dpus; i++)
			if (rank->executing & BIT(i))
				dpu_request_stop(rank->dpus[i]);
		pthread_cond_wait(&rank->quiet, &rank->lock);
	}
	pthread_mutex_unlock(&rank->lock);
}

void upmem_rank_resume(struct upmem_rank *rank)
{
	pthread_mutex_lock(&rank->lock);
	rank->paused = false;
	pthread_cond_broadcast(&rank->work);
	pthread_mutex_unlock(&rank->lock);
}

void upmem_rank_free(struct upmem_rank *rank)
{
	if (!rank)
		return;
	upmem_rank_pause(rank);
	pthread_mutex_lock(&rank->lock);
	rank->quit = true;
	pthread_cond_broadcast(&rank->work);
	pthread_mutex_unlock(&rank->lock);
	for (unsigned int i = 0; i < rank->thread_count; i++)
		pthread_join(rank->threads[i], NULL);
	for (unsigned int i = 0; i < rank->config.dpus; i++)
		dpu_destroy(rank->dpus[i]);
	upmem_rank_profile_free(rank);
	pthread_cond_destroy(&rank->quiet);
	pthread_cond_destroy(&rank->work);
	pthread_mutex_destroy(&rank->lock);
	free(rank);
}

uint64_t upmem_rank_mask(const struct upmem_rank *rank)
{
	return rank->config.dpus == 64 ? ~UINT64_C(0) : BIT(rank->config.dpus) - 1;
}

void upmem_rank_launch(struct upmem_rank *rank, uint64_t mask)
{
	pthread_mutex_lock(&rank->lock);
	mask &= upmem_rank_mask(rank) & ~rank->running;
	for (uint64_t left = mask; left; left &= left - 1)
		dpu_boot(rank->dpus[next_dpu(left)]);
	rank->running |= mask;
	rank->waiting |= mask;
	rank->faulted &= ~mask;
	if (mask)
		pthread_cond_broadcast(&rank->work);
	pthread_mutex_unlock(&rank->lock);
}

void upmem_rank_halt(struct upmem_rank *rank, uint64_t mask)
{
	bool idle = false;

	pthread_mutex_lock(&rank->lock);
	mask &= rank->running;
	for (uint64_t left = mask; left; left &= left - 1) {
		int n = next_dpu(left);

		if (rank->executing & BIT(n)) {
			rank->halting |= BIT(n);
			dpu_request_stop(rank->dpus[n]);
			continue;
		}
		dpu_halt(rank->dpus[n]);
		rank->waiting &= ~BIT(n);
		rank->running &= ~BIT(n);
		idle = !rank->running;
	}
	if (idle)
		rank->irq |= UPMEM_IRQ_IDLE;
	pthread_mutex_unlock(&rank->lock);
	if (idle && rank->config.idle)
		rank->config.idle(rank->config.opaque);
}

void upmem_rank_clear(struct upmem_rank *rank)
{
	bool paused = rank->paused;

	upmem_rank_pause(rank);
	rank->waiting = 0;
	rank->halting = 0;
	rank->running = 0;
	rank->faulted = 0;
	rank->irq = 0;
	for (unsigned int i = 0; i < rank->config.dpus; i++) {
		upmem_rank_profile_collect(rank, rank->dpus[i]);
		dpu_reset(rank->dpus[i]);
	}
	if (rank->config.mram_clear)
		rank->config.mram_clear(rank->config.opaque);
	if (!paused)
		upmem_rank_resume(rank);
}

/* Only who looks at a DPU's counters pays for it. */
void upmem_rank_pace(struct upmem_rank *rank)
{
	for (unsigned int i = 0; i < rank->config.dpus; i++)
		dpu_set_paced(rank->dpus[i], rank->pmcs[i].running);
}

void upmem_rank_reset(struct upmem_rank *rank)
{
	upmem_rank_clear(rank);
	rank->latched = false;
	memset(&rank->dma, 0, sizeof(rank->dma));
	memset(rank->pmcs, 0, sizeof(rank->pmcs));
	upmem_rank_pace(rank);
	memset(rank->high, 0, sizeof(rank->high));
}

struct dpu *upmem_rank_dpu(struct upmem_rank *rank, unsigned int index)
{
	return rank->dpus[index];
}

bool upmem_rank_irq(const struct upmem_rank *rank)
{
	return rank->irq;
}
