// SPDX-License-Identifier: GPL-2.0-only
/* A host program whose DPU faults; exits with 0 if it gets that error. */
#include "libmon/upmem/include/dpu.h"

int main(int argc, char **argv)
{
	struct dpu_set_t set;

	if (argc < 2 || dpu_alloc(2, NULL, &set) || dpu_load(set, argv[1], NULL))
		return 2;
	return dpu_launch(set, DPU_SYNCHRONOUS) == DPU_ERR_DPU_FAULT ? 0 : 1;
}
