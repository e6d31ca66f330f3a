/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* esp.h - what the ioctls of all accelerators have in common, under the name that ESP gives it. */
#ifndef ESP_H
#define ESP_H

#include "contig_alloc.h"
#include "esp_accelerator.h"

#endif
