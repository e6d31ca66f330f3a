/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* The accelerator HOUSE_STRATUS: argument of its access ioctl. */
#ifndef _HOUSE_STRATUS_H_
#define _HOUSE_STRATUS_H_

#include "esp.h"

struct house_stratus_access {
	struct esp_access esp;
	unsigned int words;
	unsigned int addend;
	unsigned int src_offset;
	unsigned int dst_offset;
};

#define HOUSE_STRATUS_IOC_ACCESS	_IOW('S', 0, struct house_stratus_access)

#endif
