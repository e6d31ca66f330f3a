/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Internals of the rank. */
#ifndef MON_MODELS_UPMEM_RANK_INTERNAL_H
#define MON_MODELS_UPMEM_RANK_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "events/upmem/regs.h"
#include "upmem/pmc.h"
#include "upmem/rank.h"

struct upmem_dma {
	uint64_t bus;
	uint32_t address, length, dpu, status;
};

/* Threads, and the ranks that they execute. */
struct upmem_workers {
	pthread_mutex_t lock;
	pthread_cond_t work, quiet;
	struct upmem_rank *ranks;	/* a circle; the one that had its turn last */
	bool owned;			/* by its only rank */
	bool quit;
	unsigned int thread_count;
	pthread_t threads[];
};

struct upmem_rank {
	struct upmem_rank_config config;
	struct dpu *dpus[UPMEM_MAX_DPUS];

	/* Registers, for one thread at a time. */
	struct dpu_pmc pmcs[UPMEM_MAX_DPUS];
	uint32_t high[UPMEM_MAX_DPUS][2];	/* held when the low word was read */
	struct upmem_dma dma;
	bool latched;
	struct dpu_totals latch[UPMEM_MAX_DPUS];

	/* Shared with the threads, under their lock; bit n is DPU n. */
	struct upmem_workers *workers;
	struct upmem_rank *next;	/* of those that share them */
	uint64_t running;	/* started and not yet ended */
	uint64_t waiting;	/* running, but no thread has it */
	uint64_t executing;	/* a thread has it */
	unsigned int turn;	/* the next DPU to run, if it waits */
	uint64_t halting;	/* to be ended by the thread that has it */
	uint64_t faulted;
	atomic_uint irq;
	bool paused;
	unsigned int telling;		/* calls of config.idle that have not returned */
	struct rank_profile *profiles;	/* rank-profile.c */
};

/*
 * workers.c: gives a rank its threads, its own ones if workers is NULL; takes them away while it is
 * paused.
 */
struct upmem_workers *upmem_workers_join(struct upmem_workers *workers, struct upmem_rank *rank);
void upmem_workers_leave(struct upmem_workers *workers, struct upmem_rank *rank);

/* Ends all programs and clears the memories, but not the counters, which may be in use. */
void upmem_rank_clear(struct upmem_rank *rank);
/* Paces the DPUs whose counters run. */
void upmem_rank_pace(struct upmem_rank *rank);
/* Adds the counts of a DPU's profile to its program's; call it before its IRAM changes. */
void upmem_rank_profile_collect(struct upmem_rank *rank, struct dpu *dpu);
void upmem_rank_profile_free(struct upmem_rank *rank);
uint64_t upmem_rank_mask(const struct upmem_rank *rank);
void upmem_rank_launch(struct upmem_rank *rank, uint64_t mask);
void upmem_rank_halt(struct upmem_rank *rank, uint64_t mask);

#endif
