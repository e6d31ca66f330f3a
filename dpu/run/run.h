/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of dpu-run share; dpu-dbg uses some of it. */
#ifndef DPU_RUN_H
#define DPU_RUN_H

#include <stdio.h>

#include "dpu/include/dpu_program.h"
#include "dpu/include/model.h"

/* Ends the program with "dpu-run: what: why". */
void die(const char *what, const char *why) __attribute__((noreturn));

/*
 * launch.c: boots and runs the DPUs, on one thread or as many as there are processors, each for about limit
 * instructions (0: no limit). SIGINT and SIGTERM stop them; a second one ends the program at once. Returns the
 * signal, or 0.
 */
int launch(struct dpu *dpus[], unsigned int count, uint64_t limit, bool one_thread);

/* machine.c: the requested architecture, else the program's, else v1A. tasklets: 0, as linked. */
const struct dpu_arch *choose_arch(const char *path, const struct dpu_program *program,
				   const struct dpu_arch *arch, unsigned int tasklets);
/* The log: the buffer up to the write pointer, without overwritten records. */
void print_log(struct dpu *dpu, const struct dpu_program *program);

/*
 * variables.c: a program's variables and MRAM. File names may contain %d, the DPU's number.
 *
 * --set SYMBOL=VALUE, SYMBOL=@FILE; --mram OFFSET=@FILE; --dump SYMBOL, MRAM:OFFSET:LENGTH, each with =FILE;
 * --print SYMBOL.
 */
void set_variable(struct dpu *dpu, unsigned int number, const struct dpu_program *program, const char *arg);
void set_mram(struct dpu *dpu, unsigned int number, const char *arg);
void dump_memory(struct dpu *dpu, unsigned int number, const struct dpu_program *program, const char *arg);
void print_variable(struct dpu *dpu, const struct dpu_program *program, const char *name);

/* callgrind.c: the sum of the DPUs' profiles, in the format of callgrind_annotate and KCachegrind. */
void write_profile(FILE *file, const char *path, const struct dpu_program *program,
		   const struct dpu_cost cost[DPU_IRAM_WORDS]);
/* Adds a DPU's profile, or a profile of this program that a rank wrote. */
void add_profile(struct dpu_cost sum[DPU_IRAM_WORDS], struct dpu *dpu);
void add_profile_of(struct dpu_cost sum[DPU_IRAM_WORDS], const char *path,
		    const struct dpu_program *program);

#endif
