/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dpu_types.h - names of numbers (UPMEM SDK 2025.1). The types of sets are in dpu.h.
 */
#ifndef DPU_TYPES_H
#define DPU_TYPES_H

#include <stdint.h>

/* A rank has up to 8 control interfaces ("slices") with up to 8 DPUs ("members") each. */
#define DPU_MAX_NR_CIS 8
#define DPU_MAX_NR_DPUS_PER_CI 8
#define MAX_NR_DPUS_PER_RANK (DPU_MAX_NR_CIS * DPU_MAX_NR_DPUS_PER_CI)
#define DPU_BOOT_THREAD 0

typedef uint16_t dpu_rank_id_t;
typedef uint32_t dpu_id_t;
typedef uint8_t dpu_slice_id_t;
typedef uint8_t dpu_member_id_t;
typedef uint8_t dpu_group_id_t;
typedef uint8_t dpu_thread_t;
typedef uint8_t dpu_notify_bit_id_t;

typedef uint16_t iram_addr_t;
typedef uint32_t wram_addr_t;
typedef uint32_t mram_addr_t;
typedef mram_addr_t dpu_mem_max_addr_t;

typedef uint16_t iram_size_t;		/* instructions */
typedef uint32_t wram_size_t;		/* 32-bit words */
typedef uint32_t mram_size_t;		/* bytes */
typedef mram_size_t dpu_mem_max_size_t;

typedef uint64_t dpuinstruction_t;
typedef uint32_t dpuword_t;
typedef uint8_t dpu_bitfield_t;
typedef uint8_t dpu_ci_bitfield_t;

#endif
