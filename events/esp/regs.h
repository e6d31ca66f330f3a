/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Registers of an ESP SoC, as the emulated device `espmon` and its drivers see them.
 *
 * BAR0 has the layout of ESP's APB window. BAR2 (topology) and BAR4 (live monitors) are extensions
 * of the emulated device. All registers are 32 bits wide and take aligned 32-bit accesses.
 */
#ifndef ESP_REGS_H
#define ESP_REGS_H

#include "events/esp/accelerators.h"
#include "events/esp/config.h"
#include "events/systems.h"

#define ESP_MAX_TILES		256
#define ESP_MAX_ACCS		256
#define ESP_MAX_CPUS		16
#define ESP_MAX_MEMS		16

/* BAR0: offsets from the APB base (0x60000000 on Ariane, 0x80000000 on Leon3). */
#define ESP_APB_SIZE		0x100000
#define ESP_UART		0x100		/* APBUART, in the IO tile */
#define ESP_UART_SIZE		0x100
#define ESP_L2_CTRL		0xd000		/* + 0x100 a CPU */
#define ESP_LLC_CTRL		0xe000		/* + 0x100 a memory tile */
#define ESP_CACHE_CTRL_STRIDE	0x100
#define ESP_ACC_BASE		0x10000		/* + 0x200 an accelerator */
#define ESP_ACC_STRIDE		0x200
#define ESP_CSR_BASE		0x90000		/* + 0x200 a tile */
#define ESP_CSR_STRIDE		0x200

/* Window of one tile, byte offsets (esp_tile_csr.vhd). */
#define ESP_CSR_BURST		0x000		/* bit 0: 0 -> 1 latches all monitors of the tile */
#define ESP_BURST_MARK		0x2		/* it keeps all bits that are written */
#define ESP_CSR_MON(i)		(0x004 + 4 * (i))
#define ESP_CSR_CONFIG		0x180		/* first of the configuration registers */
#define ESP_CSR_VALID		0x180
#define ESP_CSR_TILE_ID		0x184
#define ESP_CSR_NOC		0x1c4		/* first register of the NoC domain */
#define ESP_CSR_TILE_ID_NOC	0x1c4

#define ESP_NPLANES		6
#define ESP_NPORTS		5		/* north, south, west, east, local */
#define ESP_NVF			4

/* Short names of the monitors; their numbers are those of the catalogue. */
#define ESP_MON_DDR		ESPMON_ddr_accesses
#define ESP_MON_COH_REQ		ESPMON_coh_reqs
#define ESP_MON_COH_FWD		ESPMON_coh_fwds
#define ESP_MON_COH_RSP_RCV	ESPMON_coh_rsps_rcv
#define ESP_MON_COH_RSP_SND	ESPMON_coh_rsps_snd
#define ESP_MON_DMA_REQ		ESPMON_dma_reqs
#define ESP_MON_DMA_RSP		ESPMON_dma_rsps
#define ESP_MON_COH_DMA_REQ	ESPMON_coh_dma_reqs
#define ESP_MON_COH_DMA_RSP	ESPMON_coh_dma_rsps
#define ESP_MON_L2_HIT		ESPMON_l2_hits
#define ESP_MON_L2_MISS		ESPMON_l2_misses
#define ESP_MON_LLC_HIT		ESPMON_llc_hits
#define ESP_MON_LLC_MISS	ESPMON_llc_misses
#define ESP_MON_ACC_TLB		ESPMON_acc_tlb
#define ESP_MON_ACC_MEM_LO	ESPMON_acc_mem_lo
#define ESP_MON_ACC_MEM_HI	ESPMON_acc_mem_hi
#define ESP_MON_ACC_TOT_LO	ESPMON_acc_tot_lo
#define ESP_MON_ACC_TOT_HI	ESPMON_acc_tot_hi
#define ESP_MON_ACC_INVOCATIONS	ESPMON_acc_invocations
#define ESP_MON_DVFS(n)		(ESPMON_dvfs_op0 + (n))
#define ESP_MON_NOC_INJECT(p)	(ESPMON_noc_injects_p0 + (p))
#define ESP_MON_NOC_EJECT(p)	(ESPMON_noc_ejects_p0 + (p))
#define ESP_MON_NOC_QUEUE(p, q)	(ESPMON_noc_queue_full_p0_n + ESP_NPORTS * (p) + (q))

