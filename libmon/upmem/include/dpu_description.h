/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * dpu_description.h - what a rank is made of (layout of the UPMEM SDK 2025.1).
 *
 * dpu_get_profile_description() and dpu_get_description() of dpu_management.h fill it. What an
 * emulated rank does not have (carousel, bit shuffling, repairs, temperature) is 0.
 */
#ifndef DPU_DESCRIPTION_H
#define DPU_DESCRIPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "dpu_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MON_API
#define MON_API __attribute__((visibility("default")))
#endif

typedef enum _dpu_type_t {
	FUNCTIONAL_SIMULATOR = 0,	/* an emulated rank */
	CYCLE_ACCURATE_SIMULATOR = 1,
	RTL_SIMULATOR = 2,
	HW = 3,
	BACKUP_SPI = 4,
	SCENARIO = 5,
	NB_OF_DPU_TYPES = 6
} dpu_type_t;

/* Generation v1A has the numbers below 66, v1B those from 66 on. */
typedef enum _dpu_chip_id_e {
	vD = 0,
	vD_cas = 1,
	vD_fun = 2,
	vD_asic1 = 3,
	vD_asic8 = 4,
	vD_fpga1 = 5,
	vD_fpga8 = 6,
	vD_asic4 = 7,
	vD_fpga4 = 8,
	vD_fun_v1_4 = 66,
	vD_asic1_v1_4 = 67,
	vD_asic8_v1_4 = 68,
	vD_fpga1_v1_4 = 69,
	vD_fpga8_v1_4 = 70,
	vD_asic4_v1_4 = 71,
	vD_fpga4_v1_4 = 72
} dpu_chip_id_e;

struct dpu_carousel_config {
	uint8_t cmd_duration;
	uint8_t cmd_sampling;
	uint8_t res_duration;
	uint8_t res_sampling;
};

struct dpu_bit_config {
	uint16_t cpu2dpu;
	uint16_t dpu2cpu;
	uint8_t nibble_swap;
	uint8_t stutter;
};

struct dpu_hw_description_t {
	struct {
		dpu_chip_id_e chip_id;
	} signature;
	struct {
		struct dpu_carousel_config carousel;
		uint32_t fck_frequency_in_mhz;	/* the DPUs' clock is this, divided by: */
		uint8_t reset_wait_duration;
		uint8_t std_temperature;
		uint8_t clock_division;
	} timings;
	struct {
		uint8_t nr_of_control_interfaces;
		uint8_t nr_of_dpus_per_control_interface;
		uint8_t ci_mask;
	} topology;
	struct {
		mram_size_t mram_size;		/* bytes */
		wram_size_t wram_size;		/* 32-bit words */
		iram_size_t iram_size;		/* instructions */
		uint8_t ci_pc_lsb_nr_phys_bits;
	} memories;
	struct {
		struct dpu_bit_config pcb_transformation;
		uint8_t nr_of_threads;
		uint32_t nr_of_atomic_bits;
		uint32_t nr_of_notify_bits;
		uint8_t nr_of_work_registers_per_thread;
	} dpu;
};

typedef struct _dpu_description_t {
	struct dpu_hw_description_t hw;
	dpu_type_t type;
	struct {
		bool mram_access_by_dpu_only;
		bool api_must_switch_mram_mux;
		bool init_mram_mux;
		bool do_iram_repair;
		bool do_wram_repair;
		bool ignore_vpd;
		bool enable_cycle_accurate_behavior;
		bool disable_api_safe_checks;
		bool disable_reset_on_alloc;
		bool ila_control_refresh;
	} configuration;
	uint32_t refcount;
	struct {
		void *data;
		void (*free)(void *data);
	} _internals;
} *dpu_description_t;

/* One more owner, one less; the last one frees it. */
MON_API void dpu_acquire_description(dpu_description_t description);
MON_API void dpu_free_description(dpu_description_t description);

#ifdef __cplusplus
}
#endif
#endif
