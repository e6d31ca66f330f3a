// SPDX-License-Identifier: LGPL-2.1-or-later
/* Saving and loading a rank, for migration and snapshots on hosts of one kind. */
#include <string.h>

#include "upmem/rank-internal.h"

/* The rank's registers; the DPUs follow. */
struct saved_rank {
	uint32_t magic, dpus;
	uint64_t running, faulted;
	uint32_t irq;
	uint32_t latched;
	struct upmem_dma dma;
	struct dpu_pmc pmcs[UPMEM_MAX_DPUS];
	uint32_t high[UPMEM_MAX_DPUS][2];
	struct dpu_totals latch[UPMEM_MAX_DPUS];
};

#define MAGIC 0x34565355	/* changes with the layout */

size_t upmem_rank_save_size(const struct upmem_rank *rank)
{
	return sizeof(struct saved_rank) + rank->config.dpus * dpu_save_size();
}

void upmem_rank_save(struct upmem_rank *rank, void *data)
{
	struct saved_rank *s = data;
	uint8_t *dpus = (uint8_t *)(s + 1);

	memset(s, 0, sizeof(*s));
	s->magic = MAGIC;
	s->dpus = rank->config.dpus;
	s->running = rank->running;
	s->faulted = rank->faulted;
	s->irq = rank->irq;
	s->latched = rank->latched;
	s->dma = rank->dma;
	memcpy(s->pmcs, rank->pmcs, sizeof(s->pmcs));
	memcpy(s->high, rank->high, sizeof(s->high));
	memcpy(s->latch, rank->latch, sizeof(s->latch));
	for (unsigned int i = 0; i < rank->config.dpus; i++)
		dpu_save(rank->dpus[i], dpus + i * dpu_save_size());
}

bool upmem_rank_load(struct upmem_rank *rank, const void *data, size_t size)
{
	const struct saved_rank *s = data;
	const uint8_t *dpus = (const uint8_t *)(s + 1);
	bool ok = size == upmem_rank_save_size(rank) && s->magic == MAGIC &&
		  s->dpus == rank->config.dpus && !(s->running & ~upmem_rank_mask(rank));

	for (unsigned int i = 0; ok && i < rank->config.dpus; i++) {
		bool running = s->running >> i & 1;

		ok = dpu_restore(rank->dpus[i], dpus + i * dpu_save_size()) &&
		     running == (dpu_state(rank->dpus[i]) == DPU_RUNNING);
	}
	if (!ok) {
		upmem_rank_reset(rank);
		return false;
	}
	rank->running = s->running;
	rank->waiting = s->running;
	rank->faulted = s->faulted & upmem_rank_mask(rank);
	rank->irq = s->irq;
	rank->latched = s->latched & 1;
	rank->dma = s->dma;
	memcpy(rank->pmcs, s->pmcs, sizeof(s->pmcs));
	upmem_rank_pace(rank);
	memcpy(rank->high, s->high, sizeof(s->high));
	memcpy(rank->latch, s->latch, sizeof(s->latch));
	return true;
}
