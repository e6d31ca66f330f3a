/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* esp.h - the part of the ioctls that all accelerators share, under ESP's file name. */
#ifndef ESP_H
#define ESP_H

#include "contig_alloc.h"
#include "esp_accelerator.h"

#endif
