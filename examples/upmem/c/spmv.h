/* SPDX-License-Identifier: GPL-2.0-only */
/* What host and DPU agree on in spmv: the size of the matrix and one of its numbers. */
#ifndef EXAMPLES_SPMV_H
#define EXAMPLES_SPMV_H

#include <stdint.h>

#define ROWS 128
#define COLUMNS 256
#define NUMBERS 2048

struct element {
	uint32_t column;
	int32_t value;
};

#endif
