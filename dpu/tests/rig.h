/* SPDX-License-Identifier: GPL-2.0-only */
/* A DPU with an assembled program, for tests. A failure ends the test. */
#ifndef TEST_UPMEM_RIG_H
#define TEST_UPMEM_RIG_H

#include <check.h>

#include "dpu/as/asm.h"
#include "dpu/include/load.h"

struct rig {
	struct dpu *dpu;
	struct dpu_program *program;
};

/* The program's text; .include finds examples/upmem. */
struct rig rig_new(const char *text, unsigned int tasklets, enum dpu_arch_id arch);
/* A program of examples/upmem. */
struct rig rig_new_file(const char *name, unsigned int tasklets);
void rig_free(struct rig *rig);
/* The same program on a new DPU with other parameters of the cycle model. */
void rig_set_timing(struct rig *rig, const struct dpu_timing *timing);
/* Boots and runs to the end. */
enum dpu_state rig_run(struct rig *rig);
/* The same, and the program must end without a fault. */
void rig_run_ok(struct rig *rig);
/* Instructions and cycles of one run. */
struct dpu_totals rig_count(struct rig *rig);

/* A variable's 32-bit or 64-bit element. */
uint32_t rig_get(struct rig *rig, const char *symbol, unsigned int index);
uint64_t rig_get64(struct rig *rig, const char *symbol, unsigned int index);
void rig_set(struct rig *rig, const char *symbol, unsigned int index, uint32_t value);
void rig_set64(struct rig *rig, const char *symbol, unsigned int index, uint64_t value);

/* Instructions of the start-up code for a number of tasklets: asm.c, counted by hand. Every tasklet
 * executes jneq, jeq, ld, jeq, call and stop, all but the last one boot, and the first one in
 * addition sd, move and 256 times release and add: 7 * tasklets + 513.
 */
#define START_UP(tasklets) (7 * (tasklets) + 513)

/* xorshift64*. */
uint64_t rig_random(uint64_t *state);

#endif
