// SPDX-License-Identifier: GPL-2.0-only
/*
 * Adds vectors on all DPUs of a rank and checks the result. The program has 2 MiB a vector and DPU,
 * so with 64 DPUs 256 MiB go to MRAM and 128 MiB come back.
 */
#include <dpu.h>
#include <stdio.h>

#define COUNT (2u << 20 >> 2)

static uint32_t value(uint32_t vector, uint32_t dpu, uint32_t i)
{
	return (i + 1) * (2654435761u + 2 * dpu) + vector * 40503u;
}

static void fill(uint32_t *buffer, uint32_t vector, uint32_t dpu)
{
	for (uint32_t i = 0; i < COUNT; i++)
		buffer[i] = value(vector, dpu, i);
}

int main(int argc, char *argv[])
{
	uint32_t *buffer = malloc(COUNT * sizeof(*buffer));
	struct dpu_set_t set, dpu;
	uint32_t nr_dpus, n, wrong = 0;

	if (argc != 2 || !buffer) {
		fprintf(stderr, "usage: %s examples/upmem/vecadd.dpu\n", argv[0]);
		return EXIT_FAILURE;
	}
	DPU_ASSERT(dpu_alloc(DPU_ALLOCATE_ALL, NULL, &set));
	DPU_ASSERT(dpu_get_nr_dpus(set, &nr_dpus));
	DPU_ASSERT(dpu_load(set, argv[1], NULL));
	DPU_FOREACH(set, dpu, n) {
		fill(buffer, 0, n);
		DPU_ASSERT(dpu_copy_to(dpu, "a", 0, buffer, COUNT * 4));
		fill(buffer, 1, n);
		DPU_ASSERT(dpu_copy_to(dpu, "b", 0, buffer, COUNT * 4));
	}
	DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
	DPU_FOREACH(set, dpu, n) {
		DPU_ASSERT(dpu_copy_from(dpu, "c", 0, buffer, COUNT * 4));
		for (uint32_t i = 0; i < COUNT; i++)
			wrong += buffer[i] != value(0, n, i) + value(1, n, i);
	}
	printf("%u DPUs, %u sums, %u wrong\n", nr_dpus, nr_dpus * COUNT, wrong);
	DPU_ASSERT(dpu_free(set));
	free(buffer);
	return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
