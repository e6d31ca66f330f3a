// SPDX-License-Identifier: GPL-2.0-only
#include "host.h"

#define COUNT 8192

static uint64_t pair(uint32_t *seed)
{
	uint64_t high = next(seed);

	return high << 40 | next(seed);
}

int main(int argc, char *argv[])
{
	static uint64_t input[COUNT];
	uint32_t count[1] = { COUNT }, n, wrong = 0;
	struct dpu_set_t dpu;

	start(argc, argv);
	DPU_FOREACH(set, dpu, n) {
		for (uint32_t i = 0, seed = n; i < COUNT; i++)
			input[i] = pair(&seed);
		SEND(dpu, "input", input);
		SEND(dpu, "count", count);
	}
	RUN();
	DPU_FOREACH(set, dpu, n) {
		uint64_t sum[1], expected = 0;

		RECEIVE(dpu, "sum", sum);
		for (uint32_t i = 0, seed = n; i < COUNT; i++)
			expected += pair(&seed);
		wrong += sum[0] != expected;
	}
	return finish("reduction", n, wrong);
}
