// SPDX-License-Identifier: GPL-2.0-only
#include "host.h"

#define ROWS 64
#define COLUMNS 256

int main(int argc, char *argv[])
{
	static int32_t a[ROWS][COLUMNS], x[COLUMNS], y[ROWS], expected[64][ROWS];
	uint32_t n, wrong = 0;
	struct dpu_set_t dpu;

	start(argc, argv);
	DPU_FOREACH(set, dpu, n) {
		uint32_t seed = n;

		for (int c = 0; c < COLUMNS; c++)
			x[c] = (int32_t)(next(&seed) % 2001) - 1000;
		for (int r = 0; r < ROWS; r++) {
			expected[n % 64][r] = 0;
			for (int c = 0; c < COLUMNS; c++) {
				a[r][c] = (int32_t)(next(&seed) % 201) - 100;
				expected[n % 64][r] += a[r][c] * x[c];
			}
		}
		SEND(dpu, "a", a);
		SEND(dpu, "x", x);
	}
	RUN();
	DPU_FOREACH(set, dpu, n) {
		RECEIVE(dpu, "y", y);
		for (int r = 0; r < ROWS; r++)
			wrong += y[r] != expected[n % 64][r];
	}
	return finish("gemv", n, wrong);
}