/* Accelerator registers. */
#define ESP_ACC_CMD		0x00		/* bit 0 starts a run; 0 acknowledges or aborts */
#define ESP_ACC_STATUS		0x04
#define ESP_ACC_STATUS_RUN	0x1
#define ESP_ACC_STATUS_DONE	0x2
#define ESP_ACC_STATUS_ERR	0x4		/* never set by the ESP socket */
#define ESP_ACC_DEVID		0x08		/* vendor << 16 | device */
#define ESP_ACC_PT_ADDRESS	0x0c
#define ESP_ACC_PT_NCHUNK	0x10
#define ESP_ACC_PT_SHIFT	0x14
#define ESP_ACC_PT_NCHUNK_MAX	0x18
#define ESP_ACC_PT_ADDRESS_EXT	0x1c
#define ESP_ACC_COHERENCE	0x20
#define ESP_ACC_P2P		0x24
#define ESP_ACC_SRC_OFFSET	0x28
#define ESP_ACC_DST_OFFSET	0x2c
#define ESP_ACC_SPANDEX		0x30
#define ESP_ACC_MCAST		0x34
#define ESP_ACC_MCAST_DESTS	0x1f		/* number of destinations of a store, less one */
#define ESP_ACC_MCAST_PACKET	0x20		/* an answer goes in packets of SIZE + 1 flits */
#define ESP_ACC_MCAST_SIZE	0x3c0
#define ESP_ACC_USER		0x40
#define ESP_ACC_USER_END	0x180
#define ESP_ACC_YX		0x180		/* low 2 * YX_WIDTH bits: own {Y, X} */
#define ESP_ACC_YX_END		0x1a4

#define ESP_COH_NONE		0
#define ESP_COH_LLC		1
#define ESP_COH_RECALL		2
#define ESP_COH_FULL		3

/* Cache controllers. */
#define ESP_CACHE_CMD		0x0
#define ESP_CACHE_CMD_RESET	0x1
#define ESP_CACHE_CMD_FLUSH	0x2
#define ESP_CACHE_CMD_FLUSH_I	0x4		/* with FLUSH: instructions as well */
#define ESP_CACHE_STATUS	0x4
#define ESP_CACHE_STATUS_DONE	0x1
#define ESP_CACHE_STATUS_CPU(s)	((s) >> 28)

/*
 * BAR2: the topology, read only but for ESP_TOPO_CPU, ESP_TOPO_FAULT, ESP_TOPO_ACC_RESET and
 * ESP_TOPO_LOST. The CSR window of real hardware says nothing about the kinds of its tiles; there
 * the device tree does.
 */
