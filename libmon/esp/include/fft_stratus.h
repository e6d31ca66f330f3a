/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* The accelerator FFT_STRATUS: argument of its access ioctl. */
#ifndef _FFT_STRATUS_H_		/* ESP's include guard, because a program may come with ESP's own file */
#define _FFT_STRATUS_H_

#include "esp.h"

/* Transforms batches of 2^log_len complex points, interleaved, signed 12.20 fixed point. */
struct fft_stratus_access {
	struct esp_access esp;
	unsigned int batch_size;
	unsigned int log_len;
	unsigned int do_bitrev;
	unsigned int src_offset;	/* bytes from the start of the buffer */
	unsigned int dst_offset;
};

#define FFT_STRATUS_IOC_ACCESS	_IOW('S', 0, struct fft_stratus_access)

#endif
