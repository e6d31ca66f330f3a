/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list of accelerators, and the stand-in for those without a model. */
#include "esp/internal.h"
#include "esp/kernel.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct mon_esp_acc_type *const kernels[] = {
#define ESP_ACC(NAME, name, ...) &esp_acc_##name,
#include "events/esp/accelerators.def"
};

static void no_model(struct mon_esp_acc *acc)
{
	mon_esp_acc_fail(acc, "the model does not know what this accelerator computes");
}

/* It has registers, page table and interrupt; a run fails at once. */
static const struct esp_acc_row unknown_row = { .chunks = ESP_TLB_MAX };
static const struct mon_esp_acc_type unknown = {
	.row = &unknown_row,
	.start = no_model,
};

const struct mon_esp_acc_type *esp_kernel_find(const struct esp_tile *tile,
					       const struct mon_esp_acc_type *const *first)
{
	size_t i;

	if (strcmp(tile->vendor, "sld"))
		return NULL;
	for (; first && *first; first++) {
		if (!strcasecmp(tile->name, (*first)->row->name))
			return *first;
	}
	for (i = 0; i < sizeof(kernels) / sizeof(*kernels); i++) {
		if (!strcasecmp(tile->name, kernels[i]->row->name))
			return kernels[i];
	}
	return &unknown;
}

bool esp_soc_knows(const struct esp_soc *soc, unsigned int acc)
{
	return soc->kernel[acc] != &unknown;
}
