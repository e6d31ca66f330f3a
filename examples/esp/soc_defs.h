/* SPDX-License-Identifier: GPL-2.0-only */
/* The default SoC of the emulated device, as mon-socgen writes it. */
#ifndef __SOC_DEFS_H__
#define __SOC_DEFS_H__

#define SOC_ROWS 3
#define SOC_COLS 2
#define SOC_NCPU 1
#define SOC_NMEM 1
#define SOC_NACC 3
#define SOC_NDDR_CONTIG 1
#define ACCS_PRESENT 1
#define MONITOR_BASE_ADDR 0x60090000
#define MONITOR_TILE_SIZE 0x200
#define YX_WIDTH 4

#endif
