// SPDX-License-Identifier: GPL-2.0-only
/* Cycles and instructions of a loop on a v1B DPU, which counts both at the same time. */
#include <dpu.h>
#include <stdio.h>

int main(int argc, char *argv[])
{
	struct { uint64_t cycles, instr; } results[5];
	struct dpu_set_t set, dpu;

	if (argc != 2) {
		fprintf(stderr, "usage: %s examples/upmem/both.dpu\n", argv[0]);
		return EXIT_FAILURE;
	}
	DPU_ASSERT(dpu_alloc(1, NULL, &set));
	DPU_ASSERT(dpu_load(set, argv[1], NULL));
	DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
	DPU_FOREACH(set, dpu) {
		DPU_ASSERT(dpu_copy_from(dpu, "results", 0, results, sizeof(results)));
	}
	for (int i = 0; i < 5; i++)
		printf("cycles = %lu, instr = %lu => CPI=%f or IPC=%f\n",
		       (unsigned long)results[i].cycles, (unsigned long)results[i].instr,
		       (double)results[i].cycles / results[i].instr,
		       (double)results[i].instr / results[i].cycles);
	DPU_ASSERT(dpu_free(set));
	return EXIT_SUCCESS;
}
