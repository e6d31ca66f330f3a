/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The processors of an ESP SoC: L1 caches in front of the private L2 of each CPU tile.
 *
 * The L1 data cache is Ariane's: write-through, no allocation on a store, included in the L2, which
 * can invalidate its lines. So every store is a request to the L2, a load or fetch only if it
 * misses in the L1. Virtual CPU n is CPU tile n modulo the number of CPU tiles; virtual CPUs of one
 * tile share its L1. docs/cpu-model.md has the rules.
 *
 * Callers hold one lock around all calls; only the filters work without it.
 */
#ifndef ESP_CPUS_H
#define ESP_CPUS_H

#include <stddef.h>

#include "cpu/filter.h"
#include "esp/soc.h"

/* Defaults: 32 KiB of 8 ways and 16 KiB of 4 ways. 0 bytes: no such cache. */
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
	struct cpu_sink sink;		/* the user sets sink.access */
	void *opaque;			/* for sink.access; the user sets it */
	struct esp_soc *soc;
	unsigned int ntiles;
	bool has_l2;
	struct cpu_esp_tile *tile;
};

/* NULL and a message in err if the geometry is impossible. */
struct cpu_esp *cpu_esp_new(struct esp_soc *soc, const struct cpu_esp_params *params,
			    char *err, size_t err_len);
void cpu_esp_free(struct cpu_esp *ce);

/*
 * An access to a line that the CPU's filter does not know. Returns false, without any change, if
 * the SoC is not at rest; the caller then brings the SoC's time up to date and calls again with
 * events = true.
 */
bool cpu_esp_access(struct cpu_esp *ce, unsigned int vcpu, enum cpu_access what, uint32_t line,
		    bool events);
/* Adds the filters' hits to the SoC's monitors. Call it before anybody reads them. */
void cpu_esp_fold(struct cpu_esp *ce);
/* Call it after a reset or load of the SoC: empties the L1 caches and the filters. */
void cpu_esp_forget(struct cpu_esp *ce);
void cpu_esp_counts(const struct cpu_esp *ce, unsigned int tile, struct cpu_esp_counts *counts);

#endif
