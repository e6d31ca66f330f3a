/* SPDX-License-Identifier: MIT */
#error "virtual_mram.h: not part of dpu-cc; use mram_read() and mram_write() of mram.h"
