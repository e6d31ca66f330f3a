// SPDX-License-Identifier: GPL-2.0-only
/* Sums 64-bit numbers on every DPU of a rank; the transfers are pushed to all DPUs at a time. */
#include <dpu.h>
#include <stdio.h>

#define COUNT (1u << 16)

int main(int argc, char *argv[])
{
	struct dpu_set_t set, dpu;
	uint64_t *input, *sums, expected = 0, wrong = 0;
	uint32_t nr_dpus, i;

	if (argc != 2) {
		fprintf(stderr, "usage: %s examples/upmem/reduction.dpu\n", argv[0]);
		return EXIT_FAILURE;
	}
	DPU_ASSERT(dpu_alloc(DPU_ALLOCATE_ALL, NULL, &set));
	DPU_ASSERT(dpu_get_nr_dpus(set, &nr_dpus));
	DPU_ASSERT(dpu_load(set, argv[1], NULL));
	input = malloc(COUNT * sizeof(*input));
	sums = calloc(nr_dpus, sizeof(*sums));
	if (!input || !sums)
		return EXIT_FAILURE;
	for (i = 0; i < COUNT; i++) {
		input[i] = i * 0x9e3779b97f4a7c15u;
		expected += input[i];
	}
	DPU_ASSERT(dpu_broadcast_to(set, "input", 0, input, COUNT * sizeof(*input), DPU_XFER_DEFAULT));
	DPU_ASSERT(dpu_launch(set, DPU_ASYNCHRONOUS));
	DPU_ASSERT(dpu_sync(set));
	DPU_FOREACH(set, dpu, i) {
		DPU_ASSERT(dpu_prepare_xfer(dpu, &sums[i]));
	}
	DPU_ASSERT(dpu_push_xfer(set, DPU_XFER_FROM_DPU, "sum", 0, sizeof(sums[0]), DPU_XFER_DEFAULT));
	for (i = 0; i < nr_dpus; i++)
		wrong += sums[i] != expected;
	printf("%u DPUs: %lu wrong, each sum is 0x%lx\n", nr_dpus, (unsigned long)wrong,
	       (unsigned long)expected);
	DPU_ASSERT(dpu_free(set));
	free(input);
	free(sums);
	return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
