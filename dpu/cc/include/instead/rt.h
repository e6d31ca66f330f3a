/* SPDX-License-Identifier: MIT */
#error "rt.h: belongs to SDKs before 2020; use defs.h, mram.h and alloc.h"
