// SPDX-License-Identifier: GPL-2.0-only
#include "host.h"

#define COUNT (1 << 15)

int main(int argc, char *argv[])
{
	static uint8_t input[COUNT];
	uint32_t histogram[256], expected[256], n, wrong = 0;
	struct dpu_set_t dpu;

	start(argc, argv);
	DPU_FOREACH(set, dpu, n) {
		for (uint32_t i = 0, seed = n; i < COUNT; i++)
			input[i] = next(&seed) & next(&seed);
		SEND(dpu, "input", input);
	}
	RUN();
	DPU_FOREACH(set, dpu, n) {
		RECEIVE(dpu, "histogram", histogram);
		memset(expected, 0, sizeof(expected));
		for (uint32_t i = 0, seed = n; i < COUNT; i++)
			expected[next(&seed) & next(&seed) & 255]++;
		for (int i = 0; i < 256; i++)
			wrong += histogram[i] != expected[i];
	}
	return finish("histogram", n, wrong);
}
