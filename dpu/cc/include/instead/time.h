/* SPDX-License-Identifier: MIT */
#error "time.h: a DPU does not know the time; use perfcounter.h"
