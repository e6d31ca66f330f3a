/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the models have of the rows of accelerators.def. */
#include "esp/kernel.h"

/* The registers of fixed value of each row. */
#define ESP_ACC(NAME, name, device, chunks, header, unit, behind, most, registers) \
	const struct mon_esp_acc_constant esp_##name##_constants[] = { registers { 0, 0 } };
#define ESP_ACC_REG(...)
#define ESP_ACC_OTHER(name, offset)
#define ESP_ACC_CONSTANT(name, offset, value) { offset, value },
#include "events/espmon/accelerators.def"
