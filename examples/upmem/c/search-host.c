// SPDX-License-Identifier: GPL-2.0-only
#include "host.h"

#define COUNT 4096
#define QUERIES 128

int main(int argc, char *argv[])
{
	static int64_t sorted[COUNT];
	int64_t queries[QUERIES], places[QUERIES];
	uint32_t n, wrong = 0;
	struct dpu_set_t dpu;

	start(argc, argv);
	DPU_FOREACH(set, dpu, n) {
		/* Steps of 2: odd numbers are not there. */
		for (int i = 0; i < COUNT; i++)
			sorted[i] = ((int64_t)i - COUNT / 2) * 2 * (n + 1);
		for (int i = 0; i < QUERIES; i++)
			queries[i] = i % 4 ? sorted[(i * 37 + n) % COUNT] : i * 2 + 1;
		SEND(dpu, "sorted", sorted);
		SEND(dpu, "queries", queries);
	}
	RUN();
	DPU_FOREACH(set, dpu, n) {
		RECEIVE(dpu, "places", places);
		for (int i = 0; i < QUERIES; i++)
			wrong += places[i] != (i % 4 ? (int)((i * 37 + n) % COUNT) : -1);
	}
	return finish("search", n, wrong);
}
