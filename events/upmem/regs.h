/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * Registers of the emulated UPMEM rank, PCI 1af4:10f1.
 *
 * A real rank is a DIMM that its host reaches through DDR4 commands. The PCI function, its control
 * registers and its DMA exist on this device only. UPMEM's own are the byte registers 0x90..0x94
 * and 0xff of each DPU: the counters of the bank interface, at the addresses that the SDK's driver
 * uses in the DMA controller's register space.
 *
 * BAR0: one page for the rank, then one page a DPU. Registers are 32 bits, little endian, except
 * the byte registers. 64-bit masks have one bit a DPU. BAR1 is MSI-X, vector 0 for everything.
 */
#ifndef MON_UPMEM_REGS_H
#define MON_UPMEM_REGS_H

#include "events/systems.h"

#define UPMEM_MAX_DPUS			64
#define UPMEM_PAGE			0x1000
#define UPMEM_BAR_SIZE			0x80000

/* The rank. Read only unless said otherwise. */
#define UPMEM_ID			0x000
#define UPMEM_ID_VALUE			0x4b4e5255	/* "URNK" */
#define UPMEM_VERSION			0x004
#define UPMEM_VERSION_VALUE		2
#define UPMEM_DPUS			0x008	/* 1..64 */
#define UPMEM_CHIP_ID			0x00c	/* dpu_chip_id_e of the SDK; v1B from 66 on */
#define UPMEM_CHIP_ID_V1B		66
#define UPMEM_CLOCK_HZ			0x010
#define UPMEM_THREADS			0x014	/* tasklets of a DPU */
#define UPMEM_IRAM_WORDS		0x018	/* usable instructions */
#define UPMEM_WRAM_SIZE			0x01c	/* usable bytes */
#define UPMEM_IRQ			0x020	/* write 1 to clear */
#define UPMEM_IRQ_IDLE			0x1	/* the last running DPU stopped */
#define UPMEM_LATCH			0x024	/* write 1: holds all values, 0: ends that */
#define UPMEM_RESET			0x028	/* write 1: memories 0, all stop; counters stay */
#define UPMEM_MAX_MHZ			0x02c	/* counters wrap no sooner than at this rate */
#define UPMEM_LAUNCH_LO			0x030	/* write: thread 0 of these DPUs starts */
#define UPMEM_LAUNCH_HI			0x034
#define UPMEM_RUNNING_LO		0x038
#define UPMEM_RUNNING_HI		0x03c
#define UPMEM_FAULT_LO			0x040	/* ended with a fault */
#define UPMEM_FAULT_HI			0x044
#define UPMEM_HALT_LO			0x048	/* write: stops these DPUs as soon as possible */
#define UPMEM_HALT_HI			0x04c
#define UPMEM_STATE_SIZE		0x050	/* bytes of a DPU's state, 8 at a time; 0: none */

/*
 * DMA between guest memory and one DPU. A write of the direction runs the transfer; it is complete
 * when the write returns, and UPMEM_DMA_CONTROL then reads as its result.
 */
#define UPMEM_DMA_BUS_LO		0x060	/* stored, without effect */
#define UPMEM_DMA_BUS_HI		0x064
#define UPMEM_DMA_ADDRESS		0x068	/* in the DPU, with the mark of its memory */
#define UPMEM_DMA_LENGTH		0x06c	/* bytes, at most UPMEM_DMA_MAX */
#define UPMEM_DMA_DPU			0x070
#define UPMEM_DMA_CONTROL		0x074
#define UPMEM_DMA_TO_DPU		1
#define UPMEM_DMA_FROM_DPU		2
#define UPMEM_DMA_OK			0
#define UPMEM_DMA_RANGE			1	/* outside the memory, not aligned, or too long */
#define UPMEM_DMA_BUSY			2	/* the DPU runs */
#define UPMEM_DMA_BUS			3	/* guest memory does not answer */
#define UPMEM_DMA_COMMAND		4	/* neither direction, or no such DPU */
#define UPMEM_DMA_MAX			0x400000

/* Marks of the memories in addresses of a DPU; WRAM has none. */
#define UPMEM_IRAM_MARK			0x80000000
#define UPMEM_MRAM_MARK			0x08000000
#define UPMEM_MRAM_SIZE			0x04000000
/*
 * What a debugger reads of a DPU that does not run: its registers, IRAM and WRAM as
 * dpu/sim/save.c writes them, for programs of the same version on the same kind of machine.
 */
#define UPMEM_STATE_MARK		0x40000000

/* A DPU's page. */
#define UPMEM_DPU(n)			(UPMEM_PAGE * ((n) + 1))
#define UPMEM_DPU_STATE			0x000
#define UPMEM_DPU_IDLE			0
#define UPMEM_DPU_RUNNING		1
#define UPMEM_DPU_FAULT			2
#define UPMEM_DPU_FAULT_KIND		0x004
#define UPMEM_DPU_FAULT_PC		0x008	/* instruction index */
#define UPMEM_DPU_FAULT_THREAD		0x00c
#define UPMEM_DPU_FAULT_CODE		0x010
/* Counters that hardware does not have; a read of the low word latches the high one. */
#define UPMEM_DPU_CYCLES_LO		0x020
#define UPMEM_DPU_CYCLES_HI		0x024
#define UPMEM_DPU_INSTRUCTIONS_LO	0x028
#define UPMEM_DPU_INSTRUCTIONS_HI	0x02c

/* Bank interface PMC of a DPU, byte registers (SDK: DMA controller register space). */
#define UPMEM_PMC_ENABLE		0x090	/* bit 0 */
#define UPMEM_PMC_CONTROL		0x091
#define UPMEM_PMC_INDEX			0x07	/* byte that the read-back register returns */
#define UPMEM_PMC_CHAIN			0x80	/* both counters are one of 64 bits */
#define UPMEM_PMC_EVENT1		0x092	/* a write clears and starts the counter */
#define UPMEM_PMC_EVENT2		0x093
#define UPMEM_PMC_STOP			0x094	/* 1, 2, or 3 for both */
#define UPMEM_PMC_READ			0x0ff
#define UPMEM_PMC_READ_SELECT		0x04	/* written: the monitor is what is read back */

#endif
