/* SPDX-License-Identifier: GPL-2.0-only */
/* dummy_stratus.h - ioctl of the accelerator DUMMY_STRATUS, under the name that ESP gives it. */
#ifndef DUMMY_STRATUS_H
#define DUMMY_STRATUS_H

#include "esp.h"

#endif
