/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Registers of the emulated Hexagon core, BAR0 of PCI device 1af4:10f3.
 *
 * On hardware the counters are system registers of the core, which its own monitor mode code
 * accesses. Here the host of the PCI device does that: system register n is the 32-bit word at 4 *
 * n. Numbers and contents are those of Qualcomm's QEMU series and of the open Hexagon hypervisor.
 * The registers from HEXAGON_ID on have no counterpart in hardware: they identify the core, latch
 * the counters (as qurt_pmu_get_pmucnt() reads all of them in one trap) and run programs.
 */
#ifndef HEXAGON_REGS_H
#define HEXAGON_REGS_H

#include "events/systems.h"

#define HEXAGON_BAR_SIZE 0x4000

#define HEXAGON_COUNTERS 8
#define HEXAGON_EVENT_BITS 10	/* of a selector; 9 up to V66 */
#define HEXAGON_EVENT_CODES 0x400

#define HEXAGON_SREG(n) (4 * (n))
#define HEXAGON_SYSCFG HEXAGON_SREG(18)
#define HEXAGON_SYSCFG_PCYCLEEN 0x40	/* PCYCLE counts */
#define HEXAGON_SYSCFG_PM 0x200		/* all PMU counters count */
#define HEXAGON_PCYCLELO HEXAGON_SREG(30)
#define HEXAGON_PCYCLEHI HEXAGON_SREG(31)
/* counters 0-3 are s48-s51, 4-7 are s44-s47 */
#define HEXAGON_PMUCNT(i) HEXAGON_SREG(44 + (((i) + 4) & 7))
/* low 8 bits of the selectors, 8 bits for each of counters 0-3 and 4-7 */
#define HEXAGON_PMUEVTCFG HEXAGON_SREG(52)
#define HEXAGON_PMUEVTCFG1 HEXAGON_SREG(54)
/* thread filters, packed in the same way; 0 lets all threads count */
#define HEXAGON_PMUSTID0 HEXAGON_SREG(53)
#define HEXAGON_PMUSTID1 HEXAGON_SREG(55)
/* bits 9:8 of the selector of counter i in bits 2i+1:2i */
#define HEXAGON_PMUCFG HEXAGON_SREG(58)
#define HEXAGON_PMUCFG_EVENTS 0x0000ffffu
#define HEXAGON_PMUCFG_THMASK 0x00070000u	/* stored, no effect: its meaning is not public */

/* Selectors that chain an odd counter to the even one before it: it counts that one's carries. */
#define HEXAGON_CHAIN_0 0x001	/* in counter 1 */
#define HEXAGON_CHAIN_2 0x002	/* in counter 3 */
#define HEXAGON_CHAIN_4 0x005	/* in counter 5 */
#define HEXAGON_CHAIN_6 0x006	/* in counter 7 */

/* Identification of the core; read only. */
#define HEXAGON_ID 0x100
#define HEXAGON_ID_VALUE 0x50584548	/* "HEXP" */
#define HEXAGON_LAYOUT 0x104
#define HEXAGON_LAYOUT_VALUE 1
#define HEXAGON_CORE 0x108		/* two decimal digits: 65, 69, 73, 79 */
#define HEXAGON_THREADS 0x10c		/* hardware threads; thread n has the STID n + 1 */
#define HEXAGON_CLUSTERS 0x110
#define HEXAGON_CYCLES 0x114		/* modelled cycles between packets of a thread */
#define HEXAGON_CLOCK_HZ 0x118		/* nominal; says how fast counters may wrap */

/* Any write copies all eight counters, at one moment, to HEXAGON_LATCHED(i). */
#define HEXAGON_LATCH 0x11c
#define HEXAGON_LATCHED(i) (0x120 + 4 * (i))

/* Bit e % 32 of word e / 32: the core counts event e. Other selectors never count. */
#define HEXAGON_EVENTS(word) (0x180 + 4 * (word))

/*
 * Mailbox. HEXAGON_COMMAND starts or cancels a program. Its output comes in pieces: read each from
 * the output window, then acknowledge it. An MSI announces each change of HEXAGON_STATE.
 */
#define HEXAGON_COMMAND 0x200
#define HEXAGON_COMMAND_RUN 1		/* the request window holds HEXAGON_REQUEST_SIZE bytes */
#define HEXAGON_COMMAND_CANCEL 2	/* kill it; it still ends with HEXAGON_STATE_ENDED */
#define HEXAGON_COMMAND_TAKEN 3		/* next piece of output */
#define HEXAGON_STATE 0x204
#define HEXAGON_STATE_HOST 0x1	/* a host is connected */
#define HEXAGON_STATE_BUSY 0x2	/* a program runs, or some of its output has not been read */
#define HEXAGON_STATE_OUTPUT 0x4	/* the output window holds a piece */
#define HEXAGON_STATE_ENDED 0x8	/* the last program ended, see HEXAGON_STATUS */
#define HEXAGON_STATUS 0x208		/* as from waitpid(), valid with HEXAGON_STATE_ENDED */
#define HEXAGON_STATUS_FAILED 0x10000	/* or: it could not be run, or the host went away */
/* or: events were selected that need a program which starts later */
#define HEXAGON_STATUS_LATE 0x20000
#define HEXAGON_REQUEST_SIZE 0x20c
#define HEXAGON_OUTPUT_SIZE 0x210
#define HEXAGON_OUTPUT_STREAM 0x214	/* file descriptor: 1 or 2; 3: marks of phases */

/* Program and arguments, each ended by a zero byte. */
#define HEXAGON_REQUEST 0x1000
#define HEXAGON_REQUEST_MAX 0x1000
#define HEXAGON_OUTPUT 0x2000
#define HEXAGON_OUTPUT_MAX 0x1000

#endif
