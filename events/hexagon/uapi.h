/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Running programs on a Hexagon core: the character device /dev/hexagon.
 *
 * write() starts a program: its name and its arguments, each ended by a zero byte, in one call
 * of at most HEXAGON_RUN_REQUEST_MAX bytes. The name is that of a file in the host's folder of
 * programs. Then each read() gives one record, struct hexagon_run_record with size bytes after
 * it, and waits for it unless the file is O_NONBLOCK; the buffer must hold
 * HEXAGON_RUN_RECORD_MAX bytes. After the record HEXAGON_RUN_END read() returns 0, and the
 * next program can be written. close() kills a program that still runs. poll() works.
 *
 * Errors: EBUSY, another file runs a program; ENOTCONN, no host is connected (mon-vm
 * --hexagon-dir); ENODEV, the device is gone; EIO, it sleeps, or a sleep or a reset has killed the
 * program; EINVAL, not a request or too small a buffer.
 */
#ifndef HEXAGON_UAPI_H
#define HEXAGON_UAPI_H

#include <linux/types.h>

#define HEXAGON_RUN_REQUEST_MAX 4092
#define HEXAGON_RUN_DATA_MAX 4096

enum hexagon_run_type {
	HEXAGON_RUN_STDOUT = 1,	/* a piece of output */
	HEXAGON_RUN_STDERR = 2,
	HEXAGON_RUN_END = 3,	/* the program has ended, see status */
	HEXAGON_RUN_MARKS = 4,	/* its phases, lines "CYCLE THREAD PHASE"; a line may be cut */
};

/* In status: it could not be run, or the host went away; else status is as from waitpid(). */
#define HEXAGON_RUN_FAILED 0x10000
/* Or: events were opened during its run that count from the next program on. */
#define HEXAGON_RUN_LATE 0x20000

struct hexagon_run_record {
	__u32 type;
	__u32 size;	/* of the data that follow */
	__u32 status;	/* with HEXAGON_RUN_END */
	__u32 reserved;
};

#define HEXAGON_RUN_RECORD_MAX (sizeof(struct hexagon_run_record) + HEXAGON_RUN_DATA_MAX)

#endif
