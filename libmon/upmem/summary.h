/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The summary of a run; report.c calls all of it under its lock. */
#ifndef LIBMON_DPU_SUMMARY_H
#define LIBMON_DPU_SUMMARY_H

#include <stdio.h>

#include "libmon/upmem/internal.h"

enum dpu_count { DPU_INSTRUCTIONS, DPU_CYCLES, DPU_WORDS, DPU_COUNTS };

/* A launch that has ended. */
struct dpu_launched {
	unsigned int dpus;
	uint64_t sum[DPU_COUNTS];
	uint64_t most;			/* cycles of the slowest DPU */
	const struct dpu_t *slowest;
	double kernel, host;		/* seconds of the slowest DPU, and of the host's part */
};

/* The name of the file says the format. True if the file takes lines of launches as well. */
bool dpu_summary_format(const char *name);
void dpu_summary_open(FILE *file);
void dpu_summary_print(void);
void dpu_summary_loaded(const struct dpu_program_t *program);
void dpu_summary_dpu(const struct dpu_t *dpu, uint64_t cycles);
void dpu_summary_launch(const struct dpu_launched *l);
void dpu_summary_transfer(const struct dpu_program_t *program, bool to, uint64_t bytes, double seconds);

#endif
