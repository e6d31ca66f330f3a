/* SPDX-License-Identifier: GPL-2.0-only */
/* UPMEM's "Performance Counters" page: the clock of a DPU, in C, as printed but for the indentation. */
#include <dpu.h>
#include <stdio.h>
#include <time.h>
#ifndef DPU_BINARY
#define DPU_BINARY "./frequency_example"
#endif
static inline double my_clock(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (1.0e-9 * t.tv_nsec + t.tv_sec);
}
int main() {
	struct dpu_set_t set, dpu;
	DPU_ASSERT(dpu_alloc(1, NULL, &set));
	printf("DPU allocated\n");
	DPU_ASSERT(dpu_load(set, DPU_BINARY, NULL));
	double start = my_clock();
	DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
	double end = my_clock();
	// retrieve number of cycles on DPU
	uint32_t nb_cycles;
	DPU_FOREACH(set, dpu) {
		DPU_ASSERT(
		    dpu_copy_from(dpu, "nb_cycles", 0, &nb_cycles, sizeof(uint32_t)));
	}
	// retrieve DPU frequency
	uint32_t clocks_per_sec;
	DPU_FOREACH(set, dpu) {
		DPU_ASSERT(dpu_copy_from(dpu, "CLOCKS_PER_SEC", 0, &clocks_per_sec,
		    sizeof(uint32_t)));
	}
	printf("DPU cycles: %u\n", nb_cycles);
	printf("DPU time: %.2e secs.\n", (double)nb_cycles / clocks_per_sec);
	printf("Host elapsed time: %.2e secs.\n", end - start);
	DPU_ASSERT(dpu_free(set));
	return 0;
}
