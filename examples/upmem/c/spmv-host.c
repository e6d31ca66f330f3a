// SPDX-License-Identifier: GPL-2.0-only
#include "host.h"
#include "spmv.h"

static void make(uint32_t seed, uint32_t first[ROWS + 2], struct element elements[NUMBERS], int32_t x[COLUMNS])
{
	uint32_t count = 0;

	for (int c = 0; c < COLUMNS; c++)
		x[c] = next(&seed) - (1 << 23);
	for (int r = 0; r < ROWS; r++) {
		first[r] = count;
		for (uint32_t i = next(&seed) % 16; i > 0; i--) {
			elements[count].column = next(&seed) % COLUMNS;
			elements[count++].value = next(&seed) - (1 << 23);
		}
	}
	first[ROWS] = first[ROWS + 1] = count;
}

int main(int argc, char *argv[])
{
	static struct element elements[NUMBERS];
	uint32_t first[ROWS + 2], n, wrong = 0;
	int32_t x[COLUMNS];
	int64_t y[ROWS];
	struct dpu_set_t dpu;

	start(argc, argv);
	DPU_FOREACH(set, dpu, n) {
		make(n, first, elements, x);
		SEND(dpu, "first", first);
		SEND(dpu, "elements", elements);
		SEND(dpu, "x", x);
	}
	RUN();
	DPU_FOREACH(set, dpu, n) {
		make(n, first, elements, x);
		RECEIVE(dpu, "y", y);
		for (int r = 0; r < ROWS; r++) {
			int64_t sum = 0;

			for (uint32_t i = first[r]; i < first[r + 1]; i++)
				sum += (int64_t)elements[i].value * x[elements[i].column];
			wrong += y[r] != sum;
		}
	}
	return finish("spmv", n, wrong);
}
