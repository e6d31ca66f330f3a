// SPDX-License-Identifier: GPL-2.0-only
#include "host.h"

#define COUNT 8192

int main(int argc, char *argv[])
{
	static uint32_t a[COUNT], b[COUNT], c[COUNT];
	uint32_t size[1] = { sizeof(a) }, n, wrong = 0;
	struct dpu_set_t dpu;

	start(argc, argv);
	DPU_FOREACH(set, dpu, n) {
		for (uint32_t i = 0, seed = n; i < COUNT; i++) {
			a[i] = next(&seed);
			b[i] = next(&seed) << 9;
		}
		SEND(dpu, "a", a);
		SEND(dpu, "b", b);
		SEND(dpu, "size", size);
	}
	RUN();
	DPU_FOREACH(set, dpu, n) {
		RECEIVE(dpu, "c", c);
		for (uint32_t i = 0, seed = n; i < COUNT; i++) {
			uint32_t first = next(&seed);

			wrong += c[i] != first + (next(&seed) << 9);
		}
	}
	return finish("vecadd", n, wrong);
}
