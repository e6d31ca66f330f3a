/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* esp_accelerator.h - coherence modes and small helpers, under ESP's file name. */
#ifndef ESP_ACCELERATOR_H
#define ESP_ACCELERATOR_H

#if !defined(__SOC_DEFS_H__) && defined(__has_include)
#if __has_include("soc_defs.h")
#include "soc_defs.h"
#endif
#endif

#include "events/esp/uapi.h"

#ifndef BIT
#define BIT(nr) (1UL << (nr))
#endif

/* Rounds x up to a multiple of y, a power of two. */
#ifndef round_up
#define round_up(x, y) ((((x) - 1) | ((y) - 1)) + 1)
#endif

#endif
