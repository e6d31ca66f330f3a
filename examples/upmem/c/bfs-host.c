// SPDX-License-Identifier: GPL-2.0-only
#include "host.h"

#define NODES 512
#define EDGES 4096
#define UNSEEN 255

/* A path, so that there are many levels, and a few short cuts; half of the nodes may be out of reach. */
static void make_graph(uint32_t seed, uint32_t first[NODES + 2], uint32_t edges[EDGES])
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < NODES; n++) {
		first[n] = count;
		if (n % 32 != 31)
			edges[count++] = n + 1;
		for (uint32_t i = next(&seed) % 4; i > 0; i--)
			edges[count++] = (n & ~255u) + next(&seed) % 256;
	}
	first[NODES] = first[NODES + 1] = count;
}

static void search(const uint32_t *first, const uint32_t *edges, uint32_t start, uint8_t levels[NODES])
{
	uint32_t queue[NODES], head = 0, tail = 0;

	memset(levels, UNSEEN, NODES);
	levels[start] = 0;
	queue[tail++] = start;
	while (head < tail) {
		uint32_t n = queue[head++];

		for (uint32_t e = first[n]; e < first[n + 1]; e++) {
			if (levels[edges[e]] != UNSEEN)
				continue;
			levels[edges[e]] = levels[n] + 1;
			queue[tail++] = edges[e];
		}
	}
}

int main(int argc, char *argv[])
{
	static uint32_t first[NODES + 2], edges[EDGES];
	uint8_t levels[NODES], expected[NODES];
	struct dpu_set_t dpu;
	uint32_t n, wrong = 0;

	start(argc, argv);
	DPU_FOREACH(set, dpu, n) {
		uint32_t from[1] = { n * 7 % NODES };

		make_graph(n, first, edges);
		SEND(dpu, "first", first);
		SEND(dpu, "edges", edges);
		SEND(dpu, "start", from);
	}
	RUN();
	DPU_FOREACH(set, dpu, n) {
		make_graph(n, first, edges);
		search(first, edges, n * 7 % NODES, expected);
		RECEIVE(dpu, "levels", levels);
		for (int i = 0; i < NODES; i++)
			wrong += levels[i] != expected[i];
	}
	return finish("bfs", n, wrong);
}
