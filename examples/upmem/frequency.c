// SPDX-License-Identifier: GPL-2.0-only
/* The time that a DPU needs for a loop: its cycles (modelled) divided by its clock rate. */
#include <dpu.h>
#include <stdio.h>
#include <time.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char *argv[])
{
	struct dpu_set_t set, dpu;
	uint32_t nb_cycles = 0, clocks_per_sec = 1;
	double start, end;

	if (argc != 2) {
		fprintf(stderr, "usage: %s examples/upmem/frequency.dpu\n", argv[0]);
		return EXIT_FAILURE;
	}
	DPU_ASSERT(dpu_alloc(1, NULL, &set));
	DPU_ASSERT(dpu_load(set, argv[1], NULL));
	start = now();
	DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
	end = now();
	DPU_FOREACH(set, dpu) {
		DPU_ASSERT(dpu_copy_from(dpu, "nb_cycles", 0, &nb_cycles, sizeof(nb_cycles)));
		DPU_ASSERT(dpu_copy_from(dpu, "CLOCKS_PER_SEC", 0, &clocks_per_sec,
					 sizeof(clocks_per_sec)));
	}
	printf("DPU cycles: %u\n", nb_cycles);
	printf("DPU time: %.2e secs.\n", (double)nb_cycles / clocks_per_sec);
	printf("Host elapsed time: %.2e secs.\n", end - start);
	DPU_ASSERT(dpu_free(set));
	return EXIT_SUCCESS;
}
