// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts LDMA and SDMA instructions of a DPU program with the bank interface's counters: two of 32
 * bits, or one of 64.
 *
 *     bank-pmc PROGRAM 32|64
 */
#include <dpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char *argv[])
{
	bank_interface_pmc_config_t config = {
		.mode = BANK_INTERFACE_PMC_32BIT_MODE,
		.counter_1 = BANK_INTERFACE_PMC_LDMA_INSTRUCTION,
		.counter_2 = BANK_INTERFACE_PMC_SDMA_INSTRUCTION,
	};
	bank_interface_pmc_result_t result;
	struct dpu_set_t set, dpu;

	if (argc != 3 || (strcmp(argv[2], "32") && strcmp(argv[2], "64"))) {
		fprintf(stderr, "usage: %s PROGRAM 32|64\n", argv[0]);
		return EXIT_FAILURE;
	}
	if (!strcmp(argv[2], "64")) {
		config.mode = BANK_INTERFACE_PMC_64BIT_MODE;
		config.counter_2 = config.counter_1;
	}

	DPU_ASSERT(dpu_alloc(1, NULL, &set));
	DPU_FOREACH(set, dpu) {
		DPU_ASSERT(dpu_bank_interface_pmc_enable(dpu, config));
	}
	DPU_ASSERT(dpu_load(set, argv[1], NULL));
	DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
	DPU_FOREACH(set, dpu) {
		DPU_ASSERT(dpu_bank_interface_pmc_stop_counters(dpu));
		DPU_ASSERT(dpu_bank_interface_pmc_read_counters(dpu, &result));
		if (config.mode == BANK_INTERFACE_PMC_32BIT_MODE) {
			printf("counter_1 = 0x%x => %u\n", config.counter_1, result.two_32bits.counter_1);
			printf("counter_2 = 0x%x => %u\n", config.counter_2, result.two_32bits.counter_2);
		} else {
			printf("counter_1 = 0x%x => %lu\n", config.counter_1,
			       (unsigned long)result.one_64bits.counter_1);
		}
		DPU_ASSERT(dpu_bank_interface_pmc_disable(dpu));
	}
	DPU_ASSERT(dpu_free(set));
	return EXIT_SUCCESS;
}
