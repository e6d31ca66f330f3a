/* SPDX-License-Identifier: GPL-2.0-only */
/* UPMEM's "Performance Counters" page: the counters of the bank interface, as printed but for the indentation. */
#include <stdio.h>
#include <stdlib.h>
#include "dpu.h"
int main(int argc, char *argv[]) {
	if (argc != 3) {
		fprintf(stderr, "USAGE: %s <string:path to dpu_bin> <int:pmc mode, either 32 or 64\n", argv[0]);
		exit(EXIT_FAILURE);
	}
	int pmc_mode = atoi(argv[2]);
	struct dpu_set_t set;
	struct dpu_set_t dpu;
	bank_interface_pmc_config_t pmc_configuration;
	switch (pmc_mode) {
		case 32: {
			pmc_configuration.mode = BANK_INTERFACE_PMC_32BIT_MODE;
			pmc_configuration.counter_1 = BANK_INTERFACE_PMC_LDMA_INSTRUCTION;
			pmc_configuration.counter_2 = BANK_INTERFACE_PMC_SDMA_INSTRUCTION;
			break;
		}
		case 64: {
			pmc_configuration.mode = BANK_INTERFACE_PMC_64BIT_MODE;
			pmc_configuration.counter_1 = BANK_INTERFACE_PMC_LDMA_INSTRUCTION;
			pmc_configuration.counter_2 = BANK_INTERFACE_PMC_LDMA_INSTRUCTION;
			break;
		}
		default: {
			fprintf(stderr, "Invalid mode for bank interface PMC.\n");
			exit(EXIT_FAILURE);
		}
	}
	/* these are other possible configurations */
	/* pmc_configuration.mode = BANK_INTERFACE_PMC_32BIT_MODE; */
	/* pmc_configuration.counter_1 = BANK_INTERFACE_PMC_READ_64BIT_INSTRUCTION; */
	/* pmc_configuration.counter_2 = BANK_INTERFACE_PMC_WRITE_64BIT_INSTRUCTION; */
	/* pmc_configuration.mode = BANK_INTERFACE_PMC_32BIT_MODE; */
	/* pmc_configuration.counter_1 = BANK_INTERFACE_PMC_HOST_ACTIVATE_COMMAND */
	/* pmc_configuration.counter_2 = BANK_INTERFACE_PMC_HOST_REFRESH_COMMAND; */
	/* pmc_configuration.mode = BANK_INTERFACE_PMC_32BIT_MODE; */
	/* pmc_configuration.counter_1 = BANK_INTERFACE_PMC_CYCLES; */
	/* pmc_configuration.counter_2 = BANK_INTERFACE_PMC_NONE; */
	/* pmc_configuration.mode = BANK_INTERFACE_PMC_64BIT_MODE; */
	/* pmc_configuration.counter_1 = BANK_INTERFACE_PMC_CYCLES; */
	/* pmc_configuration.counter_2 = BANK_INTERFACE_PMC_CYCLES; */
	DPU_ASSERT(dpu_alloc(1, NULL, &set));
	/* printf("host: enable counter\n"); */
	DPU_FOREACH(set, dpu) {
		DPU_ASSERT(dpu_bank_interface_pmc_enable(dpu, pmc_configuration));
	}
	DPU_FOREACH(set, dpu) {
		/* printf("host: load\n"); */
		DPU_ASSERT(dpu_load(dpu, argv[1], NULL));
		/* printf("host: launch\n"); */
		DPU_ASSERT(dpu_launch(dpu, DPU_SYNCHRONOUS));
	}
	/* printf("host: Stop counters \n"); */
	DPU_FOREACH(set, dpu) {
		DPU_ASSERT(dpu_bank_interface_pmc_stop_counters(dpu));
	}
	/* printf("host: PMC results:\n"); */
	DPU_FOREACH(set, dpu) {
		bank_interface_pmc_result_t result_pmc;
		DPU_ASSERT(dpu_bank_interface_pmc_read_counters(dpu, &result_pmc));
		if (pmc_configuration.mode == BANK_INTERFACE_PMC_32BIT_MODE) {
			printf("counter_1 = 0x%x => %u\n", pmc_configuration.counter_1, result_pmc.two_32bits.counter_1);
			printf("counter_2 = 0x%x => %u\n", pmc_configuration.counter_2, result_pmc.two_32bits.counter_2);
		} else {
			printf("counter_1 = 0x%x => %lu\n", pmc_configuration.counter_1, result_pmc.one_64bits.counter_1);
		}
	}
	/* printf("host: disable counter Module \n"); */
	DPU_FOREACH(set, dpu) {
		DPU_ASSERT(dpu_bank_interface_pmc_disable(dpu));
	}
	DPU_ASSERT(dpu_free(set));
	return 0;
}
