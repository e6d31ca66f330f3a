/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Registers of the Merrifield uncore counters, as the device `mrfld-visa` and its driver see them:
 * the message bus in PCI configuration space, the counter block behind it, and BAR0.
 *
 * Published: the configuration space registers and the transaction order (Linux, iosf_mbi), the
 * port number and the counter opcodes (Intel's socperf driver), the layout of a counter slice
 * (Intel 81341/81342 Developer's Manual, PMON unit). Not published, chosen here and marked
 * "chosen": the base of the slices inside the port, the group-select register (real silicon needs
 * VISA multiplexer tables that were never released), the position of the overflow bit. BAR0 exists
 * on the emulated device only.
 */
#ifndef MRFLD_REGS_H
#define MRFLD_REGS_H

#include "events/systems.h"

/* The subsystem id identifies the emulated part; real silicon has Intel's or the board's. */
#define MRFLD_PCI_SUBVENDOR	0x1af4
#define MRFLD_PCI_SUBDEVICE	0x1100

/* Message bus unit, in PCI configuration space. */
#define MRFLD_CFG_MCR		0xd0	/* opcode 31:24, port 23:16, offset 15:8, bytes 7:4 */
#define MRFLD_CFG_MDR		0xd4
#define MRFLD_CFG_MCRX		0xd8	/* offset 31:8, in place */
#define MRFLD_MCR_ENABLES	0xf0

/* Counter unit on the message bus. */
#define MRFLD_PORT		0x17
#define MRFLD_READ		0x00
#define MRFLD_WRITE		0x01

/*
 * Eight counter slices. Base: chosen. It is not below 0x100, so a driver that leaves MCRX alone
 * when it would be zero still writes it for every counter register.
 */
#define MRFLD_NCOUNTERS		8
#define MRFLD_SLICE_BASE	0x100
#define MRFLD_SLICE_STRIDE	0x10
#define MRFLD_SLICE(i, reg)	(MRFLD_SLICE_BASE + MRFLD_SLICE_STRIDE * (i) + (reg))
#define MRFLD_COMMAND		0x0
#define MRFLD_EVENTS		0x4	/* stored, no effect: the group binds events to slices */
#define MRFLD_STATUS		0x8
#define MRFLD_DATA		0xc

/* Command register: the command is bits 19:16; all other bits are ignored. */
#define MRFLD_OP_SHIFT		16
#define MRFLD_OP_MASK		0xf
#define MRFLD_OP_STOP		0x0
#define MRFLD_OP_START		0x1
#define MRFLD_OP_SAMPLE		0x2	/* counter to data register; counting continues */
#define MRFLD_OP_RESET		0x4	/* counter = 0 and stopped */
#define MRFLD_OP_RESTART	0x5	/* reset, then start */
#define MRFLD_OP_SAMPLE_RESTART	0x6
#define MRFLD_OP_PRELOAD	0xf	/* data register to counter, running or not as before */

#define MRFLD_STATUS_DECREMENT	0x80000000u
#define MRFLD_STATUS_INCREMENT	0x40000000u
#define MRFLD_STATUS_ACTIVE	0x20000000u
#define MRFLD_STATUS_IN_USE	0x10000000u	/* a read sets it, writing 1 clears it */
#define MRFLD_STATUS_OVERFLOW	0x08000000u	/* chosen position; sticky, writing 1 clears it */

/* Group select, chosen: 1..9, 0 none. Writes are ignored while a counter is active. */
#define MRFLD_SELECT		0x200
#define MRFLD_NGROUPS		9

/* BAR0: the bus agents and fault injection; emulation only. 32-bit registers, aligned accesses. */
#define MRFLD_BAR_SIZE		0x1000

#define MRFLD_ID		0x000
#define MRFLD_ID_VALUE		0x4146524d	/* "MRFA" */
#define MRFLD_VERSION		0x004
#define MRFLD_VERSION_VALUE	1
#define MRFLD_CHANNELS		0x008
#define MRFLD_INTERLEAVE	0x00c	/* bytes of a channel's block */
#define MRFLD_SOC_HZ		0x010
#define MRFLD_DRAM_HZ		0x014
#define MRFLD_SHALLOW_US	0x018	/* idle time before shallow self-refresh */
#define MRFLD_DEEP_US		0x01c	/* idle time before deep self-refresh */

/* The guest's own accesses as requests of module 0; 0 if the emulator does not provide them. */
#define MRFLD_CPU		0x020
#define MRFLD_CPU_PRESENT	0x80000000	/* read only */
#define MRFLD_CPU_COUNT		0x00000001	/* count them; slows the guest down */

/* DMA engine of an agent: moves a stream of requests through a window of memory, repeatedly. */
#define MRFLD_AGENT_GFX		0
#define MRFLD_AGENT_DISP	1
#define MRFLD_AGENT_IMAGING	2
#define MRFLD_AGENT_LOWSPEEDPF	3
#define MRFLD_NAGENTS		4
#define MRFLD_ENGINE(i, reg)	(0x100 + 0x80 * (i) + (reg))
#define MRFLD_ENGINES_END	0x300

#define MRFLD_ENG_CTRL		0x00
#define MRFLD_CTRL_START	0x001	/* of the scan-out: run */
#define MRFLD_CTRL_ABORT	0x002
#define MRFLD_CTRL_WRITE	0x010	/* direction: to memory */
#define MRFLD_CTRL_SNOOP	0x020	/* each request is snooped in CPU module 0 */
#define MRFLD_CTRL_SIZE_SHIFT	8	/* 0 partial, 1 32 bytes, 2 64 bytes */
#define MRFLD_CTRL_SIZE_MASK	0x3
#define MRFLD_SIZE_PARTIAL	0
#define MRFLD_SIZE_32		1
#define MRFLD_SIZE_64		2
#define MRFLD_CTRL_PAYLOAD_SHIFT 16	/* bytes of a partial request: 4, 8 or 16 */
#define MRFLD_CTRL_PAYLOAD_MASK	0xff
#define MRFLD_ENG_STATUS	0x04
#define MRFLD_STATUS_RUN	0x1
#define MRFLD_STATUS_DONE	0x2
#define MRFLD_STATUS_BAD	0x4	/* malformed request; no further data were moved */
#define MRFLD_STATUS_FAULT	0x8	/* an address of the page table is not memory */
#define MRFLD_ENG_RATE		0x08	/* 1000 bytes a second */
#define MRFLD_ENG_SEED		0x0c	/* word at byte b of a written stream: seed + b / 4 */
#define MRFLD_ENG_TABLE_LO	0x10	/* address of an array of 64-bit addresses of 4 KiB pages */
#define MRFLD_ENG_TABLE_HI	0x14
#define MRFLD_ENG_WINDOW	0x18	/* bytes */
#define MRFLD_ENG_TOTAL_LO	0x20	/* bytes; the stream wraps in the window */
#define MRFLD_ENG_TOTAL_HI	0x24
#define MRFLD_ENG_DONE_LO	0x28	/* bytes moved; a read of a LO half latches its HI half */
#define MRFLD_ENG_DONE_HI	0x2c
#define MRFLD_ENG_SUM_LO	0x30	/* sum of the 32-bit words read */
#define MRFLD_ENG_SUM_HI	0x34

/* Scan-out of the display: reads a frame buffer line by line at the refresh rate. */
#define MRFLD_SCAN(reg)		(0x400 + (reg))
#define MRFLD_SCAN_END		0x480
#define MRFLD_SCAN_CTRL		0x00
#define MRFLD_SCAN_STATUS	0x04
#define MRFLD_SCAN_WIDTH	0x08	/* pixels */
#define MRFLD_SCAN_HEIGHT	0x0c	/* lines */
#define MRFLD_SCAN_TABLE_LO	0x10
#define MRFLD_SCAN_TABLE_HI	0x14
#define MRFLD_SCAN_STRIDE	0x18	/* bytes from line to line, a multiple of 64 */
#define MRFLD_SCAN_CPP		0x1c	/* bytes a pixel */
#define MRFLD_SCAN_REFRESH	0x20	/* frames in 1000 seconds */
#define MRFLD_SCAN_FRAMES	0x24	/* complete frames since the start */
#define MRFLD_SCAN_SUM_LO	0x28	/* sum of the 32-bit words of the last complete frame */
#define MRFLD_SCAN_SUM_HI	0x2c

/* Fault injection: errors of hardware, or caused by other users of the bus. 0 is off. */
#define MRFLD_FAULT(reg)	(0x800 + (reg))
#define MRFLD_FAULT_END		0x820
#define MRFLD_FAULT_ALL_ONES	0x00	/* every nth read transaction returns all ones */
#define MRFLD_FAULT_LOST_SAMPLE	0x04	/* every nth sample does not change the data register */
#define MRFLD_FAULT_SLOW_US	0x08	/* duration of each transaction in us */
#define MRFLD_FAULT_MCRX	0x0c	/* value that another user leaves in MCRX each time */
#define MRFLD_FAULT_POWER_MS	0x10	/* the counters lose power with this period */
#define MRFLD_FAULT_POWER_NOW	0x14	/* write: the counters lose power now */
#define MRFLD_NFAULTS		5	/* the fault registers that hold a value */

#endif
