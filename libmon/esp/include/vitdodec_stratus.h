/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* The accelerator VITDODEC_STRATUS: argument of its access ioctl, and the layout of its buffer. */
#ifndef _VITDODEC_STRATUS_H_	/* ESP's include guard, because a program may come with ESP's own file */
#define _VITDODEC_STRATUS_H_

#include "esp.h"

/*
 * The buffer, in bytes: the input, rounded up to whole words of 64 bits (32 with a design point for
 * dma32), then the output. Input: two groups of 32 bytes, the symbols that the encoder sends from
 * the even states with a zero; 8 unused bytes; from 72 on one symbol a byte, 2 for a punctured one.
 * Output: one bit a byte.
 */
struct vitdodec_stratus_access {
	struct esp_access esp;
	unsigned int cbps;		/* unused */
	unsigned int ntraceback;	/* blocks of 8 bits that the decoder looks ahead */
	unsigned int data_bits;
	unsigned int src_offset;
	unsigned int dst_offset;
};

#define VITDODEC_STRATUS_IOC_ACCESS	_IOW('S', 0, struct vitdodec_stratus_access)

#endif
