/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Interface of /dev/mrfld_agents, which drives the bus agents of the emulated Merrifield to make
 * traffic for its uncore counters. Real silicon has no such device.
 *
 * An open file has one buffer (MRFLD_IOC_BUFFER); mmap() it at offset 0. Agents move data between
 * themselves and that buffer, and the display scans it out.
 */
#ifndef MRFLD_AGENTS_UAPI_H
#define MRFLD_AGENTS_UAPI_H

#ifdef __KERNEL__
#include <linux/ioctl.h>
#include <linux/types.h>
#else
#include <linux/types.h>
#include <sys/ioctl.h>
#endif

#define MRFLD_AGENTS_DEVICE	"mrfld_agents"

#define MRFLD_MAX_BUFFER	(64u << 20)	/* bytes */

/**
 * struct mrfld_agent_move - a stream of equal requests at an even rate
 * @agent:	0 graphics, 1 display, 2 imaging, 3 low-speed peripheral fabric
 * @flags:	MRFLD_MOVE_...
 * @request:	bytes of a request: 64, 32, or 16, 8, 4 (partial)
 * @rate:	1000 bytes a second; 0: ten million requests a second
 * @bytes:	to move, a multiple of @request; the stream starts over at the end of the buffer
 * @seed:	a written stream has the 32-bit word @seed + b / 4 at its byte b
 * @reserved:	0
 * @moved:	out: bytes moved, less than @bytes only if a signal came
 * @sum:	out: sum of the 32-bit words read
 */
struct mrfld_agent_move {
	__u32 agent;
	__u32 flags;
	__u32 request;
	__u32 rate;
	__u64 bytes;
	__u32 seed;
	__u32 reserved;
	__u64 moved;
	__u64 sum;
};

#define MRFLD_MOVE_WRITE	0x1	/* to memory; else from memory */
#define MRFLD_MOVE_SNOOP	0x2	/* CPU module 0 is snooped for each request */

/**
 * struct mrfld_scanout - the display reads the buffer as a frame buffer until it is stopped
 * @width:	pixels; @width * @cpp must be a multiple of 4
 * @height:	lines, each starting at the next multiple of 64 bytes
 * @cpp:	bytes a pixel
 * @refresh:	frames in 1000 seconds (60000: 60 Hz)
 */
struct mrfld_scanout {
	__u32 width;
	__u32 height;
	__u32 cpp;
	__u32 refresh;
};

/* @frames complete since the start; @sum of the 32-bit words of the last complete one. */
struct mrfld_scanout_status {
	__u32 frames;
	__u32 running;
	__u64 sum;
};

/* Fault injection (root only); numbers and meaning as in events/mrfld/regs.h. */
struct mrfld_fault {
	__u32 which;	/* offset of the fault register */
	__u32 value;
};

#define MRFLD_IOC_BUFFER	_IOW(0xd1, 0, __u64)	/* bytes; once a file */
#define MRFLD_IOC_MOVE		_IOWR(0xd1, 1, struct mrfld_agent_move)
#define MRFLD_IOC_SCANOUT	_IOW(0xd1, 2, struct mrfld_scanout)
#define MRFLD_IOC_SCANOUT_STOP	_IO(0xd1, 3)
#define MRFLD_IOC_SCANOUT_STATUS _IOR(0xd1, 4, struct mrfld_scanout_status)
#define MRFLD_IOC_FAULT		_IOW(0xd1, 5, struct mrfld_fault)

#endif
