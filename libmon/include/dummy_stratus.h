/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* dummy_stratus.h - ioctl of the accelerator DUMMY_STRATUS, under the name that ESP gives it. */
#ifndef LIBMON_DUMMY_STRATUS_H
#define LIBMON_DUMMY_STRATUS_H

#include "esp.h"
#include "events/espmon/dummy_stratus.h"

#endif
