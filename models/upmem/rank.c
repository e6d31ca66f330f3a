// SPDX-License-Identifier: LGPL-2.1-or-later
/* The rank's life, and launching its DPUs. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/include/check.h"
#include "upmem/rank-internal.h"

#define BIT(n) (UINT64_C(1) << (n))

static int next_dpu(uint64_t mask)
{
	return mask ? __builtin_ctzll(mask) : -1;
}

struct upmem_rank *upmem_rank_new(const struct upmem_rank_config *config)
{
	struct upmem_rank *rank = calloc(1, sizeof(*rank));

	if (!rank)
		return NULL;
	rank->config = *config;
	for (unsigned int i = 0; i < config->dpus; i++) {
		uint8_t *mram = config->mram ? config->mram(config->opaque, i) : NULL;

		rank->dpus[i] = dpu_new(config->arch, &config->timing, config->clock, mram);
		if (!rank->dpus[i] || (config->profile && !dpu_set_profile(rank->dpus[i], true)) ||
		    (config->check && !dpu_set_check(rank->dpus[i], true)))
			goto fail;
		dpu_set_blocks(rank->dpus[i], config->blocks);
	}
	rank->workers = upmem_workers_join(config->workers, rank);
	if (!rank->workers)
		goto fail;
	return rank;
fail:
	upmem_rank_free(rank);
	return NULL;
}

void upmem_rank_pause(struct upmem_rank *rank)
{
	pthread_mutex_lock(&rank->workers->lock);
	rank->paused = true;
	while (rank->executing) {
		for (unsigned int i = 0; i < rank->config.dpus; i++)
			if (rank->executing & BIT(i))
				dpu_request_stop(rank->dpus[i]);
		pthread_cond_wait(&rank->workers->quiet, &rank->workers->lock);
	}
	pthread_mutex_unlock(&rank->workers->lock);
}

void upmem_rank_resume(struct upmem_rank *rank)
{
	pthread_mutex_lock(&rank->workers->lock);
	rank->paused = false;
	pthread_cond_broadcast(&rank->workers->work);
	pthread_mutex_unlock(&rank->workers->lock);
}

void upmem_rank_free(struct upmem_rank *rank)
{
	if (!rank)
		return;
	if (rank->workers) {
		upmem_rank_pause(rank);
		upmem_workers_leave(rank->workers, rank);
	}
	for (unsigned int i = 0; i < rank->config.dpus; i++)
		dpu_destroy(rank->dpus[i]);
	upmem_rank_profile_free(rank);
	free(rank);
}

uint64_t upmem_rank_mask(const struct upmem_rank *rank)
{
	return rank->config.dpus == 64 ? ~UINT64_C(0) : BIT(rank->config.dpus) - 1;
}

void upmem_rank_launch(struct upmem_rank *rank, uint64_t mask)
{
	pthread_mutex_lock(&rank->workers->lock);
	mask &= upmem_rank_mask(rank) & ~rank->running;
	for (uint64_t left = mask; left; left &= left - 1)
		dpu_boot(rank->dpus[next_dpu(left)]);
	rank->running |= mask;
	rank->waiting |= mask;
	rank->faulted &= ~mask;
	if (mask)
		pthread_cond_broadcast(&rank->workers->work);
	pthread_mutex_unlock(&rank->workers->lock);
}

void upmem_rank_wait(struct upmem_rank *rank, uint64_t mask)
{
	pthread_mutex_lock(&rank->workers->lock);
	while (rank->running & mask)
		pthread_cond_wait(&rank->workers->quiet, &rank->workers->lock);
	pthread_mutex_unlock(&rank->workers->lock);
}

void upmem_rank_halt(struct upmem_rank *rank, uint64_t mask)
{
	bool idle = false;

	pthread_mutex_lock(&rank->workers->lock);
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
	pthread_cond_broadcast(&rank->workers->quiet);
	pthread_mutex_unlock(&rank->workers->lock);
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

/* Only reads of a DPU's counters cost time. */
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

void upmem_rank_set_arch(struct upmem_rank *rank, const struct dpu_arch *arch)
{
	rank->config.arch = arch;
	for (unsigned int i = 0; i < rank->config.dpus; i++)
		dpu_set_arch(rank->dpus[i], arch, rank->config.clock);
}

struct dpu *upmem_rank_dpu(struct upmem_rank *rank, unsigned int index)
{
	return rank->dpus[index];
}

bool upmem_rank_irq(const struct upmem_rank *rank)
{
	return rank->irq;
}
