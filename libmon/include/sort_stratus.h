/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* sort_stratus.h - ioctl of the accelerator SORT_STRATUS, under the name that ESP gives it. */
#ifndef LIBMON_SORT_STRATUS_H
#define LIBMON_SORT_STRATUS_H

#include "esp.h"
#include "events/espmon/sort_stratus.h"

#endif
