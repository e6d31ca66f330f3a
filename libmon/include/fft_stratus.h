/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* fft_stratus.h - ioctl of the accelerator FFT_STRATUS, under the name that ESP gives it. */
#ifndef LIBMON_FFT_STRATUS_H
#define LIBMON_FFT_STRATUS_H

#include "esp.h"
#include "events/espmon/fft_stratus.h"

#endif
