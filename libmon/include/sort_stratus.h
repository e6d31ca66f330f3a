/* SPDX-License-Identifier: GPL-2.0-only */
/* sort_stratus.h - ioctl of the accelerator SORT_STRATUS, under the name that ESP gives it. */
#ifndef LIBMON_SORT_STRATUS_H
#define LIBMON_SORT_STRATUS_H

#include "esp.h"
#include "events/espmon/sort_stratus.h"

#endif
