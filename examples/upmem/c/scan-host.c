// SPDX-License-Identifier: GPL-2.0-only
#include "host.h"

#define COUNT 8192

int main(int argc, char *argv[])
{
	static int64_t input[COUNT], output[COUNT];
	struct dpu_set_t dpu;
	uint32_t n, wrong = 0;

	start(argc, argv);
	DPU_FOREACH(set, dpu, n) {
		for (uint32_t i = 0, seed = n; i < COUNT; i++)
			input[i] = ((int64_t)next(&seed) - (1 << 23)) * 1000000;
		SEND(dpu, "input", input);
	}
	RUN();
	DPU_FOREACH(set, dpu, n) {
		int64_t sum = 0;

		RECEIVE(dpu, "output", output);
		for (uint32_t i = 0, seed = n; i < COUNT; i++) {
			sum += ((int64_t)next(&seed) - (1 << 23)) * 1000000;
			wrong += output[i] != sum;
		}
	}
	return finish("scan", n, wrong);
}
