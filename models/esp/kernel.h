/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Accelerators behind sockets.
 *
 * To add one, add its row in accelerators.def and one file that defines its struct
 * mon_esp_acc_type.
 */
#ifndef ESP_KERNEL_H
#define ESP_KERNEL_H

#include "models/esp/esp_config.h"

#include "esp/mon_esp_acc.h"
#include "events/esp/accelerators.h"

/* The rows, and each row's type; each type has a file of its own. */
extern const struct esp_acc_row esp_acc_rows[];
#define ESP_ACC(NAME, name, ...) extern const struct mon_esp_acc_type esp_acc_##name;
#include "events/esp/accelerators.def"

/*
 * The type for an accelerator tile: the first of that name in a list (may be NULL), else the model's, else a
 * generic one whose runs fail; NULL for third-party accelerators.
 */
const struct mon_esp_acc_type *esp_kernel_find(const struct esp_tile *tile,
					       const struct mon_esp_acc_type *const *first);

#endif
