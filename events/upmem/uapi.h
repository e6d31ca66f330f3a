/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * /dev/dpu_rankN: the DPUs of a rank, for one process at a time.
 *
 * open() fails with EBUSY while another process has the rank. close(), also at the end of a
 * process, stops the DPUs and clears their memories. A DPU's addresses carry the mark of their
 * memory, as symbols of DPU programs do (UPMEM_IRAM_MARK, UPMEM_MRAM_MARK; WRAM has none). From
 * UPMEM_STATE_MARK on debuggers read the DPU's state, if the device offers it.
 */
#ifndef UPMEM_UAPI_H
#define UPMEM_UAPI_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * struct upmem_info - what the rank is
 * @dpus: 1 to 64
 * @chip_id: dpu_chip_id_e of the SDK
 * @clock_hz: of a DPU
 * @threads: tasklets of a DPU
 * @iram_words: usable instructions
 * @wram_size: usable bytes
 * @pmu: name in /sys/bus/event_source/devices/
 */
struct upmem_info {
	__u32 dpus;
	__u32 chip_id;
	__u32 clock_hz;
	__u32 threads;
	__u32 iram_words;
	__u32 wram_size;
	char pmu[40];
};

#define UPMEM_TO_DPU	1
#define UPMEM_FROM_DPU	2

/**
 * struct upmem_copy - bytes between user memory and a DPU
 * @dpu: its number
 * @direction: UPMEM_TO_DPU or UPMEM_FROM_DPU
 * @address: in the DPU; a multiple of 4 for WRAM, else of 8
 * @length: bytes; the same
 * @buffer: user address
 *
 * EINVAL: no such DPU or direction, or to the DPU's state. ERANGE: outside the memory, or not
 * aligned. EBUSY: the DPU runs, and the address is not in WRAM. EFAULT: bad user address. EIO: a
 * reset or a sleep has taken the rank's memories; all requests but UPMEM_IOC_INFO say so until
 * UPMEM_IOC_RESET.
 */
struct upmem_copy {
	__u32 dpu;
	__u32 direction;
	__u32 address;
	__u32 length;
	__u64 buffer;
};

/**
 * struct upmem_status - bit n of each mask is DPU n
 * @running: has been launched and not ended
 * @fault: ended with a fault
 */
struct upmem_status {
	__u64 running;
	__u64 fault;
};

/**
 * struct upmem_fault - why a DPU is in fault
 * @dpu: written by the caller
 * @kind: 0 none, 1 fault instruction, 2 WRAM access, 3 DMA, 4 illegal instruction, 5 execution left
 *	IRAM, 6 instruction without documented effect
 * @pc: instruction index
 * @thread: tasklet
 * @code: number of the fault instruction, or the address
 */
struct upmem_fault {
	__u32 dpu;
	__u32 kind;
	__u32 pc;
	__u32 thread;
	__u32 code;
};

#define UPMEM_IOC_INFO		_IOR('U', 0x40, struct upmem_info)
#define UPMEM_IOC_COPY		_IOW('U', 0x41, struct upmem_copy)
/* Starts the DPUs of a mask; EBUSY, and none starts, if one of them runs. */
#define UPMEM_IOC_LAUNCH	_IOW('U', 0x42, __u64)
#define UPMEM_IOC_STATUS	_IOR('U', 0x43, struct upmem_status)
/* Waits until no DPU of a mask runs; EINTR on a signal. */
#define UPMEM_IOC_WAIT		_IOW('U', 0x44, __u64)
/* Ends the programs of the DPUs of a mask. */
#define UPMEM_IOC_HALT		_IOW('U', 0x45, __u64)
/* Ends all programs and clears all memories. */
#define UPMEM_IOC_RESET		_IO('U', 0x46)
#define UPMEM_IOC_FAULT		_IOWR('U', 0x47, struct upmem_fault)

#endif
