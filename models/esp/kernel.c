/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of accelerators, and the one that stands for those not modelled.
 */
#include "esp/kernel.h"

#include <stddef.h>
#include <string.h>

#define ESP_KERNEL(k) extern const struct esp_kernel k;
#include "esp/kernels.def"

static const struct esp_kernel *const kernels[] = {
#define ESP_KERNEL(k) &k,
#include "esp/kernels.def"
};

static uint32_t no_jobs(const struct esp_run *run, const char **error)
{
	(void)run;
	*error = "the model does not know what this accelerator computes";
	return 0;
}

/* Registers, page table and interrupt work; a run ends at once. */
static const struct esp_kernel unknown = {
	.name = "",
	.chunks = 128,
	.jobs = no_jobs,
};

const struct esp_kernel *esp_kernel_find(const struct esp_tile *tile)
{
	size_t i;

	if (strcmp(tile->vendor, "sld"))
		return NULL;
	for (i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
		if (!strcmp(tile->name, kernels[i]->name))
			return kernels[i];
	}
	return &unknown;
}
