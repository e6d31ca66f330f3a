// SPDX-License-Identifier: GPL-2.0-only
/* A DPU program: ROUNDS times OPERATION on each of ELEMENTS elements of WRAM, by each tasklet on its own. */
#include <defs.h>
#include <stdint.h>

#include "dpu/tests/bench/operations.h"

static TYPE buffers[NR_TASKLETS][ELEMENTS];
__host TYPE operand = 7;

int main(void)
{
	TYPE *elements = buffers[me()];
	TYPE by = operand;

	for (int i = 0; i < ELEMENTS; i++)
		elements[i] = 1000003 + i;
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < ELEMENTS; i++)
			elements[i] = elements[i] OPERATION by;
	}
	return 0;
}
