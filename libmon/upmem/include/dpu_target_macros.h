/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dpu_target_macros.h - where a rank's number and its kind are in dpu_get_rank_id() (UPMEM SDK
 * 2025.1): the upper four of 16 bits are the kind, a dpu_type_t of dpu_description.h.
 */
#ifndef DPU_TARGET_MACROS_H
#define DPU_TARGET_MACROS_H

#include "dpu_description.h"

#define DPU_TARGET_LOG2_SIZE 4
#define DPU_TARGET_SHIFT (16 - DPU_TARGET_LOG2_SIZE)
#define DPU_TARGET_MASK ((1 << DPU_TARGET_SHIFT) - 1)

#endif
