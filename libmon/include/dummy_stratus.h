/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* The accelerator DUMMY_STRATUS: argument of its access ioctl. */
#ifndef _DUMMY_STRATUS_H_	/* as in ESP: a program may come with ESP's own file */
#define _DUMMY_STRATUS_H_

#include "esp.h"

/* Copies batch times tokens words of 64 bits. */
struct dummy_stratus_access {
	struct esp_access esp;
	unsigned int tokens;
	unsigned int batch;
	unsigned int source;		/* of a multicast, which is not supported: not looked at */
	unsigned int ndests;		/* the same */
	unsigned int src_offset;	/* bytes from the start of the buffer */
	unsigned int dst_offset;
};

#define DUMMY_STRATUS_IOC_ACCESS	_IOW('S', 0, struct dummy_stratus_access)

/*
 * What programs built for releases of ESP before 2025.1 pass (d9158153, September 2024, brought the
 * new members). The number of the ioctl has the size in it, which tells the two apart.
 */
struct dummy_stratus_access_2024 {
	struct esp_access esp;
	unsigned int tokens;
	unsigned int batch;
	unsigned int src_offset;
	unsigned int dst_offset;
};

#define DUMMY_STRATUS_IOC_ACCESS_2024	_IOW('S', 0, struct dummy_stratus_access_2024)

#endif
