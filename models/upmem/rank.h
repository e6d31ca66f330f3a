/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A rank of DPUs with the registers of events/upmem/regs.h and host threads, its own or shared ones.
 *
 * One thread at a time uses registers and memories (in QEMU: under its lock). The rank's threads
 * execute DPUs and never take that lock.
 */
#ifndef MON_MODELS_UPMEM_RANK_H
#define MON_MODELS_UPMEM_RANK_H

#include "dpu/include/blocks.h"
#include "dpu/include/model.h"

struct upmem_rank;
struct upmem_workers;

struct upmem_rank_config {
	const struct dpu_arch *arch;
	unsigned int dpus;		/* 1..64 */
	struct upmem_workers *workers;	/* NULL: threads of its own */
	unsigned int threads;		/* so many of them, 0: as many as processors */
	uint32_t clock;			/* Hz, 0: the architecture's */
	struct dpu_timing timing;
	bool profile;			/* makes profiles */
	bool check;			/* checks programs: check.h */
	enum dpu_blocks blocks;		/* compiles programs: blocks.h */
	uint8_t *(*mram)(void *opaque, unsigned int dpu);	/* NULL: the model's own */
	void (*mram_clear)(void *opaque);	/* zeroes all of it; needed with mram */
	/* Moves bytes of guest memory; false if there is none at that address. */
	bool (*bus_read)(void *opaque, uint64_t address, void *data, uint32_t length);
	bool (*bus_write)(void *opaque, uint64_t address, const void *data, uint32_t length);
	/* Executes a DPU as dpu_run() does, from a thread of the rank; NULL: dpu_run(). */
	enum dpu_state (*run)(void *opaque, unsigned int dpu, uint64_t max_turns);
	void (*idle)(void *opaque);	/* from a thread of the rank: the last DPU stopped */
	void *opaque;
};

/* Threads for several ranks, 0: as many as processors. They are freed after their ranks. */
struct upmem_workers *upmem_workers_new(unsigned int threads);
void upmem_workers_free(struct upmem_workers *workers);

/* NULL with errno: out of memory or threads. */
struct upmem_rank *upmem_rank_new(const struct upmem_rank_config *config);
void upmem_rank_free(struct upmem_rank *rank);

/* size: 1 or 4 bytes; undefined registers read 0 and ignore writes. */
uint32_t upmem_rank_read(struct upmem_rank *rank, uint32_t offset, unsigned int size);
void upmem_rank_write(struct upmem_rank *rank, uint32_t offset, uint32_t value, unsigned int size);

/* True if the interrupt's cause is still there. */
bool upmem_rank_irq(const struct upmem_rank *rank);
/* Waits until none of the DPUs of a mask runs. */
void upmem_rank_wait(struct upmem_rank *rank, uint64_t mask);
/* Ends all programs and clears everything. */
void upmem_rank_reset(struct upmem_rank *rank);

/* Between pause and resume no DPU executes and no interrupt comes; both may be repeated. */
void upmem_rank_pause(struct upmem_rank *rank);
void upmem_rank_resume(struct upmem_rank *rank);

/*
 * Writes PREFIX-0.profile and so on, one file for each program, while paused. False with errno when that
 * failed.
 */
bool upmem_rank_profile_write(struct upmem_rank *rank, const char *prefix);

/* DPUs of another generation, with its clock; call it before they load a program. */
void upmem_rank_set_arch(struct upmem_rank *rank, const struct dpu_arch *arch);

struct dpu *upmem_rank_dpu(struct upmem_rank *rank, unsigned int index);

/* State without MRAM, while paused. load() is false, and the rank is reset, for other data. */
size_t upmem_rank_save_size(const struct upmem_rank *rank);
void upmem_rank_save(struct upmem_rank *rank, void *data);
bool upmem_rank_load(struct upmem_rank *rank, const void *data, size_t size);

#endif
