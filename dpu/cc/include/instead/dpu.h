/* SPDX-License-Identifier: MIT */
#error "dpu.h: for host programs; a DPU program uses defs.h and mram.h"
