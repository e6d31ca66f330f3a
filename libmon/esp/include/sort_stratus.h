/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* The accelerator SORT_STRATUS: argument of its access ioctl. */
#ifndef _SORT_STRATUS_H_	/* ESP's include guard, because a program may come with ESP's own file */
#define _SORT_STRATUS_H_

#include "esp.h"

/* Sorts batch vectors of size floats in place, from the start of the buffer. */
struct sort_stratus_access {
	struct esp_access esp;
	unsigned int size;		/* length of a vector; esp_accel(4) has the limits */
	unsigned int batch;		/* 1 to 1024 */
};

#define SORT_STRATUS_IOC_ACCESS	_IOW('S', 0, struct sort_stratus_access)

#endif
