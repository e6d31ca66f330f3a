// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs whose bits were changed, compiled for the host and executed by the plain interpreter: both do the same.
 *
 * fuzz-upmem-blocks [TURNS [SEED]], of compiled programs. The sanitizers check the model and, with
 * a compiler that LIBMON_DPU_CC names, the generated code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dpu/tests/random-program.h"
#include "dpu/as/asm.h"
#include "dpu/include/blocks.h"
#include "dpu/include/load.h"

#define TURNS_OF_ONE 400000

static uint64_t seed = 1;

static unsigned int below(unsigned int n)
{
	return (random_number(&seed) >> 25) % n;
}

static void stop(const char *why)
{
	fprintf(stderr, "fuzz-upmem-blocks: %s\n", why);
	abort();
}

/* Two DPUs with the same program; some of its words have other bits. */
static void load(struct dpu *dpus[2], const struct dpu_arch *arch)
{
	static char text[RANDOM_PROGRAM_SIZE];
	const struct dpu_asm_source source = { "fuzz", text };
	const struct dpu_asm_options options = { .arch = arch, .tasklets = 1 + below(16), .stack_size = 64 };
	char error[DPU_ASM_ERROR_SIZE];
	struct dpu_program *program;
	void *image;
	size_t size;

	(below(2) ? random_program : random_private_program)(text, random_number(&seed));
	if (!dpu_assemble(&source, 1, &options, &image, &size, error) || dpu_program_open(image, size, &program))
		stop(error);
	for (int i = 0; i < 2; i++) {
		dpus[i] = dpu_new(arch, NULL, 0, NULL);
		if (!dpus[i] || !dpu_load_program(dpus[i], program))
			stop("memory is short");
	}
	for (unsigned int n = below(8); n; n--) {
		unsigned int index = below(100);
		uint64_t word = dpu_iram_word(dpus[0], index) ^ UINT64_C(1) << below(48);

		for (int i = 0; i < 2; i++)
			dpu_write(dpus[i], DPU_IRAM, 8 * index, &word, sizeof(word));
	}
	dpu_program_close(program);
	free(image);
}

static void compare_memory(struct dpu *const dpus[2], enum dpu_memory memory, uint32_t size)
{
	static uint8_t a[DPU_WRAM_SIZE], b[DPU_WRAM_SIZE];

	dpu_halt(dpus[0]);
	dpu_halt(dpus[1]);
	if (!dpu_read(dpus[0], memory, 0, a, size) || !dpu_read(dpus[1], memory, 0, b, size) || memcmp(a, b, size))
		stop("memories differ");
}

static void compare(struct dpu *const dpus[2])
{
	struct dpu_totals a, b;

	dpu_totals(dpus[0], &a);
	dpu_totals(dpus[1], &b);
	if (memcmp(&a, &b, sizeof(a)) || dpu_state(dpus[0]) != dpu_state(dpus[1]))
		stop("counts or states differ");
	if (memcmp(dpu_fault(dpus[0]), dpu_fault(dpus[1]), sizeof(struct dpu_fault)))
		stop("faults differ");
	for (unsigned int t = 0; t < DPU_MAX_THREADS; t++)
		for (unsigned int reg = 0; reg < 24; reg++)
			if (dpu_register(dpus[0], t, reg) != dpu_register(dpus[1], t, reg) ||
			    dpu_pc(dpus[0], t) != dpu_pc(dpus[1], t))
				stop("registers differ");
	compare_memory(dpus, DPU_WRAM, dpu_arch(dpus[0])->wram_size);
	compare_memory(dpus, DPU_MRAM, DPU_WRAM_SIZE);
}

/* Turns of compiled code; 0 of a program that loads code or stops tasklets, which is not compiled. */
static uint64_t run_one(void)
{
	const struct dpu_arch *arch = &dpu_archs[below(2)];
	char problem[DPU_BLOCKS_PROBLEM];
	struct dpu_totals totals;
	struct dpu *dpus[2];
	bool used;

	load(dpus, arch);
	dpu_set_blocks(dpus[0], DPU_BLOCKS_NOW);
	dpu_set_reference(dpus[1], true);
	for (int i = 0; i < 2; i++) {
		dpu_boot(dpus[i]);
		for (int piece = 0; piece < 4; piece++)
			dpu_run(dpus[i], TURNS_OF_ONE / 4);
	}
	used = dpu_blocks_used(dpus[0], problem);
	if (*problem)
		stop(problem);
	compare(dpus);
	dpu_totals(dpus[0], &totals);
	dpu_destroy(dpus[0]);
	dpu_destroy(dpus[1]);
	return used ? totals.instructions : 0;
}

int main(int argc, char *argv[])
{
	uint64_t wanted = argc > 1 ? strtoull(argv[1], NULL, 0) : 1000000, turns = 0;
	unsigned int programs = 0;

	if (argc > 2)
		seed = strtoull(argv[2], NULL, 0);
	while (turns < wanted) {
		turns += run_one();
		programs++;
	}
	printf("%llu turns of %u programs\n", (unsigned long long)turns, programs);
	return EXIT_SUCCESS;
}
