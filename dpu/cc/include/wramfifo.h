/* SPDX-License-Identifier: MIT */
#error "wramfifo.h: not part of dpu-cc; use a __host variable, or MRAM, between launches"
