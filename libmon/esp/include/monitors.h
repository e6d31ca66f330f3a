/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * monitors.h - the ESP Monitors API ("How to: gather performance data with the ESP Monitors API", Columbia
 * University, 2023), source compatible, on top of the PMU espmon.
 *
 * The program brings its own soc_defs.h (ESP's socgen or mon-socgen write it): included before this file or found
 * in the include path. It gives the sizes of the structures. The functions here are inline and pass the dimensions
 * to the library, so one libmon-esp.so serves every SoC. If the dimensions do not fit the running SoC, the
 * functions fail and mon_error() names both.
 *
 * Differences from ESP's own library: it needs neither root nor /dev/mem (perf's permissions apply); all values of
 * a tile belong to one instant; 32-bit and 64-bit values are exact across wraps; llc_stats is filled (ESP's library
 * adds the LLC's numbers to l2_stats instead; here l2_stats of a memory tile stays 0); undefined monitors are 0;
 * errors are reported. With several SoCs the environment variable LIBMON_ESP_PMU selects one (espmon_1).
 *
 * Values count from the first use of the same arguments, not from the reset of the SoC, so only differences have a
 * meaning. They are counts of flits, words or cycles (perf list -v), whatever the names of the members suggest.
 *
 * Threads may call any function at any time, except esp_monitor_free(): it must be the last call.
 */
#ifndef MONITORS_H
#define MONITORS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef __SOC_DEFS_H__
#if defined(__has_include)
#if !__has_include("soc_defs.h")
#error "monitors.h needs the soc_defs.h of your SoC: write it with mon-socgen DESIGN.esp_config and pass -I for its folder"
#endif
#endif
#include "soc_defs.h"
#endif

#include "mon.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DVFS_OP_POINTS	4
#define NOC_PLANES	6
#define NOC_QUEUES	5
#define SOC_NTILES	(SOC_ROWS * SOC_COLS)

/* Bits of esp_monitor_args_t.read_mask */
#define ESP_MON_READ_DDR_ACCESSES		0	/* all memory tiles */
#define ESP_MON_READ_MEM_REQS			1	/* all memory tiles */
#define ESP_MON_READ_L2_STATS			2	/* all CPUs, accelerators with an L2 */
#define ESP_MON_READ_LLC_STATS			3	/* all memory tiles */
#define ESP_MON_READ_ACC_STATS			4	/* accelerator acc_index */
#define ESP_MON_READ_DVFS_OP			5	/* tile tile_index */
#define ESP_MON_READ_NOC_INJECTS		6	/* tile tile_index */
#define ESP_MON_READ_NOC_QUEUE_FULL_TILE	7	/* tile tile_index, all planes */
#define ESP_MON_READ_NOC_QUEUE_FULL_PLANE	8	/* plane noc_index, all tiles */

/* Monitors of a tile, for esp_monitor_args_t.mon_index: 0 to 58 (esp_tile_csr.vhd) */
#define MON_DDR_WORD_TRANSFER_INDEX	0
#define MON_MEM_COH_REQ_INDEX		1
#define MON_MEM_COH_FWD_INDEX		2
#define MON_MEM_COH_RSP_RCV_INDEX	3
#define MON_MEM_COH_RSP_SND_INDEX	4
#define MON_MEM_DMA_REQ_INDEX		5
#define MON_MEM_DMA_RSP_INDEX		6
#define MON_MEM_COH_DMA_REQ_INDEX	7
#define MON_MEM_COH_DMA_RSP_INDEX	8
#define MON_L2_HIT_INDEX		9
#define MON_L2_MISS_INDEX		10
#define MON_LLC_HIT_INDEX		11
#define MON_LLC_MISS_INDEX		12
#define MON_ACC_TLB_INDEX		13
#define MON_ACC_MEM_LO_INDEX		14
#define MON_ACC_MEM_HI_INDEX		15
#define MON_ACC_TOT_LO_INDEX		16
#define MON_ACC_TOT_HI_INDEX		17
#define MON_ACC_INVOCATIONS		18
#define MON_ACC_INVOCATIONS_INDEX	MON_ACC_INVOCATIONS
#define MON_DVFS_BASE_INDEX		19
#define VF_OP_POINTS			4
#define NOCS_NUM			6
#define MON_NOC_TILE_INJECT_BASE_INDEX	(MON_DVFS_BASE_INDEX + VF_OP_POINTS)
/* 5 a plane: north, south, west, east, local (the guide lists them in the wrong order) */
#define MON_NOC_QUEUES_FULL_BASE_INDEX	(MON_NOC_TILE_INJECT_BASE_INDEX + NOCS_NUM)

/* Flits of messages that a memory tile received or sent. */
typedef struct esp_mem_reqs {
	unsigned int coh_reqs;
	unsigned int coh_fwds;
	unsigned int coh_rsps_rcv;
	unsigned int coh_rsps_snd;
	unsigned int dma_reqs;
	unsigned int dma_rsps;
	unsigned int coh_dma_reqs;
	unsigned int coh_dma_rsps;
} esp_mem_reqs_t;

/* Requests. */
typedef struct esp_cache_stats {
	unsigned int hits;
	unsigned int misses;
} esp_cache_stats_t;

/* Cycles; the _lo and _hi words are one 64-bit number. */
typedef struct acc_stats_t {
	unsigned int acc_tlb;
	unsigned int acc_mem_lo;
	unsigned int acc_mem_hi;
	unsigned int acc_tot_lo;
	unsigned int acc_tot_hi;
	unsigned int acc_invocations;
} esp_acc_stats_t;

/* Tile t is row * SOC_COLS + column; memory tiles and accelerators are numbered row by row. */
typedef struct esp_monitor_vals {
	unsigned int ddr_accesses[SOC_NMEM];
	esp_mem_reqs_t mem_reqs[SOC_NMEM];
	esp_cache_stats_t l2_stats[SOC_NTILES];
	esp_cache_stats_t llc_stats[SOC_NMEM];
	esp_acc_stats_t acc_stats[SOC_NACC];
	unsigned int dvfs_op[SOC_NTILES][DVFS_OP_POINTS];
	unsigned int noc_injects[SOC_NTILES][NOC_PLANES];
	unsigned int noc_queue_full[SOC_NTILES][NOC_PLANES][NOC_QUEUES];
} esp_monitor_vals_t;

typedef enum esp_monitor_read_mode {
	ESP_MON_READ_ALL,
	ESP_MON_READ_SINGLE,
	ESP_MON_READ_MANY,
} esp_monitor_mode_t;

typedef struct esp_monitor_args {
	esp_monitor_mode_t read_mode;
	uint16_t read_mask;	/* MANY */
	uint8_t tile_index;	/* SINGLE, and the sets that say so above */
	uint8_t acc_index;
	uint8_t mon_index;	/* SINGLE */
	uint8_t noc_index;
} esp_monitor_args_t;

typedef struct soc_loc {
	uint8_t row;
	uint8_t col;
} soc_loc_t;

/* ---- Between this header and the library; programs use the functions below. ---- */

struct libmon_esp_dims {
	unsigned int rows, cols, ncpu, nmem, nacc;
};

#define LIBMON_ESP_DIMS { SOC_ROWS, SOC_COLS, SOC_NCPU, SOC_NMEM, SOC_NACC }

MON_API unsigned int libmon_esp_monitor(const struct libmon_esp_dims *dims,
					const esp_monitor_args_t *args, unsigned int *vals);
MON_API void libmon_esp_diff(const struct libmon_esp_dims *dims, const unsigned int *start,
			     const unsigned int *end, unsigned int *diff);
MON_API int libmon_esp_print(const struct libmon_esp_dims *dims, const esp_monitor_args_t *args,
			     const unsigned int *vals, FILE *fp);
MON_API void *libmon_esp_vals_alloc(size_t size);
MON_API void libmon_esp_free(void);

/* ---- The API ---- */

/*
 * Reads monitors. SINGLE returns the monitor mon_index of tile tile_index; vals may be NULL. ALL
 * and MANY fill vals (MANY the sets of read_mask, the rest with 0) and return 0.
 *
 * On failure the return value is (unsigned int)-1, vals is all 0, errno is set, and mon_error() and
 * once standard error give the reason (libesp.h). A SINGLE value can also be (unsigned int)-1: set
 * errno to 0 before the call to tell the two apart.
 */
static inline unsigned int esp_monitor(esp_monitor_args_t args, esp_monitor_vals_t *vals)
{
	static const struct libmon_esp_dims dims = LIBMON_ESP_DIMS;

	return libmon_esp_monitor(&dims, &args, (unsigned int *)(void *)vals);
}

/* end - start, member by member: modulo 2^32, the _lo and _hi pairs modulo 2^64. */
static inline esp_monitor_vals_t esp_monitor_diff(esp_monitor_vals_t vals_start,
						  esp_monitor_vals_t vals_end)
{
	static const struct libmon_esp_dims dims = LIBMON_ESP_DIMS;
	esp_monitor_vals_t diff;

	libmon_esp_diff(&dims, (const unsigned int *)(const void *)&vals_start,
			(const unsigned int *)(const void *)&vals_end,
			(unsigned int *)(void *)&diff);
	return diff;
}

/* The same for two values of SINGLE. */
static inline uint32_t sub_monitor_vals(uint32_t val_start, uint32_t val_end)
{
	return val_end - val_start;
}

/*
 * Prints what ALL or MANY read, in the format of ESP's library. As in ESP the macro LINUX selects the form: with it to a
 * file, without it (bare metal) to the console.
 */
#ifdef LINUX
static inline void esp_monitor_print(esp_monitor_args_t args, esp_monitor_vals_t vals, FILE *fp)
{
	static const struct libmon_esp_dims dims = LIBMON_ESP_DIMS;

	libmon_esp_print(&dims, &args, (const unsigned int *)(const void *)&vals, fp);
}
#else
static inline void esp_monitor_print(esp_monitor_args_t args, esp_monitor_vals_t vals)
{
	static const struct libmon_esp_dims dims = LIBMON_ESP_DIMS;

	libmon_esp_print(&dims, &args, (const unsigned int *)(const void *)&vals, stdout);
}
#endif

/* A structure of zeros; esp_monitor_free() frees it. NULL with errno ENOMEM. */
static inline esp_monitor_vals_t *esp_monitor_vals_alloc(void)
{
	return (esp_monitor_vals_t *)libmon_esp_vals_alloc(sizeof(esp_monitor_vals_t));
}

/* Closes all counters and frees what esp_monitor_vals_alloc() returned. The next esp_monitor() opens counters again. */
static inline void esp_monitor_free(void)
{
	libmon_esp_free();
}

#ifdef __cplusplus
}
#endif
#endif
