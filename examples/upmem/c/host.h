/* SPDX-License-Identifier: GPL-2.0-only */
/* What the host programs of this folder share: numbers, transfers, the result. */
#ifndef EXAMPLES_UPMEM_C_HOST_H
#define EXAMPLES_UPMEM_C_HOST_H

#include <dpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct dpu_set_t set;

static inline void start(int argc, char *argv[])
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s DPU-PROGRAM\n", argv[0]);
		exit(EXIT_FAILURE);
	}
	DPU_ASSERT(dpu_alloc(DPU_ALLOCATE_ALL, NULL, &set));
	DPU_ASSERT(dpu_load(set, argv[1], NULL));
}

/* The same numbers for the same seed. */
static inline uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static inline int finish(const char *what, unsigned int dpus, unsigned int wrong)
{
	printf("%s: %u DPUs, %u wrong\n", what, dpus, wrong);
	DPU_ASSERT(dpu_free(set));
	return wrong || !dpus ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define SEND(dpu, name, data) DPU_ASSERT(dpu_copy_to(dpu, name, 0, data, sizeof(data)))
#define RECEIVE(dpu, name, data) DPU_ASSERT(dpu_copy_from(dpu, name, 0, data, sizeof(data)))
#define RUN() DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS))

#endif
