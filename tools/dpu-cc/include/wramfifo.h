/* SPDX-License-Identifier: GPL-2.0-only */
#error "wramfifo.h: not part of dpu-cc; use a __host variable, or MRAM, between launches"
