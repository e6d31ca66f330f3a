// SPDX-License-Identifier: GPL-2.0-only
/*
 * Speed of the DPU model on one core: an arithmetic loop and a mix of WRAM accesses and DMA, 16
 * tasklets each. The goals are 150 and 60 million instructions a second; missing one is an error.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tools/dpu-as/asm.h"
#include "upmem/load.h"

static const char arithmetic[] =
	"main: move r0, 2000000\n move r1, 7\n"
	"1: add r1, r1, r0\n xor r2, r1, r0\n lsr r3, r2, 3\n add r1, r1, r3\n and r4, r1, r2\n"
	" sub r5, r4, r3\n or r1, r1, r5\n add r0, r0, -1, nz, 1b\n jump r23\n";

/* A load or store in three instructions, and now and then 64 bytes each way. */
static const char mix[] =
	".bss\n.align 8\nbuffers: .space 64 * 16\n.text\n"
	"main: move r0, 400000\n lsl r6, id8, 3\n add r6, r6, buffers\n lsl r7, id, 20\n"
	"1: lw r1, r6, 0\n add r1, r1, r0\n sw r6, 0, r1\n lw r2, r6, 4\n add r2, r2, r1\n"
	" sw r6, 4, r2\n lbu r3, r6, 8\n add r3, r3, 1\n sb r6, 8, r3\n and r4, r0, 15\n"
	" jneq r4, 0, 2f\n ldma r6, r7, 7\n sdma r6, r7, 7\n2: add r0, r0, -1, nz, 1b\n jump r23\n";

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static int run(const char *name, const char *text, double goal)
{
	const struct dpu_asm_source source = { name, text };
	const struct dpu_asm_options options = {
		.arch = &dpu_archs[DPU_ARCH_V1B], .tasklets = 16, .stack_size = 64
	};
	char error[DPU_ASM_ERROR_SIZE];
	struct dpu_program *program;
	struct dpu_totals totals;
	double start, rate;
	struct dpu *dpu;
	void *image;
	size_t size;

	if (!dpu_assemble(&source, 1, &options, &image, &size, error)) {
		fprintf(stderr, "upmem-bench: %s\n", error);
		return EXIT_FAILURE;
	}
	dpu = dpu_new(options.arch, NULL, 0, NULL);
	if (dpu_program_open(image, size, &program) || !dpu || !dpu_load_program(dpu, program))
		return EXIT_FAILURE;
	dpu_boot(dpu);
	start = seconds();
	dpu_run(dpu, 0);
	dpu_totals(dpu, &totals);
	rate = totals.instructions / (seconds() - start) / 1e6;
	printf("%-10s %6.1f million DPU instructions a second of CPU time (goal %.0f)\n", name, rate, goal);
	dpu_program_close(program);
	dpu_destroy(dpu);
	free(image);
	return rate < goal ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(void)
{
	return run("arithmetic", arithmetic, 150) | run("mix", mix, 60);
}
