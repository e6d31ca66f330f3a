// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: known-host PROGRAM ROUNDS [TIMES DPU... | each]: runs it with so many rounds, TIMES as many on some of the DPUs, or n + 1
 * times as many on DPU n.
 */
#include <stdio.h>
#include <stdlib.h>

#include <dpu.h>

int main(int argc, char *argv[])
{
	uint32_t n, rounds, more;
	struct dpu_set_t set, dpu;

	if (argc < 3)
		return 2;
	rounds = strtoul(argv[2], NULL, 0);
	more = argc > 3 ? rounds * strtoul(argv[3], NULL, 0) : rounds;
	DPU_ASSERT(dpu_alloc(DPU_ALLOCATE_ALL, NULL, &set));
	DPU_ASSERT(dpu_load(set, argv[1], NULL));
	DPU_FOREACH(set, dpu, n) {
		uint32_t own = argc == 4 ? rounds * (n + 1) : rounds;

		for (int i = 4; i < argc; i++)
			if (strtoul(argv[i], NULL, 0) == n)
				own = more;
		DPU_ASSERT(dpu_copy_to(dpu, "rounds", 0, &own, sizeof(own)));
	}
	DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
	DPU_ASSERT(dpu_free(set));
	return 0;
}