#define ESP_TOPO_SIZE		0x10000
/* with a device tree: compatible string of the block's own node */
#define ESP_EMULATOR_COMPATIBLE	"libmon,esp-emulator"
#define ESP_TOPO_MAGIC		0x000		/* 'E' 'S' 'P' 'T' */
#define ESP_TOPO_MAGIC_VALUE	0x54505345
#define ESP_TOPO_VERSION	0x004
#define ESP_TOPO_VERSION_VALUE	1
#define ESP_TOPO_LAYOUT		0x008		/* of ESPMON_LAYOUTS */
#define ESP_TOPO_ROWS		0x00c
#define ESP_TOPO_COLS		0x010
#define ESP_TOPO_CLOCK_HZ	0x014		/* tile clock */
#define ESP_TOPO_NCPU		0x018
#define ESP_TOPO_NMEM		0x01c
#define ESP_TOPO_NACC		0x020
#define ESP_TOPO_FLAGS		0x024
#define ESP_TOPO_CACHES		0x1		/* cache hierarchy enabled */
#define ESP_TOPO_LIVE		0x2		/* the device has BAR4 */
#define ESP_TOPO_NOT_MODELLED	8		/* first of eight bits of ESP_NOT_MODELLED */
#define ESP_TOPO_ARCH_BITS	0x028		/* 64 (Ariane) or 32 (Leon3, Ibex) */
#define ESP_TOPO_LINE_BYTES	0x02c
#define ESP_TOPO_L2_SETS	0x030
#define ESP_TOPO_L2_WAYS	0x034
#define ESP_TOPO_LLC_SETS	0x038		/* of one memory tile */
#define ESP_TOPO_LLC_WAYS	0x03c
#define ESP_TOPO_ACC_L2_SETS	0x040
#define ESP_TOPO_ACC_L2_WAYS	0x044
#define ESP_TOPO_COH_NOC_WIDTH	0x048
#define ESP_TOPO_DMA_NOC_WIDTH	0x04c
#define ESP_TOPO_MEM_BASE	0x050		/* first physical address of the SoC's memory */
#define ESP_TOPO_MEM_MIB	0x054		/* its size, split evenly over the memory tiles */
/* The guest's own accesses as traffic of the CPU tiles; 0 if the emulator does not provide them. */
#define ESP_TOPO_CPU		0x058
#define ESP_TOPO_CPU_PRESENT	0x80000000	/* read only */
#define ESP_TOPO_CPU_COUNT	0x00000001	/* count them; slows the guest down */
/* Fault injection: the CSR window does not answer. Reads return all ones, writes are lost. */
#define ESP_TOPO_FAULT		0x05c
#define ESP_TOPO_FAULT_READS	0x0000ffff	/* so many; all bits set: until 0 is written */
#define ESP_TOPO_FAULT_AFTER	16		/* bits 31:16: number of good reads before */
/*
 * The reset line of an accelerator's socket: takes its number. It ends what CMD = 0 does not: a run
 * whose TLB was emptied, a wait for a partner. ESP has it on the board only. Monitors keep their
 * counts.
 */
#define ESP_TOPO_ACC_RESET	0x060
/*
 * The model's own error: 1 if it has lost a packet since its reset, so that no count is right.
 * Fault injection: any write takes its free packets, so that it loses the next one.
 */
#define ESP_TOPO_LOST		0x064
#define ESP_TOPO_TILE(t)	(0x400 + 4 * (t))
#define ESP_TOPO_TILE_KIND	0x000000ff
#define ESP_TOPO_TILE_ID	0x0000ff00	/* number among the tiles of its kind */
#define ESP_TOPO_TILE_HAS_L2	0x00010000
#define ESP_TOPO_TILE_3RD_PARTY	0x00020000
#define ESP_TOPO_ACC(k)		(0x1000 + 0x40 * (k))
#define ESP_TOPO_ACC_TILE	0x00
#define ESP_TOPO_ACC_DEVID	0x04
#define ESP_TOPO_ACC_NAME	0x08		/* 48 bytes with a NUL, e.g. fft_stratus */
#define ESP_TOPO_ACC_NAME_LEN	48
#define ESP_TOPO_ACC_PARAMS	0x38		/* registers from ESP_ACC_USER on; 0: unknown */
#define ESP_TOPO_ACC_ORDER	0x3c		/* of these: number of the access ioctl; 0: any */

/* What a design may have and the model does not. */
#define ESP_NOT_MODELLED(NOT) \
	NOT(SPANDEX, 0x1, "Spandex caches: what counts are ESP's RTL caches") \
	NOT(HLS_CACHES, 0x2, "HLS caches: what counts are ESP's RTL caches") \
	NOT(SIZES, 0x4, "a size that ESP's generator does not offer: it is taken as it is") \
	NOT(DVFS, 0x8, "DVFS: dvfs_op0, dvfs_op1 and dvfs_op2 stay 0, dvfs_op3 counts all cycles")
enum {
#define NOT(name, bit, text) ESP_NOT_##name = (bit),
	ESP_NOT_MODELLED(NOT)
#undef NOT
};

enum esp_tile_kind {
	ESP_TILE_EMPTY,
	ESP_TILE_CPU,
	ESP_TILE_IO,
	ESP_TILE_MEM,
	ESP_TILE_SLM,
	ESP_TILE_ACC,
};

/* BAR4: live monitors, read only; a burst does not affect them. */
#define ESP_LIVE_STRIDE		0x200		/* of a tile; word i is register i of its layout */
#define ESP_LIVE_SIZE		(ESP_MAX_TILES * ESP_LIVE_STRIDE)

#endif
