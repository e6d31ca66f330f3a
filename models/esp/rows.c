/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of accelerators.def, for the models. */
#include "esp/kernel.h"

const struct esp_acc_row esp_acc_rows[] = {
#include "events/esp/rows.def"
};
