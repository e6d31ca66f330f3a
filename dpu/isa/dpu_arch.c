// SPDX-License-Identifier: LGPL-2.1-or-later
/* The generations of UPMEM DPUs. */
#include <stddef.h>
#include <string.h>

#include "dpu/include/dpu_arch.h"

const struct dpu_arch dpu_archs[] = {
	[DPU_ARCH_V1A] = { "v1A", 4, 24, 4096, 65536, 350000000, false },
	[DPU_ARCH_V1B] = { "v1B", 68, 16, 3968, 63488, 400000000, true },
};

const struct dpu_arch *dpu_arch_find(const char *name)
{
	for (size_t i = 0; i < sizeof(dpu_archs) / sizeof(dpu_archs[0]); i++)
		if (!strcmp(dpu_archs[i].name, name))
			return &dpu_archs[i];
	return NULL;
}
