/* SPDX-License-Identifier: MIT */
#error "dpu_log.h: for host programs; a DPU program calls printf() of stdio.h"
