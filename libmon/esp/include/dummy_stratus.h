/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* The accelerator DUMMY_STRATUS: argument of its access ioctl. */
#ifndef _DUMMY_STRATUS_H_	/* ESP's include guard, because a program may come with ESP's own file */
#define _DUMMY_STRATUS_H_

#include "esp.h"

/* Copies batch * tokens words of 64 bits. */
struct dummy_stratus_access {
	struct esp_access esp;
	unsigned int tokens;
	unsigned int batch;
	unsigned int source;		/* ignored: for a multicast, which is not supported */
	unsigned int ndests;		/* ignored */
	unsigned int src_offset;	/* bytes from the start of the buffer */
	unsigned int dst_offset;
};

#define DUMMY_STRATUS_IOC_ACCESS	_IOW('S', 0, struct dummy_stratus_access)

#endif
