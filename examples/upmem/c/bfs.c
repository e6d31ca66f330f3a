// SPDX-License-Identifier: GPL-2.0-only
/*
 * Breadth-first search in a graph whose edges are in MRAM, as lists of neighbours one after the other.
 * Level after level, every tasklet looks at its nodes. Two tasklets may reach the same node; who owns it
 * writes its level when all are done.
 */
#include <barrier.h>
#include <defs.h>
#include <mram.h>
#include <mutex.h>
#include <stdint.h>

#define NODES 512
#define EDGES 4096
#define UNSEEN 255

__mram_noinit uint32_t first[NODES + 2];	/* of node n's edges; NODES: the end */
__mram_noinit uint32_t edges[EDGES];
__host uint32_t start;
__host uint8_t levels[NODES];

BARRIER_INIT(all, NR_TASKLETS);

MUTEX_INIT(reaching);

static uint8_t reached[NODES];		/* in this level or before */
static uint32_t found[2];		/* whether somebody found a node, in even and odd levels */

int main(void)
{
	for (uint32_t n = me(); n < NODES; n += NR_TASKLETS) {
		reached[n] = 0;
		levels[n] = n == start ? 0 : UNSEEN;
	}
	if (!me())
		found[0] = found[1] = 0;
	for (uint32_t level = 0; level < UNSEEN - 1; level++) {
		barrier_wait(&all);
		if (level && !found[(level - 1) & 1])
			break;
		barrier_wait(&all);
		if (!me())
			found[level & 1] = 0;
		barrier_wait(&all);
		for (uint32_t n = me(); n < NODES; n += NR_TASKLETS) {
			if (levels[n] != level)
				continue;
			for (uint32_t e = first[n]; e < first[n + 1]; e++) {
				uint32_t other = edges[e];

				if (levels[other] != UNSEEN)
					continue;
				mutex_lock(reaching);
				reached[other] = 1;
				found[level & 1] = 1;
				mutex_unlock(reaching);
			}
		}
		barrier_wait(&all);
		for (uint32_t n = me(); n < NODES; n += NR_TASKLETS)
			if (reached[n] && levels[n] == UNSEEN)
				levels[n] = level + 1;
	}
	return 0;
}
