/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The processors of an ESP SoC: L1 caches in front of the private L2 of each CPU tile.
 *
 * The L1 data cache is Ariane's: write-through without allocation on a store, contained in the L2,
 * which takes lines out of it. Every store therefore is a request to the L2, a load or fetch only
 * if it misses in the L1. Virtual CPU n is CPU tile n modulo the number of CPU tiles; those that
 * share a tile share its L1. docs/cpu-model.md has the rules.
 *
 * Callers hold one lock around all calls; only the filters are used without.
 */
#ifndef CPU_ESP_CPUS_H
#define CPU_ESP_CPUS_H

#include <stddef.h>

#include "cpu/filter.h"
#include "esp/soc.h"

/* Defaults: 32 KiB of 8 ways and 16 KiB of 4 ways. 0 bytes: there is no such cache. */
struct cpu_esp_params {
	unsigned int l1d_bytes, l1d_ways;
	unsigned int l1i_bytes, l1i_ways;
};

void cpu_esp_params_init(struct cpu_esp_params *params);

/* Accesses of a CPU tile since the start; an access that spans two lines counts as two. */
struct cpu_esp_counts {
	uint64_t loads, stores, fetches;
	uint64_t l1d_misses, l1i_misses;
	uint64_t l2_requests;
};

struct cpu_esp {
	struct cpu_sink sink;		/* sink.access is the user's */
	void *opaque;			/* for sink.access, the user's, too */
	struct esp_soc *soc;
	unsigned int ntiles;
	bool has_l2;
	struct cpu_esp_tile *tile;
};

/* NULL and a message in err if the geometry is not possible. */
struct cpu_esp *cpu_esp_new(struct esp_soc *soc, const struct cpu_esp_params *params,
			    char *err, size_t err_len);
void cpu_esp_free(struct cpu_esp *ce);

/*
 * An access to a line that the CPU's filter does not know. False if the SoC is not at rest: then
 * nothing has happened, and the caller brings the SoC's time up to date and calls again with
 * events = true.
 */
bool cpu_esp_access(struct cpu_esp *ce, unsigned int vcpu, enum cpu_access what, uint32_t line,
		    bool events);
/* Adds the hits that the filters counted to the SoC's monitors; before anybody reads them. */
void cpu_esp_fold(struct cpu_esp *ce);
/* The SoC was reset or loaded: nothing is in any cache, or nobody knows what is. */
void cpu_esp_forget(struct cpu_esp *ce);
void cpu_esp_counts(const struct cpu_esp *ce, unsigned int tile, struct cpu_esp_counts *counts);

#endif
