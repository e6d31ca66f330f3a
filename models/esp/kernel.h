/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What stands behind the socket of an accelerator tile. Adding an accelerator is its row in
 * accelerators.def, and one file that defines its struct mon_esp_acc_type.
 */
#ifndef ESP_KERNEL_H
#define ESP_KERNEL_H

#include "formats/esp_config.h"

#include "esp/mon_esp_acc.h"
#include "events/espmon/accelerators.h"

/* The rows, and each row's type, which a file of its own defines. */
extern const struct esp_acc_row esp_acc_rows[];
#define ESP_ACC(NAME, name, ...) extern const struct mon_esp_acc_type esp_acc_##name;
#include "events/espmon/accelerators.def"

/* The accelerator of a tile, the first of that name in a list (may be NULL) or of the model; a generic
 * one that does nothing if there is none; NULL for third-party accelerators.
 */
const struct mon_esp_acc_type *esp_kernel_find(const struct esp_tile *tile,
					       const struct mon_esp_acc_type *const *first);

#endif
