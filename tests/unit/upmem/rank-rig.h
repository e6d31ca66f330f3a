/* SPDX-License-Identifier: GPL-2.0-only */
/* A rank of DPUs, its guest memory and its registers, for tests. A failure ends the test. */
#ifndef TEST_UPMEM_RANK_RIG_H
#define TEST_UPMEM_RANK_RIG_H

#include <check.h>

#include "dpu/isa/dpu_isa.h"
#include "events/upmem/regs.h"
#include "tests/unit/upmem/bus.h"
#include "upmem/rank.h"

/* Guest memory: 64 KiB from this bus address on. */
#define BUS 0x100000000u
extern uint8_t guest[65536];

struct upmem_rank *rank_new(unsigned int dpus, unsigned int threads, enum dpu_arch_id arch);
/* One DPU and one thread, with these parameters. */
struct upmem_rank *rank_new_timed(const struct dpu_timing *timing);
/* Two DPUs that make profiles. */
struct upmem_rank *rank_new_profiled(void);

uint32_t get(struct upmem_rank *rank, uint32_t offset);
void put(struct upmem_rank *rank, uint32_t offset, uint32_t value);
uint64_t instructions(struct upmem_rank *rank, unsigned int dpu);
uint64_t cycles(struct upmem_rank *rank, unsigned int dpu);
void wait_idle(struct upmem_rank *rank);

/* n byte registers of the counters, from index first on. */
uint64_t pmc(struct upmem_rank *rank, unsigned int dpu, unsigned int first, unsigned int n,
	     uint8_t chain);
/* Enables both counters with these events, from zero. */
void pmc_set(struct upmem_rank *rank, unsigned int dpu, uint8_t event1, uint8_t event2,
	     uint8_t chain);

/* The words of a program without start-up code, into IRAM. */
void load_words(struct upmem_rank *rank, unsigned int dpu, const uint64_t *words, unsigned int n);
/* A word of an encoding, such as "or:rri". */
uint64_t word(const char *name, enum dpu_form form, int32_t rc, int32_t ra, int32_t imm, int32_t cc, int32_t pc);
/*
 * r0 = rounds; do r0 += -1 while r0; ldma; sdma; stop: rounds + 4 instructions. Returns the number of
 * words, which is below 8.
 */
unsigned int count_down(uint64_t *words, uint32_t rounds);

#endif
