/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random traffic of all tiles against a reference memory.
 *
 * The reference knows the stamp of the last write of every line. A cache that serves a load with an
 * older stamp has a stale copy. After each phase, when all is idle, the directory and the private
 * caches must agree.
 */
#ifndef ESP_TRAFFIC_H
#define ESP_TRAFFIC_H

#include "tests/unit/esp/bench.h"

struct traffic {
	struct bench bench;
	uint32_t nlines;		/* lines in use, from MEM_BASE on */
	uint64_t *latest;		/* reference: stamp of the last write */
	uint64_t *ddr;			/* stamps in DRAM */
	uint64_t *seen;	/* [cache * nlines + line]: the last stamp that a cache has shown; it never decreases */
	uint64_t loads, stores, dma_reads, dma_writes;
	uint64_t requests[ESP_MAX_MEMS], replies[ESP_MAX_MEMS];	/* of the directories */
	bool strict;			/* one access at a time: a load must see the last write */
	uint32_t random;
};

void traffic_open(struct traffic *t, const struct esp_design *design,
		  const struct esp_params *params);
void traffic_close(struct traffic *t);
uint32_t traffic_random(struct traffic *t, uint32_t below);
/* Accesses of CPUs and DMA runs of accelerators, until about operations words or lines were
 * touched. */
void traffic_run(struct traffic *t, uint64_t operations);
/*
 * Checks an idle SoC: single owner, no stale copy, inclusion, and the conservation of flits,
 * requests, beats.
 */
void traffic_check(struct traffic *t);

#endif
