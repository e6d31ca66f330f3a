/* SPDX-License-Identifier: MIT */
/* Requests for clocks and units of the core. The modelled core has one clock and all units on: requests are accepted, no effect. */
#ifndef HAP_POWER_H
#define HAP_POWER_H

#include <AEEStdDef.h>

#define HAP_POWER_ERR_UNSUPPORTED_API (-3)

typedef enum {
	HAP_power_set_mips_bw = 1, HAP_power_set_HVX, HAP_power_set_apptype, HAP_power_set_linked_voting, HAP_power_set_DCVS,
	HAP_power_set_DCVS_v2, HAP_power_set_DCVS_v3, HAP_power_set_HMX,
} HAP_Power_request_type;
typedef enum {
	HAP_POWER_UNKNOWN_CLIENT_CLASS, HAP_POWER_AUDIO_CLIENT_CLASS, HAP_POWER_VOICE_CLIENT_CLASS, HAP_POWER_COMPUTE_CLIENT_CLASS,
	HAP_POWER_STREAMING_1HVX_CLIENT_CLASS, HAP_POWER_STREAMING_2HVX_CLIENT_CLASS,
} HAP_power_app_type_payload;
typedef enum {
	HAP_DCVS_V2_POWER_SAVER_MODE = 1, HAP_DCVS_V2_POWER_SAVER_AGGRESSIVE_MODE, HAP_DCVS_V2_PERFORMANCE_MODE,
	HAP_DCVS_V2_DUTY_CYCLE_MODE,
} HAP_dcvs_option_t;
typedef enum {
	HAP_DCVS_VCORNER_DISABLE, HAP_DCVS_VCORNER_SVS2, HAP_DCVS_VCORNER_SVS, HAP_DCVS_VCORNER_SVS_PLUS, HAP_DCVS_VCORNER_NOM,
	HAP_DCVS_VCORNER_NOM_PLUS, HAP_DCVS_VCORNER_TURBO, HAP_DCVS_VCORNER_TURBO_PLUS, HAP_DCVS_VCORNER_TURBO_L2,
	HAP_DCVS_VCORNER_TURBO_L3, HAP_DCVS_VCORNER_MAX = 255,
} HAP_dcvs_voltage_corner_t;

typedef struct {
	HAP_dcvs_voltage_corner_t target_corner, min_corner, max_corner;
	unsigned int param1, param2, param3;
} HAP_dcvs_v3_params_t;
typedef struct {
	HAP_Power_request_type type;
	union {
		struct {
			boolean set_mips, set_bus_bw, set_latency;
			unsigned int mipsPerThread, mipsTotal, busbwUsagePercentage;
			uint64 bwBytePerSec;
			int latency;
		} mips_bw;
		struct {
			boolean dcvs_enable, set_latency, set_dcvs_params;
			HAP_dcvs_option_t dcvs_option;
			unsigned int latency;
			HAP_dcvs_v3_params_t dcvs_params;
		} dcvs_v2;
		struct {
			boolean set_dcvs_enable, dcvs_enable, set_latency, set_core_params, set_bus_params, set_sleep_disable;
			HAP_dcvs_option_t dcvs_option;
			unsigned int latency;
			HAP_dcvs_v3_params_t core_params, bus_params;
			unsigned char sleep_disable;
		} dcvs_v3;
		struct {
			boolean power_up;
		} hvx, hmx;
		HAP_power_app_type_payload apptype;
	};
} HAP_power_request_t;

/* 0; HAP_POWER_ERR_UNSUPPORTED_API for HMX, which is not there. */
int HAP_power_set(void *context, HAP_power_request_t *request);

#endif
