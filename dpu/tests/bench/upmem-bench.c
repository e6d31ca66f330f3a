// SPDX-License-Identifier: GPL-2.0-only
/*
 * Speed of the DPU model on one core: an arithmetic loop, a mix of WRAM accesses and DMA, locks,
 * and vector addition, 16 tasklets each. In the same run the fast interpreter must reach a given
 * multiple of the plain one's speed, and compiled code a given multiple of the fast interpreter's. With the check
 * a program may take a given multiple of the plain interpreter's time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "dpu/as/asm.h"
#include "dpu/include/blocks.h"
#include "dpu/include/check.h"
#include "dpu/include/load.h"

static const char arithmetic[] =
	"main: move r0, 2000000\n move r1, 7\n"
	"1: add r1, r1, r0\n xor r2, r1, r0\n lsr r3, r2, 3\n add r1, r1, r3\n and r4, r1, r2\n"
	" sub r5, r4, r3\n or r1, r1, r5\n add r0, r0, -1, nz, 1b\n jump r23\n";

/* A load or store in three instructions, and sometimes 64 bytes each way. */
static const char mix[] =
	".bss\n.align 8\nbuffers: .space 64 * 16\n.text\n"
	"main: move r0, 400000\n lsl r6, id8, 3\n add r6, r6, buffers\n lsl r7, id, 20\n"
	"1: lw r1, r6, 0\n add r1, r1, r0\n sw r6, 0, r1\n lw r2, r6, 4\n add r2, r2, r1\n"
	" sw r6, 4, r2\n lbu r3, r6, 8\n add r3, r3, 1\n sb r6, 8, r3\n and r4, r0, 15\n"
	" jneq r4, 0, 2f\n ldma r6, r7, 7\n sdma r6, r7, 7\n2: add r0, r0, -1, nz, 1b\n jump r23\n";

/* A lock around a shared sum, and some work between. */
static const char locks[] =
	".section .atomic\nlock: .zero 1\n.bss\n.align 8\nsum: .zero 8\n.text\n"
	"main: move r0, 100000\n move r1, id\n move r4, lock\n"
	"1: acquire r4, 0, nz, .\n lw r2, zero, sum\n add r2, r2, r1\n sw zero, sum, r2\n"
	" release r4, 0, nz, .+1\n move r3, 3\n2: add r1, r1, r3\n xor r1, r1, r0\n add r3, r3, -1, nz, 2b\n"
	" add r0, r0, -1, nz, 1b\n jump r23\n";

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* c = a + b with 1 M elements, 1 KiB at a time: the loop of examples/upmem/vecadd.s. */
static const char vecadd[] =
	".bss\n.align 8\nbuffers: .space 2048 * 16\n.text\n"
	"main: move r9, 256\n lsl r8, id, 11\n add r8, r8, buffers\n add r2, r8, 1024\n"
	" lsl r10, id, 18\n add r11, r10, 4 << 20\n add r12, r10, 8 << 20\n"
	"1: ldma r8, r10, 127\n ldma r2, r11, 127\n move r3, 256\n move r4, r8\n"
	"2: lw r5, r4, 0\n lw r6, r4, 1024\n add r5, r5, r6\n sw r4, 0, r5\n add r4, r4, 4\n"
	" add r3, r3, -1, nz, 2b\n sdma r8, r12, 127\n add r10, r10, 1024\n add r11, r11, 1024\n"
	" add r12, r12, 1024\n add r9, r9, -1, nz, 1b\n jump r23\n";

enum way { PLAIN, FAST, COMPILED, CHECKED };
#define MOST_CHECKED 4		/* times the plain interpreter's time */

static void die(const char *name, const char *why)
{
	fprintf(stderr, "upmem-bench: %s: %s\n", name, why);
	exit(EXIT_FAILURE);
}

static struct dpu *load(const char *name, const char *text, bool check)
{
	const struct dpu_asm_source source = { name, text };
	const struct dpu_asm_options options = {
		.arch = &dpu_archs[DPU_ARCH_V1B], .tasklets = 16, .stack_size = 64
	};
	char error[DPU_ASM_ERROR_SIZE];
	struct dpu_program *program;
	struct dpu *dpu;
	void *image;
	size_t size;

	if (!dpu_assemble(&source, 1, &options, &image, &size, error))
		die(name, error);
	dpu = dpu_new(options.arch, NULL, 0, NULL);
	if (!dpu || (check && !dpu_set_check(dpu, true)) || dpu_program_open(image, size, &program) ||
	    !dpu_load_program(dpu, program))
		die(name, "memory is short");
	dpu_check_program(dpu, program);
	dpu_program_close(program);
	free(image);
	return dpu;
}

/* Compiles now, so that the run does not wait for it. */
static void prepare(struct dpu *dpu, const char *name)
{
	char problem[DPU_BLOCKS_PROBLEM];

	dpu_set_blocks(dpu, DPU_BLOCKS_NOW);
	dpu_boot(dpu);
	dpu_run(dpu, 1);
	if (!dpu_blocks_used(dpu, problem))
		die(name, problem);
}

/* Millions of instructions a second. */
static double rate_of(const char *name, const char *text, enum way way)
{
	struct dpu *dpu = load(name, text, way == CHECKED);
	struct dpu_totals totals;
	double start;

	dpu_set_reference(dpu, way == PLAIN);
	if (way == COMPILED)
		prepare(dpu, name);
	else
		dpu_boot(dpu);
	start = seconds();
	dpu_run(dpu, 0);
	start = seconds() - start;
	dpu_totals(dpu, &totals);
	dpu_destroy(dpu);
	return totals.instructions / start / 1e6;
}

static int run(const char *name, const char *text, double goal, double compiled_goal)
{
	double plain = rate_of(name, text, PLAIN), fast = rate_of(name, text, FAST);
	double compiled = rate_of(name, text, COMPILED), checked = rate_of(name, text, CHECKED);
	bool slow = fast / plain < goal || compiled / fast < compiled_goal || plain / checked > MOST_CHECKED;

	printf("%-10s %6.1f plain, %6.1f fast (%4.1f times, goal %.1f), %6.1f compiled (%4.1f times that, goal %.1f), "
	       "%5.1f checked (1/%.1f of plain, goal 1/%d; 1/%.0f of fast, 1/%.0f of compiled)\n", name, plain, fast,
	       fast / plain, goal, compiled, compiled / fast, compiled_goal, checked, plain / checked, MOST_CHECKED,
	       fast / checked, compiled / checked);
	return slow ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(void)
{
	puts("Millions of DPU instructions a second of CPU time, 16 tasklets:");
	return run("arithmetic", arithmetic, 5, 2.5) | run("mix", mix, 3, 2) | run("locks", locks, 3, 0.8) |
	       run("vecadd", vecadd, 2, 1.1);
}
