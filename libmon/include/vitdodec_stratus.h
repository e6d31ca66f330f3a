/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* The accelerator VITDODEC_STRATUS: argument of its access ioctl, and what its buffer holds. */
#ifndef _VITDODEC_STRATUS_H_	/* as in ESP: a program may come with ESP's own file */
#define _VITDODEC_STRATUS_H_

#include "esp.h"

/*
 * The buffer, in bytes: the input, rounded up to whole words of 64 bits (32 with a design point for
 * dma32), then the output. Input: the two symbols, 32 bytes each, that the encoder sends from the
 * even states with a zero; 8 bytes that are not used; at 72, in a byte each, the symbols, 2 for a
 * punctured one. Output: a byte a bit.
 */
struct vitdodec_stratus_access {
	struct esp_access esp;
	unsigned int cbps;		/* not used */
	unsigned int ntraceback;	/* blocks of 8 bits that the decoder looks ahead */
	unsigned int data_bits;
	unsigned int src_offset;
	unsigned int dst_offset;
};

#define VITDODEC_STRATUS_IOC_ACCESS	_IOW('S', 0, struct vitdodec_stratus_access)

#endif
