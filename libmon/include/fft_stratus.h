/* SPDX-License-Identifier: GPL-2.0-only */
/* fft_stratus.h - ioctl of the accelerator FFT_STRATUS, under the name that ESP gives it. */
#ifndef FFT_STRATUS_H
#define FFT_STRATUS_H

#include "esp.h"

#endif
