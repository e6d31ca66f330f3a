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

/*
 * The structure of ESP releases before 2025.1, without the members that d9158153 (September 2024)
 * added. The size is part of the ioctl's number, so the numbers of the two differ.
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
